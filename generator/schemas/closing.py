"""Closing a schema: an object that declares properties admits those alone, unless it says otherwise.

ADM rejects arguments that a function does not declare (seeds/004, 4.4.2), JSON Schema admits them. A closed copy
of a schema says what ADM means in JSON Schema's words, so that one engine decides both.
"""

from __future__ import annotations

from typing import Any

from generator.jsontext import JsonObject
from generator.schemas.validators import Schema

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
