"""Whatever a schema asks for, making a value ends in one of three ways, within limits of time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.errors import GaveUp
from generator.values import synthesize_value
from tests.hostile_schemas import BOUND, INTEGER, chain, deep

HEAVY = {"a dense web of refs", "twins of oneOf", "twins of anyOf", "20,000 properties", "many words"}
UNSATISFIABLE = {
    "one element too many of a trillion",
    "exponential denial",
    "no value of many",
    "a ref to itself",
    "refs in a circle",
}
GIVEN_UP = {
    "5,000 refs in a row": "lead on, to more branches than can be followed",
    "5,000 objects in a row": "lead on, to more branches than can be followed",
    "1,000 needed objects in a row": "lead on, to more branches than can be followed",
    "50,000 levels": "nests over 200 levels",
    "a million twins": "over 250,000 parts",
    "huge minItems": "over the limit of 50,000 elements",
    "minItems in minItems": "needs over 150,000 nodes",
    "minItems beyond any integer": "over the limit of 50,000 elements",
    "huge minContains": "over the limit of 50,000 elements",
    "huge minLength": "over the limit of 200,000 characters",
    "huge minProperties": "over the limit of 50,000 properties",
    "doubling": "needs over 150,000 nodes",
    "an integer of 400 digits": "64 bits cannot hold",
    "a grid of primes": "64 bits cannot hold",
    "repeat of repeats": 'is not a "regex"',
    "groups told again": "none of 40 values drawn",
}


def made(names: list[str]) -> dict[str, Any]:
    """Make values in a child process that is killed where it takes too long or too much."""
    child = subprocess.run(
        [sys.executable, "-m", "tests.hostile_schemas", *names],
        cwd=Path(__file__).resolve().parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, f"killed after {child.stdout[-300:]}\n{child.stderr[-2000:]}"
    return {line["name"]: line for line in map(json.loads, child.stdout.splitlines())}


def check(ended: dict[str, Any]) -> None:
    for name, line in ended.items():
        assert line["said"] not in ("", "INVALID"), line
        if name in UNSATISFIABLE:
            assert line["ended"] == "unsatisfiable", line
        if name in GIVEN_UP:
            assert line["ended"] == "gave up" and GIVEN_UP[name] in line["said"], line


def test_hostile_schemas_end_in_one_of_three_ways() -> None:
    names = [name for name in BOUND if name not in HEAVY]
    ended = made(names)
    assert set(ended) == set(names)
    check(ended)
    assert sum(line["ended"] == "value" for line in ended.values()) >= 28


@pytest.mark.slow
def test_so_do_those_that_take_a_second() -> None:
    ended = made(sorted(HEAVY))
    assert set(ended) == HEAVY
    check(ended)


@pytest.mark.parametrize(
    ("schema", "cause"),
    [
        ({"type": "array", "minItems": 400, "items": {"type": "string", "pattern": "(?<=x)y(?<!xy)"}},
         "a text broke one of pattern"),
        ({"type": "array", "minItems": 40_000, "uniqueItems": True,
          "items": {"type": "object", "properties": {"a": {"enum": list(range(5000))}}, "required": ["a"],
                    "additionalProperties": False}},
         "an element was there already"),
        ({"type": "array", "minItems": 50_000, "items": {"type": "array", "minItems": 5, "items": INTEGER}},
         "the value needs over 150,000 nodes"),
    ],
)  # fmt: skip
def test_who_gives_up_says_what_used_up_its_bounds(schema: Any, cause: str) -> None:
    with pytest.raises(GaveUp) as caught:
        synthesize_value(schema, seed=1)
    assert cause in str(caught.value)


def test_a_schema_that_was_refused_is_refused_again_with_the_same_words() -> None:
    schema = {"type": "array", "minItems": 10**9}
    said = set()
    for _ in range(3):
        with pytest.raises(GaveUp) as caught:
            synthesize_value(schema, seed=1)
        said.add(str(caught.value))
    assert len(said) == 1


def test_long_chains_of_references_are_followed() -> None:
    assert isinstance(synthesize_value(chain(300), seed=1), int)


def test_deep_values_are_made_where_they_are_not_wide() -> None:
    value = synthesize_value(deep(60, lambda inner: {"type": "array", "items": inner, "minItems": 1}), seed=1)
    for _ in range(60):
        assert isinstance(value, list)
        value = value[0]
    assert isinstance(value, int)


def test_wide_and_deep_values_stay_small() -> None:
    schema = deep(12, lambda inner: {"type": "array", "items": inner, "minItems": 2})
    assert len(json.dumps(synthesize_value(schema, seed=1))) < 2_000_000
    assert INTEGER == {"type": "integer"}
