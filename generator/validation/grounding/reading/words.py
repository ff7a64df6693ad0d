"""Words: texts brought to one form in which no case or accent tells them apart, what they quote, where words lie."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Literal as OneOf
from typing import NamedTuple

from generator.validation.view import cached_attribute

LONGEST_TEXT = 20_000
"""Characters of one text that are read beyond the letter: more is searched literally alone."""

_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_ASCII_WORD = re.compile(r"[A-Za-z]+|[0-9]+(?:\.[0-9]+)?")
"""The same for a text of ASCII letters alone, which takes half the time."""
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "µ": "u", "μ": "u",
                          "ı": "i", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-",
                          "−": "-", "\xa0": " ", "\u202f": " ", "½": " 1/2", "¼": " 1/4", "¾": " 3/4",
                          "⅓": " 1/3", "⅔": " 2/3"})  # fmt: skip
_CONTINUOUS = "\u2e80"
"""From here on scripts write words without spaces between them."""

STOPWORDS = frozenset("""
a an and are as at be but by can do for from get had has have he hi i if in into is it its me my of off on or our out
over please so than that the their them then there these they this those to up us was we were what when where which
who will with would you your any all some
""".split())  # fmt: skip

_ENDINGS = ("ization", "isation", "ations", "ation", "ments", "ities", "ingly", "ment", "ions", "ings", "able",
            "ally", "ness", "ical", "ity", "ion", "ing", "ies", "ied", "ers", "ors", "als", "ian", "est",
            "ed", "er", "or", "es", "al", "ly", "ic", "an", "s", "y", "e", "n")  # fmt: skip


def fold(text: str) -> str:
    """Bring a text to one form of letters: no case, no accents, plain quotes and dashes."""
    folded = text.casefold()
    return folded if folded.isascii() else _FOREIGN.sub(_plain_run, folded)


def _plain_run(run: re.Match[str]) -> str:
    letters = run[0]
    return _short_plain(letters) if len(letters) <= _SHORT_RUN else _plain(letters)


def _plain(letters: str) -> str:
    """Bring letters beyond ASCII to their plain form; no ASCII letter beside them ever joins with one of them."""
    letters = letters.translate(_LETTERS)
    if letters.isascii():
        return letters
    decomposed = unicodedata.normalize("NFKD", letters)
    return unicodedata.normalize("NFC", "".join([each for each in decomposed if not unicodedata.combining(each)]))


_FOREIGN = re.compile("[^\\x00-\\x7f]+")
_SHORT_RUN = 4
_short_plain = lru_cache(maxsize=4096)(_plain)
"""Single letters with accents, quotes and dashes: the same few in every text."""


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a folded text."""
    return (_ASCII_WORD if text.isascii() else _WORD).findall(_SEPARATOR.sub("", text) if "," in text else text)


def tokens_of_value(value: str) -> list[str]:
    """Return the words and numbers of a value as it is written, `camelCase` and `snake_case` divided."""
    return tokens_of(fold(_CAMEL.sub(" ", value)))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Cut the endings of an English word that tell plurals and parts of speech apart."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            rest = word[: -len(ending)]
            return rest[:-1] if ending != "s" and len(rest) > 3 and rest[-1] == rest[-2] else rest
    return word


class Words:
    """The words of one text in the forms that values are compared with."""

    def __init__(self, folded: str) -> None:
        self.tokens = tokens_of(folded)

    @cached_attribute
    def tokens_set(self) -> frozenset[str]:
        """Its words, each once."""
        return frozenset(self.tokens)

    @cached_attribute
    def spaced(self) -> str:
        """Its words with one space around each."""
        return f" {' '.join(self.tokens)} "

    @cached_attribute
    def squeezed(self) -> str:
        """Its words without anything between them."""
        return "".join(self.tokens)

    @cached_attribute
    def initials(self) -> str:
        """The first letters of its words."""
        return "".join([token[0] for token in self.tokens])

    @cached_attribute
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(map(stem, self.tokens_set))

    @cached_attribute
    def stems_spaced(self) -> str:
        """The stems of its words with one space around each."""
        return f" {' '.join(map(stem, self.tokens))} "


_MOST_PLACES = 64


def find_literal(text: str, wanted: str) -> int:
    """Return where a folded value stands in a folded text as words of its own; -1 where it does not.

    A place inside a longer word is none: "art" is not in "party". What folds to nothing is found at once.
    """
    if not wanted:
        return 0
    at = text.find(wanted)
    size = len(wanted)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return at
        end = at + size
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()) or _stands_alone(text, at, end):
            return at
        at = text.find(wanted, at + 1)
    return -1


def _stands_alone(text: str, start: int, end: int) -> bool:
    return (start == 0 or not _joined(text[start - 1], text[start])) and (
        end >= len(text) or not _joined(text[end - 1], text[end])
    )


def _joined(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and left < _CONTINUOUS and right < _CONTINUOUS


_PLAIN_BEFORE = frozenset(" \"'(:[$/\n")
_PLAIN_AFTER = frozenset(" \"'):]}/\n%;?!")
"""What stands beside a whole number; beside others it may be part of a longer one."""


def find_number(text: str, digits: str) -> int:
    """Return where a number written as these digits stands whole in a folded text; -1 where it does not."""
    at = text.find(digits)
    size = len(digits)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return at
        end = at + size
        begins = at == 0 or text[at - 1] in _PLAIN_BEFORE or _begins_number(text, at)
        if begins and (text[end : end + 1] in _PLAIN_AFTER or _ends_number(text, end)):
            return at
        at = text.find(digits, at + 1)
    return -1


def _begins_number(text: str, at: int) -> bool:
    if at == 0:
        return True
    before, earlier = text[at - 1], text[at - 2 : at - 1]
    if before.isdigit() or (before == "." and earlier.isdigit()):
        return False
    if before == "," and earlier.isdigit() and _is_group(text, at):
        return False
    signed = before in "-−" and text[at] not in "-−"
    return not (signed and earlier in " (=[:,")


def _is_group(text: str, at: int) -> bool:
    """Say whether three digits stand here alone, as they do after a separator of thousands."""
    return text[at : at + 3].isdigit() and len(text[at : at + 3]) == 3 and not text[at + 3 : at + 4].isdigit()


def _ends_number(text: str, end: int) -> bool:
    after = text[end : end + 5]
    if not after:
        return True
    if after[0].isdigit() or (after[0] == "." and after[1:2].isdigit()):
        return False
    return not (after[0] == "," and after[1:4].isdigit() and len(after[1:4]) == 3 and not after[4:5].isdigit())


def is_a_letter(one: str, other: str) -> bool:
    """Say whether a letter is left out, added, changed or changes places with the next one."""
    if len(one) > len(other):
        one, other = other, one
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    if len(one) < len(other):
        return one[same:] == other[same + 1 :]
    swapped = one[same + 1 : same + 2] + one[same : same + 1]
    rest = other[same : same + 2]
    return one[same + 1 :] == other[same + 1 :] or (swapped == rest and one[same + 2 :] == other[same + 2 :])


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


Span = tuple[int, int]
"""Where words begin and end."""
Places = dict[str, list[Span]]
"""Where each value of a thing is said: at one place or at any of several."""
FEWEST = 2
"""Words that a thing must have in a text, or nothing lies beside anything."""


def extent(spans: Mapping[str, Span]) -> Span:
    """Return from where to where the words of a thing reach."""
    return min(start for start, _ in spans.values()), max(end for _, end in spans.values())


def changed_places(mine: Mapping[str, Span], theirs: Mapping[str, Span]) -> str:
    """Return which words of two things, each said once, would have to change places so that the things lie apart.

    An empty text says that none would.
    """
    if min(len(mine), len(theirs)) < FEWEST:
        return ""
    one, other = ({place: (span,) for place, span in each.items()} for each in (mine, theirs))
    return "" if lie_apart(one, other) else place_to_change(one, other)


def place_to_change(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> str:
    """Return which words of two things would have to change places so that the things lie apart; "" for none."""
    for place in sorted(mine.keys() & theirs.keys()):
        if lie_apart({**mine, place: theirs[place]}, {**theirs, place: mine[place]}):
            return place
    return ""


def lie_apart(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> bool:
    """Say whether the words of two things can be read one thing after the other."""
    return _comes_first(mine, theirs) or _comes_first(theirs, mine)


def _comes_first(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> bool:
    """Say whether each word of the one is said before each of the other, at the best of its places."""
    ends = max(min(end for _, end in spans) for spans in mine.values())
    return ends <= min(max(start for start, _ in spans) for spans in theirs.values())


def in_order(first: Sequence[Span], second: Sequence[Span]) -> int | None:
    """Return which of two lists' words stands elsewhere in the second list than in the first; None where none does.

    Only of lists of which one ends before the other begins, and of which two entries alone have changed places.
    """
    if not _ends_before(first, second) and not _ends_before(second, first):
        return None
    ranks = [sorted(values).index(value) for values in (first, second) for value in values]
    half = len(first)
    wrong = [at for at in range(half) if ranks[at] != ranks[half + at]]
    return wrong[-1] if len(wrong) == 2 else None


def _ends_before(one: Sequence[Span], other: Sequence[Span]) -> bool:
    return max(end for _, end in one) <= min(start for start, _ in other)


def first_out_of_turn(things: Sequence[Sequence[Sequence[Span]]]) -> int | None:
    """Return the first thing that is not told after the one before it, with all its words; None where all are."""
    at = 0
    for number, thing in enumerate(things):
        taken: list[Span] = []
        for places in thing:
            own = next((span for span in places if span[0] >= at and span not in taken), None)
            if own is None:
                return number
            taken.append(own)
        at = max((end for _, end in taken), default=at)
    return None


def overlapping(things: Sequence[Places]) -> list[tuple[int, int]]:
    """Return which two things reach into each other, by all the places of their words; most do not."""
    reaches = sorted(
        (min(spans[0][0] for spans in thing.values()), max(spans[-1][1] for spans in thing.values()), number)
        for number, thing in enumerate(things)
        if thing
    )
    found: list[tuple[int, int]] = []
    for at, (_, end, one) in enumerate(reaches):
        for start, _, other in reaches[at + 1 :]:
            if start >= end:
                break
            found.append((min(one, other), max(one, other)))
    return sorted(found)
