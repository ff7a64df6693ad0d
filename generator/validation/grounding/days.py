"""Days: dates that a text states, absolute and relative to a day, and dates that values write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import islice

from generator.validation.grounding.calendars import WEEKDAYS
from generator.validation.grounding.day_phrases import DayPhrase, phrases_of
from generator.validation.grounding.said_days import SaidDay

__all__ = ["CALENDAR_WORDS", "MONTHS", "MONTH_LETTERS", "WEEKDAYS", "DayPhrase", "SaidDay", "month_number", "read_day"]

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
_MONTH_NUMBERS = {month[:3]: number for number, month in enumerate(MONTHS, start=1)}
CALENDAR_WORDS = frozenset(
    (*MONTHS, *WEEKDAYS, *(name[:3] for name in (*MONTHS, *WEEKDAYS)), *"sept tues thur thurs".split())
)
"""Names of months and days of the week."""
MONTH_LETTERS = tuple(month[:3] for month in MONTHS)
"""The first letters of each month: a text without any of them names none."""


def month_number(name: str) -> int:
    """Return the number of a month by its name or the first three letters of it."""
    return _MONTH_NUMBERS[name[:3].lower()]


_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?!\d)")
_YEAR = re.compile(r"(?<![\d.,])((?:1[0-9]|20|21)\d\d)(?![\d.])")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DAYS = 200


def read_day(value: str) -> Iterator[date]:
    """Yield the days that a folded value writes; several where the order of day and month is open."""
    if _ISO.fullmatch(value):
        yield from _written(int(value[:4]), int(value[5:7]), int(value[8:]))
        return
    for said in (*_in_figures(value), *(each for phrase in phrases_of(value, ("en",)) for each in phrase.dates)):
        if said.year is not None and said.month is not None:
            yield from said.near(date.min)


@lru_cache(maxsize=4096)
def _written(year: int, month: int, day: int) -> tuple[date, ...]:
    return tuple(SaidDay(year, month, day, "").near(date.min))


def days_of(text: str, phrases: tuple[DayPhrase, ...]) -> list[SaidDay]:
    """Return the days that a folded text states absolutely in figures and in the phrases it holds."""
    said = (SaidDay(year, month, day, phrase.text) for phrase in phrases for year, month, day, _ in phrase.said)
    return [*islice(_in_figures(text), _MOST_DAYS), *islice(said, _MOST_DAYS)]


_MAY_BE_FIGURES = re.compile(r"[0-9](?:[-/.][0-9]|[0-9]{7})")
"""What each date in figures has, in a text of ASCII letters alone."""


def _in_figures(text: str) -> Iterator[SaidDay]:
    if text.isascii() and not _MAY_BE_FIGURES.search(text):
        return
    for match in _NUMERIC.finditer(text):
        first, second, third = int(match[1]), int(match[3]), int(match[4])
        if len(match[1]) == 4:
            yield SaidDay(first, second, third, match[0])
        elif len(match[4]) in (2, 4) and len(match[1]) <= 2:
            year = third if third > 99 else 2000 + third
            yield SaidDay(year, first, second, match[0])
            yield SaidDay(year, second, first, match[0])
    for match in _COMPACT.finditer(text):
        yield SaidDay(int(match[1]), int(match[2]), int(match[3]), match[0])


def relative_days(phrases: tuple[DayPhrase, ...], reference: date) -> Iterator[tuple[date, str]]:
    """Yield the days that phrases state relative to a day, each with what they say."""
    for phrase in phrases:
        try:
            yield from ((day, phrase.text) for day in phrase.days(reference))
        except (OverflowError, ValueError):  # before the first or after the last year of the calendar
            continue


def years_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the years that a folded text writes."""
    yield from ((int(match[1]), match[0]) for match in _YEAR.finditer(text))
