"""Left moments: days and times of day that a request states and no call takes up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import groupby

from generator.validation.grounding.beside_leaves import others_beside
from generator.validation.grounding.caching import cached_on_record
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.words import fold
from generator.validation.grounding.sources import Said, Source
from generator.validation.view import RecordView

_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d])(?:\s*[ap]\.?m)?|(?<![\d:.])\d{1,2}\s*[ap]\.?m(?!\w)")
_LONGEST = 400
"""Characters of a text given in which days and times are looked for."""


def is_other_moment(value: str, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a text that writes a day or a time stands where another one is said.

    No call takes that up, or one does under the same name, and it is the only one that is said.
    """
    folded = fold(value)
    requests = [source for source in said.sources if source.role == "user"]
    day = next(days.read_day(folded.partition("t")[0].partition(" ")[0]), None) or next(days.read_day(folded), None)
    if day is not None and _is_other_day(day, leaf, requests, said, record):
        return True
    clock = _CLOCK.search(folded)
    minutes = clocks.read_clock(clock[0]) if clock else None
    return minutes is not None and _is_other_clock(minutes, leaf, requests, record)


def _is_other_day(day: date, leaf: Leaf, requests: list[Source], said: Said, record: RecordView) -> bool:
    if _is_counted(day, requests) or _may_be_meant(day, requests, said):
        return False
    if any(_left_days(requests, said, record)):
        return True
    texts = _beside(record, leaf)
    beside = {other for text in texts for other in (*days.read_day(text), *days.read_day(text[:10]))}
    return len(beside) == 1 and _are_one(requests, said)


def _may_be_meant(day: date, requests: list[Source], said: Said) -> bool:
    """Say whether a day is one of a month that is left open ("the 2nd"), or within a stretch that is stated."""
    if any(each.month is None and each.day == day.day for source in requests for each in source.days):
        return True
    dates = {each.text for source in requests for each in source.days}
    return any(min(meant) <= day <= max(meant) for text, meant in _relative(said).items() if text not in dates)


def _relative(said: Said) -> dict[str, list[date]]:
    """Return the days that words state relative to a day of reference."""
    found: dict[str, list[date]] = {}
    for day, (_, text) in said.relative_days.items():
        found.setdefault(text, []).append(day)
    return found


def _is_other_clock(minutes: int, leaf: Leaf, requests: list[Source], record: RecordView) -> bool:
    if any(_says_hour(minutes, source) for source in requests):
        return False
    if any(_left_clocks(requests, record)):
        return True
    stated = {each.text: each.minutes for source in requests for each in source.clock_phrases.phrases}
    texts = _beside(record, leaf)
    beside = {clocks.read_clock(match[0]) for text in texts for match in _CLOCK.finditer(text)}
    return len(beside) == len(stated) == 1 and any(not beside.isdisjoint(each) for each in stated.values())


def _says_hour(minutes: int, source: Source) -> bool:
    """Say whether a text has the hour of a time as a bare number, whatever it counts."""
    hour, rest = divmod(minutes, 60)
    sure = [(each.start, each.end) for each in source.clock_phrases.phrases if each.part]
    return rest == 0 and any(
        match[0] in (str(hour), str(hour % 12 or 12)) and not any(start <= match.start() < end for start, end in sure)
        for match in _BARE.finditer(source.start)
    )


_BARE = re.compile(r"(?<![\w.,:/-])\d{1,2}(?!\s*[ap]\.?m|[\w:/%]|[.,-]\d|\s*(?:uhr|o'clock))", re.ASCII)


def _beside(record: RecordView, leaf: Leaf) -> list[str]:
    return [fold(each[:_LONGEST]) for each in others_beside(record, leaf) if isinstance(each, str)]


def _are_one(requests: list[Source], said: Said) -> bool:
    """Say whether requests state one day alone."""
    return len({each.text for source in requests for each in source.days} | _relative(said).keys()) == 1


def _is_counted(day: date, requests: list[Source]) -> bool:
    """Say whether a day is as many days away from one that is said as a length or a larger number says: 30 days net."""
    away = {abs((day - each).days) for source in requests for said in source.days for each in said.near(day)}
    lengths = {minutes / clocks.DAY for source in requests for _, minutes in source.lengths if minutes >= clocks.DAY}
    numbers = {number for source in requests for number in source.numbers if number >= _LEAST_OF_DAYS}
    return any(not {steps, steps + 1}.isdisjoint(lengths) or steps in numbers for steps in away)


_LEAST_OF_DAYS = 10
"""From here on a bare number may count days."""


def _left_days(requests: list[Source], said: Said, record: RecordView) -> Iterator[str]:
    """Yield the words that state days none of which any call gives."""
    given, numbers = _given(record)
    for source in requests:
        for text, alike in groupby(source.days, key=lambda each: each.text):
            meant = list(alike)
            if not any(each.allows(day, ()) for each in meant for day in given) and not any(
                {each.day, each.month} <= numbers for each in meant
            ):
                yield text
    yield from (text for text, meant in _relative(said).items() if not given & set(meant))


def _left_clocks(requests: list[Source], record: RecordView) -> Iterator[str]:
    """Yield the words that state times of day none of which any call gives."""
    given = _given_clocks(record)
    for source in requests:
        for phrase in source.clock_phrases.phrases:
            if given.isdisjoint(phrase.minutes):
                yield phrase.text


def _texts(record: RecordView) -> list[str]:
    return [fold(str(leaf.value)[:_LONGEST]) for call in record.calls for leaf in leaves_of(call)]


@cached_on_record
def _given(record: RecordView) -> tuple[frozenset[date], frozenset[int | None]]:
    """Return the days that calls give, and their whole numbers, which may be parts of days."""
    found: set[date] = set()
    for text in _texts(record):
        found.update(days.read_day(text), days.read_day(text[:10]))
    values = [leaf.value for call in record.calls for leaf in leaves_of(call)]
    return frozenset(found), frozenset(each for each in values if type(each) is int)


@cached_on_record
def _given_clocks(record: RecordView) -> frozenset[int]:
    read = (clocks.read_clock(match[0]) for text in _texts(record) for match in _CLOCK.finditer(text))
    return frozenset(minutes for minutes in read if minutes is not None)
