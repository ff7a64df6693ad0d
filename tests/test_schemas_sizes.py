"""Schemas whose smallest value is too large for any record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import ToolFileError
from generator.formats.tool_files import load_tools
from generator.schemas.limits import least_size

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


def chain(length: int) -> dict[str, Any]:
    """References that lead from one to the next."""
    return {"$ref": "#/$defs/d0", "$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}}


@pytest.mark.parametrize(
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
        (chain(5000), 1),
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
