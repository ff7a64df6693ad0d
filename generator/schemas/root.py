"""The root of a tool's parameters: always an object schema, with its properties where consumers look for them."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import KNOWN
from generator.schemas.node import shown
from generator.schemas.notes import Note
from generator.schemas.references import target_of
from generator.schemas.type_expressions import read_type
from generator.schemas.types import ANY, read_name

_MAX_HOPS = 20


def as_object_schema(schema: JsonValue, notes: list[Note]) -> JsonValue:
    """Return the parameters with `type` and `properties` at their root; what was changed goes to `notes`."""
    if schema is None or schema == {} or schema == [] or schema is True:
        notes.append(Note("", "changed", "a tool without parameters takes an empty object"))
        return {"type": "object", "properties": {}}
    if not isinstance(schema, dict):
        message = f"parameters are a JSON Schema object, these are {shown(schema)}"
        notes.append(Note("", "error", message, 'write {"type": "object", "properties": {...}}'))
        return schema
    if _is_bare_map(schema):
        notes.append(Note("", "changed", "a bare map of parameters became the properties of an object"))
        return {"type": "object", "properties": schema}
    return _with_object_root(_at_root(schema, notes), notes)


def _is_bare_map(schema: JsonObject) -> bool:
    """Say whether this maps parameter names to schemas, without the object schema around them."""
    if any(name in KNOWN and not _is_schema_like(value) for name, value in schema.items()):
        return False
    if isinstance(schema.get("properties"), dict) and not isinstance(schema["properties"].get("type"), str):
        return False
    return not any(name.startswith("$") for name in schema) and all(map(_is_schema_like, schema.values()))


def _is_schema_like(value: JsonValue) -> bool:
    return isinstance(value, dict) and (
        isinstance(value.get("type"), str | list) or isinstance(value.get("description"), str)
    )


def _at_root(schema: JsonObject, notes: list[Note]) -> JsonObject:
    """Copy what the root refers to into the root; the definitions stay for other references."""
    for _ in range(_MAX_HOPS):
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        target = target_of(schema, reference)
        if not isinstance(target, dict) or target is schema:
            return schema
        rest = {name: value for name, value in schema.items() if name != "$ref"}
        schema = {**target, **rest}
        notes.append(Note("/$ref", "changed", f"the root's {shown(reference)} was copied to the root"))
    notes.append(Note("/$ref", "error", "the root refers on and on", "write the parameters out"))
    return schema


def _with_object_root(schema: JsonObject, notes: list[Note]) -> JsonObject:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    meanings = [read_type(name) if isinstance(name, str) else None for name in kinds]
    if kind is None or ("object", "") in meanings or (ANY, "") in meanings:
        if not isinstance(kind, str) or read_name(kind) in (None, (ANY, "")):
            notes.append(Note("/type", "changed", "the type of parameters became object"))
            schema = {"type": "object", **{name: value for name, value in schema.items() if name != "type"}}
    else:
        remedy = "put the value into a property of an object"
        notes.append(Note("/type", "error", f"the type of parameters is object, not {shown(kind)}", remedy))
    if schema.get("properties") is None:
        notes.append(Note("", "changed", "empty `properties` were added"))
        schema = {**schema, "properties": {}}
    if "nullable" in schema:
        schema = {name: value for name, value in schema.items() if name != "nullable"}
        notes.append(Note("/nullable", "changed", "`nullable` left out: arguments are always an object"))
    return schema
