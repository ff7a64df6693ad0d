"""Numbers lie within their bounds, also at the edges of what JSON readers hold."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp, Unsatisfiable
from generator.jsontext import dump_line
from generator.values import synthesize_value
from generator.values.draw import Context, Draw
from generator.values.meanings.numbers import bounds_of, draw_within, exact_value, reads_alike


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


def drawing(seed: int = 1) -> Draw:
    return Draw(Random(seed), Context(), "en_US")


@settings(max_examples=300, deadline=None)
@given(
    low=st.one_of(st.none(), st.integers(-1000, 1000)),
    span=st.integers(0, 500),
    grid=st.sampled_from([None, 0.01, 0.1, 0.25, 1, 3, 7.5]),
    whole=st.booleans(),
    seed=st.integers(0, 99),
)
def test_number_lies_within_its_bounds(low: int | None, span: int, grid: float | None, whole: bool, seed: int) -> None:
    node = {} if low is None else {"minimum": low, "maximum": low + span}
    node |= {} if grid is None else {"multipleOf": grid}
    bounds = bounds_of(node, whole=whole)
    step = bounds.grid or Fraction(0)
    value = draw_within(bounds, drawing(seed), None, whole=whole)
    if low is None or span > step:
        assert bounds.admits(value)
        if grid:
            assert (value / grid).is_integer() if isinstance(value, float) else True


def test_wanted_range_is_kept_where_the_bounds_allow() -> None:
    bounds = bounds_of({"minimum": 50}, whole=True)
    values = {draw_within(bounds, drawing(seed), (50, 100, 10), whole=True) for seed in range(40)}
    assert values <= {50, 60, 70, 80, 90, 100}
    assert draw_within(bounds_of({"minimum": 500}, whole=True), drawing(), (1, 5, 1), whole=True) >= 500
