"""Day readings: which days the words that a pattern of `days` took state: dates, weekdays, spans, movable feasts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple

from generator.validation.grounding.reading.day_words import COMING, DayWord, DayWords

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
        if not references or None not in (self.year, self.month):
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
    back = _goes_back(match)

    def resolve(reference: date) -> Iterator[date]:
        yield moved(reference, unit, -count if back else count)
        if shift:
            yield reference

    plain = not back and not shift and not set("AL") & set(match.codes)
    return Stated((), resolve, partial(count_from, unit, count) if plain else None)


def _in_hours(count: float, match: DayMatch) -> Stated:
    """Read "in 36 hours": a day or two, as the hour is that it is counted from."""
    way = -1 if _goes_back(match) else 1
    days = int(count // 24)
    return Stated((), lambda reference: [reference + timedelta(way * each) for each in (days, days + 1)])


def _goes_back(match: DayMatch) -> bool:
    """Say whether what is counted lies before the day that it is counted from: "six weeks ago", "the past year"."""
    return bool(set("aAB") & set(match.codes)) or (match.number("S") or 0) < 0


def count_from(unit: str, count: float, day: date, way: int) -> date:
    """Count on from a day, or back."""
    return moved(day, unit, way * count)


def relative(match: DayMatch) -> Stated:
    """Read "today", "the day after tomorrow"."""
    step = match.number("R") or 0
    return Stated((), lambda reference: [reference + timedelta(step)])


def stated_feast(match: DayMatch) -> Stated:
    """Read "on New Year's Eve", "Easter Monday 2027"."""
    rule, year = match.name("H"), match.number("Y")
    if rule.replace("-", "").isdigit():
        return Stated((SaidDay(year, int(rule[:2]), int(rule[3:]), ""),))

    def resolve(reference: date) -> Iterator[date]:
        for each in years(year, reference):
            yield from (day for day in feast(rule, each) if year or is_near(day, reference))

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
                yield moved(first.replace(day=min(28, days[1])), "month", 1)

    return Stated((), resolve)


def bare_article_day(match: DayMatch) -> Stated:
    """Read "el 27", where an article makes a number a day."""
    return bare_day(match) if match.rules.by_day else NOTHING


def dotted(match: DayMatch) -> Stated:
    """Read "3.4.", where a dot makes a number an ordinal one."""
    return in_figures(match) if match.rules.dotted else NOTHING


def stated_nth_weekday(match: DayMatch) -> Stated:
    """Read "the last Friday of May", "the second Tuesday of next month"."""
    weekday, number = match.number("W"), match.number("O")
    shifts = match.all("S")
    if number is None:
        if not shifts or shifts[0] != -1:
            return NOTHING
        number, shifts = -1, shifts[1:]
    month, year, unit = match.number("M"), match.number("Y"), match.name("U")
    if weekday is None or number > 5 or (month is None and unit not in MONTHS_IN):
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        if month is None:
            days = span(reference, unit, int(shifts[0]) if shifts else 0)
            yield from nth_weekday(*days, weekday, number)
            return
        for each in years(year, reference):
            found = nth_weekday(*month_span(each, month), weekday, number)
            yield from (day for day in found if year or is_near(day, reference))

    return Stated((), resolve)


def shifted_weekday(match: DayMatch) -> Stated:
    """Read "next Friday", "on Tuesday next week", 下周五."""
    weekday, step, in_week = match.number("W"), match.number("S"), match.name("U") == "week"
    if weekday is None or step is None or (match.name("U") and not in_week):
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        of_week = first_of(reference, "week") + timedelta(7 * step + weekday)
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
    days = DAYS_IN[unit] * count if unit else 14 if "z" in match.codes else 7

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
            first, last = span(reference, "month", step)
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


def edge_of_unit(match: DayMatch) -> Stated:
    """Read "at the end of next month", "mid-April", "the start of Q2", 月底."""
    where, spans = match.name("E"), _spans(match)
    if spans is None:
        return NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first, last in spans(reference):
            yield from edge(first, last, where)

    return Stated((), resolve)


def _spans(match: DayMatch) -> Callable[[date], Iterator[tuple[date, date]]] | None:
    """Return what finds the weeks, months, quarters or years that are spoken of."""
    unit, month, year = match.name("U"), match.number("M"), match.number("Y")
    quarter = match.number("Q") or (match.number("O") if unit == "quarter" else None)
    if unit and quarter is None:
        if unit in ("hour", "day", "fortnight"):
            return None
        return lambda reference: iter([span(reference, unit, match.number("S") or 0)])
    if quarter is not None and not 1 <= quarter <= 4:
        return None

    def find(reference: date) -> Iterator[tuple[date, date]]:
        for each in years(year, reference):
            if month is not None:
                found = month_span(each, month)
            elif quarter is not None:
                found = span(date(each, 3 * quarter - 2, 1), "quarter", 0)
            else:
                found = date(each, 1, 1), date(each, 12, 31)
            if year or is_near(found[0], reference) or is_near(found[1], reference):
                yield found

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
            yield moved(reference, unit, step)

    return Stated((), resolve)


def of_shifted_month(match: DayMatch) -> Stated:
    """Read "the 27th of next month", "the 15th of the month"."""
    if match.name("U") != "month":
        return NOTHING
    step = match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        first, last = span(reference, "month", step)
        yield from (first.replace(day=day) for day in match.days_of_month if day <= last.day)

    return Stated((), resolve)


def month(match: DayMatch) -> Stated:
    """Read "in May", "in March 2027": the first and the last of its days."""
    month, year = match.number("M") or 1, match.number("Y")
    lasts = sorted({last_day(each, month) for each in ((year,) if year else (2023, 2024))})
    in_years = (year, None) if match.year_may_be_a_number else (year,)
    return Stated(tuple(SaidDay(each, month, day, "") for day in (1, *lasts) for each in in_years))


def month_of_shifted_year(match: DayMatch) -> Stated:
    """Read "May next year", 明年一月."""
    month, step = match.number("M") or 1, match.number("S") or 0
    if match.name("U") != "year":
        return NOTHING
    return Stated((), lambda reference: month_span(reference.year + step, month))


def shifted_month(match: DayMatch) -> Stated:
    """Read "next May", "last June"."""
    month, step = match.number("M") or 1, match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        for year in (reference.year - 1, reference.year, reference.year + 1):
            first, last = month_span(year, month)
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
