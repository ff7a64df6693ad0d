"""Bounds: numbers beside the one that is said, as in "fewer than 5", its multiples, and coordinates of the compass."""

from __future__ import annotations

from generator.validation.grounding.reading.languages import every, words_for
from generator.validation.grounding.sources import NORMALISED, Grounding, Said, Source

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
