"""What a call's arguments tell about its result: the names and values a result repeats."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue

DEPTH_LIMIT = 4
_EMPTY = ("", "None", "none", "null", "NULL")
"""Defaults that say there is no value."""
_SECRET = frozenset(("password", "client_secret", "secret", "token", "access_token", "refresh_token", "api_key", "cvv"))


def known_values(parameters: JsonObject, arguments: JsonObject) -> dict[str, JsonValue]:
    """Map names to the values a result repeats: defaults, nested arguments, and above them the arguments themselves."""
    known: dict[str, JsonValue] = dict(_defaults(parameters))
    for name, value in _nested(arguments, 0):
        known.setdefault(name, value)
    known.update(arguments)
    return {name: value for name, value in known.items() if name not in _SECRET and value is not None}


def _defaults(parameters: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    properties = parameters.get("properties")
    if isinstance(properties, dict):
        for name, schema in properties.items():
            if (
                isinstance(schema, dict)
                and isinstance(default := schema.get("default"), str | int | float)
                and default not in _EMPTY
            ):
                yield name, default


def _nested(value: JsonObject, depth: int) -> Iterator[tuple[str, JsonValue]]:
    """Yield the scalars of nested objects; of a list of objects, those of its only element."""
    for name, given in value.items():
        inner = given[0] if isinstance(given, list) and len(given) == 1 else given
        if isinstance(inner, dict) and depth < DEPTH_LIMIT:
            yield from _nested(inner, depth + 1)
        elif depth and isinstance(inner, str | int | float):
            yield name, inner


def echo(value: JsonValue, known: dict[str, JsonValue]) -> JsonValue:
    """Return the result with the arguments it names at its root; others as they are."""
    if not isinstance(value, dict):
        return value
    told = {name: known[name] for name in value if name in known and value[name] != known[name]}
    return {**value, **told} if told else value
