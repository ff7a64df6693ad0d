"""The `bare` format: {name, description, parameters}, with `response` for the result schema, as BFCL writes it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.fields import extensions_of, result_of, unknown_fields
from generator.formats.format import Format, RawTool
from generator.jsontext import JsonObject, JsonValue

_KNOWN = frozenset({"name", "description", "parameters", "response", "strict"})
_TELLING = ("description", "parameters", "response")
_CALL_MARKS = ("arguments", "role")


def matches(element: JsonValue) -> bool:
    """Say whether this names a function and says something about it; a call is none."""
    return (
        isinstance(element, dict)
        and "name" in element
        and any(field in element for field in _TELLING)
        and not any(mark in element for mark in _CALL_MARKS)
    )


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one definition."""
    result, result_at, conflicts = result_of(element, "response")
    yield RawTool(
        pointer="",
        name=element.get("name"),
        description=element.get("description"),
        parameters=element.get("parameters"),
        result_schema=result,
        result_at=result_at,
        strict=element.get("strict"),
        extensions=extensions_of(element),
        notes=(*unknown_fields(element, _KNOWN), *conflicts),
    )


FORMAT = Format(name="bare", summary="bare {name, description, parameters}", matches_tools=matches, load_tools=load)
