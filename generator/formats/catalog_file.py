"""The `catalog` format: toolgen's own `catalog.json`, tools in the working form."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from generator.formats.format import Format, RawTool
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.node import Note
from generator.tools.tool import Tool


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool of a catalog."""
    return isinstance(element, dict) and "result_origin" in element and "result_schema" in element


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one tool; a damaged one is noted."""
    tool: Tool | None = None
    notes: tuple[Note, ...] = ()
    try:
        tool = Tool.model_validate(element)
    except ValidationError as error:
        remedy = "take the catalog.json that a run wrote"
        notes = tuple(Note(pointer(one["loc"]), "error", one["msg"], remedy) for one in error.errors())
    yield RawTool(
        pointer="",
        name=element.get("original_name") or element.get("name"),
        description=element.get("description"),
        parameters=element.get("parameters"),
        result_schema=element.get("result_schema"),
        result_at="/result_schema",
        tool=tool,
        notes=notes,
    )


FORMAT = Format(name="catalog", summary="toolgen's own catalog.json", matches_tools=matches, load_tools=load)
