"""Fixes of the schemas in parameters: types of other dialects, nulls, nullable lists of types, what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, digest
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import objects_in
from generator.validation.tool_view import JSON_TYPES, ToolView

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
        flagged = [name for name, part in properties.items() if isinstance(part, dict) and _is_flag(part)]
        wanted = [name for name in flagged if properties[name].pop("required")]
        known = schema.get("required")
        if wanted and (known is None or isinstance(known, list)):
            schema["required"] = list(dict.fromkeys([*(known or []), *wanted]))


def _is_flag(schema: JsonObject) -> bool:
    return isinstance(schema.get("required"), bool)


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


FIXES = (
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
