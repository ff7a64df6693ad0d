"""Whether two JSON texts say the same to the last digit, repeated keys and the order of members included."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation


def say_the_same(one: str | bytes, other: str | bytes) -> bool:
    """Say whether two JSON texts hold the same values; False where one is no JSON, or nests too deeply to tell."""
    try:
        return _exact(one) == _exact(other)
    except (ValueError, RecursionError, InvalidOperation):
        return False


def _exact(text: str | bytes) -> object:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=lambda pairs: ("object", pairs))
