"""The `anthropic` format: tools with an `input_schema`, records with `tool_use` and `tool_result` blocks."""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats import anthropic_records
from generator.formats.fields import extensions_of, result_of, unknown_fields
from generator.formats.format import Format, RawTool
from generator.formats.record_losses import ORDER_OF_RESULTS
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
        notes=(*unknown_fields(element, _KNOWN), *conflicts),
    )


FORMAT = Format(
    name="anthropic",
    summary="Anthropic: tools with input_schema; records with tool_use and tool_result blocks",
    matches_tools=matches,
    load_tools=load,
    matches_record=anthropic_records.matches_record,
    keys=("messages",),
    signs=frozenset({"system beside", "input schema", "parts"}),
    load_record=anthropic_records.load_record,
    dump_record=anthropic_records.dump_record,
    columns=frozenset({"messages", "tools", "metadata", "system"}),
    recognised_by="`messages` with `tool_use` or `tool_result` blocks, `input_schema` in tools, or a `system` beside",
    losses=(ORDER_OF_RESULTS,),
)
