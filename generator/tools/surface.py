"""Surface: what the parameters of a tool offer, and which of it the arguments of a call use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.tools.tool import Tool

_DEEPEST = 6
_MOST_CHOICES = 200
"""Values of one enumeration that are told apart."""


@dataclass(frozen=True, slots=True)
class Surface:
    """What the parameters of a tool offer; a parameter's name is its path, `order.items[].sku`."""

    optional: frozenset[str]
    choices: Mapping[str, frozenset[str]]
    """The values of each enumeration as JSON, by parameter."""


def surface_of(tool: Tool) -> Surface:
    """Return what the parameters of a tool offer, read once per definition."""
    return _surface(dump_compact(tool.parameters))


@lru_cache(maxsize=8192)
def _surface(parameters: str) -> Surface:
    from orjson import loads

    root = loads(parameters)
    optional: set[str] = set()
    choices: dict[str, set[str]] = {}
    for name, schema, required in _parameters("", root, root, 0):
        if not required:
            optional.add(name)
        for value in _choices(schema, root):
            choices.setdefault(name, set()).add(dump_compact(value))
    held = {name: frozenset(values) for name, values in choices.items() if 1 < len(values) <= _MOST_CHOICES}
    return Surface(frozenset(optional), held)


def _parameters(
    prefix: str, schema: JsonObject, root: JsonObject, depth: int
) -> Iterator[tuple[str, JsonObject, bool]]:
    for part in _alternatives(schema, root):
        properties = part.get("properties")
        required = part.get("required")
        for name, child in properties.items() if isinstance(properties, dict) else ():
            if isinstance(child, dict):
                path = f"{prefix}{name}"
                yield path, child, isinstance(required, list) and name in required
                if depth < _DEEPEST:
                    yield from _parameters(f"{path}.", child, root, depth + 1)
        items = part.get("items")
        if isinstance(items, dict) and prefix and depth < _DEEPEST:
            entry = f"{prefix[:-1]}[]"
            yield entry, items, True
            yield from _parameters(f"{entry}.", items, root, depth + 1)


def _alternatives(schema: JsonObject, root: JsonObject) -> Iterator[JsonObject]:
    """Yield a schema, what it refers to and what it chooses from, one level deep."""
    parts: list[JsonValue] = [schema]
    for keyword in ("anyOf", "oneOf", "allOf"):
        parts += schema[keyword] if isinstance(schema.get(keyword), list) else []
    for part in parts:
        if isinstance(part, dict):
            yield part
            target = _target(part.get("$ref"), root)
            if isinstance(target, dict):
                yield target


def _target(reference: JsonValue, root: JsonValue) -> JsonValue:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    for step in reference[2:].split("/"):
        root = root.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(root, dict) else None
    return root


def _choices(schema: JsonObject, root: JsonObject) -> Iterator[JsonValue]:
    for part in _alternatives(schema, root):
        found = part.get("enum")
        yield from found if isinstance(found, list) else ()


def parts_used(value: JsonValue, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of everything an argument gives, with the JSON of what is no object and no array."""
    if isinstance(value, dict):
        for key, child in value.items():
            path = f"{prefix}{key}"
            yield path, "" if isinstance(child, dict | list) else dump_compact(child)
            if isinstance(child, dict | list):
                yield from parts_used(child, f"{path}.")
    elif isinstance(value, list):
        entry = f"{prefix[:-1]}[]"
        for child in value:
            yield entry, "" if isinstance(child, dict | list) else dump_compact(child)
            if isinstance(child, dict | list):
                yield from parts_used(child, f"{entry}.")
