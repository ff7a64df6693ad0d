"""Values and results exchanged: classes that were set aside while the rules were written."""

from __future__ import annotations

import json
import re
from itertools import combinations
from random import Random
from typing import Any

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import day_of
from tests.benchmarks.corruptions.parts import (
    asked,
    calls_at_once,
    calls_of,
    change_argument,
    says,
    strings,
)

Json = Any  # parsed JSON

TWINS = re.compile(r"(?i)^(?:[a-z]|.*(?:\d|_[a-z]|first|second|one|two))$")
ALIKE = re.compile(
    r"(?i)distance|compar|similar|between|match|versus|common|area|sum|product|add_|multipl|gcd|lcm|volume|probab|triangle|geometr|math|calc|comput"
)


def exchanged_parameters(record: Json, rng: Random) -> Json | None:
    found = []
    for call in calls_of(record):
        said = asked(record, call.turn)
        keys = [k for k, v in call.arguments.items() if isinstance(v, str | int | float) and not isinstance(v, bool)]
        for one, two in combinations(keys, 2):
            a, b = call.arguments[one], call.arguments[two]
            if a == b or isinstance(a, str) is not isinstance(b, str) or (TWINS.match(one) and TWINS.match(two)):
                continue
            if ALIKE.search(call.name) or re.sub(r"\d|[ab12]$", "", one) == re.sub(r"\d|[ab12]$", "", two):
                continue
            day = isinstance(a, str) and day_of(a) and day_of(b)
            if day or (says(said, a) and says(said, b)):
                found.append((call, one, two))
    if not found:
        return None
    call, one, two = rng.choice(found)
    a, b = call.arguments[one], call.arguments[two]
    change_argument(record, call, (one,), b, rng)
    call.arguments[two] = a
    return record


def results_exchanged(record: Json, rng: Random) -> Json | None:
    found = []
    for calls in calls_at_once(record):
        for one, two in combinations(calls, 2):
            if one.name != two.name or one.result is None or two.result is None or one.failed or two.failed:
                continue
            echo = [
                leaf
                for _, leaf in strings(one.arguments)
                if any(leaf == other for _, other in strings(one.returned))
                and not says(json.dumps([two.arguments, two.returned], ensure_ascii=False), leaf)
            ]
            if echo:
                found.append((one, two))
    if not found:
        return None
    one, two = rng.choice(found)
    one.result["content"], two.result["content"] = two.result["content"], one.result["content"]
    return record


CLASSES = (
    Corruption(
        "exchanged_parameters",
        "exchanges",
        "two arguments of one call have exchanged their values",
        exchanged_parameters,
    ),
    Corruption("results_exchanged", "exchanges", "two calls have exchanged their results", results_exchanged),
)
