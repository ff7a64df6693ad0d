"""A tool told in a few words each: its name, its parameters, its result, and what was changed on loading it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.jsontext import JsonValue
from generator.tools import Change, Tool

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SHOWN_NAMES = 3


@dataclass(frozen=True, slots=True)
class Described:
    """A tool in a few words."""

    name: str
    toolset: str
    parameters: str
    """The parameters with their types; `?` marks the optional ones."""
    result: str
    """What the tool answers with, and where that is known from."""
    changes: tuple[str, ...]
    """Every change, equal ones in one text with all their places."""


def described(tool: Tool) -> Described:
    """Describe a tool."""
    return Described(tool.name, tool.toolset, _parameters(tool), _result(tool), tuple(_changes(tool.changes)))


def _changes(changes: Iterable[Change]) -> Iterator[str]:
    places: dict[str, list[str]] = {}
    for change in changes:
        places.setdefault(_told(change), []).append(_place(change.pointer))
    for message, at in places.items():
        yield f"{', '.join(dict.fromkeys(at))}: {message}"


def _told(change: Change) -> str:
    return change.message if change.kind == "changed" else f"LOST: {change.message}"


def changes_of_all(tools: Iterable[Tool]) -> Iterator[str]:
    """Yield what loading changed, equal changes of all tools in one text: how many tools, and the first of them.

    Changes that differ in what they quote alone, as names that were mapped do, count as equal; the first is told.
    """
    messages: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    for tool in tools:
        for change in tool.changes:
            alike = _QUOTED.sub("", _told(change))
            messages.setdefault(alike, []).append(_told(change))
            names.setdefault(alike, []).append(tool.name)
    for alike, told in messages.items():
        yield _in_one(told, list(dict.fromkeys(names[alike])))


def _in_one(messages: list[str], names: list[str]) -> str:
    others = len(set(messages)) - 1
    more = f" and {len(names) - _SHOWN_NAMES:,} more" if len(names) > _SHOWN_NAMES else ""
    where = f"{len(names):,} tool{'' if len(names) == 1 else 's'} ({', '.join(names[:_SHOWN_NAMES])}{more})"
    return f"{messages[0]}{f', and {others:,} like it' if others else ''}: {where}"


def _place(pointer: str) -> str:
    """Shorten a pointer for people: `/parameters/properties/stay/properties/city/type` is `stay.city`."""
    first, *parts = pointer.strip("/").split("/")
    if first not in ("parameters", "result_schema"):
        return first or "tool"
    short = "result" if first == "result_schema" else ""
    after = "properties"
    for part in parts:
        if after == "properties" and part == "properties":
            after = ""
            continue
        if after == "":
            short += f".{part}"
        elif part == "items":
            short += "[]"
        after = "properties"
    return short.lstrip(".") or first


def _parameters(tool: Tool) -> str:
    required = tool.parameters.get("required", [])
    return ", ".join(
        f"{name}{'' if name in required else '?'}: {_type(schema)}"
        for name, schema in tool.parameters["properties"].items()
    )


def _result(tool: Tool) -> str:
    schema = tool.result_schema
    if tool.result_origin == "domain":
        return "what its domain makes: no result is declared"
    fields = schema.get("properties")
    of = f" of {', '.join(fields)}" if isinstance(fields, dict) and fields else ""
    return f"{tool.result_origin}: {_type(schema)}{of}"


def _type(schema: JsonValue) -> str:
    """Name the type of a schema in a word or two."""
    if not isinstance(schema, dict):
        return "any"
    choices = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(choices, list):
        return " or ".join(dict.fromkeys(_type(choice) for choice in choices))
    kind = schema.get("type")
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind is None:
        return str(schema["$ref"]).rpartition("/")[2] if "$ref" in schema else "any"
    return f"{kind} (one of {len(schema['enum'])})" if isinstance(schema.get("enum"), list) else str(kind)
