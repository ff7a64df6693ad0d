"""Values that are days or times: whether a text states them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from generator.validation.grounding.reading import clocks, days
from generator.validation.grounding.reading.words import fold, tokens_of_value
from generator.validation.grounding.sources import NORMALISED, Grounding, Said, Source

_MOMENT = re.compile(
    r"(.*\d)(?:t|\s|,\s|\sat\s)(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:am|pm)?)\s*(z|utc|[+-]\d\d:?\d\d)?"
)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d(?=$|t00:00)")
_TWO_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)\s*(?:/|to|-|\.\.)\s*(\d{4}-\d\d-\d\d)")
_YEAR_MONTH = re.compile(r"(\d{4})-(\d{1,2})|(\d{1,2})[-/](\d{4})")
_LONGEST = 48
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def ground_moment(folded: str, said: Said) -> Grounding | None:
    """Find what states the day, the time or the moment that a folded value writes; None where nothing does."""
    if len(folded) > _LONGEST or not any(each.isdigit() for each in folded):
        return None
    if _ISO.fullmatch(folded):  # as most are written
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


def _allows(each: days.SaidDay, day: date, said: Said) -> bool:
    """Say whether words may mean a day; most do, seen from the metadata's day, and the system message is not read."""
    near = said.metadata_days
    return bool(near and each.allows(day, near)) or each.allows(day, said.references)


def _named_weekday(day: date, said: Said) -> Grounding | None:
    """Take a weekday at its word where no day is known that it is relative to."""
    if said.references:
        return None
    for source in said.sources:
        if (name := days.WEEKDAYS[day.weekday()]) in source.words.tokens_set:
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


def _starts(said: days.SaidDay, day: date) -> Iterator[date]:
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
