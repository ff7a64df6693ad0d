"""Figures: numbers, dates and times of an answer that stand in a text before it, found at a short look.

What is not found here may stand there in another form, and is looked for in full.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from generator.validation.grounding.reading.clocks import of_half
from generator.validation.grounding.reading.days import CALENDAR_WORDS, WEEKDAYS, month_number
from generator.validation.grounding.reading.words import find_literal, find_number

_AROUND = "\"'“”‘’()[]*|.,;:!?"
_SIGNS = "$€£¥₹~#%/_-`'"
_HALVES = {"am": "a", "a.m": "a", "pm": "p", "p.m": "p"}
_MONTHS = CALENDAR_WORDS - {name for name in CALENDAR_WORDS if name[:3] in {day[:3] for day in WEEKDAYS}}
_TIME = re.compile(r"(\d{1,2})(?::(\d\d))?")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"\d{4}")
_PLAIN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_DIGITS_OF_YEAR = 4
_ENDING = frozenset(",;:")
"""Ends a word so that no day of a month after it begins with it."""
_MOST_OF_UNIT = 8
_MINUTES_OF_HOUR = 60
_HALF_AT_END = re.compile(r"\d[ap]\.?m$", re.IGNORECASE)


class _Beside(NamedTuple):
    """What a word does to the number beside it."""

    bare: str
    """The word without what stands around it, in lower case."""
    is_month: bool
    is_half: bool
    """Whether it begins as the half of a day does."""
    is_of: bool


@lru_cache(maxsize=8192)
def _beside(word: str) -> _Beside | None:
    """Return what a word does to the number beside it; None for nothing."""
    bare = word.strip(_AROUND).lower()
    found = _Beside(bare, bare in _MONTHS, bare[:2] in _HALVES or bare[:3] in _HALVES, bare == "of")
    return found if any(found[1:]) else None


def holds_figure(words: list[str], at: int, heard: str) -> bool:
    """Say whether the texts before an answer hold its word with a digit, read with the words beside it."""
    word = words[at].strip(_AROUND)
    after = _beside(words[at + 1]) if at + 1 < len(words) else None
    if after is not None:
        if after.is_half:
            return after.bare in _HALVES and words[at].endswith(word) and _holds_time(word, _HALVES[after.bare], heard)
        if after.is_of:
            return False
    before = _beside(words[at - 1]) if at else None
    follows = before is not None and before.is_month
    if follows or (after is not None and after.is_month):
        if not follows and words[at][-1] in _ENDING and _DAY.fullmatch(word) is None:
            return _holds_number(word, heard)  # "order W-94199, January 15"
        return _holds_date(words, at, word, heard)
    return _holds_number(word, heard)


def counts_something(words: list[str], at: int) -> bool:
    """Say whether a word of an answer is a number that is part of no date and no time."""
    before, after = _bare(words, at - 1), _bare(words, at + 1)
    return not ({before, after} & _MONTHS or after == "of" or after[:2] in _HALVES or after[:3] in _HALVES)


def _bare(words: list[str], at: int) -> str:
    return words[at].strip(_AROUND).lower() if 0 <= at < len(words) else ""


def _holds_time(word: str, half: str, heard: str) -> bool:
    time = _TIME.fullmatch(word)
    if time is None or int(time[1]) > 12:
        return False
    return f"{of_half(int(time[1]), half):02}:{time[2] or '00'}" in heard


def _holds_date(words: list[str], at: int, word: str, heard: str) -> bool:
    """Say whether a day beside the name of a month, maybe with a year, is held as a date is written in figures."""
    before, after = _bare(words, at - 1), _bare(words, at + 1)
    day = _DAY.fullmatch(word)
    if before in _MONTHS and _YEAR.fullmatch(word):
        return _bare(words, at - 2).isalpha() and _holds_number(word, heard)
    if day is None or (before in _MONTHS and after in _MONTHS):
        return False
    month = month_number(before if before in _MONTHS else after)
    year = after if before in _MONTHS else _bare(words, at + 2)
    written = f"-{month:02}-{int(day[1]):02}"
    if year.isdigit() and len(year) >= _DIGITS_OF_YEAR:
        return f"{year}{written}" in heard
    as_said = f"{words[at - 1]} {word}" if before in _MONTHS else f"{word} {words[at + 1]}"
    return written in heard or as_said in heard


def _holds_number(word: str, heard: str) -> bool:
    number = word.strip(_SIGNS)
    if find_number(heard, number) >= 0:
        if number.isdecimal() or _PLAIN.fullmatch(number):
            return True
    elif number.isdecimal():
        return False
    elif _PLAIN.fullmatch(number):
        return any(find_number(heard, form) >= 0 for form in _forms(number))
    if find_literal(heard, word) >= 0:
        return True
    if ":" in word or "," in word or "-" in number or _HALF_AT_END.search(word):
        return False
    return all(find_number(heard, each) >= 0 for each in _NUMBER.findall(number))


def _forms(number: str) -> tuple[str, ...]:
    """Return how else a number may be written: 1,234.50 as 1234.50, as 1234.5."""
    plain = number.replace(",", "")
    return (plain, number, plain.rstrip("0").rstrip(".")) if "." in plain else (plain, number)


def figure_of(word: str) -> str:
    """Return the digits of a number, its signs and separators left out; "" for what is no plain number."""
    number = word.strip(_AROUND).strip(_SIGNS)
    return number.replace(",", "") if _PLAIN.fullmatch(number) else ""


def length_around(words: list[str], at: int) -> int | None:
    """Return in minutes the length of time that a number is part of, as in "2 hours 50 minutes"; None for none."""
    found = _length(words, at)
    return found if found is not None else _length(words, at - 2)


def _length(words: list[str], at: int) -> int | None:
    if at < 0 or at + 2 >= len(words) or (at > 1 and words[at - 2].strip(_AROUND).isdecimal()):
        return None
    hours, unit, minutes = words[at], words[at + 1], words[at + 2]
    if not (hours.isdecimal() and minutes.isdecimal() and unit.isalpha() and len(unit) <= _MOST_OF_UNIT):
        return None
    if len(hours) > 2 or len(minutes) > 2 or int(minutes) >= _MINUTES_OF_HOUR:
        return None
    return 60 * int(hours) + int(minutes)
