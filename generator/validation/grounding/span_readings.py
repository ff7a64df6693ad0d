"""Span readings: what is meant by weeks, months, quarters and years: their first and last days, or one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial

from generator.validation.grounding import calendars
from generator.validation.grounding.day_readings import NOTHING, DayMatch, Stated, count_from, years
from generator.validation.grounding.said_days import SaidDay, is_near


def edge(match: DayMatch) -> Stated:
    """Read "at the end of next month", "mid-April", "the start of Q2", 月底."""
    where, spans = match.name("E"), _spans(match)
    if spans is None:
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first, last in spans(reference):
            yield from calendars.edge(first, last, where)

    return Stated((), resolve)


def _spans(match: DayMatch) -> Callable[[date], Iterator[tuple[date, date]]] | None:
    """Return what finds the weeks, months, quarters or years that are spoken of."""
    unit, month, year = match.name("U"), match.number("M"), match.number("Y")
    quarter = match.number("Q") or (match.number("O") if unit == "quarter" else None)
    if unit and quarter is None:
        if unit in ("hour", "day", "fortnight"):
            return None
        return lambda reference: iter([calendars.span(reference, unit, match.number("S") or 0)])
    if quarter is not None and not 1 <= quarter <= 4:
        return None

    def find(reference: date) -> Iterator[tuple[date, date]]:
        for each in years(year, reference):
            if month is not None:
                span = calendars.month_span(each, month)
            elif quarter is not None:
                span = calendars.span(date(each, 3 * quarter - 2, 1), "quarter", 0)
            else:
                span = date(each, 1, 1), date(each, 12, 31)
            if year or is_near(span[0], reference) or is_near(span[1], reference):
                yield span

    return find


def whole(match: DayMatch) -> Stated:
    """Read "Q3", "next month", "in May", "over the weekend": the first and the last of their days."""
    spans, unit, step = _spans(match), match.name("U"), match.number("S")
    if spans is None:
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first, last in spans(reference):
            yield from (first, last)
            if unit == "week":
                yield from (first + timedelta(4), first - timedelta(1), last - timedelta(1))
        if unit and step and "O" not in match.codes and unit != "weekend":
            yield calendars.moved(reference, unit, step)

    return Stated((), resolve)


def of_shifted_month(match: DayMatch) -> Stated:
    """Read "the 27th of next month", "the 15th of the month"."""
    if match.name("U") != "month":
        return NOTHING
    step = match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        first, last = calendars.span(reference, "month", step)
        yield from (first.replace(day=day) for day in match.days_of_month if day <= last.day)

    return Stated((), resolve)


def month(match: DayMatch) -> Stated:
    """Read "in May", "in March 2027": the first and the last of its days."""
    month, year = match.number("M") or 1, match.number("Y")
    lasts = sorted({calendars.last_day(each, month) for each in ((year,) if year else (2023, 2024))})
    in_years = (year, None) if match.year_may_be_a_number else (year,)
    return Stated(tuple(SaidDay(each, month, day, "") for day in (1, *lasts) for each in in_years))


def month_of_shifted_year(match: DayMatch) -> Stated:
    """Read "May next year", 明年一月."""
    month, step = match.number("M") or 1, match.number("S") or 0
    if match.name("U") != "year":
        return NOTHING
    return Stated((), lambda reference: calendars.month_span(reference.year + step, month))


def shifted_month(match: DayMatch) -> Stated:
    """Read "next May", "last June"."""
    month, step = match.number("M") or 1, match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        for year in (reference.year - 1, reference.year, reference.year + 1):
            first, last = calendars.month_span(year, month)
            if step == 0 or (step > 0 and last > reference) or (step < 0 and first < reference):
                yield from (first, last)

    return Stated((), resolve)


def year(match: DayMatch) -> Stated:
    """Read "in 2027": its first and its last day."""
    year = match.number("Y")
    return Stated((SaidDay(year, 1, 1, ""), SaidDay(year, 12, 31, "")))


def one_unit(match: DayMatch) -> Stated:
    """Read "the day" of "the day after Christmas"; a bare "the weekend" is this one."""
    unit = match.name("U")
    if unit == "weekend":
        return whole(match)
    if unit == "hour":
        return NOTHING
    return Stated((), None, partial(count_from, unit, 1.0))
