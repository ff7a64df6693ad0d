"""Ranges: a beginning after its end, a least above its most."""

from __future__ import annotations

import re

from generator.jsontext import JsonValue
from generator.validation.grounding.pairs import Pair

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?Z?")


def is_reversed(pair: Pair, first: JsonValue, second: JsonValue) -> bool:
    """Say whether a range runs backwards: days, which go on, and amounts that are called least and most.

    Times without a day may end on the next one, and counts from a start to an end may run down.
    """
    if isinstance(first, str) and isinstance(second, str):
        alike = len(first) == len(second) and "time" in pair.subjects
        return alike and first > second and all(_DAY.fullmatch(each) for each in (first, second))
    if _is_number(first) and _is_number(second):
        return bool(first > second) and (pair.subjects == ("amount",) or "year" in pair.rest)
    return False


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
