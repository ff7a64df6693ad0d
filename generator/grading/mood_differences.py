"""What a text means otherwise than the record's own answer: what is done or only planned, by whom and for whom.

The facts may all be there and the deed be another one: promised, asked for, done from somebody instead of for them, or
told in words that nobody has said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from generator.grading.moods import Mood, sides_of
from generator.grading.reasons import Reason
from generator.grading.statements import Statements
from generator.grading.text_differences import OwnAnswer
from generator.validation.grounding.reading.languages import courtesies
from generator.validation.grounding.reading.words import stem
from generator.validation.grounding.result_numbers import unit_of_word

_MOST_TOLD = 8
_DOUBTFUL = 0.95
_UNDONE = 0.8


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
    if not known.language or known.language == "zh":
        return
    borne = known.evidence_stems if known.own.asks or known.own.denials else known.said_stems
    own, polite = known.own.stem_counts, courtesies()
    strange = {each for each in said.stem_counts if each not in own and each not in borne and each not in polite}
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
