"""Days: dates that a text states, absolute and relative to a day, and dates that values write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from generator.validation.grounding.numerals import quantities_of


class SaidDay(NamedTuple):
    """A day as far as a text states it: parts that it leaves open are None."""

    year: int | None
    month: int | None
    day: int | None
    text: str

    def allows(self, value: date, references: tuple[date, ...]) -> bool:
        """Say whether the text may mean this day; a year that it leaves open is that of the nearest such day."""
        if self.year not in (None, value.year) or self.month != value.month or self.day != value.day:
            return False
        return self.year is not None or not references or any(_is_near(value, each) for each in references)


def _is_near(value: date, reference: date) -> bool:
    return -200 <= (value - reference).days <= 366


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NUMBERS = {name: number for number, month in enumerate(MONTHS, start=1) for name in (month, month[:3])} | {
    "sept": 9
}
_WEEKDAY_NUMBERS = {name: number for number, day in enumerate(WEEKDAYS) for name in (day, day[:3])} | {
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
CALENDAR_WORDS = frozenset((*MONTHS, *WEEKDAYS, *_MONTH_NUMBERS, *_WEEKDAY_NUMBERS))
"""Names of months and days of the week."""


def month_number(name: str) -> int:
    """Return the number of a month by its name or the first three letters of it."""
    return _MONTH_NUMBERS[name[:3].lower()]


MONTH_LETTERS = tuple(month[:3] for month in MONTHS)
"""The first letters of each month: a text without any of them names none."""
_MONTH = r"(" + "|".join(MONTHS) + r"|sept|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b\.?"
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR_AFTER = r"(?:,? ?(?:of )?(\d{4}))?(?!\d)"
_DAY_MONTH = re.compile(rf"\b{_ORDINAL} (?:day )?(?:of )?{_MONTH}{_YEAR_AFTER}")
_MONTH_ALONE = re.compile(rf"\b{_MONTH}")
_MONTH_DAYS = tuple(
    (
        month[:3],
        number,
        re.compile(rf"{month[:3]}(?:{month[3:]}|t)?\b\.?,? (?:the )?{_ORDINAL}\b(?![.:]\d){_YEAR_AFTER}"),
    )
    for number, month in enumerate(MONTHS, start=1)
)  # fmt: skip
"""For each month its first letters, its number and how it stands before a day; tried where the letters occur."""
_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?!\d)")
_YEAR = re.compile(r"(?<![\d.,])((?:1[0-9]|20|21)\d\d)(?![\d.])")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")
_MOST_DAYS = 60

_FIXED = {"christmas eve": (12, 24), "christmas": (12, 25), "new year's eve": (12, 31), "new year's day": (1, 1),
          "new year": (1, 1), "valentine": (2, 14), "halloween": (10, 31), "independence day": (7, 4),
          "fourth of july": (7, 4), "4th of july": (7, 4), "boxing day": (12, 26), "st. patrick": (3, 17),
          "labor day": (5, 1), "veterans day": (11, 11)}  # fmt: skip
_RELATIVE = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
             "this evening": 0, "this afternoon": 0, "right now": 0, "now": 0, "current": 0, "day after tomorrow": 2,
             "tomorrow": 1, "overnight": 1, "latest": 0}  # fmt: skip
_WEEKDAY = re.compile(
    r"\b(?:(next|last|past|previous|this|coming|upcoming|following)\s+)?(?:week(?:'s)? )?(?:on )?"
    r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thu|thurs?|fri|sat|sun)s?\b"
    r"( (?:of )?next week| last week)?"
)
_SPAN = re.compile(r"\b(next|this|last|past|previous|coming|upcoming|following) (week(?:end)?|month|year|quarter)\b")
_EDGE = re.compile(
    r"\b(end|start|beginning|middle|first(?: day)?|last day) of (?:the |this |next |last )?(week|month|year|quarter)"
)
_BACK = ("ago", "last", "past", "previous", "before", "earlier", "since")


_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def read_day(value: str) -> Iterator[date]:
    """Yield the days that a folded value may write; several where the order of day and month is open."""
    if _ISO.fullmatch(value):
        yield from _day(int(value[:4]), int(value[5:7]), int(value[8:]))
        return
    for said in _absolute(value):
        if said.year is not None and said.month is not None and said.day is not None:
            yield from _day(said.year, said.month, said.day)


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def days_of(text: str) -> list[SaidDay]:
    """Return the days that a folded text states absolutely, bounded in number."""
    found = []
    for said in _absolute(text):
        found.append(said)
        if len(found) >= _MOST_DAYS:
            break
    return found


def _absolute(text: str) -> Iterator[SaidDay]:
    for match in _NUMERIC.finditer(text):
        yield from _in_numbers(match)
    for match in _COMPACT.finditer(text):
        yield SaidDay(int(match[1]), int(match[2]), int(match[3]), match[0])
    named = False
    for letters, month, pattern in _MONTH_DAYS:
        if letters in text:
            named = True
            for match in pattern.finditer(text):
                yield SaidDay(_year(match[2]), month, int(match[1]), match[0])
    for match in _DAY_MONTH.finditer(text) if named else ():
        yield SaidDay(_year(match[3]), _MONTH_NUMBERS[match[2]], int(match[1]), match[0])


def festivals_of(text: str) -> Iterator[SaidDay]:
    """Yield the days of the year that a folded text calls by name."""
    for name, (month, day) in _FIXED.items():
        if name in text:
            yield SaidDay(None, month, day, name)


def _year(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _in_numbers(match: re.Match[str]) -> Iterator[SaidDay]:
    first, second, third = int(match[1]), int(match[3]), int(match[4])
    if len(match[1]) == 4:
        yield SaidDay(first, second, third, match[0])
    elif len(match[4]) in (2, 4) and len(match[1]) <= 2:
        year = third if third > 99 else 2000 + third
        yield SaidDay(year, first, second, match[0])
        yield SaidDay(year, second, first, match[0])


def relative_days(text: str, reference: date) -> Iterator[tuple[date, str]]:
    """Yield the days that a folded text states relative to a day, each with what it says."""
    try:
        yield from _counted(text, reference)
        yield from _named(text, reference)
        yield from _weekdays(text, reference)
        yield from _edges(text, reference)
    except OverflowError:  # before the first or after the last year of the calendar
        return


def _named(text: str, reference: date) -> Iterator[tuple[date, str]]:
    for words, days in _RELATIVE.items():
        if words in text:
            yield reference + timedelta(days), words
            if words.startswith("day "):
                text = text.replace(words, "")


def _counted(text: str, reference: date) -> Iterator[tuple[date, str]]:
    """Yield "in three days", "two weeks ago", "within 10 days", "for 5 nights"."""
    for quantity in quantities_of(text):
        unit = quantity.unit.rstrip("s")
        if unit not in ("day", "night", "week", "month", "year", "fortnight") or abs(quantity.value) > 4000:
            continue
        back = any(word in text for word in _BACK)
        for count in (int(quantity.value), *((-int(quantity.value),) if back else ())):
            yield _moved(reference, unit, count), f"{quantity.text} {quantity.unit}"


def _moved(day: date, unit: str, count: int) -> date:
    if unit in ("month", "year"):
        months = day.year * 12 + day.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        return date(year, month + 1, min(day.day, _last_day(year, month + 1))) if 1 <= year <= 9998 else day
    return day + timedelta(days={"week": 7, "fortnight": 14}.get(unit, 1) * count)


def _last_day(year: int, month: int) -> int:
    return (date(year + month // 12, month % 12 + 1, 1) - timedelta(1)).day


def _weekdays(text: str, reference: date) -> Iterator[tuple[date, str]]:
    for match in _WEEKDAY.finditer(text):
        wanted = _WEEKDAY_NUMBERS[match[2][:3] if match[2] not in _WEEKDAY_NUMBERS else match[2]]
        ahead = (wanted - reference.weekday()) % 7
        monday = reference - timedelta(reference.weekday())
        if match[3] or match[1] == "next":
            weeks = (-1 if match[3] and "last" in match[3] else 1,)
            yield from ((monday + timedelta(7 * week + wanted), match[0]) for week in weeks)
            if match[1] == "next":
                yield reference + timedelta(ahead or 7), match[0]
        elif match[1] in ("last", "past", "previous"):
            yield reference - timedelta((-ahead) % 7 or 7), match[0]
            yield monday + timedelta(wanted - 7), match[0]
        else:
            yield from ((reference + timedelta(days), match[0]) for days in (ahead, ahead or 7))
            if match[1] == "this":
                yield monday + timedelta(wanted), match[0]


def _edges(text: str, reference: date) -> Iterator[tuple[date, str]]:
    """Yield first and last days: "next month" begins on its first day, "this weekend" on Saturday."""
    for match in (*_SPAN.finditer(text), *_EDGE.finditer(text)):
        which, unit = (match[1], match[2]) if match.re is _SPAN else (match[0], match[2])
        step = -1 if any(word in which for word in ("last", "past", "previous")) and match.re is _SPAN else (
            1 if any(word in match[0] for word in ("next", "coming", "upcoming", "following")) else 0)  # fmt: skip
        for steps in dict.fromkeys((step, 0)) if match.re is _EDGE else (step,):
            yield from ((day, match[0]) for day in _bounds(reference, unit, steps))


def _bounds(reference: date, unit: str, step: int) -> Iterator[date]:
    monday = reference - timedelta(reference.weekday()) + timedelta(7 * step)
    if unit == "week":
        yield from (monday + timedelta(days) for days in (0, 4, 6, -1))
        yield reference + timedelta(7 * step)
    elif unit == "weekend":
        yield from (monday + timedelta(days) for days in (4, 5, 6))
    elif unit == "month":
        first = _moved(reference.replace(day=1), "month", step)
        yield from (first, first.replace(day=_last_day(first.year, first.month)), first.replace(day=15))
        yield _moved(reference, "month", step)
    elif unit == "year":
        yield from (date(reference.year + step, 1, 1), date(reference.year + step, 12, 31))
    else:
        first = date(reference.year, 3 * ((reference.month - 1) // 3) + 1, 1)
        first = _moved(first, "month", 3 * step)
        yield from (first, _moved(first, "month", 3) - timedelta(1))


_ANY_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|now|ago|current|latest|upcoming|"
    r"(?:end|start|beginning|middle|last day|first day) of|"
    r"(?:next|this|last|past|previous|coming|following) "
    r"(?:\w+ )?(?:day|night|week|weekend|month|year|quarter|hour|minute)s?|in (?:\w+ )?\w+ (?:day|week|month|year)s?)\b"
)


def says_relative_day(text: str) -> str:
    """Return the first words of a folded text that place a day relative to now; "" where none do."""
    match = _ANY_RELATIVE.search(text) or _WEEKDAY.search(text)
    return match[0] if match is not None else ""


def months_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the months that a folded text names, by number."""
    for match in _MONTH_ALONE.finditer(text):
        if (
            match[1] != "may"
            or match[0] != "may"
            or re.search(r"\b(?:in|of|next|last|this|since|until|by) may\b", text)
        ):
            yield _MONTH_NUMBERS[match[1]], match[0]


def years_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the years that a folded text writes."""
    yield from ((int(match[1]), match[0]) for match in _YEAR.finditer(text))
