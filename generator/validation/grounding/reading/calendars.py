"""Calendars: days as far as a text states them, counting on from a day, first and last days, movable feasts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

DAYS_IN = {"day": 1, "week": 7, "fortnight": 14, "weekend": 7}
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
START, MIDDLE, END = "start", "middle", "end"


def last_day(year: int, month: int) -> int:
    """Return the last day of a month."""
    return (date(year + month // 12, month % 12 + 1, 1) - timedelta(1)).day if year < 9999 else 28


def moved(day: date, unit: str, count: float) -> date:
    """Count on from a day, or back from it; a month later is the same day of the month, as far as there is one."""
    if unit not in MONTHS_IN:
        return day + timedelta(DAYS_IN.get(unit, 1) * count)
    year, month = divmod(day.year * 12 + day.month - 1 + round(count * MONTHS_IN[unit]), 12)
    if not 1 <= year <= 9998:
        raise OverflowError(year)
    return date(year, month + 1, min(day.day, last_day(year, month + 1)))


def first_of(day: date, unit: str) -> date:
    """Return the first day of the week, month, quarter or year that a day is in; weeks begin on Monday."""
    if unit == "week":
        return day - timedelta(day.weekday())
    if unit == "weekend":
        return day - timedelta(day.weekday() - 5)
    if unit in MONTHS_IN:
        month = {"month": day.month, "quarter": 3 * ((day.month - 1) // 3) + 1, "year": 1}[unit]
        return day.replace(month=month, day=1)
    return day


def span(reference: date, unit: str, step: int) -> tuple[date, date]:
    """Return the first and the last day of this week, month ..., or of one some steps before or after it."""
    first = first_of(reference, unit)
    first = moved(first, unit, step)
    if unit == "weekend":
        return first, first + timedelta(1)
    return first, moved(first, unit, 1) - timedelta(1)


def edge(first: date, last: date, where: str) -> Iterator[date]:
    """Yield what the beginning, the middle or the end of a span of days may be."""
    length = (last - first).days + 1
    if where == MIDDLE:
        middle = first + timedelta(length // 2)
        yield from (first.replace(day=15),) if 28 <= length <= 31 else (middle, middle - timedelta(1))
        return
    yield first if where == START else last
    if length == 7 and where == END:
        yield last - timedelta(2)


def nth_weekday(first: date, last: date, weekday: int, number: int) -> Iterator[date]:
    """Yield the n-th such day of the week within a span; the last where the number is -1."""
    if number < 0:
        yield last - timedelta((last.weekday() - weekday) % 7)
        return
    found = first + timedelta((weekday - first.weekday()) % 7 + 7 * (number - 1))
    if found <= last and number:
        yield found


def month_span(year: int, month: int) -> tuple[date, date]:
    """Return the first and the last day of a month."""
    return date(year, month, 1), date(year, month, last_day(year, month))


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the Meeus/Jones/Butcher algorithm."""
    century, rest = divmod(year, 100)
    leaps, golden = century // 4, year % 19
    epact = (19 * golden + century - leaps - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    shift = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * shift + 114, 31)
    return date(year, month, day + 1)


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def feast(rule: str, year: int) -> Iterator[date]:
    """Yield the day of a feast in a year: "12-25", "easter-2", or "11-4-thursday" for the fourth Thursday."""
    if rule.startswith("easter"):
        yield easter(year) + timedelta(int(rule.removeprefix("easter") or 0))
        return
    month, _, rest = rule.partition("-")
    number, _, weekday = rest.rpartition("-")
    if weekday in WEEKDAYS:
        yield from nth_weekday(*month_span(year, int(month)), WEEKDAYS.index(weekday), int(number))
    else:
        yield date(year, int(month), int(rest))


_FARTHEST_BACK, _FARTHEST_AHEAD = -200, 366


def is_near(value: date, reference: date) -> bool:
    """Say whether a day without its year may be meant, seen from a day of reference."""
    return _FARTHEST_BACK <= (value - reference).days <= _FARTHEST_AHEAD


class SaidDay(NamedTuple):
    """A day as far as a text states it: parts that it leaves open are None."""

    year: int | None
    month: int | None
    day: int
    text: str

    def allows(self, value: date, references: tuple[date, ...]) -> bool:
        """Say whether the text may mean this day; what it leaves open is that of the nearest such day."""
        if self.day != value.day or self.month not in (None, value.month) or self.year not in (None, value.year):
            return False
        if self.year is not None and self.month is not None:
            return True
        if not references:
            return True
        if self.month is not None:  # one of the days that are near, without a look at the others
            return any(abs(value.year - each.year) <= 1 and is_near(value, each) for each in references)
        return any(value in self.near(each) for each in references)

    def near(self, reference: date) -> Iterator[date]:
        """Yield the days that may be meant, seen from a day of reference."""
        if self.month is None:
            yield from self._in_near_months(reference)
            return
        for year in (self.year,) if self.year else (reference.year - 1, reference.year, reference.year + 1):
            for day in _day(year, self.month, self.day):
                if self.year or is_near(day, reference):
                    yield day

    def _in_near_months(self, reference: date) -> Iterator[date]:
        """Yield the next such day of a month, and the last."""
        months = [divmod(reference.year * 12 + reference.month - 1 + step, 12) for step in (-2, -1, 0, 1, 2)]
        days = [day for year, month in months if year > 0 for day in _day(year, month + 1, self.day)]
        yield from [day for day in days if day <= reference][-1:]
        yield from [day for day in days if day >= reference][:1]


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return
