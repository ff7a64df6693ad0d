"""Which definitions a document holds, and in which format: by what it says, never by its file's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.formats import FORMATS
from generator.formats.format import Format
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Path
from generator.schemas.node import shown

_CONTAINERS = ("tools", "functions", "function", "result")
"""Fields that hold definitions: a request's or answer's `tools`, older requests' `functions`, JSON-RPC's `result`."""
_EXPECTED = "a definition has a name with parameters, inputSchema or input_schema, or stands in function_declarations"


@dataclass(frozen=True, slots=True)
class Definitions:
    """One element of a document that holds definitions of a format."""

    format: Format
    pointer: str
    element: JsonObject


@dataclass(frozen=True, slots=True)
class Miss:
    """One element of a document that holds no definition of any format."""

    pointer: str
    message: str
    remedy: str = _EXPECTED


def find_definitions(document: JsonValue) -> Iterator[Definitions | Miss]:
    """Yield what a document holds, in its order; its depth must be bounded."""
    return _find(document, ())


def _find(value: JsonValue, path: Path) -> Iterator[Definitions | Miss]:
    if isinstance(value, list):
        if not value:
            yield Miss(pointer(path), "holds nothing")
        for index, element in enumerate(value):
            yield from _find(element, (*path, index))
        return
    known = next((one for one in FORMATS.values() if one.matches_tools and one.matches_tools(value)), None)
    if known is not None:
        yield Definitions(known, pointer(path), value)
        return
    container = _container(value)
    if container is None:
        yield Miss(pointer(path), *_why(value))
    else:
        yield from _find(value[container], (*path, container))


def _container(value: JsonValue) -> str | None:
    """Return the field that holds definitions, or None."""
    if not isinstance(value, dict):
        return None
    for name in _CONTAINERS:
        held = value.get(name)
        if isinstance(held, list) or (name == "result" and isinstance(held, dict)):
            return name
    return None


def _why(value: JsonValue) -> tuple[str, str]:
    """Say why an element is no definition, in the words that fit it."""
    if not isinstance(value, dict):
        return f"{shown(value)} is no tool definition", _EXPECTED
    if "arguments" in value or (isinstance(value.get("function"), dict) and ("id" in value or "index" in value)):
        return "is a tool call, no definition", _EXPECTED
    if isinstance(value.get("type"), str) and "name" in value:
        return f"has the type {shown(value['type'])} and no parameters: a built-in tool?", _EXPECTED
    if "type" in value or "properties" in value:
        return "is a schema without a name", _EXPECTED
    keys = ", ".join(list(value)[:6]) or "nothing"
    return f"is no tool definition: it has {keys}", _EXPECTED
