"""Results that are not true: classes that were set aside while the rules were written."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import day_of
from tests.benchmarks.corruptions.parts import (
    calls_of,
    put,
)
from tests.benchmarks.corruptions.set_aside.requests import another_like

Json = Any  # parsed JSON


def result_contradicts(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        returned = call.returned
        if not isinstance(returned, dict) or call.failed:
            continue
        for key, value in returned.items():
            if (
                key in call.arguments
                and call.arguments[key] == value
                and isinstance(value, str | int | float)
                and not isinstance(value, bool)
            ):
                found.append((call, key, value))
    rng.shuffle(found)
    for call, key, value in found:
        if isinstance(value, str):
            day = day_of(value)
            other = (
                (day + timedelta(days=rng.choice([1, 5, -2]))).isoformat() + value[10:]
                if day
                else another_like(call, (key,), value, rng)
            )
        else:
            other = value + rng.choice([1, 2, 5])
        if other and other != value:
            returned = call.returned
            put(returned, (key,), other)
            call.answers_with(returned)
            return record
    return None


CLASSES = (
    Corruption("result_contradicts", "results", "the result is about another thing than the call", result_contradicts),
)
