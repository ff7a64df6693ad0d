"""Fixes of tool definitions and of their parameters."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, digest
from generator.schemas.steps import without_control_tokens
from generator.tools import map_names
from generator.validation.fixes.fix import (
    Fix,
    functions_called,
    functions_shown,
    messages_of,
    objects_in,
    parsed,
    put_first,
)
from generator.validation.tool_view import JSON_TYPES, ToolView

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


TOOL_FIXES = (
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


_TYPES = {
    "dict": "object",
    "map": "object",
    "hashmap": "object",
    "list": "array",
    "tuple": "array",
    "str": "string",
    "text": "string",
    "int": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
}
"""Names of types that other dialects use, in lower case, each with the only JSON type it can mean."""
_ANY = "any"
_NULLED = frozenset({
    "additionalProperties", "anyOf", "allOf", "oneOf", "description", "title", "enum", "format", "items", "properties",
    "required", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "multipleOf",
    "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "$ref", "$defs", "type",
})  # fmt: skip
_SPEAK_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties",
         "maxProperties", "dependentRequired", "dependentSchemas"), ("object",)),
    **dict.fromkeys(
        ("items", "prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems"),
        ("array",)),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType"), ("string",)),
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), ("integer", "number")),
}  # fmt: skip
"""Keywords that speak of values of some types alone."""
_ANNOTATIONS = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly")
_ASIDE = frozenset({
    "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$dynamicRef", "$id", "$anchor", "$dynamicAnchor",
    "$defs", "definitions", "unevaluatedProperties", "unevaluatedItems", "const",
})  # fmt: skip
"""Keywords beside which a list of types is not written out."""


def _schemas(record: JsonObject) -> Iterator[JsonObject]:
    """Yield every schema inside the parameters of the tools, each before those inside it."""
    for tool in objects_in(record.get("tools")):
        for node in ToolView(tool).nodes:
            yield node.schema


def _roots(record: JsonObject) -> Iterator[JsonObject]:
    for tool in objects_in(record.get("tools")):
        function = tool.get("function")
        if isinstance(function, dict) and isinstance(function.get("parameters"), dict):
            yield function["parameters"]


def _types_in_lower_case(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        kind = schema.get("type")
        if isinstance(kind, str) and kind not in JSON_TYPES:
            _rename_type(schema, kind.strip().lower())
        elif isinstance(kind, list):
            schema["type"] = [_meant(name.strip().lower()) or name if isinstance(name, str) else name for name in kind]


def _meant(plain: str) -> str:
    """Return the JSON type that a name in lower case means; "" where it means none."""
    return plain if plain in JSON_TYPES else _TYPES.get(plain, "")


def _rename_type(schema: JsonObject, plain: str) -> None:
    if _meant(plain):
        schema["type"] = _meant(plain)
    elif plain == _ANY:
        del schema["type"]


def _keywords_without_null(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        for key in [key for key, value in schema.items() if value is None and key in _NULLED]:
            del schema[key]


def _required_as_list(record: JsonObject) -> None:
    """Gather `required: true` from properties, as older drafts write it, into the list of their object."""
    for schema in list(_schemas(record)):
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            continue
        flagged = [name for name, part in properties.items() if _has_flag(part)]
        wanted = [name for name in flagged if properties[name].pop("required")]
        known = [] if schema.get("required") is None else schema["required"]
        if wanted and isinstance(known, list):
            schema["required"] = list(dict.fromkeys([*known, *wanted]))


def _has_flag(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("required"), bool)


def _roots_are_objects(record: JsonObject) -> None:
    for root in _roots(record):
        if "type" not in root and (not root or isinstance(root.get("properties"), dict)):
            rest = dict(root)
            root.clear()
            root.update({"type": "object", **rest})


def _properties_there(record: JsonObject) -> None:
    for root in _roots(record):
        if root.get("type") == "object" and "properties" not in root:
            root["properties"] = {}


def _items_there(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        if schema.get("type") == "array" and "items" not in schema and "prefixItems" not in schema:
            schema["items"] = {}


def _enums_once(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        if isinstance(schema.get("enum"), list):
            values: dict[str, JsonValue] = {}
            for value in schema["enum"]:
                values.setdefault(f"{type(value).__name__} {digest(value)}", value)
            schema["enum"] = list(values.values())


def _nullable_types_written_out(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        kinds = schema.get("type")
        plain = isinstance(schema.get("enum", []), list) and not _ASIDE & schema.keys()
        if plain and isinstance(kinds, list) and "null" in kinds and all(_is_type(kind) for kind in kinds):
            _write_out(schema, [kind for kind in dict.fromkeys(kinds) if kind != "null"])


def _is_type(kind: JsonValue) -> bool:
    return isinstance(kind, str) and kind in JSON_TYPES


def _write_out(schema: JsonObject, kinds: list[str]) -> None:
    """Write a list of types with null as one schema for each: values that fit stay the same."""
    outer = {key: value for key, value in schema.items() if key in _ANNOTATIONS or key.startswith("x-")}
    inner = {key: value for key, value in schema.items() if key not in outer and key not in ("type", "enum")}
    branches: list[JsonObject] = [{"type": kind, **_speaking_of(kind, inner), **_enum_of(schema)} for kind in kinds]
    if None in schema.get("enum", [None]):
        branches.append({"type": "null"})
    schema.clear()
    schema.update({"anyOf": branches, **outer} if len(branches) > 1 else {**branches[0], **outer})


def _speaking_of(kind: str, keywords: JsonObject) -> JsonObject:
    """Return the keywords that say something of values of a type; those that no type has go with every one."""
    return {key: value for key, value in keywords.items() if kind in _SPEAK_OF.get(key, (kind,))}


def _enum_of(schema: JsonObject) -> JsonObject:
    values = schema.get("enum")
    return {"enum": [value for value in values if value is not None]} if isinstance(values, list) else {}


def _empty_enums_left_out(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        if schema.get("enum") == []:
            del schema["enum"]


def _required_is_declared(record: JsonObject) -> None:
    for schema in list(_schemas(record)):
        properties, required = schema.get("properties"), schema.get("required")
        if isinstance(properties, dict) and isinstance(required, list):
            schema["required"] = [name for name in required if not isinstance(name, str) or name in properties]


PARAMETER_FIXES = (
    Fix(
        "types-in-lower-case",
        "Writes the types of JSON Schema: STRING, str, dict, float and others by their only meaning.",
        ("TC107", "OA024", "OA025"),
        _types_in_lower_case,
    ),
    Fix("keywords-without-null", "Leaves out keywords that are null.", ("OA024", "OA025"), _keywords_without_null),
    Fix(
        "required-as-list",
        "Gathers `required: true` of properties into the list of their object.",
        ("OA024",),
        _required_as_list,
    ),
    Fix("roots-are-objects", "Gives parameters with properties the type object.", ("OA025",), _roots_are_objects),
    Fix("properties-there", "Writes `properties: {}` where parameters have none.", ("TC105",), _properties_there),
    Fix("items-there", "Writes `items: {}`, which admits what its absence admits.", ("ADM006",), _items_there),
    Fix("enums-once", "Lists each value of an enum once.", ("ADM007",), _enums_once),
    Fix(
        "nullable-types-written-out",
        "Writes a list of types with null as `anyOf`.",
        ("TC108",),
        _nullable_types_written_out,
    ),
    Fix(
        "empty-enums-left-out",
        "Leaves out an enum without values.",
        ("ADM002",),
        _empty_enums_left_out,
        loses="a schema that admits nothing",
    ),
    Fix(
        "required-is-declared",
        "Requires no property that is not declared.",
        ("ADM005",),
        _required_is_declared,
        loses="the name of an argument that was required",
    ),
)
"""Fixes of the schemas in parameters."""
