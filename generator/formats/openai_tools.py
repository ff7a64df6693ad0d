"""OpenAI's tool definitions: nested (`{"type": "function", "function": {...}}`) and flat (the Responses form)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.formats.fields import extensions_of, result_of, unknown_fields
from generator.formats.format import RawTool, ToolDump
from generator.formats.losses import extension_losses, result_loss
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.node import Note
from generator.tools.tool import Tool

_FUNCTION = frozenset({"name", "description", "parameters", "strict"})
_FLAT = _FUNCTION | {"type"}
_NESTED = frozenset({"type", "function"})
_CALL_MARKS = ("id", "call_id", "index")


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool definition of OpenAI's; a tool call, which looks alike, is not."""
    if not isinstance(element, dict) or element.get("type", "function") != "function":
        return False
    function = element.get("function")
    if isinstance(function, dict):
        return not _is_call(element, function)
    return "type" in element and "name" in element and not _is_call(element, element)


def _is_call(element: JsonObject, function: JsonObject) -> bool:
    """Say whether this is a call, or the first piece of one: it has an id or a place, and describes nothing."""
    marked = any(mark in element for mark in _CALL_MARKS)
    return "arguments" in function or (marked and "parameters" not in function and "description" not in function)


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one definition."""
    if isinstance(element.get("function"), dict):
        notes = tuple(unknown_fields(element, _NESTED)) + _beside(element)
        yield _read(element["function"], "/function", _FUNCTION, notes)
    else:
        yield _read(element, "", _FLAT, ())


def _beside(element: JsonObject) -> tuple[Note, ...]:
    if "type" in element:
        return ()
    return (Note("", "deviation", 'has no `type`: taken for "function"', 'add "type": "function"', "OPENAI-4-type"),)


def _read(function: JsonObject, at: str, known: frozenset[str], notes: tuple[Note, ...]) -> RawTool:
    result, result_at, conflicts = result_of(function)
    return RawTool(
        pointer="",
        name=function.get("name"),
        description=function.get("description"),
        parameters=function.get("parameters"),
        parameters_at=f"{at}/parameters",
        result_schema=result,
        result_at=result_at and at + result_at,
        strict=function.get("strict"),
        extensions=extensions_of(function),
        notes=(*notes, *unknown_fields(function, known, at), *conflicts),
    )


def dump(tools: Sequence[Tool]) -> ToolDump:
    """Write the tools as a request's `tools`; a result schema and extensions have no place there."""
    losses = {tool.name: (*result_loss(tool), *extension_losses(tool)) for tool in tools}
    return ToolDump([tool.shown for tool in tools], {name: lost for name, lost in losses.items() if lost})
