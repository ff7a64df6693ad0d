"""The `anthropic` format: tools with an `input_schema`."""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.fields import FRAMES_EXTENSION, extensions_of, result_of, unknown_fields
from generator.formats.format import Format, RawTool
from generator.jsontext import JsonObject, JsonValue

_DESCRIPTIVE = frozenset({"cache_control", "defer_loading", "allowed_callers", "input_examples"})
_KNOWN = frozenset({"name", "description", "input_schema", "type", "strict"}) | _DESCRIPTIVE


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool with an `input_schema`."""
    return isinstance(element, dict) and "input_schema" in element


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one tool."""
    result, result_at, conflicts = result_of(element)
    yield RawTool(
        pointer="",
        name=element.get("name"),
        description=element.get("description"),
        parameters=element.get("input_schema"),
        parameters_at="/input_schema",
        result_schema=result,
        result_at=result_at,
        strict=element.get("strict"),
        extensions=extensions_of(element, also=_DESCRIPTIVE),
        frames=element.get(FRAMES_EXTENSION),
        notes=(*unknown_fields(element, _KNOWN), *conflicts),
    )


FORMAT = Format(name="anthropic", summary="Anthropic: input_schema", matches_tools=matches, load_tools=load)
