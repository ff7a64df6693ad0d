"""The tools of a record, however a data set writes them: lists or JSON text, wrapped or bare, in any dialect.

A record of the canonical form shows `{"type": "function", "function": {...}}` with JSON Schema parameters. What
cannot be read stays as it is, for the rules to find.
"""

from __future__ import annotations

from functools import lru_cache

import orjson

from generator.formats.embedded_json import parse_json
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.dialects import normalize_parameters

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_FUNCTION_KEYS = ("name", "description", "parameters", "strict")
_KNOWN_DEFINITIONS = 4096


def wrapped(tools: JsonValue) -> JsonValue:
    """Return tools, given as a list or as JSON text, as records show them; schemas are not touched."""
    tools = parse_json(tools)
    return [_wrap(tool) for tool in tools] if isinstance(tools, list) else tools


def _wrap(tool: JsonValue) -> JsonValue:
    tool = parse_json(tool)
    if not isinstance(tool, dict) or "name" not in tool or "function" in tool:
        return tool
    function = {key: value for key, value in tool.items() if key != "type" or value != "function"}
    return {"type": "function", "function": function}


def bare(tools: list[JsonObject]) -> list[JsonObject]:
    """Return the functions of shown tools, without what wraps them."""
    return [tool["function"] for tool in tools]


def read_foreign(tools: JsonValue) -> JsonValue:
    """Return the tools of another project's record with their parameters as JSON Schema."""
    shown = wrapped([tools] if isinstance(parse_json(tools), dict) else tools)
    return [_as_json_schema(tool) for tool in shown] if isinstance(shown, list) else shown


def _as_json_schema(tool: JsonValue) -> JsonValue:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict):
        return tool
    try:
        text = orjson.dumps(function)
    except (TypeError, ValueError):
        return tool
    return {"type": "function", "function": orjson.loads(_function(text))}


@lru_cache(maxsize=_KNOWN_DEFINITIONS)
def _function(text: bytes) -> bytes:
    """Return a function's definition with its parameters in JSON Schema; the original where it cannot be read."""
    function = orjson.loads(text)
    key = next((name for name in _SCHEMA_KEYS if name in function), "parameters")
    try:
        normalized = normalize_parameters(_as_schema(function.get(key)))
    except RecursionError:
        return text
    if not normalized.is_usable:
        return text
    kept = {name: function[name] for name in _FUNCTION_KEYS if function.get(name) is not None}
    kept.setdefault("description", "")
    return orjson.dumps({**kept, "parameters": normalized.schema})


def _as_schema(parameters: JsonValue) -> JsonValue:
    """Return an object schema for parameters that are listed by name alone, as xLAM does."""
    if not isinstance(parameters, dict) or not parameters or not all(isinstance(p, dict) for p in parameters.values()):
        return parameters
    if isinstance(parameters.get("properties"), dict) and "type" not in parameters:
        return parameters
    required = [name for name, schema in parameters.items() if not _is_optional(schema)]
    return {"type": "object", "properties": parameters, **({"required": required} if required else {})}


def _is_optional(schema: JsonObject) -> bool:
    kind = schema.get("type")
    return "default" in schema or schema.get("required") is False or (isinstance(kind, str) and "optional" in kind)
