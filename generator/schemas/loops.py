"""References that lead back to themselves over the same value: following them never ends."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.branches import Branches

NOTHING: JsonObject = {"not": {}}


def without_loops(schema: JsonValue) -> JsonValue:
    """Return the schema with each reference that leads back to where it stands, over the same value, as nothing.

    A value is accepted when looking at it ends somewhere; by such a reference it never does, so that it accepts
    no value. The schema itself is returned where it holds none.
    """
    if not isinstance(schema, dict):
        return schema
    branches = Branches(schema)
    looping = _looping(schema, branches) if branches.is_one_resource else set()
    return _replaced(schema, looping) if looping else schema


def _looping(root: JsonObject, branches: Branches) -> set[int]:
    """Return the ids of the schemas whose reference closes a circle."""
    found: set[int] = set()
    is_open: dict[int, bool] = {}
    starts: list[JsonValue] = [root]
    seen: set[int] = set()
    while starts:
        start = starts.pop()
        if not isinstance(start, dict) or id(start) in seen:
            continue
        seen.add(id(start))
        waiting = [start]
        while waiting:
            node = waiting[-1]
            if id(node) in is_open:
                waiting.pop()
                is_open[id(node)] = False
                continue
            is_open[id(node)] = True
            seen.add(id(node))
            following = [part for part in branches.same_value(_with_inner_references(node)) if isinstance(part, dict)]
            if any(is_open.get(id(part), False) for part in following):
                found.add(id(node))
            waiting.extend(part for part in following if id(part) not in is_open)
            starts.extend(part for group in branches.parts(node) for part in group)
    return found


def _with_inner_references(node: JsonObject) -> JsonObject:
    """Leave out references whose target is not known here: another document, or decided while validating."""
    reference = node.get("$ref")
    hidden = {"$dynamicRef"} if isinstance(reference, str) and reference.startswith("#") else {"$ref", "$dynamicRef"}
    return {key: part for key, part in node.items() if key not in hidden}


def _replaced(node: JsonValue, looping: set[int]) -> JsonValue:
    if isinstance(node, list):
        return [_replaced(part, looping) for part in node]
    if not isinstance(node, dict):
        return node
    if id(node) in looping and "$ref" in node:
        kept = {key: part for key, part in node.items() if key != "$ref"}
        node = {**kept, "allOf": [*kept.get("allOf", []), NOTHING]}
    return {key: _replaced(part, looping) for key, part in node.items()}
