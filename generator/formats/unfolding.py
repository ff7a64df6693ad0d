"""Lines that hold several records: an API with its instances, the page of a viewer, the runs of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.formats import FORMATS
from generator.formats.recognition import recognise
from generator.jsontext import JsonObject, JsonValue

Unfold = Callable[[JsonObject], list[JsonObject]]
_UNFOLDED: dict[str, Unfold] = {
    key: known.unfold for known in FORMATS.values() if known.unfold is not None for key in known.unfolded_keys
}
"""What makes the records of a line, by a key that such a line has."""


def unfolding_of(document: JsonValue) -> Unfold | None:
    """Return what makes the records of such a line, or None where the line is a record or nothing known."""
    if not isinstance(document, dict):
        return None
    for key, unfold in _UNFOLDED.items():
        if key in document:
            return unfold
    if recognise(document):
        return None
    if _rows(document):
        return _rows
    return _contained if _container(document) else None


def _rows(document: JsonObject) -> list[JsonObject]:
    """Return the rows of a page of a data set's viewer."""
    rows = document.get("rows")
    found = [row.get("row") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row for row in found if isinstance(row, dict)] if found and len(found) == len(rows or ()) else []


def _contained(document: JsonObject) -> list[JsonObject]:
    """Return the records that one column holds, each with what the file says of all of them."""
    name = _container(document)
    return [{**_shared(document, name, record), **record} for record in document[name]]


def _shared(document: JsonObject, name: str, record: JsonObject) -> JsonObject:
    """Return the columns beside the records; large ones but tools are named, with nothing in them."""
    others = {key: value for key, value in document.items() if key != name and key not in record}
    kept = {
        key: value if key == "tools" or not isinstance(value, dict | list) else None for key, value in others.items()
    }
    tools = _tool_definitions(document) if "tools" not in document and "tools" not in record else None
    return {**kept, "tools": tools} if tools else kept


def _tool_definitions(document: JsonObject) -> JsonValue:
    """Return the definitions that the results of tau-bench's runs tell of their environment."""
    info = document.get("info")
    environment = info.get("environment_info") if isinstance(info, dict) else None
    return environment.get("tool_defs") if isinstance(environment, dict) else None


def _container(document: JsonObject) -> str:
    """Return the one column that holds records; "" where there is none, or more than one."""
    return next(iter(names), "") if len(names := list(_containers(document))) == 1 else ""


def _containers(document: JsonObject) -> Iterator[str]:
    for name, value in document.items():
        are_objects = isinstance(value, list) and value and all(isinstance(element, dict) for element in value)
        if are_objects and recognise(value[0]):
            yield name
