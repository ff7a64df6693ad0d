"""Times of day that a text states, and times that values write; in minutes since midnight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.grounding.clock_phrases import DAY, Clocks, of_half
from generator.validation.grounding.numerals import quantities_of

__all__ = ["DAY", "hours_of", "of_half", "read_clock"]

_VALUE = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?(?:z|[+-]\d\d:?\d\d)?")
_SHORT_VALUE = re.compile(r"(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.)")


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
    return (of_half(hour, half.replace(".", "") if half else "") * 60 + minute) % DAY


def hours_of(text: str, clocks: Clocks, languages: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the times that a folded text may mean: by bare numbers on the full hour, and by parts of the day.

    What belongs to a time that is stated in full is none: neither the 7 nor the evening of "7 in the evening".
    """
    for phrase in clocks.phrases:
        text = text[: phrase.start] + " " * (phrase.end - phrase.start) + text[phrase.end :]
    for phrase in clocks.loose:
        yield from ((minutes, phrase.text) for minutes in phrase.minutes)
    for quantity in quantities_of(text, languages):
        hour = int(quantity.value) if 0 <= quantity.value <= 24 else -1
        if hour == quantity.value and quantity.unit not in ("am", "pm"):
            yield hour * 60 % DAY, quantity.text
            if 0 < hour < 13:
                yield (hour % 12 + 12) * 60, quantity.text
