"""Renaming: the tools of a domain file by the names that the catalog gives them, where it has those of their file."""

from __future__ import annotations

from collections.abc import Mapping

from generator.jsontext import JsonObject, JsonValue


def with_names(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """Return a parsed domain file in which each tool has its new name wherever it is named."""
    if not names or not isinstance(value, dict):
        return value
    found: JsonObject = dict(value)
    if isinstance(tools := value.get("tools"), dict):
        found["tools"] = {
            (name if names.get(name) in tools else names.get(name, name)): _tool(tool, names)
            for name, tool in tools.items()
        }
    for key in ("entities", "tasks"):
        if key in value:
            found[key] = _called(value[key], names)
    return found


def _called(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """Rename what stands under `call`, at any depth."""
    if isinstance(value, dict):
        return {
            key: names.get(each, each) if key == "call" and isinstance(each, str) else _called(each, names)
            for key, each in value.items()
        }
    return [_called(each, names) for each in value] if isinstance(value, list) else value


def _tool(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if not isinstance(value, dict):
        return value
    found = dict(value)
    if isinstance(near := value.get("near"), list):
        found["near"] = [names.get(each, each) if isinstance(each, str) else each for each in near]
    if isinstance(ways := value.get("ways"), list):
        found["ways"] = [_way(way, names) for way in ways]
    return found


def _way(way: JsonValue, names: Mapping[str, str]) -> JsonValue:
    many = way.get("ambiguous") if isinstance(way, dict) else None
    if not isinstance(many, list):
        return way
    renamed = [
        {**one, "tool": names.get(one["tool"], one["tool"])} if isinstance(one, dict) and _is_named(one) else one
        for one in many
    ]
    return {**way, "ambiguous": renamed}


def _is_named(one: JsonObject) -> bool:
    return isinstance(one.get("tool"), str)
