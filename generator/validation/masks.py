"""Masks: records whose tools and parameters have scrambled names, judged by their own ones.

The examiner takes a mask away by itself: it shares no code with what puts it on.
"""

from __future__ import annotations

from collections.abc import Callable

from generator.jsontext import JsonObject, JsonValue, digest
from generator.tools import Tool
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

MASK_PARTS = ("tools", "parameters")
"""What a mask tells the names of."""
_DEPENDENT = ("dependentRequired", "dependentSchemas")
"""Keywords that name parameters as keys, beside `properties`."""


def mask_of(record: RecordView) -> JsonObject | None:
    """Return the mask that a record tells, from masked names to original ones; None where it tells none."""
    told = record.metadata.get("mask")
    if (
        not isinstance(told, dict)
        or set(told) != set(MASK_PARTS)
        or not all(_is_naming(told[part]) for part in MASK_PARTS)
    ):
        return None
    return told


def _is_naming(names: JsonValue) -> bool:
    return isinstance(names, dict) and all(isinstance(name, str) for name in names.values())


def by_its_own_names(record: RecordView) -> RecordView:
    """Return a record without its mask; itself where it has none."""
    told = mask_of(record)
    if told is None or not record.has_messages or not record.shows_tools:
        return record
    return RecordView(unmasked(record.entry, told), catalog=record.catalog, generated=record.generated)


def known_tool(record: RecordView, tool: ToolView) -> Tool | None:
    """Return the tool of the catalog that a record shows, by its own names; None where no catalog knows it."""
    if record.catalog is None:
        return None
    told = mask_of(record)
    if told is None:
        return record.catalog.by_fingerprint.get(tool.fingerprint)
    return record.catalog.by_fingerprint.get(digest(_definition(tool.raw, told)))


def unmasked(document: JsonObject, told: JsonObject) -> JsonObject:
    """Return a document by its own names, as its metadata tell them; tools stay in their order."""
    messages = [_message(message, told) for message in document["messages"]]
    return {**document, "messages": messages, "tools": [_definition(tool, told) for tool in document["tools"]]}


def _message(message: JsonValue, told: JsonObject) -> JsonValue:
    if not isinstance(message, dict):
        return message
    own = dict(message)
    if own.get("role") == "tool":
        own["name"] = _own(own.get("name"), told["tools"])
    if isinstance(own.get("tool_calls"), list):
        own["tool_calls"] = [_function(call, "arguments", told, _by_own_keys) for call in own["tool_calls"]]
    return own


def _definition(tool: JsonValue, told: JsonObject) -> JsonValue:
    return _function(tool, "parameters", told, _schema)


def _function(
    holder: JsonValue, part: str, told: JsonObject, rename: Callable[[JsonObject, JsonObject], JsonObject]
) -> JsonValue:
    """Rename the function of a call or of a definition, and the parameters in one part of it."""
    function = holder.get("function") if isinstance(holder, dict) else None
    if not isinstance(function, dict):
        return holder
    own = {**function, "name": _own(function.get("name"), told["tools"])}
    if isinstance(own.get(part), dict):
        own[part] = rename(own[part], told["parameters"])
    return {**holder, "function": own}


def _schema(schema: JsonObject, names: JsonObject) -> JsonObject:
    """Rename the parameters of a definition wherever its schema names them; what is inside one has its own names."""
    own = dict(schema)
    for keyword in ("properties", *_DEPENDENT):
        if isinstance(own.get(keyword), dict):
            own[keyword] = _by_own_keys(own[keyword], names)
    for keyword in _DEPENDENT:
        if isinstance(own.get(keyword), dict):
            own[keyword] = {name: _listed(value, names) for name, value in own[keyword].items()}
    if "required" in own:
        own["required"] = _listed(own["required"], names)
    return own


def _by_own_keys(values: JsonObject, names: JsonObject) -> JsonObject:
    return {names.get(name, name): value for name, value in values.items()}


def _listed(value: JsonValue, names: JsonObject) -> JsonValue:
    return [_own(name, names) for name in value] if isinstance(value, list) else value


def _own(name: JsonValue, names: JsonObject) -> JsonValue:
    return names.get(name, name) if isinstance(name, str) else name
