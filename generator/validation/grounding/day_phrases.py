"""Day phrases: what the words of a text state as days, absolutely or relative to a day of reference.

Each pattern is over the letters of `day_words`; a space in it stands for articles and prepositions. The first pattern
that fits takes its words, so that "the last Friday of May" is not "last Friday" as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import NamedTuple

from generator.validation.grounding import calendars
from generator.validation.grounding.day_words import COMING, DayWord, DayWords, day_words
from generator.validation.grounding.said_days import SaidDay, is_near

Resolve = Callable[[date], Iterable[date]]
Counts = Callable[[date, int], date]
"""From a day, to the days after it (1) or before it (-1)."""


class DayPhrase(NamedTuple):
    """Words that state one day or several."""

    start: int
    end: int
    text: str
    said: tuple[SaidDay, ...]
    """What they state absolutely."""
    resolve: Resolve | None = None
    """What they state relative to a day."""
    counts: Counts | None = None
    """How they count from another day, as "two weeks" or "the Monday" after it do."""
    is_counted: bool = False
    """Whether they count from another day."""
    is_date: bool = False
    """Whether they are the day and the month of dates."""
    month: int | None = None

    @property
    def dates(self) -> tuple[SaidDay, ...]:
        """The dates they write."""
        return self.said if self.is_date else ()

    def days(self, reference: date) -> Iterator[date]:
        """Yield the days that are meant, seen from a day of reference."""
        if self.resolve is not None:
            yield from self.resolve(reference)
        for each in self.said:
            yield from each.near(reference)


class _Match(NamedTuple):
    """The words that a pattern took."""

    words: list[DayWord]
    rules: DayWords
    codes: str
    text: str

    def all(self, code: str) -> list[float]:
        return [float(word.value) for word in self.words if word.code == code]

    def first(self, code: str) -> float | None:
        return next(iter(self.all(code)), None)

    def name(self, code: str) -> str:
        return next((str(word.value) for word in self.words if word.code == code), "")

    def number(self, code: str) -> int | None:
        found = self.first(code)
        return None if found is None else int(found)

    @property
    def days_of_month(self) -> list[int]:
        return [int(word.value) for word in self.words if word.code in "NO" and 1 <= float(word.value) <= 31]


class _Stated(NamedTuple):
    said: tuple[SaidDay, ...] = ()
    resolve: Resolve | None = None
    counts: Counts | None = None


_NOTHING = _Stated()
_Read = Callable[[_Match], _Stated]


def _date(match: _Match) -> _Stated:
    """Read "10-14 March 2026", "March 10 and 12", "May 5 next year", 3月10日."""
    month, year, step = match.number("M"), match.number("Y"), match.number("S")
    if step is not None and month is not None:
        if match.name("U") != "year":
            return _NOTHING

        def resolve(reference: date) -> Iterator[date]:
            for day in match.days_of_month:
                yield from SaidDay(reference.year + step, month, day, "").near(reference)

        return _Stated((), resolve)
    return _Stated(tuple(SaidDay(year, month, day, "") for day in match.days_of_month))


def _in_figures(match: _Match) -> _Stated:
    """Read "3.4.", and "3/4" in both orders."""
    if len(match.days_of_month) != 2:
        return _NOTHING
    first, second = match.days_of_month
    orders = [(first, second)] if "/" not in match.codes or match.rules.by_day else [(first, second), (second, first)]
    return _Stated(tuple(SaidDay(None, month, day, "") for day, month in orders if month <= 12))


def _of_shifted_month(match: _Match) -> _Stated:
    """Read "the 27th of next month", "the 15th of the month"."""
    if match.name("U") != "month":
        return _NOTHING
    step = match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        first, last = calendars.span(reference, "month", step)
        yield from (first.replace(day=day) for day in match.days_of_month if day <= last.day)

    return _Stated((), resolve)


def _nth_weekday(match: _Match) -> _Stated:
    """Read "the last Friday of May", "the second Tuesday of next month"."""
    weekday, number = match.number("W"), match.number("O")
    shifts = match.all("S")
    if number is None:
        if not shifts or shifts[0] != -1:
            return _NOTHING
        number, shifts = -1, shifts[1:]
    month, year, unit = match.number("M"), match.number("Y"), match.name("U")
    if weekday is None or number > 5 or (month is None and unit not in calendars.MONTHS_IN):
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        if month is None:
            span = calendars.span(reference, unit, int(shifts[0]) if shifts else 0)
            yield from calendars.nth_weekday(*span, weekday, number)
            return
        for each in _years(year, reference):
            found = calendars.nth_weekday(*calendars.month_span(each, month), weekday, number)
            yield from (day for day in found if year or is_near(day, reference))

    return _Stated((), resolve)


def _years(year: int | None, reference: date) -> tuple[int, ...]:
    return (year,) if year is not None else (reference.year - 1, reference.year, reference.year + 1)


def _edge(match: _Match) -> _Stated:
    """Read "at the end of next month", "mid-April", "the start of Q2", 月底."""
    where, spans = match.name("E"), _spans(match)
    if spans is None:
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first, last in spans(reference):
            yield from calendars.edge(first, last, where)

    return _Stated((), resolve)


def _spans(match: _Match) -> Callable[[date], Iterator[tuple[date, date]]] | None:
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
        for each in _years(year, reference):
            if month is not None:
                span = calendars.month_span(each, month)
            elif quarter is not None:
                span = calendars.span(date(each, 3 * quarter - 2, 1), "quarter", 0)
            else:
                span = date(each, 1, 1), date(each, 12, 31)
            if year or is_near(span[0], reference) or is_near(span[1], reference):
                yield span

    return find


def _whole(match: _Match) -> _Stated:
    """Read "Q3", "next month", "in May", "over the weekend": the first and the last of their days."""
    spans, unit, step = _spans(match), match.name("U"), match.number("S")
    if spans is None:
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first, last in spans(reference):
            yield from (first, last)
            if unit == "week":
                yield from (first + timedelta(4), first - timedelta(1), last - timedelta(1))
        if unit and step and "O" not in match.codes and unit != "weekend":
            yield calendars.moved(reference, unit, step)

    return _Stated((), resolve)


def _shifted_weekday(match: _Match) -> _Stated:
    """Read "next Friday", "on Tuesday next week", 下周五."""
    weekday, step, in_week = match.number("W"), match.number("S"), match.name("U") == "week"
    if weekday is None or step is None or (match.name("U") and not in_week):
        return _NOTHING

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

    return _Stated((), resolve)


def _nth_from_now(match: _Match) -> _Stated:
    """Read "two Fridays from now", "two Mondays ago"."""
    weekday, count = match.number("W") or 0, match.number("N") or 0
    if not 0 < count < 60:
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        if "A" in match.codes:
            yield reference - timedelta((reference.weekday() - weekday) % 7 or 7) - timedelta(7 * (count - 1))
        else:
            yield reference + timedelta((weekday - reference.weekday()) % 7 or 7) + timedelta(7 * (count - 1))

    return _Stated((), resolve)


def _plus_weeks(match: _Match) -> _Stated:
    """Read "Monday week", "a week from Saturday", "tomorrow week", "samedi en huit"."""
    unit, count = match.name("U"), match.first("N") or 1.0
    if unit not in ("", "week", "fortnight"):
        return _NOTHING
    days = calendars.DAYS_IN[unit] * count if unit else 14 if "z" in match.codes else 7

    def resolve(reference: date) -> Iterator[date]:
        weekday, relative = match.number("W"), match.number("R")
        ahead = (weekday - reference.weekday()) % 7 or 7 if weekday is not None else relative or 0
        yield reference + timedelta(ahead + days)

    return _Stated((), resolve)


def _weekday_and_day(match: _Match) -> _Stated:
    """Read "Friday the 13th": the nearest month in which they agree."""
    weekday, days = match.number("W"), match.days_of_month
    if not days:
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for step in (0, 1, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):
            first, last = calendars.span(reference, "month", step)
            if days[0] <= last.day and first.replace(day=days[0]).weekday() == weekday:
                yield first.replace(day=days[0])
                if step >= 0 and first.replace(day=days[0]) >= reference:
                    return

    return _Stated((), resolve)


def _counted(match: _Match) -> _Stated:
    """Read "in three days", "six weeks ago", "the past three days", "for 5 nights"."""
    unit, count, shift = match.name("U"), match.first("N"), match.number("S")
    if count is None or unit == "weekend" or abs(count) > 40_000:
        return _NOTHING
    if unit == "hour":
        return _in_hours(count, match) if 12 <= count < 24 * 400 else _NOTHING
    back = bool(set("aAB") & set(match.codes)) or (shift or 0) < 0

    def resolve(reference: date) -> Iterator[date]:
        yield calendars.moved(reference, unit, -count if back else count)
        if shift:
            yield reference

    plain = not back and not shift and not set("AL") & set(match.codes)
    return _Stated((), resolve, partial(_count_from, unit, count) if plain else None)


def _in_hours(count: float, match: _Match) -> _Stated:
    """Read "in 36 hours": a day or two, as the hour is that it is counted from."""
    way = -1 if set("aAB") & set(match.codes) or (match.number("S") or 0) < 0 else 1
    days = int(count // 24)
    return _Stated((), lambda reference: [reference + timedelta(way * each) for each in (days, days + 1)])


def _count_from(unit: str, count: float, day: date, way: int) -> date:
    return calendars.moved(day, unit, way * count)


def _one_unit(match: _Match) -> _Stated:
    """Read "the day" of "the day after Christmas"; a bare "the weekend" is this one."""
    unit = match.name("U")
    if unit == "weekend":
        return _whole(match)
    if unit == "hour":
        return _NOTHING
    return _Stated((), None, partial(_count_from, unit, 1.0))


def _relative(match: _Match) -> _Stated:
    step = match.number("R") or 0
    return _Stated((), lambda reference: [reference + timedelta(step)])


def _weekday(match: _Match) -> _Stated:
    """Read a bare "on Monday": the next such day, today included, and that of a week later."""
    weekday = match.number("W") or 0

    def resolve(reference: date) -> Iterator[date]:
        ahead = (weekday - reference.weekday()) % 7
        yield from (reference + timedelta(days) for days in (ahead, ahead or 7))

    def counts(day: date, way: int) -> date:
        return day + timedelta(way * ((way * (weekday - day.weekday())) % 7 or 7))

    return _Stated((), resolve, counts)


def _feast(match: _Match) -> _Stated:
    rule, year = match.name("H"), match.number("Y")
    if rule.replace("-", "").isdigit():
        return _Stated((SaidDay(year, int(rule[:2]), int(rule[3:]), ""),))

    def resolve(reference: date) -> Iterator[date]:
        for each in _years(year, reference):
            yield from (day for day in calendars.feast(rule, each) if year or is_near(day, reference))

    return _Stated((), resolve)


def _month(match: _Match) -> _Stated:
    """Read "in May", "in March 2027": the first and the last of its days."""
    month, year = match.number("M") or 1, match.number("Y")
    lasts = sorted({calendars.last_day(each, month) for each in ((year,) if year else (2023, 2024))})
    return _Stated(tuple(SaidDay(year, month, day, "") for day in (1, *lasts)))


def _month_of_shifted_year(match: _Match) -> _Stated:
    """Read "May next year", 明年一月."""
    month, step = match.number("M") or 1, match.number("S") or 0
    if match.name("U") != "year":
        return _NOTHING
    return _Stated((), lambda reference: calendars.month_span(reference.year + step, month))


def _shifted_month(match: _Match) -> _Stated:
    """Read "next May", "last June"."""
    month, step = match.number("M") or 1, match.number("S") or 0

    def resolve(reference: date) -> Iterator[date]:
        for year in (reference.year - 1, reference.year, reference.year + 1):
            first, last = calendars.month_span(year, month)
            if step == 0 or (step > 0 and last > reference) or (step < 0 and first < reference):
                yield from (first, last)

    return _Stated((), resolve)


def _year(match: _Match) -> _Stated:
    year = match.number("Y")
    return _Stated((SaidDay(year, 1, 1, ""), SaidDay(year, 12, 31, "")))


def _bare_day(match: _Match) -> _Stated:
    """Read "the 3rd": the next such day and the last."""
    return _Stated(tuple(SaidDay(None, None, day, "") for day in match.days_of_month))


def _bare_ordinal(match: _Match) -> _Stated:
    written = match.text[0].isdigit() or match.text.endswith(match.rules.day_marks)
    return _bare_day(match) if written else _NOTHING


def _bare_range(match: _Match) -> _Stated:
    """Read "from the 10th to the 14th": both of one month."""
    days = match.days_of_month
    if len(days) != 2 or not (match.rules.by_day or match.codes.count("O") == 2):
        return _NOTHING

    def resolve(reference: date) -> Iterator[date]:
        for first in SaidDay(None, None, days[0], "").near(reference):
            yield first
            if days[1] >= days[0]:
                yield from SaidDay(first.year, first.month, days[1], "").near(reference)
            else:
                yield calendars.moved(first.replace(day=min(28, days[1])), "month", 1)

    return _Stated((), resolve)


def _bare_article_day(match: _Match) -> _Stated:
    return _bare_day(match) if match.rules.by_day else _NOTHING


def _dotted(match: _Match) -> _Stated:
    return _in_figures(match) if match.rules.dotted else _NOTHING


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", "[gkp]*"))


_LIST = "(?:(?:W )?[NO] [TC]+ ){0,8}(?:W )?[NO]"
_WHEN = "(?: C? Y| (?:S U|U S))?"
_PATTERNS: tuple[tuple[re.Pattern[str], _Read], ...] = tuple((_compiled(pattern), read) for pattern, read in (
    (f"(?:W C? )?{_LIST} M{_WHEN}", _date),
    ("(?:Y )?(?:W C? )?M (?:O|N(?![:.]N))(?![gkp]+W)(?: T [NO]| C (?:O|N(?! ?[x:.]))){0,8}" + _WHEN, _date),
    ("(?<=[gkpTFBC])N/N(?![/N])", _in_figures),
    ("OO", _dotted),
    (f"{_LIST} (?:S U|US)", _of_shifted_month),
    ("O[gkp]+U", _of_shifted_month),
    ("(?:S U|US) O(?![gkp]+W)", _of_shifted_month),
    ("[OS] W (?:M(?: C? Y)?|S U|U S?)", _nth_weekday),
    ("(?:M|S U) [OS] W", _nth_weekday),
    ("E (?:S U|U S|M(?: C? Y)?|Q(?: C? Y)?|O U|U|Y)", _edge),
    ("(?:(?:Y )?M|S U|U|Q) E", _edge),
    ("Q(?: C? Y)?", _whole),
    ("O U(?: C? Y)?", _whole),
    ("W C? (?:S U|U S)", _shifted_weekday),
    ("S U W", _shifted_weekday),
    ("N W [LA]", _nth_from_now),
    ("(?:W|R)(?:U|Z|z)", _plus_weeks),
    ("W [gkp]+N U", _plus_weeks),
    ("R [gkp]+N U", _plus_weeks),
    ("N U(?: F | [kp])[gkp]*[WR]", _plus_weeks),
    ("W C? O", _weekday_and_day),
    ("S W|W S", _shifted_weekday),
    ("[aBS] N [S]? ?U|N S U|N U ?(?:[AL](?: R)?)?", _counted),
    ("S U M|M (?:S U|US)", _month_of_shifted_year),
    ("S M|M S", _shifted_month),
    ("S U|U S", _whole),
    ("U", _one_unit),
    ("R", _relative),
    ("W", _weekday),
    ("H(?: C? Y)?", _feast),
    ("M(?: C? Y)?|Y M", _month),
    ("(?<![NT/.])Y(?! ?[T/.]N)", _year),
    ("O T O|(?<=[kFp])[NO] [TC] [NO]", _bare_range),
    ("O", _bare_ordinal),
    ("(?<=[kTFB])O(?! ?[xUN])", _bare_day),
    ("(?<=[kTFB])N", _bare_article_day),
))  # fmt: skip


_ANY = re.compile("[MWURHQEYON]")
_AFTER = re.compile("[gkp]*([FB])[gkp]*")
_MOST_PHRASES = 400


@lru_cache(maxsize=128)  # the same system message stands before many records
def phrases_of(folded: str, languages: tuple[str, ...]) -> tuple[DayPhrase, ...]:
    """Return the phrases of a folded text that state days in these languages, bounded in number."""
    found: list[DayPhrase] = []
    for language in languages:
        rules = day_words(language)
        words = rules.read(folded)
        codes = "".join(word.code for word in words)
        if _ANY.search(codes):
            phrases = sorted(_taken(folded, words, codes, rules), key=lambda each: each[0])[:_MOST_PHRASES]
            found += _joined(phrases, codes)
    return tuple(found)


_Place = tuple[int, int, DayPhrase]


def _taken(folded: str, words: list[DayWord], codes: str, rules: DayWords) -> Iterator[_Place]:
    """Yield what the patterns take, each word once, with its place among the words."""
    left = codes
    for pattern, read in _PATTERNS:
        taken: list[re.Match[str]] = []
        for match in pattern.finditer(left):
            first, last = match.span()
            start, end = words[first].start, words[last - 1].end
            own = _Match(words[first:last], rules, match[0], folded[start:end])
            stated = read(own)
            if stated != _NOTHING:
                taken.append(match)
                phrase = DayPhrase(start, end, folded[start:end], stated.said, stated.resolve, stated.counts,
                                   is_date=read is _date, month=own.number("M"))  # fmt: skip
                yield first, last, phrase
        for match in reversed(taken):
            left = left[: match.start()] + "#" * len(match[0]) + left[match.end() :]


def _joined(places: list[_Place], codes: str) -> Iterator[DayPhrase]:
    """Yield the phrases, joined where one counts from the next: "two weeks after April 3rd"."""
    for place, (_, last, phrase) in enumerate(places):
        if phrase.counts is not None and place + 1 < len(places):
            first_after, _, base = places[place + 1]
            between = _AFTER.fullmatch(codes, last, first_after)
            if between is not None and (base.said or base.resolve is not None):
                yield _counting(phrase, phrase.counts, base, 1 if between[1] == "F" else -1)
                continue
        if phrase.said or phrase.resolve is not None:
            yield phrase


def _counting(phrase: DayPhrase, counts: Counts, base: DayPhrase, way: int) -> DayPhrase:
    def resolve(reference: date) -> Iterator[date]:
        yield from (counts(day, way) for day in base.days(reference))

    return DayPhrase(phrase.start, base.end, f"{phrase.text} {base.text}", (), resolve, is_counted=True)
