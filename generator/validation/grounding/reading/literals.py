"""Literals: what a text quotes or states to the letter, and a reader would look for again.

Quotes, each kind of marks by itself and of any length; ids, addresses, paths and numbers of some length; no days and
no times of day.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import Literal as OneOf
from typing import NamedTuple

_MARKS = re.compile("[\"'“”„«»‘’「」『』`]")
_PAIRS = tuple((pair[0], pair[1]) for pair in "\"\" “” „“ „” «» »« ‘’ 「」 『』 `` '' ””".split())


class Quote(NamedTuple):
    """What stands between two marks, and where."""

    text: str
    start: int
    end: int


_SPEAKING = re.compile("[\"“”„«»‘「」『』`]|(?<![^\\W_])'|'(?![^\\W_])")


def has_marks(text: str) -> bool:
    """Say whether a text has any quotation mark, apostrophes within words left out."""
    return _PLAIN_MARKS.search(text) is not None or ("'" in text and _SPEAKING.search(text) is not None)


_PLAIN_MARKS = re.compile('["“”„«»‘「」『』`]')


def is_inside(at: int, text: str) -> bool:
    """Say whether a place may be inside a quotation: an odd number of marks stands before it."""
    return sum(1 for _ in _SPEAKING.finditer(text, 0, at)) % 2 == 1


def quotes_of(text: str) -> list[Quote]:
    """Return what a text quotes; a text that is one quotation as a whole is none."""
    marks = [(match.start(), match[0]) for match in _MARKS.finditer(text)]
    if len(marks) < 2:
        return []
    kinds = {mark for _, mark in marks}
    found: dict[tuple[int, int], Quote] = {}
    for opening, closing in _PAIRS:
        if opening in kinds and closing in kinds:
            for quote in _between(text, marks, opening, closing):
                found.setdefault((quote.start, quote.end), quote)
    return [each for each in found.values() if not _is_all(each, text)]


def _between(text: str, marks: list[tuple[int, str]], opening: str, closing: str) -> list[Quote]:
    """Return what stands between these two marks, the nearest to each other."""
    found: list[Quote] = []
    start: int | None = None
    for at, mark in marks:
        if start is None or (mark == opening and opening != closing):
            if mark == opening and _may_open(text, at):
                start = at + 1
        elif mark == closing and _may_close(text, at):
            if text[start:at].strip():
                found.append(Quote(text[start:at], start, at))
            start = None
    return found


def _may_open(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] not in _STRAIGHT:
        return bool(after)
    return not _is_letter(before) and bool(after) and (text[at] != "'" or not after.isspace())


def _may_close(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] in "'’":
        return not (before.isspace() or _is_letter(after))
    return text[at] not in _STRAIGHT or not _is_letter(after)


_STRAIGHT = "\"'`"
"""Marks that look alike before and after what they quote."""


def _is_letter(character: str) -> bool:
    """Say whether a word goes on with this: a letter or digit of a script that writes words apart."""
    return character.isalnum() and character < "\u2e80"


def _is_all(quote: Quote, text: str) -> bool:
    return len(quote.text) + 2 >= len(text.strip(" \n\t.!?"))


Sort = OneOf["quote", "address", "path", "id", "number", "name", "choice"]


class Literal(NamedTuple):
    """Something that a text states to the letter."""

    sort: Sort
    text: str
    start: int
    end: int

    @property
    def identifies(self) -> bool:
        """Whether it is one of a kind, so that it is used as it stands or not at all."""
        return self.sort != "number"

    @property
    def is_stated(self) -> bool:
        """Whether it is more than a name or a word that a tool knows."""
        return self.sort not in ("name", "choice")


_QUOTE = "|".join(
    (
        r'"([^"\n]{2,2000})"',
        r"“([^”]{2,2000})”",
        r'„([^“”"]{2,2000})[“”"]',
        r"«\s?([^»]{2,2000}?)\s?»",
        r"「([^」]{2,2000})」",
        r"(?<![\w'])'([^'\n]{3,400})'(?![\w'])",
    )
)
_QUOTES = re.compile(_QUOTE)
_QUOTE_SIGN = re.compile("[\"'“„«「]")
"""How each quotation begins."""
_DIGIT = re.compile(r"\d")
_ADDRESS = re.compile(r"https?://[^\s<>\"')]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
_PATH = re.compile(
    r"(?<![\w/.])(?:[A-Za-z]:\\|~?/|\.{1,2}/)[\w.-]{1,80}(?:[/\\][\w.-]{1,80}){1,20}|(?<![\w.-])[\w-]{2,80}\.[a-z][a-z\d]{1,3}(?!\w|\.\w)"
)
_CODE = re.compile(r"(?<![\w.@/-])[A-Za-z\d]{1,40}(?:[-_/#][A-Za-z\d]{1,40}){0,6}(?![\w@])")
_FIGURE = re.compile(
    r"(?<![\w.,])[$€£¥]?\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,9})?(?![\d])|(?<![\w.,:/-])[$€£¥]?\d{1,18}(?:\.\d{1,9})?(?![\d:/])"
)
_FEWEST_DIGITS = 3


def literals_of(raw: str) -> list[Literal]:
    """Return the literals of a text in their order, none within another."""
    found: list[Literal] = []
    for each in _each(raw):
        at = bisect_left(found, each.end, key=attrgetter("start"))
        if not at or found[at - 1].end <= each.start:
            found.insert(at, each)
    return found


def _each(raw: str) -> Iterator[Literal]:
    """Yield the literals of a text by their sorts, those that hold others first."""
    quotes = list(_QUOTES.finditer(raw)) if _QUOTE_SIGN.search(raw) else []
    if quotes and _is_whole_text(quotes[0], raw):
        yield from (each._replace(start=each.start + 1, end=each.end + 1) for each in _each(raw[1:]))
        return
    for match in quotes:
        group = match.lastindex or 0
        yield Literal("quote", match[group], match.start(group), match.end(group))
    yield from _addresses_and_paths(raw)
    digits = len(_DIGIT.findall(raw))
    if digits:
        yield from _codes_and_figures(raw, digits)


def _is_whole_text(quote: re.Match[str], raw: str) -> bool:
    """Say whether a text as a whole stands in quotation marks."""
    return quote.start() == 0 and 2 * len(quote[0]) > len(raw)


def _addresses_and_paths(raw: str) -> Iterator[Literal]:
    for match in _ADDRESS.finditer(raw) if "@" in raw or "://" in raw else ():
        text = match[0].rstrip(".,;:!?")
        yield Literal("address", text, match.start(), match.start() + len(text))
    for match in _PATH.finditer(raw) if "." in raw or "/" in raw or "\\" in raw else ():
        text = match[0].rstrip(".")
        if _is_path(text):
            yield Literal("path", text, match.start(), match.start() + len(text))


def _codes_and_figures(raw: str, digits: int) -> Iterator[Literal]:
    """Yield the codes and the numbers of a text with so many digits."""
    for match in _CODE.finditer(raw) if digits >= _FEWEST_DIGITS else ():
        if _is_id(match[0]):
            yield Literal("id", match[0], match.start(), match.end())
    for match in _FIGURE.finditer(raw):
        figure = match[0].lstrip("$€£¥")
        if figure != match[0] or "." in figure or len(figure) >= _FEWEST_DIGITS:
            yield Literal("number", figure, match.start(), match.end())


def _is_path(text: str) -> bool:
    return "/" in text or "\\" in text or any(letter in "_-" or letter.isdigit() for letter in text)


def _is_id(text: str) -> bool:
    """Say whether a word is a code: letters and three digits or more, in no order that counts or measures."""
    digits = sum(map(str.isdigit, text))
    return digits >= _FEWEST_DIGITS and not text[:digits].isdigit() and any(map(str.isalpha, text))
