"""Saying: what of a schema a plain sentence can say, narrowed so that nothing else is drawn."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue

_SCALARS = ("string", "integer", "number", "boolean")
_MOST_REFERENCES = 8
_DEEPEST = 4
"""Objects and lists inside one another that people still write out."""
_MOST_UNASKED = 3
"""Parts given of an object that requires none."""
_MOST_LISTED = 2
"""Objects that a request writes out one after the other."""


def resolved(schema: JsonValue, root: JsonObject) -> JsonObject:
    """Return what a reference into the definitions of a schema means; anything but an object is empty."""
    for _ in range(_MOST_REFERENCES):
        if not isinstance(schema, dict):
            return {}
        name = str(schema.get("$ref", "")).removeprefix("#/$defs/")
        if not name or name not in root.get("$defs", {}):
            break
        schema = root["$defs"][name]
    return schema if isinstance(schema, dict) else {}


def sayable(schema: JsonValue, root: JsonObject, depth: int = 0) -> JsonObject | None:
    """Return a schema narrowed to the values that can be said plainly; None where there are none."""
    whole = resolved(schema, root)
    if depth > _DEEPEST or "$ref" in whole:
        return None
    if isinstance(whole.get("enum"), list) or "const" in whole:
        plain = all(isinstance(each, str | int | float) for each in whole.get("enum", [whole.get("const")]))
        return whole if plain else None
    for keyword in ("anyOf", "oneOf"):
        if isinstance(branches := whole.get(keyword), list):
            return _branch(whole, keyword, branches, root, depth)
    match whole.get("type"):
        case "object":
            return _object(whole, root, depth)
        case "array":
            return _list(whole, root, depth)
        case str() as kind if kind in _SCALARS and whole.get("format") not in ("binary", "byte"):
            return whole
    return None


def is_nested(schema: JsonObject) -> bool:
    """Say whether values of a narrowed schema are objects, or lists of more than plain values."""
    items = schema.get("items")
    return schema.get("type") == "object" or (isinstance(items, dict) and items.get("type") in ("object", "array"))


def _branch(
    whole: JsonObject, keyword: str, branches: list[JsonValue], root: JsonObject, depth: int
) -> JsonObject | None:
    """Keep to the first branch that can be said; null says nothing."""
    found = (sayable(each, root, depth) for each in branches)
    first = next((each for each in found if each is not None), None)
    return None if first is None else {**first, **{key: part for key, part in whole.items() if key != keyword}}


def _object(whole: JsonObject, root: JsonObject, depth: int) -> JsonObject | None:
    """Keep to the parts that are required; where none are, to the first few."""
    declared = whole.get("properties")
    if not isinstance(declared, dict) or not declared:
        return None
    said = {name: each for name, part in declared.items() if (each := sayable(part, root, depth + 1)) is not None}
    required = [name for name in whole.get("required", ()) if isinstance(name, str)]
    if not set(required) <= set(said):
        return None
    kept = required or [name for name in said if not is_nested(said[name])][:_MOST_UNASKED]
    return {**whole, "properties": {name: said[name] for name in kept}, "required": kept} if kept else None


def _list(whole: JsonObject, root: JsonObject, depth: int) -> JsonObject | None:
    items = sayable(whole.get("items"), root, depth + 1)
    if items is None or items.get("type") == "boolean":
        return None
    few = {"maxItems": max(_MOST_LISTED, int(whole.get("minItems", 0)))} if items.get("type") == "object" else {}
    return {**whole, "items": items, **few}
