"""What a call's arguments tell about its result: the names and values a result repeats."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.tools.operations import snake

NO_VALUE = frozenset(("all", "any", "none", "*", "both", "every", "unknown"))
"""Choices of a filter that are the value of no thing."""
DEPTH_LIMIT = 4
_OWN = frozenset(("id", "number", "name", "title", "status", "state", "date", "url"))
_EMPTY = ("", "None", "none", "null", "NULL")
"""Defaults that say there is no value."""
SECRETS = frozenset(("password", "client_secret", "secret", "token", "access_token", "refresh_token", "api_key", "cvv"))
"""Arguments that no result and no message repeats."""


def known_values(parameters: JsonObject, arguments: JsonObject) -> dict[str, JsonValue]:
    """Map names to the values a result repeats: defaults, nested arguments, and above them the arguments themselves."""
    known: dict[str, JsonValue] = dict(_defaults(parameters))
    for name, value in _nested(arguments, 0):
        known.setdefault(name, value)
    known.update(arguments)
    return {name: value for name, value in known.items() if name not in SECRETS and value is not None}


def _defaults(parameters: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    properties = parameters.get("properties")
    if isinstance(properties, dict):
        for name, schema in properties.items():
            if (
                isinstance(schema, dict)
                and isinstance(default := schema.get("default"), str | int | float)
                and default not in _EMPTY
                and default in schema.get("enum", (default,))
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
    """Return the result with the arguments it names at its root, and the texts its listed entries name."""
    if not isinstance(value, dict):
        return value
    shared = {
        name: text
        for name, text in known.items()
        if isinstance(text, str) and not _is_own(name) and text.lower() not in NO_VALUE
    }
    told = {
        name: _echoed_entries(inner, shared) if isinstance(inner, list) else known.get(name, inner)
        for name, inner in value.items()
    }
    return told if told != value else value


def _echoed_entries(entries: list[JsonValue], shared: dict[str, JsonValue]) -> list[JsonValue]:
    return [
        {name: shared.get(name, inner) for name, inner in entry.items()} if isinstance(entry, dict) else entry
        for entry in entries
    ]


def _is_own(name: str) -> bool:
    """Say whether each entry of a list has its own value of this name: an id, a number, a name."""
    return snake(name).rpartition("_")[2] in _OWN
