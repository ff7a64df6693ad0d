"""Calls compared by what they mean: which are the same, which differ in what, which are missing and which needless."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from generator.grading.called import Called, called, calls_in
from generator.grading.comparison import Comparison, Difference, DifferenceSort, Pair
from generator.grading.pairing import Members, paired
from generator.grading.values import ValueReader, reader_of
from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class ReadCalls:
    """Calls that were read once, to be compared any number of times."""

    calls: tuple[Called, ...]
    members: tuple[tuple[str, Members | None], ...]
    """The name of each call and what its arguments mean; None where they cannot be read."""


def compare_calls(expected: Any, actual: Any, tools: Iterable[Any] = (), *, ordered: bool = False) -> Comparison:
    """Compare the calls made with the calls expected by what they mean.

    Args:
        expected: calls in any usual shape: ours, OpenAI's with arguments as text, `{"name", "arguments"}`, or objects
            with such attributes; a message that holds them will do.
        actual: the calls made, likewise, of whatever JSON they are.
        tools: the tools shown, as records or requests show them, or `Tool`s: their schemas say which values mean the
            same. Without them numbers are compared as numbers and words as words, and nothing is known of defaults.
        ordered: whether the calls are to stand in the order expected.
    """
    readers = readers_of(tools)
    return compare_read(read_calls(calls_in(expected), readers), read_calls(calls_in(actual), readers), ordered=ordered)


def readers_of(tools: Iterable[Any]) -> dict[str, ValueReader]:
    """Return the reader of the arguments of each tool, by its name; what is no tool has none."""
    found: dict[str, ValueReader] = {}
    for tool in tools:
        name, parameters = _definition(tool)
        if isinstance(name, str) and name not in found:
            found[name] = reader_of(parameters)
    return found


def _definition(tool: Any) -> tuple[Any, Any]:
    if hasattr(tool, "model_dump") and not hasattr(tool, "parameters"):
        tool = tool.model_dump(exclude_none=True)
    if isinstance(tool, dict):
        function = tool.get("function")
        told: JsonObject = function if isinstance(function, dict) else tool
        schema = next((told[key] for key in ("parameters", "inputSchema", "input_schema") if key in told), None)
        return told.get("name"), schema
    return getattr(tool, "name", None), getattr(tool, "parameters", None)


_WITHOUT_SCHEMA = reader_of({})


def read_calls(given: Sequence[Any], readers: dict[str, ValueReader]) -> ReadCalls:
    """Read calls by the schemas of their tools."""
    calls = tuple([called(each) for each in given])
    return ReadCalls(calls, tuple([(call.name, _members(call, readers)) for call in calls]))


def _members(call: Called, readers: dict[str, ValueReader]) -> Members | None:
    if call.arguments is None:
        return None
    return readers.get(call.name, _WITHOUT_SCHEMA).members(call.arguments)


def compare_read(expected: ReadCalls, actual: ReadCalls, *, ordered: bool = False) -> Comparison:
    """Compare calls that were read."""
    places = paired(expected.members, actual.members)
    pairs = tuple([_pair(one, other, expected, actual) for one, other in places])
    wanted, made = {pair.expected for pair in pairs}, {pair.actual for pair in pairs}
    return Comparison(
        pairs,
        tuple([place for place in range(len(expected.calls)) if place not in wanted]),
        tuple([place for place in range(len(actual.calls)) if place not in made]),
        not ordered or all(a.actual < b.actual for a, b in zip(pairs, pairs[1:], strict=False)),
        expected.calls,
        actual.calls,
    )


def _pair(one: int, other: int, expected: ReadCalls, actual: ReadCalls) -> Pair:
    wanted, given = expected.members[one][1], actual.members[other][1]
    if wanted is None or given is None:
        problem = actual.calls[other].problem or expected.calls[one].problem
        return Pair(one, other, (), problem)
    if wanted == given:
        return Pair(one, other)
    return Pair(one, other, _differing(wanted, given, expected.calls[one].arguments, actual.calls[other].arguments))


def _differing(
    wanted: Members, given: Members, expected: JsonObject | None, actual: JsonObject | None
) -> tuple[Difference, ...]:
    asked, made = expected or {}, actual or {}
    found: list[Difference] = []
    for name, reading in wanted.items():
        if name not in given:
            found.append(Difference(name, "missing", asked.get(name)))
        elif given[name] != reading:
            sort: DifferenceSort = "wrong" if name in made else "missing"
            found.append(Difference(name, sort if name in asked else "needless", asked.get(name), made.get(name)))
    found += [Difference(name, "needless", None, made.get(name)) for name in given if name not in wanted]
    return tuple(found)
