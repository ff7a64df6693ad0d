"""Numbers: whether a text states them, in digits or words, scaled, in another unit, as part of a date or time."""

from __future__ import annotations

from generator.validation.grounding.reading.words import find_number
from generator.validation.grounding.sources import LITERAL, NORMALISED, Grounding, Said, Source, keys_of


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
