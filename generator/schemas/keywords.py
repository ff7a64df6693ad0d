"""The keywords of JSON Schema by what they hold: a walker that knows them never mistakes a property for one."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue

SCHEMA = frozenset(
    {
        "items",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "additionalItems",
        "contentSchema",
    }
)
"""Keywords that hold one schema."""

SCHEMAS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
"""Keywords that hold a list of schemas."""

SCHEMA_MAP = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords that hold schemas by name; the names are data."""

ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment"}
)
"""Keywords that say something about a value and refuse none."""

IDENTIFYING = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$defs", "definitions"})
"""Keywords about the schema itself."""

BY_TYPE: dict[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
    "array": frozenset(
        {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"}
        | {"unevaluatedItems"}
    ),
    "object": frozenset(
        {"properties", "patternProperties", "additionalProperties", "required", "propertyNames", "minProperties"}
        | {"maxProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"}
    ),
}
"""Keywords that speak of values of one type alone."""

KNOWN = (
    SCHEMA
    | SCHEMAS
    | SCHEMA_MAP
    | ANNOTATIONS
    | IDENTIFYING
    | frozenset().union(*BY_TYPE.values())
    | {"type", "enum", "const", "$ref", "$dynamicRef", "contentSchema", "discriminator", "xml", "externalDocs"}
)
"""Every keyword of JSON Schema 2020-12 and of OpenAPI's dialect of it."""

REFERENCES = (b'"$ref":', b'"$dynamicRef":')
"""How references look in the compact JSON text of a schema."""

NAMED = (b'"$id":', b'"$anchor":', b'"$dynamicAnchor":')
"""How a part that has a name of its own looks there."""

CHOICES = tuple(
    b'"%s":' % word.encode()
    for word in (*SCHEMAS - {"prefixItems"}, "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
                 "unevaluatedItems", "unevaluatedProperties")
)  # fmt: skip
"""How keywords look there by which a schema admits what several others admit, or not."""


def mentions(text: bytes, words: tuple[bytes, ...]) -> bool:
    """Say whether the compact JSON text of a schema could hold one of some keywords; a property of that name counts."""
    for word in words:  # noqa: SIM110  # a generator would take twice as long
        if word in text:
            return True
    return False


Path = tuple[str | int, ...]


def walk(node: JsonValue, path: Path = ()) -> Iterator[tuple[JsonObject, Path]]:
    """Yield every object schema in a schema, the outer ones first, with the path to each."""
    if not isinstance(node, dict):
        return
    yield node, path
    for keyword, value in node.items():
        if keyword in SCHEMA:
            yield from walk(value, (*path, keyword))
        elif keyword in SCHEMAS and isinstance(value, list):
            for index, part in enumerate(value):
                yield from walk(part, (*path, keyword, index))
        elif keyword in SCHEMA_MAP and isinstance(value, dict):
            for name, part in value.items():
                yield from walk(part, (*path, keyword, name))


EXTENSION_PREFIXES = ("x_", "x-", "vendor_", "later_", "grid_", "_adm_")
RESERVED_NAMES = frozenset({"_version", "_extensions", "_metadata", "_deprecated", "_experimental"})


def is_extension(name: str) -> bool:
    """Say whether a field is an extension or reserved by ADM; `x-`, OpenAPI's and MCP's prefix, counts as well."""
    return name.startswith(EXTENSION_PREFIXES) or name in RESERVED_NAMES
