"""Quotes: what a text puts between quotation marks, each kind of marks by itself, of any length."""

from __future__ import annotations

import re
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
