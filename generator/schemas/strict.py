"""Strictness: what the parameters of a `strict: true` tool must be, and objects closed to what they declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Note, Path, walk
from generator.schemas.validators import Schema

MAX_PROPERTIES = 100
"""The most properties a strict tool has, counted at all levels."""
MAX_LEVELS = 5
"""The most levels of properties inside each other; the root's are level 1."""


def strict_notes(parameters: JsonObject) -> Iterator[Note]:
    """Yield every way in which parameters in the working form are not fit for strict mode."""
    count = 0
    for node, path in walk(parameters):
        if not _is_object(node):
            continue
        properties = node.get("properties") or {}
        count += len(properties)
        yield from _all_required(node, properties, path)
        yield from _is_closed(node, path)
    if count > MAX_PROPERTIES:
        yield _note("STRICT-PROPERTIES", (), f"a strict tool has at most {MAX_PROPERTIES} properties, this has {count}")
    if (levels := _levels(parameters)) > MAX_LEVELS:
        yield _note("STRICT-LEVELS", (), f"a strict tool nests at most {MAX_LEVELS} levels, this nests {levels}")


def _is_object(node: JsonObject) -> bool:
    return node.get("type") == "object" or "properties" in node


def _all_required(node: JsonObject, properties: JsonObject, path: Path) -> Iterator[Note]:
    required = node.get("required")
    missing = [name for name in properties if not isinstance(required, list) or name not in required]
    if missing:
        message = f"a strict tool requires every property, this leaves out {', '.join(missing[:5])}"
        yield _note("STRICT-REQUIRED", (*path, "required"), message)


def _is_closed(node: JsonObject, path: Path) -> Iterator[Note]:
    if node.get("additionalProperties") is not False:
        message = "a strict tool says `additionalProperties: false` at every object"
        yield _note("STRICT-CLOSED", (*path, "additionalProperties"), message)


def _levels(node: JsonValue) -> int:
    """Count the levels of properties inside each other."""
    return max((_level_of(path) for _, path in walk(node)), default=0)


def _level_of(path: Path) -> int:
    """Count the properties on the way to a part; names of properties are no keywords."""
    count, name_follows = 0, False
    for part in path:
        if name_follows:
            name_follows = False
        elif part in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
            count += part == "properties"
            name_follows = True
    return count


def _note(code: str, path: Path, message: str) -> Note:
    return Note(pointer(path), "deviation", message, "make the schema strict, or leave `strict` out", code)


# Schemas of the same value, and schemas of the value's parts; `not`, `if`, `contains` and `propertyNames` are
# conditions: closing one would change what it selects.
_SAME_VALUE = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "$ref", "$dynamicRef")
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_SINGLE = ("then", "else")
_PART_MAPS = ("properties", "patternProperties")
_PART_SINGLE = ("items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_DEFINITIONS = ("$defs", "definitions", "dependentSchemas")


def closed(schema: Schema) -> Schema:
    """Return a copy in which every object with declared properties refuses undeclared ones.

    An object whose schema declares no property, or speaks of further ones (additionalProperties,
    patternProperties, unevaluatedProperties), keeps what it admits. The schema must be valid.
    """
    shut: Schema = _close_value(schema, schema)
    return shut


def _close_value(schema: Any, root: Schema) -> Any:
    """Close a schema that stands for a whole value."""
    copy = _close_parts(schema, root)
    if isinstance(copy, dict) and "unevaluatedProperties" not in copy and _declares(copy, root, set()):
        plain = not any(keyword in copy for keyword in _SAME_VALUE)
        copy.setdefault("additionalProperties" if plain else "unevaluatedProperties", False)
    return copy


def _close_parts(schema: Any, root: Schema) -> Any:
    """Copy a schema, closing the schemas of its parts but not itself."""
    if not isinstance(schema, dict):
        return schema
    copy: JsonObject = dict(schema)
    for keyword in _PART_MAPS:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = {name: _close_value(part, root) for name, part in copy[keyword].items()}
    for keyword in _PART_SINGLE:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = _close_value(copy[keyword], root)
    if isinstance(copy.get("prefixItems"), list):
        copy["prefixItems"] = [_close_value(part, root) for part in copy["prefixItems"]]
    _close_branches(copy, root)
    return copy


def _close_branches(copy: JsonObject, root: Schema) -> None:
    for keyword in _SAME_VALUE_LISTS:
        if isinstance(copy.get(keyword), list):
            copy[keyword] = [_close_parts(branch, root) for branch in copy[keyword]]
    for keyword in _SAME_VALUE_SINGLE:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = _close_parts(copy[keyword], root)
    for keyword in _DEFINITIONS:
        if isinstance(copy.get(keyword), dict):
            copy[keyword] = {name: _close_parts(part, root) for name, part in copy[keyword].items()}


def _declares(schema: Any, root: Schema, seen: set[int]) -> bool:
    """Say whether the schemas of this same value declare a property."""
    if not isinstance(schema, dict) or id(schema) in seen:
        return False
    seen.add(id(schema))
    if schema.get("properties"):
        return True
    branches = [branch for keyword in _SAME_VALUE_LISTS for branch in _as_list(schema.get(keyword))]
    branches += [schema.get(keyword) for keyword in _SAME_VALUE_SINGLE]
    branches.append(_target(schema.get("$ref"), root))
    return any(_declares(branch, root, seen) for branch in branches)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _target(reference: Any, root: Any) -> Any:
    """Follow a JSON pointer reference inside the document; None for any other."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    node = root
    for part in reference[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or key not in node:
            return None
        node = node[key]
    return node
