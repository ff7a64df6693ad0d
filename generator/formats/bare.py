"""The plainest definitions: `bare`, {name, description, parameters}, and `catalog`, toolgen's own `catalog.json`."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ValidationError

from generator.formats.definitions import read_plain
from generator.formats.format import Format, RawTool
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Note
from generator.tools import Tool

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
    yield read_plain(element, _KNOWN, "response")


FORMAT = Format(name="bare", summary="bare {name, description, parameters}", matches_tools=matches, load_tools=load)


def matches_catalog(element: JsonValue) -> bool:
    """Say whether this is a tool of a catalog."""
    return isinstance(element, dict) and "result_origin" in element and "result_schema" in element


def load_catalog_file(element: JsonObject) -> Iterator[RawTool]:
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


CATALOG = Format(
    name="catalog", summary="toolgen's own catalog.json", matches_tools=matches_catalog, load_tools=load_catalog_file
)
