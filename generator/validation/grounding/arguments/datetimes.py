"""Days and times: whether a text states the one that a value writes (`ground_moment`; none is a finding).

Of records that are read, `is_other_moment` says how grave that is: whether a text states another one, which no call
takes up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby

from generator.validation.grounding.arguments.argument import Leaf, leaves_of, other_values
from generator.validation.grounding.arguments.sources import NORMALISED, Grounding, Said, Source
from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.day_readings import WEEKDAYS, SaidDay
from generator.validation.grounding.reading.words import fold, tokens_of_value
from generator.validation.view import RecordView, cached_on_record

_MOMENT = re.compile(
    r"(.*\d)(?:t|\s|,\s|\sat\s)(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:am|pm)?)\s*(z|utc|[+-]\d\d:?\d\d)?"
)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=$|t00:00)")
_TWO_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)\s*(?:/|to|-|\.\.)\s*(\d{4}-\d\d-\d\d)")
_YEAR_MONTH = re.compile(r"(\d{4})-(\d{1,2})|(\d{1,2})[-/](\d{4})")
_LONGEST = 48


def ground_moment(folded: str, said: Said) -> Grounding | None:
    """Find what states the day, the time or the moment that a folded value writes; None where nothing does."""
    if len(folded) > _LONGEST or not any(map(str.isdigit, folded)):
        return None
    if days.ISO_DAY.fullmatch(folded):  # as most are written
        return _day(folded, said)
    if match := _MOMENT.fullmatch(folded):
        return _both(match[1], match[2], said)
    if match := _TWO_DAYS.fullmatch(folded):
        first, second = _day(match[1], said), _day(match[2], said)
        return first if first and second else None
    if (minutes := clocks.read_clock(folded)) is not None:
        return ground_clock(minutes, said)
    return _day(folded, said) or _month(folded, said)


_EXCLUDING = {"before": -1, "vor": -1, "avant": -1, "antes": -1, "exclusive": -1, "after": 1, "nach": 1, "apres": 1}
"""Words of a parameter's name by which it bounds days without its own, and on which side those are."""


def ground_excluding(value: str, name: str, said: Said) -> Grounding | None:
    """Find the last day that is meant where a parameter names the day after it: this week as `due_before` Monday."""
    match = _ISO_DAY.match(fold(value)) if len(value) <= _LONGEST else None
    if match is None:
        return None
    steps = [step for word, step in _EXCLUDING.items() if word in tokens_of_value(name)]
    days_read = list(days.read_day(match[0])) if steps else []
    return next((found for day in days_read for step in steps if (found := _beside(day, step, said))), None)


def _beside(day: date, step: int, said: Said) -> Grounding | None:
    try:
        return ground_day(day + timedelta(step), said)
    except OverflowError:
        return None


def is_moment(folded: str) -> bool:
    """Say whether a folded value writes a day or a time of day, which is more than the numbers it is written with."""
    if len(folded) > _LONGEST or not folded[:1].isdigit():
        return False
    return clocks.read_clock(folded) is not None or next(days.read_day(folded), None) is not None


def _day(folded: str, said: Said) -> Grounding | None:
    return next((found for day in days.read_day(folded) if (found := ground_day(day, said))), None)


def ground_day(day: date, said: Said) -> Grounding | None:
    """Find what states a day: absolutely, relative to the reference days, or counted from a day that is stated."""
    for source in said.sources:
        for each in source.days:
            if each.month in (None, day.month) and _allows(each, day, said):
                return Grounding(NORMALISED, source.where, each.text)
    if found := said.relative_days.get(day):
        return Grounding(NORMALISED, found[0].where, found[1])
    return _named_weekday(day, said) or _counted_from(day, said) or _moved_day(day, said)


def _allows(each: SaidDay, day: date, said: Said) -> bool:
    """Say whether words may mean a day; most do, seen from the metadata's day, and the system message is not read."""
    near = said.metadata_days
    return bool(near and each.allows(day, near)) or each.allows(day, said.references)


def _named_weekday(day: date, said: Said) -> Grounding | None:
    """Take a weekday at its word where no day is known that it is relative to."""
    if said.references:
        return None
    for source in said.sources:
        if (name := WEEKDAYS[day.weekday()]) in source.words.tokens_set:
            return Grounding(NORMALISED, source.where, name)
    return None


def _counted_from(day: date, said: Said) -> Grounding | None:
    """Find "for 3 nights from March 10": a stated day and a stated number of days."""
    for source in said.sources:
        if any(phrase.is_counted for phrase in source.phrases):
            continue
        for each in source.days[:_MOST_STARTS] if source.lengths else ():
            for start in _starts(each, day):
                apart = abs((day - start).days)
                for quantity, minutes in source.lengths:
                    if minutes >= clocks.DAY and apart in (minutes // clocks.DAY, minutes // clocks.DAY - 1):
                        return Grounding(NORMALISED, source.where, f"{each.text} {quantity.text} {quantity.unit}")
    return None


def _moved_day(day: date, said: Said) -> Grounding | None:
    """Find a day of a result that a request moves by a stated number of days: "push it back by a week"."""
    for source, text, minutes in _moves(said):
        for held in said.sources if minutes % clocks.DAY == 0 else ():
            for each in held.days[:_MOST_STARTS] if held.role == "tool" else ():
                if any(abs((day - start).days) * clocks.DAY == minutes for start in _starts(each, day)):
                    return Grounding(NORMALISED, source.where, f"{each.text} {text}")
    return None


def _moves(said: Said) -> Iterator[tuple[Source, str, float]]:
    """Yield the lengths that requests state, by which what a result holds may be moved."""
    if any(source.role == "tool" for source in said.sources):
        for source in said.sources:
            for quantity, minutes in source.lengths if source.role == "user" else ():
                yield source, f"{quantity.text} {quantity.unit}", minutes


_MOST_STARTS = 20
"""Days and times of one text from which a length is counted."""


def _starts(said: SaidDay, day: date) -> Iterator[date]:
    try:
        yield date(said.year or day.year, said.month or 1, said.day or 1)
    except ValueError:
        return


def _month(folded: str, said: Said) -> Grounding | None:
    """Ground `2026-03` or `03/2026` in a month that is named or a day that is stated."""
    match = _YEAR_MONTH.fullmatch(folded)
    if match is None:
        return None
    year, month = int(match[1] or match[4]), int(match[2] or match[3])
    for source in said.sources:
        if month in source.months and (not source.years or year in source.years):
            return Grounding(NORMALISED, source.where, source.months[month])
    for day, (source, text) in said.relative_days.items():
        if (day.year, day.month) == (year, month):
            return Grounding(NORMALISED, source.where, text)
    return None


def ground_clock(minutes: int, said: Said) -> Grounding | None:
    """Find what states a time of day: to the minute, as a bare hour, or as a part of the day."""
    for source in said.sources:
        if minutes in source.clocks:
            return Grounding(NORMALISED, source.where, source.clocks[minutes])
    for source in said.sources:
        if minutes in source.hours:
            return Grounding(NORMALISED, source.where, source.hours[minutes])
    return _after(minutes, said)


def _after(minutes: int, said: Said) -> Grounding | None:
    """Find "for two hours from 3 pm": a stated time and a stated length."""
    for source in said.sources:
        for start, text in list(source.clocks.items())[:_MOST_STARTS] if source.lengths else ():
            for quantity, length in source.lengths:
                if length < clocks.DAY and (start + length) % clocks.DAY == minutes:
                    return Grounding(NORMALISED, source.where, f"{text} {quantity.text} {quantity.unit}")
    return _moved_clock(minutes, said)


def _moved_clock(minutes: int, said: Said) -> Grounding | None:
    """Find a time of a result that a request moves by a stated length: "push it back by 45 minutes"."""
    for source, text, length in _moves(said):
        ends = {(minutes - length) % clocks.DAY, (minutes + length) % clocks.DAY} if length < clocks.DAY else set()
        for held in said.sources:
            for start in ends & held.clocks.keys() if held.role == "tool" else ():
                return Grounding(NORMALISED, source.where, f"{held.clocks[int(start)]} {text}")
    return None


def _both(day_text: str, clock_text: str, said: Said) -> Grounding | None:
    minutes = clocks.read_clock(clock_text.strip())
    found = _day(day_text.strip(), said)
    clock = ground_clock(minutes, said) if minutes is not None else None
    if found is None and clock is not None:
        found = clock if _today(day_text.strip(), said) else None
    whole_day = minutes in (0, clocks.DAY - 1)
    if found is None or (clock is None and not whole_day):
        return None
    return found._replace(text=f"{found.text}, {clock.text}") if clock is not None and clock != found else found


def _today(day_text: str, said: Said) -> bool:
    """Say whether a day is the reference's or the next: what a time without a day means."""
    near = {each + timedelta(days) for each in said.references for days in (0, 1)}
    return any(day in near for day in days.read_day(day_text))


_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d])(?:\s*[ap]\.?m)?|(?<![\d:.])\d{1,2}\s*[ap]\.?m(?!\w)")
_LONGEST_READ = 400
"""Characters of a text given in which days and times are looked for."""


def is_other_moment(value: str, leaf: Leaf, said: Said, record: RecordView) -> bool:
    """Say whether a text that writes a day or a time stands where another one is said.

    No call takes that up, or one does under the same name, and it is the only one that is said.
    """
    folded = fold(value)
    day = next(days.read_day(folded.partition("t")[0].partition(" ")[0]), None) or next(days.read_day(folded), None)
    if day is not None and _is_other_day(day, leaf, said, record):
        return True
    clock = _CLOCK.search(folded)
    minutes = clocks.read_clock(clock[0]) if clock else None
    return minutes is not None and _is_other_clock(minutes, leaf, said, record)


def _is_other_day(day: date, leaf: Leaf, said: Said, record: RecordView) -> bool:
    if _is_counted(day, said.requests) or _may_be_meant(day, said):
        return False
    if any(_left_days(said, record)):
        return True
    texts = _texts_beside(record, leaf)
    beside = {other for text in texts for other in (*days.read_day(text), *days.read_day(text[:10]))}
    return len(beside) == 1 and _are_one(said)


def _may_be_meant(day: date, said: Said) -> bool:
    """Say whether a day is one of a month that is left open ("the 2nd"), or within a stretch that is stated."""
    if any(each.month is None and each.day == day.day for source in said.requests for each in source.days):
        return True
    dates = {each.text for source in said.requests for each in source.days}
    return any(min(meant) <= day <= max(meant) for text, meant in _relative(said).items() if text not in dates)


def _relative(said: Said) -> dict[str, list[date]]:
    """Return the days that words state relative to a day of reference."""
    found: dict[str, list[date]] = {}
    for day, (_, text) in said.relative_days.items():
        found.setdefault(text, []).append(day)
    return found


def _is_other_clock(minutes: int, leaf: Leaf, said: Said, record: RecordView) -> bool:
    if any(_says_hour(minutes, source) for source in said.requests):
        return False
    if any(_left_clocks(said, record)):
        return True
    stated = {each.text: each.minutes for source in said.requests for each in source.clock_phrases.phrases}
    texts = _texts_beside(record, leaf)
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


def _texts_beside(record: RecordView, leaf: Leaf) -> list[str]:
    return [fold(each[:_LONGEST_READ]) for each in other_values(record, leaf) if isinstance(each, str)]


def _are_one(said: Said) -> bool:
    """Say whether requests state one day alone."""
    return len({each.text for source in said.requests for each in source.days} | _relative(said).keys()) == 1


def _is_counted(day: date, requests: tuple[Source, ...]) -> bool:
    """Say whether a day is as many days away from one that is said as a length or a larger number says: 30 days net."""
    away = _days_away(day, requests)
    lengths = {minutes / clocks.DAY for source in requests for _, minutes in source.lengths if minutes >= clocks.DAY}
    numbers = {number for source in requests for number in source.numbers if number >= _LEAST_OF_DAYS}
    return any(not {steps, steps + 1}.isdisjoint(lengths) or steps in numbers for steps in away)


def _days_away(day: date, requests: tuple[Source, ...]) -> set[int]:
    """Return how many days a day is away from each that requests state."""
    return {abs((day - each).days) for source in requests for said in source.days for each in said.near(day)}


_LEAST_OF_DAYS = 10
"""From here on a bare number may count days."""


def _left_days(said: Said, record: RecordView) -> Iterator[str]:
    """Yield the words that state days none of which any call gives."""
    given, numbers = _given(record)
    for source in said.requests:
        for text, alike in groupby(source.days, key=lambda each: each.text):
            meant = list(alike)
            if not any(each.allows(day, ()) for each in meant for day in given) and not any(
                {each.day, each.month} <= numbers for each in meant
            ):
                yield text
    yield from (text for text, meant in _relative(said).items() if not given & set(meant))


def _left_clocks(said: Said, record: RecordView) -> Iterator[str]:
    """Yield the words that state times of day none of which any call gives."""
    given = _given_clocks(record)
    for source in said.requests:
        for phrase in source.clock_phrases.phrases:
            if given.isdisjoint(phrase.minutes):
                yield phrase.text


def _texts(record: RecordView) -> list[str]:
    return [fold(str(leaf.value)[:_LONGEST_READ]) for call in record.calls for leaf in leaves_of(call)]


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
