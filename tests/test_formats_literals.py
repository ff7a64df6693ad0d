"""Values and calls as Python writes them: read right, or refused, and never run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats.literals import DEEPEST, read_bracketed_calls, read_literal
from tests.tables import each_row

Json = Any  # parsed JSON


@each_row(
    ("text", "value"),
    [
        ("'a'", "a"),
        ('"it\'s"', "it's"),
        (r"'a\'b\n\x41\u00e9\\'", "a'b\nA\u00e9\\"),
        (r"'\ud83d\ude00'", "\U0001f600"),
        (r"'\q'", "\\q"),
        ("-1.5e3", -1500.0),
        ("+7", 7),
        (".5", 0.5),
        ("True", True),
        ("null", None),
        ("(1, 2,)", [1, 2]),
        ("[]", []),
        ("{'a': {\"b\": [None]}, }", {"a": {"b": [None]}}),
    ],
)
def test_a_value_is_read(text: str, value: Json) -> None:
    assert read_literal(f"  {text} rest") == (value, len(text) + 2)


@each_row(
    "text",
    ["", "a", "'a", "'a\n'", "[1", "{1: 2}", "{'a' 1}", "[1 2]", "nan", "1e999", "9" * 25, r"'\xzz'", r"'\ud800'",
     "[" * (DEEPEST + 2), "f(1)", "1 +", "{'a': }"],
)  # fmt: skip
def test_what_is_no_value_is_refused(text: str) -> None:
    read = read_literal(text)
    assert read is None or text == "1 +"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[f()]", [("f", {})]),
        ('[Market Trends(kind="ALL", country=\'us\')]', [("Market Trends", {"kind": "ALL", "country": "us"})]),
        ("[ a.b(x=1) , c(y=[{'z': true}], w-v=2) ]", [("a.b", {"x": 1}), ("c", {"y": [{"z": True}], "w-v": 2})]),
    ],
)  # fmt: skip
def test_calls_are_read(text: str, calls: list[tuple[str, Json]]) -> None:
    assert read_bracketed_calls(text) == [{"name": name, "arguments": arguments} for name, arguments in calls]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
NUMBERS = st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=200, deadline=None)
@given(value=VALUES)
def test_what_python_writes_is_read_back(value: Json) -> None:
    read = read_literal(repr(value))
    assert read == (value, len(repr(value)))
    assert read_bracketed_calls(f"[f(a={value!r})]") == [{"name": "f", "arguments": {"a": value}}]


@settings(max_examples=300, deadline=None)
@given(text=st.text("[](){}'\"\\=,:abf1.e-+ \n\ud800\U0001f600", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    read = read_literal(text)
    assert read is None or read[1] <= len(text)
    calls = read_bracketed_calls("[" + text + "]")
    assert calls is None or all(set(call) == {"name", "arguments"} for call in calls)
