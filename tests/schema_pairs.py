"""Pairs of a schema and a value, valid or spoiled, on which two validators can be compared."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random
from typing import Any

from generator.errors import ToolgenError
from generator.formats.loading.tool_files import load_catalog
from generator.schemas.validators import schema_problems
from generator.streams import stream
from generator.values import synthesize_value
from tests.bundled import bundled
from tests.shared_data import SHARED

Json = Any  # parsed JSON

CONSTRUCTS: tuple[Json, ...] = (
    {"type": "string", "minLength": 2, "maxLength": 5},
    {"type": "string", "pattern": "^[A-Z]{3}-[0-9]{2,4}$"},
    {"type": "string", "pattern": r"\d+"},
    {"type": "string", "enum": ["a", "b", "\u00e9"]},
    {"type": "integer", "minimum": 1, "maximum": 10},
    {"type": "integer", "multipleOf": 3},
    {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 3},
    {"type": "number", "multipleOf": 0.1},
    {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    {"type": "number", "multipleOf": 0.5},
    {"type": ["integer", "null"]},
    {"const": {"a": 1, "b": [True]}},
    {"enum": [1, "1", None, False, [1], {"a": 0}]},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 4, "uniqueItems": True},
    {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False},
    {"type": "array", "contains": {"type": "string"}, "minContains": 1, "maxContains": 2},
    {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 1, "maxProperties": 3},
    {"type": "object", "patternProperties": {"^x_": {"type": "string"}}, "additionalProperties": {"type": "integer"}},
    {"type": "object", "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 4}},
    {"type": "object", "dependentRequired": {"a": ["b"]}, "properties": {"a": {}, "b": {}}},
    {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}, "properties": {"a": {"type": "integer"}}},
    {"type": "object", "dependencies": {"a": ["b"]}, "properties": {"a": {"type": "integer"}}},
    {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "integer", "minimum": 5}]},
    {"oneOf": [{"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 3}]},
    {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "string"}}}]},
    {"not": {"type": "string"}},
    {"if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "then": {"required": ["x"]},
     "else": {"required": ["y"]}, "type": "object"},
    {"type": "object", "properties": {"a": {"type": "string"}}, "unevaluatedProperties": False},
    {"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": False},
    {"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}},
                        "required": ["v"]}}, "$ref": "#/$defs/node"},
    *({"type": "string", "format": name} for name in ("date", "date-time", "time", "email", "uri", "uuid", "ipv4",
                                                      "ipv6", "hostname", "duration", "regex", "json-pointer")),
)  # fmt: skip
"""One schema for each construct of JSON Schema."""

ODD: tuple[Json, ...] = (
    None, True, False, 0, -1, 1, 5, 1.0, 0.07, 0.3, 2.5, 10**9, 1e300, -(2**63), "", "x", "a\n", "AB", "12", "\u0663",
    "ABC-12", "ABC-12\n", "2026-02-30", "2026-01-15T10:00:00Z", "a@b", "127.0.0.1", [], [1, 1], [1, 1.0], ["a", 1],
    {}, {"a": 1}, {"a": "x", "b": None}, {"x_a": "t", "z": 1}, {"kind": "a"}, {"v": 1, "next": {"v": "x"}},
)  # fmt: skip
"""Values that stand in for others."""


@cache
def schemas() -> tuple[Json, ...]:
    """The constructs, the bundled tools' schemas, and those of real tools and of the official suite where they are."""
    tools = bundled().tools
    found = [*CONSTRUCTS, *(tool.parameters for tool in tools), *(tool.result_schema for tool in tools)]
    corpus = SHARED / "corpus"
    if corpus.is_dir():
        paths = [str(corpus / name) for name in ("bfcl", "tau2", "mcp_reference", "playwright_mcp", "github_mcp")]
        found += [
            tool.parameters for tool in load_catalog(paths, skip_invalid=True, on_conflict="source").catalog.tools
        ]
    for path in sorted((SHARED / "json-schema-test-suite" / "tests" / "draft2020-12").glob("*.json")):
        found += [group["schema"] for group in json.loads(path.read_text(encoding="utf-8"))]
    return tuple(schema for schema in found if not schema_problems(schema))


def holders(value: Json) -> list[Json]:
    found = [value]
    for node in found:
        children = node.values() if isinstance(node, dict) else node
        found.extend(child for child in children if isinstance(child, dict | list) and child)
    return found


def spoiled(value: Json, draw: Random) -> Json:
    """Change, lose or add one thing somewhere; a scalar is replaced."""
    if not isinstance(value, dict | list) or not value or draw.random() < 0.1:
        return draw.choice(ODD)
    changed = copy.deepcopy(value)
    holder = draw.choice(holders(changed))
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    action = draw.choice(["change", "lose", "add"])
    if action == "add" and isinstance(holder, dict):
        holder[draw.choice(["a", "b", "undeclared", "x_a"])] = draw.choice(ODD)
    elif action == "add":
        holder.append(draw.choice(ODD))
    elif action == "lose":
        del holder[draw.choice(keys)]
    else:
        holder[draw.choice(keys)] = draw.choice(ODD)
    return changed


@cache
def valid_values(number: int) -> tuple[Json, ...]:
    """A few values that satisfy a schema; none where none was found."""
    try:
        return tuple(synthesize_value(schemas()[number], seed=stream(1, f"{number}", f"{nth}")) for nth in range(3))
    except ToolgenError:
        return ()


def pairs(most: int, step: int = 1) -> Iterator[tuple[Json, Json]]:
    """Yield that many pairs, one for each `step`th schema in turn: a valid value first, then spoiled ones."""
    draw = stream(1, "pairs")
    chosen = range(0, len(schemas()), step)
    made = 0
    for turn in count():
        for number in chosen:
            valid = valid_values(number)
            base = valid[turn % len(valid)] if valid else draw.choice(ODD)
            yield schemas()[number], base if turn % 4 == 0 else spoiled(base, draw)
            made += 1
            if made == most:
                return
