"""Arithmetic: what formulas give, what they cannot hold, and that none of them grows without end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.jsontext import JsonValue, dump_compact
from generator.worlds.formulas import FUNCTIONS, NoFormula, compile_formula, sound
from generator.worlds.rows import ABSENT
from tests.domains_library import scope

NAMES: dict[str, Any] = {"n": 7, "h": 2.5, "t": "word", "list": [1, 2, 3], "o": {"k": 4}, "flag": True, "none": None}

GIVES: list[tuple[str, Any]] = [
    ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("n / 2", 3.5), ("n // 2", 3), ("n % 4", 3), ("2 ** 10", 1024), ("-n", -7),
    ("n - h", 4.5), ("o.k * 2", 8), ("$n + 1", 8), ("0.1 + 0.2", 0.3), ("n > 5", True), ("1 < n < 7", False),
    ("1 < n <= 7", True), ("n == 7", True), ("n != 7", False), ("t < 'zoo'", True), ("h if n > 5 else 0", 2.5),
    ("pi", 3.1415926536), ("abs(-3)", 3), ("min(n, 3)", 3), ("max(list)", 3), ("round(h)", 2), ("round(2.567, 1)", 2.6),
    ("round(1234, -2)", 1200), ("ceil(h)", 3), ("floor(h)", 2), ("sqrt(16)", 4.0), ("log(1)", 0.0), ("exp(0)", 1.0),
    ("sin(0)", 0.0), ("cos(0)", 1.0), ("tan(0)", 0.0), ("sum(list)", 6), ("len(list)", 3), ("len(t)", 4),
    ("radians(180)", 3.1415926536), ("degrees(pi)", 180.0), ("hypot(3, 4)", 5.0), ("list.0 + list.last", 4),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [pair for pair in GIVES if ".0 " not in pair[0]])
def test_formulas(text: str, expected: Any) -> None:
    assert compile_formula(text)[0](scope(**NAMES)) == expected


def test_every_function_is_tried() -> None:
    assert {name for name in FUNCTIONS if any(f"{name}(" in text for text, _ in GIVES)} == set(FUNCTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "missing + 1",
        "n / 0",
        "n % 0",
        "t + t",
        "t * 3",
        "'a' * 10**9",
        "list * 9",
        "list + list",
        "flag + 1",
        "none + 1",
        "missing < 3",
        "t < 3",
        "max(3)",
        "sum(t)",
        "sqrt(-1)",
        "log(0)",
        "(-8) ** 0.5",
        "2 ** 65",
        "9 ** 9 ** 9",
        "10 ** 15 ** 2",
        "10**60 * 10**60",
        "2**62 * 2",
        "1e308 * 10",
        "exp(1000)",
        "round(n, 99)",
        "round(n, -10**9)",
        "o.k.k + 1",
        "abs(t)",
        "ceil(1e308 * 10)",
        "hypot(t)",
    ],
)
def test_what_has_no_result_is_absent(text: str) -> None:
    assert compile_formula(text)[0](scope(**NAMES)) is ABSENT


@pytest.mark.parametrize(
    "text",
    [
        "", "1 +", "1 2", "n.", "lambda: 1", "[1]", "{1: 2}", "(1, 2)", "f'{n}'", "n[0]", "print(n)", "n()", "abs(x=1)",
        "abs(*list)", "not n", "n and 1", "n in list", "n is 1", "__import__('os')", "b'x'", "1j", "None", "(x := 5)",
        "await n", "1 if n", "+" * 60 + "1", "-" * 60 + "1", "x" * 501, "n\x00", "(1).real", "'a'.join",
    ],
)  # fmt: skip
def test_what_is_no_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(NoFormula):
        compile_formula(text)


def test_paths_that_a_formula_names() -> None:
    assert compile_formula("l.days * rate + pi + min(a.b.c, 2)")[1] == [["l", "days"], ["rate"], ["a", "b", "c"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, 1), (2**63, ABSENT), (-(2**63), -(2**63)), (-(2**63) - 1, ABSENT), (0.1 + 0.2, 0.3), (float("inf"), ABSENT),
     (float("nan"), ABSENT), ("x", "x"), (True, True)],
)  # fmt: skip
def test_sound_numbers(value: Any, expected: Any) -> None:
    assert sound(value) is expected or sound(value) == expected


PIECES = st.sampled_from(["1", "2.5", "n", "t", "list", "o.k", "10**15", "2**63", "'a'", "flag", "missing"])
FORMULAS = st.recursive(
    PIECES,
    lambda inner: (
        st.builds("({}{}{})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<", "=="]), inner)
        | st.builds("{}({})".format, st.sampled_from(sorted(FUNCTIONS)), inner)
        | st.builds("({} if {} else {})".format, inner, inner, inner)
    ),
    max_leaves=12,
)


@settings(deadline=1000)
@given(FORMULAS)
def test_no_formula_raises_and_every_result_is_json(text: str) -> None:
    try:
        calculate, _ = compile_formula(text)
    except NoFormula:
        return
    value: JsonValue = calculate(scope(**NAMES))
    assert value is ABSENT or dump_compact(value)
