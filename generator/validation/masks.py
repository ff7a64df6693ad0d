"""Masks: records whose tools and parameters have scrambled names, judged by their own ones."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, digest
from generator.tools.tool import Tool
from generator.validation.rule import Finding, Rule
from generator.validation.say import brief
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

_PLACE = "/metadata/mask"
_PARTS = ("tools", "parameters")
_RENAMED_KEYS = ("dependentRequired", "dependentSchemas")


def mask_of(record: RecordView) -> JsonObject | None:
    """Return the mask that a record tells, from masked names to original ones; None where it tells none."""
    told = record.metadata.get("mask")
    if not isinstance(told, dict) or set(told) != set(_PARTS) or not all(_is_naming(told[part]) for part in _PARTS):
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


def unmasked(document: JsonObject, told: JsonObject) -> JsonObject:
    """Return a document by its own names, as its metadata tell them; tools stay in their order."""
    names, parameters = told["tools"], told["parameters"]
    return {
        **document,
        "messages": [_renamed_message(message, names, parameters) for message in document["messages"]],
        "tools": [_renamed_tool(tool, names, parameters) for tool in document["tools"]],
    }


def _renamed_tool(tool: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(tool, dict) or not isinstance(function := tool.get("function"), dict):
        return tool
    changed = {**function, "name": _renamed(function.get("name"), names)}
    if isinstance(schema := function.get("parameters"), dict):
        changed["parameters"] = _renamed_schema(schema, parameters)
    return {**tool, "function": changed}


def _renamed_schema(schema: JsonObject, parameters: dict[str, str]) -> JsonObject:
    """Rename the parameters; what is inside a parameter keeps its names."""
    changed = dict(schema)
    if isinstance(schema.get("properties"), dict):
        changed["properties"] = _renamed_keys(schema["properties"], parameters)
    if isinstance(schema.get("required"), list):
        changed["required"] = [_renamed(name, parameters) for name in schema["required"]]
    for keyword in _RENAMED_KEYS:
        if isinstance(schema.get(keyword), dict):
            changed[keyword] = {
                parameters.get(name, name): [_renamed(each, parameters) for each in value]
                if isinstance(value, list)
                else value
                for name, value in schema[keyword].items()
            }
    return changed


def _renamed_message(message: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(message, dict):
        return message
    changed = dict(message)
    if message.get("role") == "tool":
        changed["name"] = _renamed(message.get("name"), names)
    if isinstance(calls := message.get("tool_calls"), list):
        changed["tool_calls"] = [_renamed_call(call, names, parameters) for call in calls]
    return changed


def _renamed_call(call: JsonValue, names: dict[str, str], parameters: dict[str, str]) -> JsonValue:
    if not isinstance(call, dict) or not isinstance(function := call.get("function"), dict):
        return call
    changed = {**function, "name": _renamed(function.get("name"), names)}
    if isinstance(arguments := function.get("arguments"), dict):
        changed["arguments"] = _renamed_keys(arguments, parameters)
    return {**call, "function": changed}


def _renamed(name: JsonValue, names: dict[str, str]) -> JsonValue:
    return names.get(name, name) if isinstance(name, str) else name


def _renamed_keys(values: JsonObject, names: dict[str, str]) -> JsonObject:
    return {names.get(name, name): value for name, value in values.items()}


def known_tool(record: RecordView, tool: ToolView) -> Tool | None:
    """Return the tool of the catalog that a record shows, by its own names; None where no catalog knows it."""
    if record.catalog is None:
        return None
    told = mask_of(record)
    if told is None:
        return record.catalog.by_fingerprint.get(tool.fingerprint)
    (shown,) = unmasked({"messages": [], "tools": [tool.raw]}, told)["tools"]
    return record.catalog.by_fingerprint.get(digest(shown))


def _mask_is_one_to_one(record: RecordView) -> Iterator[Finding]:
    if "mask" not in record.metadata:
        return
    told = mask_of(record)
    if told is None:
        yield Finding(_PLACE, "a mask has `tools` and `parameters`, each from the masked name to the original")
        return
    for part in _PARTS:
        if len(set(told[part].values())) < len(told[part]):
            yield Finding(f"{_PLACE}/{part}", "two masked names stand for one original")
    for tool in record.tools:
        if tool.name not in told["tools"]:
            yield Finding(f"{_PLACE}/tools", f"the mask does not tell what {brief(tool.name)} stands for")
        for name in tool.property_names:
            if name not in told["parameters"]:
                yield Finding(f"{_PLACE}/parameters", f"the mask does not tell what {brief(name)} stands for")


RULES = (
    Rule(
        "TC117",
        "A mask is one-to-one and tells every name that is shown.",
        "tool-calling practice",
        _mask_is_one_to_one,
        read="warning",
    ),
)
