"""A tool told in a few words each: its name, its parameters, its result, and what was changed on loading it."""

from __future__ import annotations

from collections.abc import Iterable

from generator.jsontext import JsonValue
from generator.tools import Change, Tool


def described(tool: Tool) -> tuple[str, str, str, str]:
    """Return the name, the parameters, the result and the changes of a tool as texts, some of several lines."""
    return tool.name, _parameters(tool), _result(tool), _changes(tool.changes)


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _changes(changes: Iterable[Change]) -> str:
    """List every change, equal ones on one line with all their places."""
    places: dict[str, list[str]] = {}
    for change in changes:
        message = change.message if change.kind == "changed" else f"LOST: {change.message}"
        places.setdefault(message, []).append(_place(change.pointer))
    return _lines(f"{', '.join(dict.fromkeys(at))}: {message}" for message, at in places.items())


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
    """List the parameters with their types; `?` marks the optional ones."""
    required = tool.parameters.get("required", [])
    return _lines(
        f"{name}{'' if name in required else '?'}: {_type(schema)}"
        for name, schema in tool.parameters["properties"].items()
    )


def _result(tool: Tool) -> str:
    """Say what the tool answers with, and where that is known from."""
    schema = tool.result_schema
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
    return f"{kind} of {len(schema['enum'])}" if isinstance(schema.get("enum"), list) else str(kind)
