"""Numbers: whether a text states one, in digits or words, scaled, in another unit, as a bound or by arithmetic."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

from generator.validation.grounding.arguments.sources import LITERAL, NORMALISED, Grounding, Said, Source, keys_of
from generator.validation.grounding.reading.languages import every, words_for
from generator.validation.grounding.reading.words import find_number


def forms_of(number: int | float) -> tuple[str, ...]:
    """Return how a number is written in digits."""
    if isinstance(number, float):
        if number.is_integer() and abs(number) < 1e16:
            whole = str(int(number))
            return (whole, f"{int(number):,}") if abs(number) >= 1000 else (whole, f"{whole}.0")
        written = repr(number)
        return (written, written[1:]) if written.startswith("0.") else (written,)
    return (str(number), f"{number:,}") if abs(number) >= 1000 else (str(number),)


def ground_literal_number(number: int | float, said: Said) -> Grounding | None:
    """Find a number as it is written."""
    for written in forms_of(number):
        for source in said.sources:
            text = source.figures
            if written in text and find_number(text, written) >= 0:
                return Grounding(LITERAL, source.where, written)
    return None


_NOTHING: frozenset[str] = frozenset()
_RANKED = frozenset("page position rank place level grade floor quarter day index number chapter season week round "
                    "ordinal century row column line episode option".split())  # fmt: skip


_COUNTED = frozenset("quantity count amount copies guests people persons passengers adults tickets seats rooms".split())
"""What one of which is asked for as "a": a ticket, an order."""


def ground_number(number: int | float, said: Said, about: frozenset[str] = _NOTHING) -> Grounding | None:
    """Find a number in other words; `about` are the words that its schema says of it."""
    value = float(number) if abs(number) < 1e300 else 0.0
    for find in (_stated, _converted, _of_a_moment):
        for source in said.sources:
            if text := find(value, source, said, about):
                return Grounding(NORMALISED, source.where, text)
    return None


def _stated(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    exact = source.numbers.get(value)
    if exact is None and value == 0:
        exact = next((word for word in ("none", "nothing") if word in source.words.tokens_set), "")
    if exact is None and value < 0 and find_number(source.folded, f"- {forms_of(-value)[0]}") >= 0:
        return forms_of(value)[0]
    if exact is None and about & _RANKED:
        return source.ordinals.get(value, "")
    if exact is None and value == 1 and about & _COUNTED:
        return next((word for word in ("a", "an") if word in source.words.tokens_set), "")
    return exact or ""


def _converted(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    return next((text for each, text in source.conversions.get(keys_of(value)[0], ()) if each.fits(about)), "")


def _of_a_moment(value: float, source: Source, said: Said, about: frozenset[str]) -> str:
    """Find an hour or minute of a stated time, a month, a day, or a year relative to the reference's."""
    if value != int(value) or not 0 <= value <= 9999:
        return ""
    for minutes, text in source.clocks.items():
        if value in (minutes // 60, minutes % 60) and value:
            return text
    if value in source.months:
        return source.months[int(value)]
    for day, (origin, text) in said.relative_days.items():
        if origin is source and value in (day.year, day.month, day.day) and _speaks_of(value, day.year, text):
            return text
    return ""


def _speaks_of(value: float, year: int, text: str) -> bool:
    """Say whether words that place a day speak of its year, which few do, or of its month and day."""
    return value != year or "year" in text or text in ("today", "now", "current", "latest", "tonight")


_REACH = 16
"""Characters before a number in which a bound is said."""


def ground_bound(number: int | float, said: Said) -> Grounding | None:
    """Find the number beside this one said as a bound that is itself left out."""
    if number != int(number) or not 0 <= number < 1e9:
        return None
    for source in said.sources:
        for beside, table in ((number + 1, "under"), (number - 1, "over")):
            text = source.numbers.get(float(beside))
            if text is not None and _is_bound(text, source, words_for("bounds", table)):
                return Grounding(NORMALISED, source.where, text)
    return None


def _is_bound(text: str, source: Source, words: frozenset[str]) -> bool:
    at = source.start.find(text)
    before = source.start[max(0, at - _REACH) : at].rstrip()
    return at >= 0 and any(before.endswith(word) for word in words)


def ground_compass(number: int | float, said: Said) -> Grounding | None:
    """Find a negative coordinate that is said as one in the west or south."""
    if number >= 0:
        return None
    for source in said.sources:
        for quantity in source.quantities:
            if quantity.value == -number and quantity.unit.lstrip("°") in words_for("compass", "negative"):
                return Grounding(NORMALISED, source.where, f"{quantity.text} {quantity.unit}")
    return None


def ground_multiple(number: int | float, said: Said) -> Grounding | None:
    """Find a number of which a text says the half or the double: "twice the usual 20"."""
    for source in said.sources:
        for factor, words in every("multiples").items():
            word = next((each for each in words if each in source.words.tokens_set), None)
            text = source.numbers.get(number / float(factor)) if word is not None else None
            if text is not None:
                return Grounding(NORMALISED, source.where, f"{word} {text}")
    return None


_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?|(?<![\d:.])\d{1,2}\s?[ap]\.?m\b")
_HINT = re.compile(r"[0-9](?::[0-9]|\s?[ap]\.?m)")
"""What each time of day has in a text of ASCII letters alone."""
_NONE: frozenset[int] = frozenset()
_DIGITS = re.compile(r"\d{1,2}")
_LARGEST = 59


def is_part_of_time(number: int | float, about: frozenset[str], said: Said) -> bool:
    """Say whether a number is said in times of day alone, while the words of its schema speak of no time."""
    if not 0 <= number <= _LARGEST or number != int(number) or not about:
        return False
    if not about.isdisjoint(words_for("exact", "times")):
        return False
    if not any(number in _written_in_times(source.folded) for source in said.sources):
        return False
    return not any(_counts(float(number), each) for each in said.sources)


@lru_cache(maxsize=256)
def _written_in_times(folded: str) -> frozenset[int]:
    """Return the numbers that a text writes in its times of day."""
    if folded.isascii() and not _HINT.search(folded):
        return _NONE
    return frozenset(int(digits) for match in _CLOCK.finditer(folded) for digits in _DIGITS.findall(match[0]))


def _counts(number: float, source: Source) -> bool:
    """Say whether a text states a number otherwise than in a time of day."""
    apart = _apart_from_times(source.folded)
    return number in apart.numbers or -number in apart.numbers or number in apart.ordinals


@lru_cache(maxsize=64)
def _apart_from_times(folded: str) -> Source:
    return Source(0, _CLOCK.sub(" ", folded))


_MOST = 12
"""Numbers of a text that are counted with."""


def is_computed(number: float, numbers: list[float]) -> bool:
    """Say whether a number is made of two others by one operation, or is twice or half of one."""
    few = numbers[:_MOST]
    results = (
        result
        for at, one in enumerate(few)
        for other in few[at + 1 :]
        for result in (one + other, abs(one - other), one * other, *_quotients(one, other))
    )
    doubled = (result for one in few for result in (one * 2, one / 2))
    return number != 0 and any(_is_near(number, result) for result in chain(results, doubled))


def _quotients(one: float, other: float) -> tuple[float, ...]:
    return (one / other, other / one) if one and other else ()


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
