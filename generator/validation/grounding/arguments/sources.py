"""The texts that a value may come from, turn by turn, each read as far as a value asks, and numbers that they state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.clocks import Clocks, clocks_in
from generator.validation.grounding.reading.day_readings import SaidDay
from generator.validation.grounding.reading.days import DayPhrase, phrases_of
from generator.validation.grounding.reading.languages import every, is_english, languages_of, words_for
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
from generator.validation.grounding.reading.words import LONGEST_TEXT, Words, find_number, fold, has_marks
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
    def requests(self) -> tuple[Source, ...]:
        """What users said."""
        return tuple([source for source in self.sources if source.role == "user"])

    @property
    def latest(self) -> int:
        """The index of the last message that was said; 0 where none was."""
        return max((source.index for source in self.sources), default=0)

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
    spoken = said.requests
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


def forms_of(number: int | float) -> tuple[str, ...]:
    """Return how a number is written in digits."""
    if isinstance(number, float):
        if number.is_integer() and abs(number) < 1e16:
            whole = str(int(number))
            return (whole, f"{int(number):,}") if abs(number) >= 1000 else (whole, f"{whole}.0")
        written = repr(number)
        return (written, written[1:]) if written.startswith("0.") else (written,)
    return (str(number), f"{number:,}") if abs(number) >= 1000 else (str(number),)


def ground_literal_number(number: int | float, said: Said) -> Grounding | None:
    """Find a number as it is written."""
    for written in forms_of(number):
        for source in said.sources:
            text = source.figures
            if written in text and find_number(text, written) >= 0:
                return Grounding(LITERAL, source.where, written)
    return None


_NOTHING: frozenset[str] = frozenset()
_RANKED = frozenset("page position rank place level grade floor quarter day index number chapter season week round "
                    "ordinal century row column line episode option".split())  # fmt: skip


_COUNTED = frozenset("quantity count amount copies guests people persons passengers adults tickets seats rooms".split())
"""What one of which is asked for as "a": a ticket, an order."""


def ground_number(number: int | float, said: Said, about: frozenset[str] = _NOTHING) -> Grounding | None:
    """Find a number in other words; `about` are the words that its schema says of it."""
    value = float(number) if abs(number) < 1e300 else 0.0
    for find in (_stated, _converted, _of_a_moment):
        for source in said.sources:
            if text := find(value, source, said, about):
                return Grounding(NORMALISED, source.where, text)
    return None


def _stated(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    exact = source.numbers.get(value)
    if exact is not None:
        return exact
    if value == 0:
        return _first_in(source.words, ("none", "nothing"))
    if value < 0 and find_number(source.folded, f"- {forms_of(-value)[0]}") >= 0:
        return forms_of(value)[0]
    if about & _RANKED:
        return source.ordinals.get(value, "")
    if value == 1 and about & _COUNTED:
        return _first_in(source.words, ("a", "an"))
    return ""


def _first_in(words: Words, wanted: tuple[str, ...]) -> str:
    """Return the first of some words that a text has; "" where it has none."""
    return next((word for word in wanted if word in words.tokens_set), "")


def _converted(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    return next((text for each, text in source.conversions.get(keys_of(value)[0], ()) if each.fits(about)), "")


def _of_a_moment(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    """Find an hour or minute of a stated time, a month, a day, or a year relative to the reference's."""
    if value != int(value) or not 0 <= value <= 9999:
        return ""
    if value and (text := _in_clocks(value, source)):
        return text
    if value in source.months:
        return source.months[int(value)]
    for day, (origin, text) in said.relative_days.items():
        if origin is source and value in (day.year, day.month, day.day) and _speaks_of(value, day.year, text):
            return text
    return ""


def _in_clocks(value: float, source: Source) -> str:
    """Return the first time of day of a text that has a number as its hour or its minute; "" where none has."""
    return next((text for minutes, text in source.clocks.items() if value in divmod(minutes, 60)), "")


def _speaks_of(value: float, year: int, text: str) -> bool:
    """Say whether words that place a day speak of its year, which few do, or of its month and day."""
    return value != year or "year" in text or text in ("today", "now", "current", "latest", "tonight")


_REACH = 16
"""Characters before a number in which a bound is said."""


def ground_bound(number: int | float, said: Said) -> Grounding | None:
    """Find the number beside this one said as a bound that is itself left out."""
    if number != int(number) or not 0 <= number < 1e9:
        return None
    for source in said.sources:
        for beside, table in ((number + 1, "under"), (number - 1, "over")):
            text = source.numbers.get(float(beside))
            if text is not None and _is_bound(text, source, words_for("bounds", table)):
                return Grounding(NORMALISED, source.where, text)
    return None


def _is_bound(text: str, source: Source, words: frozenset[str]) -> bool:
    at = source.start.find(text)
    before = source.start[max(0, at - _REACH) : at].rstrip()
    return at >= 0 and any(before.endswith(word) for word in words)


def ground_compass(number: int | float, said: Said) -> Grounding | None:
    """Find a negative coordinate that is said as one in the west or south."""
    if number >= 0:
        return None
    for source in said.sources:
        for quantity in source.quantities:
            if quantity.value == -number and quantity.unit.lstrip("°") in words_for("compass", "negative"):
                return Grounding(NORMALISED, source.where, f"{quantity.text} {quantity.unit}")
    return None


def ground_multiple(number: int | float, said: Said) -> Grounding | None:
    """Find a number of which a text says the half or the double: "twice the usual 20"."""
    for source in said.sources:
        for factor, words in every("multiples").items():
            word = next((each for each in words if each in source.words.tokens_set), None)
            text = source.numbers.get(number / float(factor)) if word is not None else None
            if text is not None:
                return Grounding(NORMALISED, source.where, f"{word} {text}")
    return None


_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?|(?<![\d:.])\d{1,2}\s?[ap]\.?m\b")
_HINT = re.compile(r"[0-9](?::[0-9]|\s?[ap]\.?m)")
"""What each time of day has in a text of ASCII letters alone."""
_NONE: frozenset[int] = frozenset()
_DIGITS = re.compile(r"\d{1,2}")
_LARGEST = 59


def is_part_of_time(number: int | float, about: frozenset[str], said: Said) -> bool:
    """Say whether a number is said in times of day alone, while the words of its schema speak of no time."""
    if not 0 <= number <= _LARGEST or number != int(number) or not about:
        return False
    if not about.isdisjoint(words_for("exact", "times")):
        return False
    if not any(number in _written_in_times(source.folded) for source in said.sources):
        return False
    return not any(_counts(float(number), each) for each in said.sources)


@lru_cache(maxsize=256)
def _written_in_times(folded: str) -> frozenset[int]:
    """Return the numbers that a text writes in its times of day."""
    if folded.isascii() and not _HINT.search(folded):
        return _NONE
    return frozenset(int(digits) for match in _CLOCK.finditer(folded) for digits in _DIGITS.findall(match[0]))


def _counts(number: float, source: Source) -> bool:
    """Say whether a text states a number otherwise than in a time of day."""
    apart = _apart_from_times(source.folded)
    return number in apart.numbers or -number in apart.numbers or number in apart.ordinals


@lru_cache(maxsize=64)
def _apart_from_times(folded: str) -> Source:
    return Source(0, _CLOCK.sub(" ", folded))


_MOST = 12
"""Numbers of a text that are counted with."""


def is_computed(number: float, numbers: list[float]) -> bool:
    """Say whether a number is made of two others by one operation, or is twice or half of one."""
    few = numbers[:_MOST]
    results = (
        result
        for at, one in enumerate(few)
        for other in few[at + 1 :]
        for result in (one + other, abs(one - other), one * other, *_quotients(one, other))
    )
    doubled = (result for one in few for result in (one * 2, one / 2))
    return number != 0 and any(_is_near(number, result) for result in chain(results, doubled))


def _quotients(one: float, other: float) -> tuple[float, ...]:
    return (one / other, other / one) if one and other else ()


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
