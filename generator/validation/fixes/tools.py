"""Fixes of tool definitions around their parameters."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue, digest
from generator.schemas.texts import without_control_tokens
from generator.tools.names import map_names
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import (
    functions_called,
    functions_shown,
    messages_of,
    objects_in,
    parsed,
    put_first,
)

_SCHEMA_FIELDS = ("input_schema", "inputSchema", "parameters_json_schema", "parametersJsonSchema")
_FUNCTION_FIELDS = ("name", "description", "parameters", "strict", *_SCHEMA_FIELDS)


def _functions_as_tools(record: JsonObject) -> None:
    """Read `functions`, which older requests called their tools."""
    functions = record.get("functions")
    if record.get("tools") is None and isinstance(functions, list):
        record["tools"] = [{"type": "function", "function": function} for function in functions]
        del record["functions"]


def _tools_wrapped(record: JsonObject) -> None:
    for tool in objects_in(record.get("tools")):
        if "function" not in tool and isinstance(tool.get("name"), str) and tool["name"]:
            tool["function"] = {key: tool.pop(key) for key in _FUNCTION_FIELDS if key in tool}


def _types_of_tools(record: JsonObject) -> None:
    for tool in objects_in(record.get("tools")):
        if tool.get("type") != "function" and isinstance(tool.get("function"), dict):
            put_first(tool, "type", "function")


def _parameters_by_their_name(record: JsonObject) -> None:
    for function in functions_shown(record):
        for name in _SCHEMA_FIELDS:
            if function.get("parameters") is None and isinstance(function.get(name), dict):
                function["parameters"] = function.pop(name)


def _parameters_there(record: JsonObject) -> None:
    for function in functions_shown(record):
        parameters = function.get("parameters")
        if isinstance(parsed(parameters), dict):
            function["parameters"] = parsed(parameters)
        elif parameters is None and not any(name in function for name in _SCHEMA_FIELDS):
            function["parameters"] = {"type": "object", "properties": {}}


def _tools_shown_once(record: JsonObject) -> None:
    tools = record.get("tools")
    if isinstance(tools, list):
        seen: set[str] = set()
        kept = []
        for tool in tools:
            if not (isinstance(tool, dict) and digest(tool) in seen):
                kept.append(tool)
            seen.add(digest(tool))
        record["tools"] = kept


def _strict_left_out(record: JsonObject) -> None:
    for function in functions_shown(record):
        if "strict" in function:
            del function["strict"]


def _definitions_without_tokens(record: JsonObject) -> None:
    tools = record.get("tools")
    if isinstance(tools, list):
        record["tools"] = [_described_in_words(tool) for tool in tools]


def _described_in_words(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {
            key: without_control_tokens(part) if key == "description" and isinstance(part, str)
            else _described_in_words(part) for key, part in value.items()
        }  # fmt: skip
    return [_described_in_words(part) for part in value] if isinstance(value, list) else value


def _names_renamed(record: JsonObject) -> None:
    """Bring the names of tools to what every reader takes, where they are shown, called and answered."""
    names = [function["name"] for function in functions_shown(record) if isinstance(function.get("name"), str)]
    renamed = map_names(names)
    results = [message for message in messages_of(record) if message.get("role") == "tool"]
    for holder in [*functions_shown(record), *functions_called(record), *results]:
        if isinstance(holder.get("name"), str):
            holder["name"] = renamed.get(holder["name"], holder["name"])


FIXES = (
    Fix(
        "functions-as-tools",
        "Reads `functions`, which older requests called their tools.",
        ("TC102",),
        _functions_as_tools,
    ),
    Fix("tools-wrapped", "Puts a flat tool definition into its `function`.", ("OA020",), _tools_wrapped),
    Fix("types-of-tools", "Gives each tool the type function.", ("OA019",), _types_of_tools),
    Fix(
        "parameters-by-their-name",
        "Calls the schema `parameters`, where it is called input_schema or inputSchema.",
        ("OA023",),
        _parameters_by_their_name,
    ),
    Fix(
        "parameters-there",
        "Writes an empty object schema where a tool has no parameters, and reads those that are JSON text.",
        ("OA023",),
        _parameters_there,
    ),
    Fix("tools-shown-once", "Shows a tool once that is there several times.", ("OA021",), _tools_shown_once),
    Fix(
        "strict-left-out",
        "Leaves out `strict`.",
        ("OA026", "OA027", "OA028", "OA029", "OA030", "OA031"),
        _strict_left_out,
        loses="strict mode",
    ),
    Fix(
        "definitions-without-tokens",
        "Reduces control tokens in descriptions to their words, and takes control characters out.",
        ("TC109", "TC118"),
        _definitions_without_tokens,
        loses="the exact description",
    ),
    Fix(
        "names-renamed",
        "Gives tools names that every reader takes: get.weather becomes get_weather, wherever the record names it.",
        ("OA022", "ADM001"),
        _names_renamed,
        loses="the name by which the tool is served",
    ),
)
"""Fixes of tool definitions."""
