"""Hostile schemas are measured before anything looks at them: their size, their references, their least value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import ToolFileError
from generator.formats.loading.tool_files import load_tools
from generator.schemas.limits import DEEPEST_VALUE, deepest_value, depth_of, least_size
from generator.schemas.validators import schema_problems, validator_for
from tests.bounded import bounded
from tests.tables import each_row

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
    with bounded(20):  # ages where branches are followed
        assert deepest_value(BOMBS[name]) == -1
        assert [problem.keyword for problem in schema_problems(BOMBS[name])] == ["$ref"]


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
    with bounded(20):
        assert not validator.is_valid(nested(200))
        assert [problem.keyword for problem in validator.problems(nested(200))] == ["$ref"]
        assert validator.type_problems(nested(200)) == set()


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


STRING = {"type": "string"}


def tower(width: int, height: int) -> dict[str, Any]:
    """A small schema whose values have width ** height leaves."""
    names = [f"p{number}" for number in range(width)]
    levels = {
        f"d{level}": {
            "type": "object",
            "properties": {name: {"$ref": f"#/$defs/d{level + 1}"} for name in names},
            "required": names,
        }
        for level in range(height)
    }
    return {**levels["d0"], "$defs": {**levels, f"d{height}": STRING}}


def schemas_sizes_chain(length: int) -> dict[str, Any]:
    """References that lead from one to the next."""
    return {"$ref": "#/$defs/d0", "$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}}


@each_row(
    ("schema", "least"),
    [
        (True, 1),
        ({}, 1),
        (STRING, 1),
        ({"type": "string", "minLength": 1600}, 100),
        ({"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["a", "c"]}, 3),
        ({"type": "object", "minProperties": 10**8}, 10**8 + 1),
        ({"type": "array", "items": STRING, "minItems": 10**9}, 10**9 + 1),
        ({"type": "array", "prefixItems": [{"type": "array", "minItems": 4}, STRING], "minItems": 1}, 6),
        ({"type": "array", "items": {"type": "array", "minItems": 10}, "minItems": 10}, 111),
        ({"anyOf": [{"type": "array", "minItems": 10**9}, STRING]}, 1),
        ({"allOf": [{"type": "array", "minItems": 50}, {"type": "array"}]}, 51),
        ({"type": ["array", "null"], "minItems": 10**9}, 1),
        ({"type": "array", "minItems": 10**9, "enum": [[]]}, 1),
        ({"$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"}, 1),
        ({"type": "object", "properties": {"n": {"$ref": "#"}}, "required": ["n"]}, 3),
        (schemas_sizes_chain(5000), 1),
        (tower(2, 3), 15),
        (tower(8, 60), 10**18),
    ],
)
def test_the_least_size_is_a_lower_bound(schema: Any, least: int) -> None:
    assert least_size(schema) == least


@pytest.mark.parametrize(
    "schema",
    [
        tower(8, 12),
        {"type": "object", "properties": {"a": {"type": "array", "minItems": 10**9}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "object", "minProperties": 10**8}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 10**9}}, "required": ["a"]},
    ],
)
@pytest.mark.parametrize("field", ["inputSchema", "outputSchema"])
def test_a_tool_that_needs_endless_values_is_refused_at_once(tmp_path: Path, schema: Any, field: str) -> None:
    document = {"name": "get_all", "description": "Get all.", "inputSchema": {"type": "object"}, field: schema}
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ToolFileError, match=rf"tools\.json#/{field}: every value has [0-9,]+ parts or more"):
        load_tools(path)
