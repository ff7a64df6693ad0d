"""Weekday readings: what is meant by the days of the week, next to other words that say which."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from generator.validation.grounding import calendars
from generator.validation.grounding.day_readings import NOTHING, DayMatch, Stated, years
from generator.validation.grounding.day_words import COMING
from generator.validation.grounding.said_days import is_near


def nth_weekday(match: DayMatch) -> Stated:
    """Read "the last Friday of May", "the second Tuesday of next month"."""
    weekday, number = match.number("W"), match.number("O")
    shifts = match.all("S")
    if number is None:
        if not shifts or shifts[0] != -1:
            return NOTHING
        number, shifts = -1, shifts[1:]
    month, year, unit = match.number("M"), match.number("Y"), match.name("U")
    if weekday is None or number > 5 or (month is None and unit not in calendars.MONTHS_IN):
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        if month is None:
            span = calendars.span(reference, unit, int(shifts[0]) if shifts else 0)
            yield from calendars.nth_weekday(*span, weekday, number)
            return
        for each in years(year, reference):
            found = calendars.nth_weekday(*calendars.month_span(each, month), weekday, number)
            yield from (day for day in found if year or is_near(day, reference))

    return Stated((), resolve)


def shifted_weekday(match: DayMatch) -> Stated:
    """Read "next Friday", "on Tuesday next week", 下周五."""
    weekday, step, in_week = match.number("W"), match.number("S"), match.name("U") == "week"
    if weekday is None or step is None or (match.name("U") and not in_week):
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        of_week = calendars.first_of(reference, "week") + timedelta(7 * step + weekday)
        if in_week or match.rules.strict_weeks:
            yield of_week
            return
        ahead = (weekday - reference.weekday()) % 7
        if step < 0:
            yield from (of_week, reference - timedelta((7 - ahead) % 7 or 7))
        elif step == 0:
            yield from (of_week, reference + timedelta(ahead))
        elif step == 1:
            yield reference + timedelta(ahead or 7)
            if match.first("S") != COMING:
                yield of_week
        else:
            yield reference + timedelta((ahead or 7) + 7 * (step - 1))

    return Stated((), resolve)


def nth_from_now(match: DayMatch) -> Stated:
    """Read "two Fridays from now", "two Mondays ago"."""
    weekday, count = match.number("W") or 0, match.number("N") or 0
    if not 0 < count < 60:
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        if "A" in match.codes:
            yield reference - timedelta((reference.weekday() - weekday) % 7 or 7) - timedelta(7 * (count - 1))
        else:
            yield reference + timedelta((weekday - reference.weekday()) % 7 or 7) + timedelta(7 * (count - 1))

    return Stated((), resolve)


def plus_weeks(match: DayMatch) -> Stated:
    """Read "Monday week", "a week from Saturday", "tomorrow week", "samedi en huit"."""
    unit, count = match.name("U"), match.first("N") or 1.0
    if unit not in ("", "week", "fortnight"):
        return NOTHING
    days = calendars.DAYS_IN[unit] * count if unit else 14 if "z" in match.codes else 7

    def resolve(reference: date) -> Iterator[date]:
        weekday, relative = match.number("W"), match.number("R")
        ahead = (weekday - reference.weekday()) % 7 or 7 if weekday is not None else relative or 0
        yield reference + timedelta(ahead + days)

    return Stated((), resolve)


def weekday_and_day(match: DayMatch) -> Stated:
    """Read "Friday the 13th": the nearest month in which they agree."""
    weekday, days = match.number("W"), match.days_of_month
    if not days:
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for step in (0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):
            first, last = calendars.span(reference, "month", step)
            if days[0] <= last.day and first.replace(day=days[0]).weekday() == weekday:
                yield first.replace(day=days[0])
                if step >= 0 and first.replace(day=days[0]) >= reference:
                    return

    return Stated((), resolve)


def weekday(match: DayMatch) -> Stated:
    """Read a bare "on Monday": the next such day, today included, and that of a week later."""
    weekday = match.number("W") or 0

    def resolve(reference: date) -> Iterator[date]:
        ahead = (weekday - reference.weekday()) % 7
        yield from (reference + timedelta(days) for days in (ahead, ahead or 7))

    def counts(day: date, way: int) -> date:
        return day + timedelta(way * ((way * (weekday - day.weekday())) % 7 or 7))

    return Stated((), resolve, counts)
