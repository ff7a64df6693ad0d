"""Moods: whether a text says of a deed that it is done, or only that it will, may or should be, or asks for it.

Told against the record's own answer: the facts may all be there and the deed be another one, promised, asked for, done
from somebody instead of for them, or told in words that nobody has said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from generator.grading.reasons import Reason
from generator.grading.statements import LONGEST, Statements, content_stems
from generator.grading.text_differences import OwnAnswer
from generator.validation.grounding.reading.days import MONTHS
from generator.validation.grounding.reading.languages import UNKNOWN, courtesies, entries, phrases, words_of
from generator.validation.grounding.reading.words import fold, stem
from generator.validation.grounding.result_numbers import unit_of_word

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CAPITAL = re.compile(r"(?<=[^\s.!?]\s)[A-Z][a-z]{2,9}(?![a-z])")
_LOOKED_BACK = 40
_MOST_TOLD = 8
_DOUBTFUL = 0.95
_UNDONE = 0.8


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
    if not _closed_class(language, "unreal"):
        return _NEUTRAL
    folded = fold(text[:LONGEST])
    words = words_of(folded)
    unreal = phrases(language, "moods", "unreal").found_in(folded, words)
    return Mood(
        claims=phrases(language, "moods", "claiming").found_in(folded, words),
        unreal=_telling(_without_months(text), language, "moods", "unreal") if unreal else 0,
        past=phrases(language, "moods", "past").found_in(folded, words),
        requests=_requests(folded, words, language),
        refers=phrases(language, "moods", "referring").found_in(folded, words),
    )


def _requests(folded: str, words: frozenset[str], language: str) -> bool:
    found = phrases(language, "asking", "telling").found_in(folded, words)
    return found and _telling(folded, language, "asking", "telling") > 0


def _without_months(text: str) -> str:
    """Fold a text without the names of months, which may be auxiliaries where they are written small."""
    return fold(_CAPITAL.sub(lambda match: "" if match[0].lower() in MONTHS else match[0], text[:LONGEST]))


def _telling(folded: str, language: str, concern: str, name: str) -> int:
    """Return how many sentences have a phrase of a class, those left out that are nothing but polite."""
    found = phrases(language, concern, name)
    polite = courtesies() | _words_of_class(language, concern, name)
    return sum(1 for each in _SENTENCE.split(folded) if found.found_in(each) and content_stems(each) - polite)


@cache
def _words_of_class(language: str, concern: str, name: str) -> frozenset[str]:
    return frozenset().union(*map(content_stems, entries(language, concern, name)))


def sides_of(folded: str, names: Iterable[str], language: str) -> dict[str, set[str]]:
    """Return the prepositions that stand before names, by name: to whom, from whom, without whom.

    Args:
        folded: the text, folded.
        names: the names, folded, each of one word.
        language: the language of the text; nothing is known where it has no table of moods.
    """
    found: dict[str, set[str]] = {}
    sides, articles = _closed_class(language, "sides"), _closed_class(language, "articles")
    for name in names if sides else ():
        at = folded.find(name)
        while 0 <= at < LONGEST:
            before = folded[max(0, at - _LOOKED_BACK) : at]
            side = "" if before[-1:].isalnum() else _side_in(before, sides, articles)
            if side and not folded[at + len(name) : at + len(name) + 1].isalnum():
                found.setdefault(name, set()).add(side)
            at = folded.find(name, at + len(name))
    return found


def _side_in(before: str, sides: frozenset[str], articles: frozenset[str]) -> str:
    """Return the preposition at the end of what stands before a name, an article left out; "" for none."""
    words = before.replace("'", "' ").split()
    if words and words[-1].rstrip(".") in articles:
        words.pop()
    longer = " ".join(words[-2:])
    return longer if longer in sides else words[-1] if words and words[-1] in sides else ""


@cache
def _closed_class(language: str, name: str) -> frozenset[str]:
    return frozenset(entries(language, "moods", name))


class OwnMood(OwnAnswer, Protocol):
    """What is known of how the record's own answer means what it says."""

    mood: Mood
    sides: dict[str, set[str]]
    """The prepositions before the words among its facts, by these."""

    @property
    def said_stems(self) -> frozenset[str]:
        """The stems of all that was said, called and returned before, and of the names of the fields."""
        ...


def mood_differences(known: OwnMood, said: Statements, mood: Mood, folded: str) -> Iterator[Reason]:
    """Yield what a text means otherwise than the record's own answer.

    Args:
        known: what is known of the record's own answer.
        said: what the text says.
        mood: how it means it.
        folded: the text, folded.
    """
    yield from _asked(known, said, mood)
    if not known.own.asks and not known.own.denials:
        yield from _unreal(known, mood)
    yield from _strange_words(known, said)
    yield from _sides(known, folded)


def _told(code: str, score: float, message: str) -> Reason:
    return Reason(code, "outcome", "", "", score, message)


def _asked(known: OwnMood, said: Statements, mood: Mood) -> Iterator[Reason]:
    if known.own.asks:
        return
    if any(sentence.asks and sentence.stems - courtesies() for sentence in said.sentences):
        yield _told("asks_more", _UNDONE, "asks, where the record's answer asks nothing")
    elif mood.requests and not known.mood.requests:
        yield _told("asks_more", 0.85, "wants to be told something, where the record's answer does not")


def _unreal(known: OwnMood, mood: Mood) -> Iterator[Reason]:
    own = known.mood
    if mood.unreal > own.unreal:
        if own.claims and not mood.claims:
            yield _told("promised", _UNDONE, "says what will, can or should be done, where the record's answer did it")
        else:
            yield _told("unreal", _DOUBTFUL, "says what will, may or should be, which the record's answer does not")
    if mood.past and not own.past:
        yield _told("past", _DOUBTFUL, "tells what was, where the record's answer tells what is")


def _strange_words(known: OwnMood, said: Statements) -> Iterator[Reason]:
    if known.language in (UNKNOWN, "zh"):
        return
    borne = known.evidence_stems if known.own.asks or known.own.denials else known.said_stems
    strange = said.stem_counts.keys() - known.own.stem_counts.keys() - borne - courtesies()
    if not strange:
        return
    units = set().union(*known.own.units.values())
    told = [
        word for word in said.words
        if stem(word) in strange and unit_of_word(word, known.language) not in units and stem(stem(word)) not in borne
    ]  # fmt: skip
    if told:
        listed = ", ".join(sorted(told)[:_MOST_TOLD])
        yield _told(
            "other_words", _DOUBTFUL, f"says {listed}, which neither the record's answer nor anybody before did"
        )


def _sides(known: OwnMood, folded: str) -> Iterator[Reason]:
    ours = known.sides
    for name, sides in sides_of(folded, ours, known.language).items():
        if other := sides - ours[name]:
            yield _told("other_side", _DOUBTFUL, f"says {min(other)} {name}, not {min(ours[name])} {name}")
            return
