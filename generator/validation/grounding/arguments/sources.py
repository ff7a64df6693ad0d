"""The texts that a value may come from, message by message and turn by turn, each read as far as a value asks for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.calendars import SaidDay
from generator.validation.grounding.reading.clocks import Clocks, clocks_in
from generator.validation.grounding.reading.days import DayPhrase, phrases_of
from generator.validation.grounding.reading.languages import is_english, languages_of
from generator.validation.grounding.reading.literals import has_marks
from generator.validation.grounding.reading.quantities import (
    NEGATIVE,
    Converted,
    Quantity,
    added_together,
    converted,
    figures_of,
    has_signs_in_figures,
    ordinals_of,
    quantities_of,
)
from generator.validation.grounding.reading.words import LONGEST_TEXT, Words, fold
from generator.validation.view import CallView, MessageView, RecordView, cached_attribute

LITERAL, NORMALISED, OVERLAP, SCHEMA = "literal", "normalised", "overlap", "schema"
CONSTRUCTION, ASSERTED = "construction", "asserted"
EVIDENCE_LEVELS = (LITERAL, NORMALISED, OVERLAP, SCHEMA, CONSTRUCTION, ASSERTED)
"""The evidence levels, the surest first."""


class Grounding(NamedTuple):
    """Where a value comes from."""

    level: str
    where: str
    """JSON pointer into the record: of the text that holds it, or of the keyword of the schema."""
    text: str
    """What is said there."""


_ROUNDED_FROM = 50
"""From here on a number calculated from another unit may be given rounded."""


_LEAST_ROUNDED = 0.05
"""From here on a fraction that no few digits write may be given rounded."""
_MINUTES = {"minute": 1, "min": 1, "hour": 60, "hr": 60, "h": 60, "day": 1440, "night": 1440, "week": 10_080}
_MOST_LENGTHS = 20


def keys_of(value: float) -> tuple[str, ...]:
    """Return under which texts a number is found that was calculated: whole as it is, rounded, or to four digits."""
    if value == round(value) or abs(value) >= 1e5:
        return (f"{value:.9g}",)
    return (f"{value:.4g}", str(round(value))) if abs(value) > _ROUNDED_FROM else (f"{value:.4g}",)


class Source:
    """One earlier message: what the user, the system or a result says."""

    def __init__(self, index: int, raw: str, role: str = "user") -> None:
        self.index = index
        self.raw = raw
        self.role = role

    @cached_attribute
    def folded(self) -> str:
        """The text folded."""
        return fold(self.raw)

    @cached_attribute
    def where(self) -> str:
        """JSON pointer of the text."""
        return f"/messages/{self.index}/content"

    @cached_attribute
    def start(self) -> str:
        """As much of the folded text as is read beyond the letter."""
        return self.folded[:LONGEST_TEXT]

    @cached_attribute
    def words(self) -> Words:
        """Its words."""
        return Words(self.folded)

    @cached_attribute
    def quantities(self) -> list[Quantity]:
        """What it counts and measures."""
        return quantities_of(self.figures[:LONGEST_TEXT], self.languages)

    @cached_attribute
    def languages(self) -> tuple[str, ...]:
        """The languages it may be written in."""
        return languages_of(self.start)

    @cached_attribute
    def figures(self) -> str:
        """Its folded text with the numbers as the English write them, letter for letter at the same places."""
        if self.role == "tool" or not has_signs_in_figures(self.folded):
            return self.folded
        return figures_of(self.folded, self.languages)

    @cached_attribute
    def numbers(self) -> dict[float, str]:
        """The numbers it states, each with its text."""
        found: dict[float, str] = {}
        for quantity in reversed(self.quantities):
            if (near := round(quantity.value, 4)) != quantity.value and abs(near) > _LEAST_ROUNDED:  # "a third"
                found |= {near: quantity.text, round(near, 3): quantity.text, round(near, 2): quantity.text}
            found[quantity.value] = quantity.text
        if NEGATIVE.search(self.start):
            found |= {-number: text for number, text in found.items() if -number not in found}
        return found

    @cached_attribute
    def conversions(self) -> dict[str, list[tuple[Converted, str]]]:
        """What its quantities are in other units, by the number as `keys_of` writes it, each with its text."""
        found: dict[str, list[tuple[Converted, str]]] = {}
        for quantity in self.quantities:
            for each in converted(quantity):
                for key in keys_of(each.value):
                    found.setdefault(key, []).append((each, f"{quantity.text} {quantity.unit}".strip()))
        for first, second in pairwise(self.quantities):
            for each in added_together(first, second):
                for key in keys_of(each.value):
                    found.setdefault(key, []).append((each, f"{first.text} {second.text}"))
        return found

    @cached_attribute
    def ordinals(self) -> dict[float, str]:
        """The ordinals it says in words."""
        return ordinals_of(self.start, self.languages)

    @cached_attribute
    def days(self) -> list[SaidDay]:
        """The days it states absolutely."""
        return days.days_of(self.start, self.phrases)

    @cached_attribute
    def phrases(self) -> tuple[DayPhrase, ...]:
        """The phrases that state days."""
        return phrases_of(self.start, self.languages)

    @cached_attribute
    def relative_day(self) -> str:
        """The words that place a day relative to now; "" where there are none."""
        return next((phrase.text for phrase in self.phrases if phrase.resolve is not None), "")

    @cached_attribute
    def clock_phrases(self) -> Clocks:
        """The phrases that state times of day."""
        return clocks_in(self.start, self.languages)

    @cached_attribute
    def clocks(self) -> dict[int, str]:
        """The times of day it states, in minutes since midnight."""
        return {minutes: phrase.text for phrase in reversed(self.clock_phrases.phrases) for minutes in phrase.minutes}

    @cached_attribute
    def hours(self) -> dict[int, str]:
        """The times of day it may mean by a bare number or by a part of the day, in minutes since midnight."""
        found: dict[int, str] = {}
        for minutes, text in clocks.hours_of(self.start, self.clock_phrases, self.languages):
            found.setdefault(minutes, text)
        return found

    @cached_attribute
    def lengths(self) -> list[tuple[Quantity, float]]:
        """How long it says something takes, in minutes; the first few."""
        found = [(each, each.value * _MINUTES[unit]) for each in self.quantities
                 if (unit := each.unit.rstrip("s")) in _MINUTES]  # fmt: skip
        return found[:_MOST_LENGTHS]

    @cached_attribute
    def months(self) -> dict[int, str]:
        """The months it names."""
        return {phrase.month: phrase.text for phrase in reversed(self.phrases) if phrase.month is not None}

    @cached_attribute
    def years(self) -> dict[int, str]:
        """The years it writes."""
        return dict(days.years_of(self.start))


@lru_cache(maxsize=256)
def _days_written(value: str) -> tuple[date, ...]:
    return tuple(days.read_day(value))


def source_of(record: RecordView, message: MessageView) -> Source:
    """Return a message of a record, which has text, as a source; each is read once."""
    return source_among(record.sources, message)


def source_among(sources: dict[int, Source], message: MessageView) -> Source:
    """Return a message, which has text, as a source, kept among those of its record."""
    found = sources.get(message.index)
    if found is None:
        found = sources[message.index] = Source(message.index, str(message.content), message.role)
    return found


class Said:
    """All that was said before a turn, the likeliest source first, and the days it may be relative to.

    `metadata_day` is the reference day as the record's metadata write it.
    """

    def __init__(self, sources: tuple[Source, ...], metadata_day: object = None) -> None:
        self.sources = sources
        self.metadata_day = metadata_day

    @cached_attribute
    def metadata_days(self) -> tuple[date, ...]:
        """The reference day as the metadata state it; more where they leave the order of day and month open."""
        return _days_written(self.metadata_day[:32]) if isinstance(self.metadata_day, str) else ()

    @cached_attribute
    def references(self) -> tuple[date, ...]:
        """The days that relative times are relative to: the metadata's, and those the system message states."""
        found = list(self.metadata_days)
        for source in self.sources:
            if source.role == "system":
                whole = [said for said in source.days if said.year is not None and said.month is not None]
                found += [day for said in whole for day in said.near(date.min)]
        return tuple(dict.fromkeys(found))

    @cached_attribute
    def tokens(self) -> frozenset[str]:
        """The words of every source."""
        return frozenset().union(*(source.words.tokens_set for source in self.sources))

    @cached_attribute
    def stems(self) -> frozenset[str]:
        """The stems of every source."""
        return frozenset().union(*(source.words.stems for source in self.sources))

    @cached_attribute
    def beginnings(self) -> frozenset[str]:
        """The first letters of every longer word: enough to know a relative of it."""
        return frozenset(token[:BEGINNING] for token in self.tokens if len(token) >= BEGINNING)

    @cached_attribute
    def relative_days(self) -> dict[date, tuple[Source, str]]:
        """The days stated relative to the reference days."""
        found: dict[date, tuple[Source, str]] = {}
        for source, reference in ((source, day) for source in self.sources for day in self.references):
            if source.role != "system":
                for day, text in days.relative_days(source.phrases, reference):
                    found.setdefault(day, (source, text))
        return found


def speaks_english(said: Said) -> bool:
    """Say whether who asks speaks English, as far as their longest text tells."""
    spoken = [source for source in said.sources if source.role == "user"]
    return is_english(max(spoken, key=lambda source: len(source.folded)).words) if spoken else True


BEGINNING = 5
"""Letters that two longer words must share at their beginning to be related: "vegetarian", "vegetables"."""


class CallTurn:
    """A turn of calls, and what it follows; texts are read no further than somebody asks."""

    def __init__(
        self, record: RecordView, calls: tuple[CallView, ...], asked: list[MessageView], before: list[MessageView]
    ) -> None:
        self._known = record.sources  # and not the record, which keeps its turns
        self.calls = calls
        self._asked = tuple(asked)
        self._before = tuple(before)

    @cached_attribute
    def asked(self) -> str:
        """What users said since the last turn of calls that they spoke after, as one text."""
        if len(self._asked) == 1:
            return str(self._asked[0].content)
        return "\n".join([str(message.content) for message in self._asked])

    @cached_attribute
    def told(self) -> str:
        """Everything that users said and that results told before the calls, as one text."""
        return "\n".join([self.asked, *[str(message.content) for message in self._before]])

    @cached_attribute
    def quotes(self) -> bool:
        """Whether what was asked has quotation marks."""
        return has_marks(self.asked)

    @cached_attribute
    def folded(self) -> str:
        """What was asked, folded."""
        return fold(self.asked)

    @cached_attribute
    def requests(self) -> tuple[Source, ...]:
        """What was asked, the latest first."""
        return self._sources(self._asked)

    @cached_attribute
    def sources(self) -> tuple[Source, ...]:
        """What was asked and what was told before, the latest first."""
        return (*self.requests, *self._sources(self._before))

    def _sources(self, messages: tuple[MessageView, ...]) -> tuple[Source, ...]:
        return tuple([source_among(self._known, each) for each in reversed(messages)])


def call_turns(record: RecordView) -> list[CallTurn]:
    """Return each turn of calls that follows something a user said, read once."""
    if record.turns is None:
        record.turns = list(_turns_in(record))
    return record.turns


def _turns_in(record: RecordView) -> Iterator[CallTurn]:
    asked: list[MessageView] = []
    before: list[MessageView] = []
    has_called = False
    for message in record.messages:
        if message.calls:
            has_called = True
            if asked:
                yield CallTurn(record, message.calls, asked, before)
        elif not isinstance(message.content, str):
            continue
        elif message.role == "user":
            if has_called:
                before += asked
                asked = []
                has_called = False
            asked.append(message)
        elif message.role in ("tool", "system"):
            before.append(message)
