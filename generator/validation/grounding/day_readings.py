"""Day readings: what the words that a pattern took state: dates, counted days, feasts, bare days of a month."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from generator.validation.grounding import calendars
from generator.validation.grounding.day_words import DayWord, DayWords
from generator.validation.grounding.said_days import SaidDay, is_near

Resolve = Callable[[date], Iterable[date]]
Counts = Callable[[date, int], date]
"""From a day, to the days after it (1) or before it (-1)."""


class DayMatch(NamedTuple):
    """The words that a pattern took."""

    words: list[DayWord]
    rules: DayWords
    codes: str
    text: str

    def all(self, code: str) -> list[float]:
        """Return the values of a kind of words."""
        return [float(word.value) for word in self.words if word.code == code]

    def first(self, code: str) -> float | None:
        """Return the first value of a kind of words."""
        return next(iter(self.all(code)), None)

    def name(self, code: str) -> str:
        """Return the name of the first word of a kind; "" where there is none."""
        return next((str(word.value) for word in self.words if word.code == code), "")

    def number(self, code: str) -> int | None:
        """Return the first value of a kind of words as a whole number."""
        found = self.first(code)
        return None if found is None else int(found)

    @property
    def year_may_be_a_number(self) -> bool:
        """Whether what looks like a year may be another number, as in "flight 1576 on May 3"."""
        return self.codes[:1] == "Y" and "p" in self.codes.partition("M")[0]

    @property
    def days_of_month(self) -> list[int]:
        """The numbers that may be days of a month."""
        return [int(word.value) for word in self.words if word.code in "NO" and 1 <= float(word.value) <= 31]


class Stated(NamedTuple):
    """What words state; nothing where the pattern took what it should not."""

    said: tuple[SaidDay, ...] = ()
    resolve: Resolve | None = None
    counts: Counts | None = None


NOTHING = Stated()
Read = Callable[[DayMatch], Stated]


def date_of(match: DayMatch) -> Stated:
    """Read "10-14 March 2026", "March 10 and 12", "May 5 next year", 3月10日."""
    month, year, step = match.number("M"), match.number("Y"), match.number("S")
    if step is not None and month is not None:
        if match.name("U") != "year":
            return NOTHING

        def resolve(reference: date) -> Iterator[date]:
            for day in match.days_of_month:
                yield from SaidDay(reference.year + step, month, day, "").near(reference)

        return Stated((), resolve)
    years = (year, None) if match.year_may_be_a_number else (year,)
    return Stated(tuple(SaidDay(each, month, day, "") for day in match.days_of_month for each in years))


def in_figures(match: DayMatch) -> Stated:
    """Read "3.4.", and "3/4" in both orders."""
    if len(match.days_of_month) != 2:
        return NOTHING
    first, second = match.days_of_month
    orders = [(first, second)] if "/" not in match.codes or match.rules.by_day else [(first, second), (second, first)]
    return Stated(tuple(SaidDay(None, month, day, "") for day, month in orders if month <= 12))


def years(year: int | None, reference: date) -> tuple[int, ...]:
    """Return the years that may be meant."""
    return (year,) if year is not None else (reference.year - 1, reference.year, reference.year + 1)


def counted(match: DayMatch) -> Stated:
    """Read "in three days", "six weeks ago", "the past three days", "for 5 nights"."""
    unit, count, shift = match.name("U"), match.first("N"), match.number("S")
    if count is None or unit == "weekend" or abs(count) > 40_000:
        return NOTHING
    if unit == "hour":
        return _in_hours(count, match) if 12 <= count < 24 * 400 else NOTHING
    back = bool(set("aAB") & set(match.codes)) or (shift or 0) < 0

    def resolve(reference: date) -> Iterator[date]:
        yield calendars.moved(reference, unit, -count if back else count)
        if shift:
            yield reference

    plain = not back and not shift and not set("AL") & set(match.codes)
    return Stated((), resolve, partial(count_from, unit, count) if plain else None)


def _in_hours(count: float, match: DayMatch) -> Stated:
    """Read "in 36 hours": a day or two, as the hour is that it is counted from."""
    way = -1 if set("aAB") & set(match.codes) or (match.number("S") or 0) < 0 else 1
    days = int(count // 24)
    return Stated((), lambda reference: [reference + timedelta(way * each) for each in (days, days + 1)])


def count_from(unit: str, count: float, day: date, way: int) -> date:
    """Count on from a day, or back."""
    return calendars.moved(day, unit, way * count)


def relative(match: DayMatch) -> Stated:
    """Read "today", "the day after tomorrow"."""
    step = match.number("R") or 0
    return Stated((), lambda reference: [reference + timedelta(step)])


def feast(match: DayMatch) -> Stated:
    """Read "on New Year's Eve", "Easter Monday 2027"."""
    rule, year = match.name("H"), match.number("Y")
    if rule.replace("-", "").isdigit():
        return Stated((SaidDay(year, int(rule[:2]), int(rule[3:]), ""),))

    def resolve(reference: date) -> Iterator[date]:
        for each in years(year, reference):
            yield from (day for day in calendars.feast(rule, each) if year or is_near(day, reference))

    return Stated((), resolve)


def bare_day(match: DayMatch) -> Stated:
    """Read "the 3rd": the next such day and the last."""
    return Stated(tuple(SaidDay(None, None, day, "") for day in match.days_of_month))


def bare_ordinal(match: DayMatch) -> Stated:
    """Read "the 3rd", where the number itself says that it is an ordinal one."""
    written = match.text[0].isdigit() or match.text.endswith(match.rules.day_marks)
    return bare_day(match) if written else NOTHING


def bare_range(match: DayMatch) -> Stated:
    """Read "from the 10th to the 14th": both of one month."""
    days = match.days_of_month
    if len(days) != 2 or not (match.rules.by_day or match.codes.count("O") == 2):
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first in SaidDay(None, None, days[0], "").near(reference):
            yield first
            if days[1] >= days[0]:
                yield from SaidDay(first.year, first.month, days[1], "").near(reference)
            else:
                yield calendars.moved(first.replace(day=min(28, days[1])), "month", 1)

    return Stated((), resolve)


def bare_article_day(match: DayMatch) -> Stated:
    """Read "el 27", where an article makes a number a day."""
    return bare_day(match) if match.rules.by_day else NOTHING


def dotted(match: DayMatch) -> Stated:
    """Read "3.4.", where a dot makes a number an ordinal one."""
    return in_figures(match) if match.rules.dotted else NOTHING
