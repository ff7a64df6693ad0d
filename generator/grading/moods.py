"""Moods: whether a text says of a deed that it is done, or only that it will, may or should be, or asks for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache

from generator.grading.statements import LONGEST, content_stems
from generator.validation.grounding.reading.days import MONTHS
from generator.validation.grounding.reading.languages import courtesies, entries, phrases
from generator.validation.grounding.reading.words import fold

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CAPITAL = re.compile(r"(?<=[^\s.!?]\s)[A-Z][a-z]{2,9}(?![a-z])")
_MOST_SIDES = 200


@dataclass(frozen=True, slots=True)
class Mood:
    """How a text means what it says."""

    claims: bool
    """Whether it says of anything that it is done."""
    unreal: int
    """How many of its sentences say what will, may, can or should be, those left out that are but polite."""
    past: bool
    """Whether it tells what was."""
    requests: bool
    """Whether it wants to be told something, without a question mark as well."""
    refers: bool
    """Whether it speaks of anything without its name."""


_NEUTRAL = Mood(claims=False, unreal=0, past=False, requests=False, refers=False)


def mood_of(text: str, language: str) -> Mood:
    """Return the mood of a text; one that says nothing where nothing is known of moods in its language.

    Args:
        text: the text as it is written, read as far as `LONGEST` characters.
        language: the language it is in, "" where that is not known.
    """
    if not entries(language, "moods", "unreal"):
        return _NEUTRAL
    folded = fold(_CAPITAL.sub(_without_month, text[:LONGEST]))
    return Mood(
        claims=phrases(language, "moods", "claiming").found_in(folded),
        unreal=_telling(folded, language, "moods", "unreal"),
        past=phrases(language, "moods", "past").found_in(folded),
        requests=_telling(folded, language, "asking", "telling") > 0,
        refers=phrases(language, "moods", "referring").found_in(folded),
    )


def _without_month(match: re.Match[str]) -> str:
    """Take out the name of a month, which may be an auxiliary where it is written small."""
    return "" if match[0].lower() in MONTHS else match[0]


def _telling(folded: str, language: str, concern: str, name: str) -> int:
    """Return how many sentences have a phrase of a class, those left out that are nothing but polite."""
    found = phrases(language, concern, name)
    if not found.found_in(folded):
        return 0
    own_words = _words_of_class(language, concern, name)
    polite = courtesies() | own_words
    return sum(1 for each in _SENTENCE.split(folded) if found.found_in(each) and content_stems(each) - polite)


@cache
def _words_of_class(language: str, concern: str, name: str) -> frozenset[str]:
    return frozenset().union(*map(content_stems, entries(language, concern, name)))


def sides_of(folded: str, names: Container[str], language: str) -> dict[str, Counter[str]]:
    """Return the prepositions that stand before names, by name: to whom, from whom, without whom.

    Args:
        folded: the text, folded.
        names: the names, folded, each of one word.
        language: the language of the text; nothing is known where it has no table of moods.
    """
    found: dict[str, Counter[str]] = {}
    if (pattern := _before_names(language)) is not None:
        for side, name in _sides_in(pattern, folded):
            if name in names:
                found.setdefault(name, Counter())[side] += 1
    return found


def _sides_in(pattern: re.Pattern[str], folded: str) -> Iterator[tuple[str, str]]:
    for number, match in enumerate(pattern.finditer(folded[:LONGEST])):
        if number >= _MOST_SIDES:
            return
        yield match[1], match[2]


@cache
def _before_names(language: str) -> re.Pattern[str] | None:
    sides = "|".join(map(re.escape, entries(language, "moods", "sides")))
    articles = "|".join(map(re.escape, entries(language, "moods", "articles")))
    return re.compile(rf"(?<!\w)({sides})[\s']\s?(?:(?:{articles})[\s.']\s?)?([^\W\d_]+)") if sides else None
