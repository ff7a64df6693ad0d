"""Definitions of tools as files and records hold them: known fields, extensions, and the tools that a record shows.

A record of the canonical form shows `{"type": "function", "function": {...}}` with JSON Schema parameters. What
cannot be read stays as it is, for the rules to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import orjson

from generator.formats.format import RawTool
from generator.formats.literals import parse_json
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.dialects import normalize_parameters
from generator.schemas.keywords import Note, is_extension

RESULT_EXTENSION = "x_result_schema"
"""The extension that holds the schema of a tool's results."""
FRAMES_EXTENSION = "x_frames"
"""The extension that held sentences for a tool before there were domain files: kept, and not read."""


def extensions_of(definition: JsonObject, *, also: frozenset[str] = frozenset()) -> JsonObject:
    """Return the fields that are preserved: ADM's extension and reserved names, and those the format names."""
    return {
        name: value
        for name, value in definition.items()
        if (is_extension(name) or name in also) and name != RESULT_EXTENSION and value is not None
    }


def unknown_fields(definition: JsonObject, known: frozenset[str], at: str = "", code: str = "") -> Iterator[Note]:
    """Note the fields that are neither known nor extensions (ADM, 5.2.3): ignored, an error under strict loading."""
    for name in definition:
        if name not in known and not is_extension(name):
            remedy = f"leave it out, or call it `x_{name.lstrip('_')}` to have it kept"
            yield Note(at + pointer((name,)), "deviation", f"the field `{name}` is not known: ignored", remedy, code)


def result_of(definition: JsonObject, *names: str) -> tuple[JsonValue, str, tuple[Note, ...]]:
    """Return the first result schema among these fields, where it stands, and notes on contradicting ones."""
    given = [name for name in (RESULT_EXTENSION, *names) if definition.get(name) is not None]
    if not given:
        return None, "", ()
    others = [name for name in given[1:] if definition[name] != definition[given[0]]]
    notes = [
        Note(pointer((name,)), "deviation", f"contradicts `{given[0]}`: ignored", "keep one of them") for name in others
    ]
    return definition[given[0]], pointer((given[0],)), tuple(notes)


def read_plain(
    definition: JsonObject,
    known: frozenset[str],
    *results: str,
    parameters: str = "parameters",
    at: str = "",
    kept: frozenset[str] = frozenset(),
    notes: tuple[Note, ...] = (),
) -> RawTool:
    """Return the tool that an object with a name, a description and the schema of its parameters defines.

    Args:
        definition: the object.
        known: the fields that the format gives a meaning.
        results: the fields that may hold the result schema, the first that does is taken.
        parameters: the field that holds the parameters.
        at: where the object stands inside the definition.
        kept: the fields that are kept as extensions.
        notes: what was found out about the definition before.
    """
    result, result_at, conflicts = result_of(definition, *results)
    return RawTool(
        pointer="",
        name=definition.get("name"),
        description=definition.get("description"),
        parameters=definition.get(parameters),
        parameters_at=f"{at}/{parameters}",
        result_schema=result,
        result_at=result_at and at + result_at,
        strict=definition.get("strict") if "strict" in known else None,
        extensions=extensions_of(definition, also=kept),
        notes=(*notes, *unknown_fields(definition, known, at), *conflicts),
    )


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
