"""Values in each other's place."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.parts import Call, calls_at_once, change_argument

Json = Any  # parsed JSON


def exchanged_between_calls(record: Json, rng: Random) -> Json | None:
    pairs = [
        (first, second, key)
        for calls in calls_at_once(record)
        for first, second in combinations(calls, 2)
        if first.name == second.name
        for key in _differing(first, second)
    ]
    if not pairs:
        return None
    first, second, key = rng.choice(pairs)
    mine, other = first.arguments[key], second.arguments[key]
    change_argument(record, first, (key,), other, rng)
    return change_argument(record, second, (key,), mine, rng)


def _differing(first: Call, second: Call) -> list[str]:
    """Return the parameters in which two calls differ; one alone would be the same calls in another order."""
    mine, other = first.arguments, second.arguments
    keys = [key for key in mine if key in other and mine[key] != other[key]]
    return keys if len(keys) > 1 else []


CLASSES = (
    Corruption(
        "exchanged_between_calls",
        "exchanges",
        "two calls of one turn have exchanged a value",
        exchanged_between_calls,
    ),
)
