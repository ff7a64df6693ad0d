"""Times of day that a text states, and times that values write; in minutes since midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.grounding.numerals import Quantity

_CLOCK = re.compile(
    r"(?<![\d:.])(\d{1,2})(?:[:h](\d\d)|\.(\d\d)(?=\s*[ap]\.?m))?(?::\d\d)?(?:\.\d+)?\s*"
    r"(a\.?m\b\.?|p\.?m\b\.?|o'?clock|h\b|hrs?\b|hours\b)?"
)
_NAMED = {"noon": 720, "midday": 720, "midnight": 0, "lunchtime": 720}
_PERIODS = {"early morning": (360,), "morning": (480, 540, 600), "afternoon": (780, 840, 900, 960),
            "evening": (1080, 1140, 1200), "night": (1200, 1260, 1320, 1380), "tonight": (1140, 1200)}  # fmt: skip
_PAST = re.compile(
    r"\b(half|quarter|twenty|ten|five|\d{1,2}) (?:minutes? )?(past|after|to|before|till) "
    r"([a-z]+|\d{1,2})(?:\s*(a\.?m|p\.?m)\b)?"
)
_PAST_HALF = {"half": 30, "quarter": 15, "twenty": 20, "ten": 10, "five": 5}
_HOURS = {word: number for number, word in enumerate(
    "one two three four five six seven eight nine ten eleven twelve".split(), start=1)} | {
    "noon": 12, "midnight": 0}  # fmt: skip
_WORDED = re.compile(
    r"\b(?:at|from|to|until|till|by|around|before|after|for) "
    r"(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?:[ -](thirty|fifteen|forty-five|o'?clock|ten|twenty|forty|fifty))?\b(?:\s*(a\.?m|p\.?m)\b)?"
)
_MINUTES = {"thirty": 30, "fifteen": 15, "forty-five": 45, "ten": 10, "twenty": 20, "forty": 40, "fifty": 50}
_VALUE = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?(?:z|[+-]\d\d:?\d\d)?")
_SHORT_VALUE = re.compile(r"(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.)")
DAY = 1440


def read_clock(value: str) -> int | None:
    """Return the minutes since midnight that a folded value writes (`15:00`, `3:00 pm`, `3pm`), else None."""
    match = _VALUE.fullmatch(value)
    if match is not None:
        hour, minute, half = int(match[1]), int(match[2]), match[4]
    else:
        match = _SHORT_VALUE.fullmatch(value)
        if match is None:
            return None
        hour, minute, half = int(match[1]), 0, match[2]
    if hour > 24 or minute > 59:
        return None
    return (of_half(hour, half) * 60 + minute) % DAY


def of_half(hour: int, half: str | None) -> int:
    """Return the hour of the day that an hour before or after noon is."""
    if not half:
        return hour
    return hour % 12 + (12 if half[0] == "p" else 0)


def clocks_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the times that a folded text states, with what it says; an hour without am or pm is both."""
    for match in _CLOCK.finditer(text):
        if match[2] or match[3] or match[4]:
            yield from _either(
                int(match[1]), int(match[2] or match[3] or 0), (match[4] or "").replace(".", ""), match[0].strip()
            )
    yield from ((minutes, word) for word, minutes in _NAMED.items() if word in text)
    for match in _PAST.finditer(text):
        yield from _past(match)
    for match in _WORDED.finditer(text):
        yield from _either(
            _HOURS[match[1]], _MINUTES.get(match[2] or "", 0), (match[3] or "").replace(".", ""), match[0]
        )


def _either(hour: int, minute: int, half: str, said: str) -> Iterator[tuple[int, str]]:
    if hour > 24 or minute > 59:
        return
    if half in ("am", "pm"):
        yield of_half(hour, half) * 60 + minute, said
        return
    yield (hour * 60 + minute) % DAY, said
    if 0 < hour < 13:
        yield (hour % 12 + 12) * 60 + minute, said


def _past(match: re.Match[str]) -> Iterator[tuple[int, str]]:
    hour = _HOURS.get(match[3], int(match[3]) if match[3].isdigit() else -1)
    minutes = _PAST_HALF.get(match[1], int(match[1]) if match[1].isdigit() else 99)
    if not 0 <= hour <= 24 or minutes > 59:
        return
    if match[2] in ("to", "before", "till"):
        hour, minutes = hour - 1, 60 - minutes
    yield from _either(hour % 24, minutes, (match[4] or "").replace(".", ""), match[0])


def loosely(text: str) -> Iterator[tuple[int, str]]:
    """Yield the times that a part of the day may mean ("in the evening"), with what the text says."""
    for word, minutes in _PERIODS.items():
        if word in text:
            yield from ((each, word) for each in minutes)


def hours_of(quantities: list[Quantity]) -> Iterator[tuple[int, str]]:
    """Yield hours stated as bare numbers ("between 9 and 17"), on the full hour."""
    for quantity in quantities:
        if 0 <= quantity.value <= 24 and quantity.value == int(quantity.value) and quantity.unit not in ("am", "pm"):
            yield from _either(int(quantity.value), 0, "", quantity.text)
