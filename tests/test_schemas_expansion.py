"""References that multiply are bounded; those that do not are left alone."""

from __future__ import annotations

import time
from typing import Any

import pytest

from generator.schemas.limits import DEEPEST_VALUE, deepest_value, depth_of
from generator.schemas.validators import schema_problems, validator_for

Json = Any  # parsed JSON


def chain(length: int, *, link: Any, end: Json) -> Json:
    """Definitions that refer to the next by what `link` makes of the reference."""
    definitions = {f"d{number}": link({"$ref": f"#/$defs/d{number + 1}"}) for number in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{length}": end}}


def nested(levels: int, key: str = "a") -> Json:
    """An object in an object and so on."""
    value: Json = {}
    for _ in range(levels):
        value = {key: value}
    return value


BOMBS = {
    "anyOf": chain(40, link=lambda ref: {"anyOf": [ref, dict(ref)]}, end={"type": "integer"}),
    "oneOf": chain(40, link=lambda ref: {"oneOf": [ref, dict(ref)]}, end={"type": "integer"}),
    "allOf and not": chain(40, link=lambda ref: {"allOf": [ref], "not": dict(ref)}, end={"type": "integer"}),
    "if, then and else": chain(40, link=lambda ref: {"if": ref, "then": dict(ref), "else": dict(ref)}, end={}),
    "a chain without end": chain(20_000, link=lambda ref: ref, end={}),
    "anchors": {
        "$ref": "#a0",
        "$defs": {
            **{
                f"d{i}": {"$anchor": f"a{i}", "anyOf": [{"$ref": f"#a{i + 1}"}, {"$ref": f"#a{i + 1}"}]}
                for i in range(40)
            },
            "end": {"$anchor": "a40"},
        },
    },
}
SELF = {"anyOf": [{"properties": {"a": {"$ref": "#"}}, "required": ["b"]}] * 2}


@pytest.mark.parametrize("name", BOMBS)
def test_a_schema_of_too_many_branches_is_refused(name: str) -> None:
    started = time.process_time()
    assert deepest_value(BOMBS[name]) == -1
    assert [problem.keyword for problem in schema_problems(BOMBS[name])] == ["$ref"]
    assert time.process_time() - started < 20  # ages where branches are followed


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"properties": {"a": {"$ref": "#"}}, "required": ["b"]}, {"properties": {"a": {"$ref": "#"}}}]},
        {"anyOf": [{"additionalProperties": {"$ref": "#"}}, {"patternProperties": {"": {"$ref": "#"}}}]},
        {"properties": {"a": {"$ref": "#"}}, "patternProperties": {"^a": {"$ref": "#"}}},
        {"$dynamicAnchor": "n", "allOf": [{"properties": {"a": {"$dynamicRef": "#n"}}}] * 2},
        chain(
            40,
            link=lambda ref: {"anyOf": [{"properties": {"a": ref}}, {"properties": {"a": dict(ref)}}]},
            end={"type": "integer"},
        ),
    ],
)
def test_a_value_too_deep_for_references_that_multiply_is_refused(schema: Json) -> None:
    assert 5 < deepest_value(schema) < 40
    validator = validator_for(schema)
    assert validator.is_valid(nested(3))
    started = time.process_time()
    assert not validator.is_valid(nested(200))
    assert [problem.keyword for problem in validator.problems(nested(200))] == ["$ref"]
    assert validator.type_problems(nested(200)) == set()
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": "object", "properties": {"$ref": {"type": "string"}}},
        {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        chain(60, link=lambda ref: {"properties": {"a": ref, "b": dict(ref)}}, end={"type": "integer"}),
        chain(60, link=lambda ref: ref, end={"type": "integer"}),
    ],
)
def test_references_that_do_not_multiply_are_not_bounded(schema: Json) -> None:
    assert deepest_value(schema) >= DEEPEST_VALUE


def test_a_recursive_schema_takes_values_of_any_depth() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "#"}}}
    assert validator_for(schema).is_valid(nested(900))


@pytest.mark.parametrize(
    ("value", "limit", "expected"),
    [(1, 5, 0), ([], 5, 0), ({"a": 1}, 5, 1), ([[1], {"a": [2]}], 5, 3), (nested(50), 5, 6)],
)
def test_depth_is_counted_up_to_the_limit(value: Json, limit: int, expected: int) -> None:
    assert depth_of(value, limit) == expected
