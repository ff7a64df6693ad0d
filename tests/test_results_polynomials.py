"""Derivatives and integrals of polynomials, and only of those."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsontext import JsonObject
from generator.results.polynomials import differentiate, integrate, read_polynomial


@pytest.mark.parametrize(
    ("arguments", "slope"),
    [
        ({"function": "3x^2 + 2x - 1"}, "6x + 2"),
        ({"func": "4x - 7", "x_value": 13}, "4"),
        ({"function": "x**3 - x", "value": 2}, "11"),
        ({"function": "-x^2"}, "-2x"),
        ({"function": "5"}, "0"),
        ({"function": "2*t^2 + t"}, "4x + 1"),
    ],
)
def test_polynomials_have_their_derivative(arguments: JsonObject, slope: str) -> None:
    assert differentiate(arguments) == slope


def test_polynomials_have_their_definite_integral() -> None:
    assert integrate({"function": "x^2", "a": 0, "b": 3}) == 9
    assert integrate({"func": "2x + 1", "start_x": 0, "end_x": 2}) == 6


@pytest.mark.parametrize("text", ["", "sin(x)", "x + y", "x^99", "3 4", "1/x", "x^2 +", "e**x", "2" * 200])
def test_other_functions_are_left_alone(text: str) -> None:
    assert differentiate({"function": text}) is None
    assert integrate({"function": text, "a": 0, "b": 1}) is None


def test_an_integral_needs_both_limits() -> None:
    assert integrate({"function": "x^2", "a": 0}) is None


@given(st.text(alphabet="0123456789x^*+- .y", max_size=60))
def test_any_text_is_read_within_bounds(text: str) -> None:
    terms = read_polynomial(text)
    assert terms is None or all(0 <= power <= 40 for power in terms)
