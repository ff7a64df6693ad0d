"""Numbers at the edges of what JSON readers hold."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp, Unsatisfiable
from generator.jsontext import dump_line
from generator.values import synthesize_value
from generator.values.meanings.numbers import exact_value, reads_alike


@pytest.mark.parametrize(
    ("number", "exact"),
    [(3, Fraction(3)), (0.1, Fraction(1, 10)), (Decimal("1000000000000000.02"), Fraction(100000000000000002, 100))],
)
def test_exact_values(number: Any, exact: Fraction) -> None:
    assert exact_value(number) == exact


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "number", "minimum": 1e308},
        {"type": "number", "maximum": -1e308},
        {"type": "number", "minimum": 1e18, "multipleOf": 1e17},
        {"type": "number", "minimum": 2**64 - 1},
        {"type": "integer", "minimum": 2**63},
        {"type": "integer", "maximum": -(2**62)},
        {"type": "number", "multipleOf": 0.07, "minimum": 1e15},
        {"type": "number", "multipleOf": 1e-300},
    ],
)
def test_what_cannot_be_written_is_never_made(schema: Any) -> None:
    for seed in range(5):
        try:
            value = synthesize_value(schema, seed=seed)
        except GaveUp:
            continue
        dump_line({"value": value})


@pytest.mark.parametrize("schema", [{"type": "number", "minimum": 1e308}, {"type": "number", "maximum": -1e308}])
def test_huge_numbers_are_floats(schema: Any) -> None:
    assert isinstance(synthesize_value(schema, seed=1), float)


@pytest.mark.parametrize("schema", [{"type": "integer", "minimum": 1e30}, {"type": "integer", "maximum": -1e30}])
def test_integers_beyond_64_bits_are_given_up(schema: Any) -> None:
    with pytest.raises((GaveUp, Unsatisfiable)):
        synthesize_value(schema, seed=1)


@pytest.mark.parametrize(("number", "alike"), [(0.3, False), (0.25, True), (-0.7, False), (5, True), (1e-7, True)])
def test_numbers_that_fast_readers_change(number: float, alike: bool) -> None:
    assert reads_alike(number) is alike


@settings(deadline=None)
@given(st.integers(0, 10**7), st.sampled_from([10, 100, 1000, 10000]))
def test_the_rule_is_that_of_pandas(numerator: int, denominator: int) -> None:
    json = pytest.importorskip("pandas.io.json", reason="needs the extra `test`")
    number = numerator / denominator
    assert reads_alike(number) is (json.ujson_loads(repr(number)) == number)


def test_drawn_fractions_survive_fast_readers() -> None:
    schema = {"type": "number", "minimum": 0, "maximum": 1, "description": "Confidence threshold"}
    assert all(reads_alike(synthesize_value(schema, seed=seed)) for seed in range(200))
