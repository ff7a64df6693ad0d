"""Values for any number of schemas nobody wrote.

python -m tests.fuzz.values [--count N] [--seed N]

Ends with 1 where a value was invalid, a value was refused that exists, or anything crashed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from jsonschema import Draft202012Validator

from generator.errors import GaveUp, Unsatisfiable
from generator.schemas.validators import validator_for
from generator.values import synthesize_value
from tests.fuzz.schemas import DOCUMENTS, FORMATS, NAMES

Json = Any  # parsed JSON

_TEXTS = ("", *"a ab b c1 abcd AB-12 x-1 2024-02-29 a1b2 10:00:00Z P1D a@b.co 1.1.1.1".split())
PROBES: tuple[Json, ...] = (
    None, True, False, *range(-5, 13), 0.5, 0.07, 2.5, -1.25, 1e9, *_TEXTS, [], [1], [1, 2], ["a"], ["a", "b", "c"],
    [[]], [None, True], {}, *({name: value} for name in NAMES for value in (1, "a", None, [], {})),
    {"a": 1, "b": 2}, {"a": "a", "city": "b"}, dict.fromkeys(NAMES, 1), {"x-1": 1}, {"AB-12": "a"},
)  # fmt: skip
"""Values any of which refutes a proof that there is none."""


def outcome(schema: Json, seed: int = 1) -> str:
    """Return how making a value ended: `value`, `unsatisfiable` or `gave up`.

    Raises:
        AssertionError: the value is invalid or not repeatable, or what was refused as unsatisfiable has a value.
    """
    validator = validator_for(schema)
    try:
        value = synthesize_value(schema, seed=seed)
    except Unsatisfiable as refusal:
        _check_refusal(schema, refusal)
        return "unsatisfiable"
    except GaveUp:
        return "gave up"
    assert validator.is_valid(value), f"jsonschema_rs refuses {value!r}"
    assert _python_accepts(schema, value), f"jsonschema refuses {value!r}"
    assert synthesize_value(schema, seed=seed) == value
    return "value"


def _check_refusal(schema: Json, refusal: Unsatisfiable) -> None:
    assert refusal.keywords or schema is False, f"no keywords: {refusal}"
    validator = validator_for(schema)
    refuting = [probe for probe in PROBES if validator.is_valid(probe)]
    assert not refuting or _is_endless(schema, refuting[0]), f"{refuting[0]!r} refutes: {refusal}"


def _is_endless(schema: Json, value: Json) -> bool:
    """Say whether looking at the value may never end, so that validators make of it what they like."""
    try:
        Draft202012Validator(schema).is_valid(value)
    except RecursionError:
        return True
    except re.error:
        return "$ref" in json.dumps(schema)
    return False


def _python_accepts(schema: Json, value: Json) -> bool:
    checker = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    try:
        return checker.is_valid(value) or _is_of_a_format_denied(schema)
    except (re.error, RecursionError):  # Python cannot read \p{Lu}; it follows a circle for ever
        return True


def _is_of_a_format_denied(schema: Json) -> bool:
    """Say whether a format may be denied: what jsonschema takes for one, jsonschema_rs may refuse, and rightly."""
    text = json.dumps(schema)
    return '"format"' in text and any(f'"{word}"' in text for word in ("not", "if", "oneOf"))


def run(count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Return how often each outcome occurred, and what went wrong."""
    tally: Counter[str] = Counter()
    failures: list[str] = []
    slowest = [0.0]

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(DOCUMENTS)
    def each(schema: Json) -> None:
        start = time.process_time()
        try:
            tally[outcome(schema)] += 1
        except Exception as error:  # noqa: BLE001  # whatever it is, it is what is looked for
            tally["failed"] += 1
            failures.append(f"{json.dumps(schema)}\n    {type(error).__name__}: {str(error)[:300]}")
        took = time.process_time() - start
        if took > slowest[0]:
            slowest[0] = took
            print(f"  {took:.2f} s: {json.dumps(schema)[: 300 if took < 1 else None]}", file=sys.stderr)

    each()
    return tally, failures


def main() -> int:
    """Run as many schemas as asked and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.process_time()
    tally, failures = run(options.count, options.seed)
    print(*failures, sep="\n")
    total = sum(tally.values())
    counts = ", ".join(f"{name} {number:,}" for name, number in sorted(tally.items()))
    print(f"{total:,} schemas: {counts}; {time.process_time() - start:.0f} s of CPU; formats {len(FORMATS)}")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
