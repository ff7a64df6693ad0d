"""Calls compared by what they mean: which belong together, which are missing, and how a person would tell it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from generator.grading.calls import compare_calls
from generator.records import Function, ToolCall
from tests.tables import each_row

Json = Any
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "required": ["city"],
            "properties": {"city": {"type": "string"}, "unit": {"enum": ["c", "f"], "default": "c"}},
        },
    },
}


def call(name: str, /, **arguments: Json) -> Json:
    return {"name": name, "arguments": arguments}


OSLO = call("get_weather", city="Oslo")
SHAPES = [
    OSLO,
    {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Oslo"}'}},
    {"id": "a", "function": {"name": "get_weather", "arguments": {"city": "Oslo"}}},
    {"type": "tool_use", "name": "get_weather", "input": {"city": "Oslo"}},
    {"name": "get_weather", "args": {"city": "Oslo"}},
    ToolCall(id="aB3dE6gH9", type="function", function=Function(name="get_weather", arguments={"city": "Oslo"})),
    SimpleNamespace(function=SimpleNamespace(name="get_weather", arguments='{"city":"Oslo"}')),
    {"function": "get_weather", "arguments": {"city": "Oslo"}},
]


@pytest.mark.parametrize("shape", SHAPES)
def test_calls_are_read_in_every_usual_shape(shape: Json) -> None:
    assert compare_calls([OSLO], [shape]).equal
    assert compare_calls({"role": "assistant", "tool_calls": [shape]}, [OSLO]).equal


TOLD = [
    ([call("get_weather", city="London")], [call("get_weather", city="Paris")],
     "get_weather was called for Paris, not for London"),
    ([OSLO, call("create_alert", city="Oslo")], [OSLO], "create_alert was not called"),
    ([OSLO], [OSLO, call("delete_alert")], "delete_alert was called, though it was not asked for"),
    ([OSLO], [OSLO, OSLO], "get_weather was called once too often, with city Oslo"),
    ([call("log", what="run", minutes=55), call("log", what="row", minutes=70)],
     [call("log", what="row", minutes=55), call("log", what="run", minutes=55)],
     "the second call of log has minutes 55 where 70 was asked"),
    ([call("log", what="run"), call("log", what="row")], [call("log", what="run")],
     "log was not called with what row"),
    ([OSLO], [call("get_weather", city="Oslo", unit="f")], "get_weather has unit f, which was not asked for"),
    ([call("get_weather", city="Oslo", unit="f")], [OSLO], "get_weather lacks unit, which should be f"),
    ([call("plan", stops=[{"city": "Rome"}, {"city": "Bari"}])],
     [call("plan", stops=[{"city": "Rome"}, {"city": "Pisa"}])],
     "plan has stops[1].city Pisa where Bari was asked"),
    ([OSLO], [{"name": "get_weather", "arguments": '{"city": "Oslo"'}],
     "get_weather cannot be read: its arguments are not the text of JSON"),
    ([OSLO], [{"name": "get_weather", "arguments": '{"city": "Rome", "city": "Oslo"}'}],
     "get_weather cannot be read: its arguments name the key 'city' twice"),
    ([], [7], "a call cannot be read: it names no tool"),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "actual", "text"), TOLD)
def test_the_difference_is_told_as_a_person_would(expected: Json, actual: Json, text: str) -> None:
    comparison = compare_calls(expected, actual, [WEATHER])
    assert not comparison.equal
    assert comparison.text == text


def test_the_order_is_free_unless_it_is_asked_for() -> None:
    one, other = [OSLO, call("b")], [call("b"), OSLO]
    assert compare_calls(one, other).equal
    assert compare_calls(one, other).text == ""
    assert not (ordered := compare_calls(one, other, ordered=True)).equal
    assert ordered.text == "the calls were made in the order b, get_weather, not get_weather, b"
    assert compare_calls(one, one, ordered=True).equal


def test_calls_are_paired_so_that_most_is_right() -> None:
    expected = [call("t", a=1, b=1), call("t", a=2, b=2), call("t", a=3, b=3)]
    actual = [call("t", a=3, b=9), call("t", a=1, b=2), call("t", a=1, b=1)]
    comparison = compare_calls(expected, actual)
    assert [(pair.expected, pair.actual) for pair in comparison.pairs] == [(0, 2), (1, 1), (2, 0)]
    assert comparison.missing == comparison.needless == ()


@pytest.mark.parametrize("count", [8, 60, pytest.param(10_000, marks=pytest.mark.slow)])
def test_any_number_of_calls_is_compared(count: int) -> None:
    expected = [call("t", a=number, b=number) for number in range(count)]
    actual = [call("t", a=number, b=-1) for number in reversed(range(count + 1))]
    comparison = compare_calls(expected, actual)
    assert len(comparison.pairs) == count
    assert len(comparison.needless) == 1
    assert comparison.text.count(";") <= 12


HOSTILE = [
    None, 5, "x", [None], [[]], [{}], {"tool_calls": 3}, object(), [{"function": []}],
    [{"name": "t", "arguments": "NaN"}], [{"name": "t", "arguments": "[" * 100_000}],
    [{"name": "t", "arguments": "\ud800"}], [{"name": ["t"], "arguments": 1}],
]  # fmt: skip


@pytest.mark.parametrize("actual", HOSTILE)
def test_whatever_is_given_is_compared(actual: Json) -> None:
    comparison = compare_calls([OSLO], actual)
    assert not comparison.equal
    assert comparison.text


TIMES = [call("f", x=1)] * 3
TOLD_PLAINLY: list[tuple[list[Json], list[Json], bool, str]] = [
    ([call("f", q=2)], [call("f", q="2")], False, "f has q '2' where 2 was asked"),
    (TIMES, [call("f", x=1)], False, "f with x 1 was called once, not 3 times"),
    (TIMES, [], False, "f with x 1 was not called, and is asked for 3 times"),
    ([call("f", h="a"), call("f", h="b")], [call("f", h="b"), call("f", h="a")], True,
     "the calls were made in the order f with h b, f with h a, not f with h a, f with h b"),
    ([call("f", x="a" * 99 + "b")], [call("f", x="a" * 99 + "c")], False,
     "f has x '...aaaaaaaaaaaac' where '...aaaaaaaaaaaab' was asked"),
]  # fmt: skip


@each_row(("expected", "actual", "ordered", "told"), TOLD_PLAINLY)
def test_what_differs_can_be_seen(expected: list[Json], actual: list[Json], ordered: bool, told: str) -> None:
    assert compare_calls(expected, actual, ordered=ordered).text == told
