"""Any dialect of JSON Schema, brought to 2020-12: BFCL's types, ADM's capitals, draft-04 to draft-07, OpenAPI.

A schema is changed only where a consumer would break: type names are lower-case JSON types, parameters are an
object schema with `properties`, every property has a description, a list of types becomes `anyOf`, descriptions
hold no control tokens. Whatever else it says is kept. A walk by keyword never takes a property for one.
"""

from __future__ import annotations

from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import SCHEMA, SCHEMA_MAP, SCHEMAS, Path
from generator.schemas.node import Node, shown
from generator.schemas.node_steps import STEPS, describe
from generator.schemas.notes import Note
from generator.schemas.references import resolve_references
from generator.schemas.root import as_object_schema
from generator.schemas.type_expressions import read_meaning

UNTYPED: JsonObject = {}


@dataclass(frozen=True, slots=True)
class Normalized:
    """A schema in the working form, and what reading it found; pointers are relative to the schema as given.

    `schema` is of use only where no note is an error.
    """

    schema: JsonObject
    notes: tuple[Note, ...]

    @property
    def is_usable(self) -> bool:
        """Say whether no note is an error."""
        return all(note.level != "error" for note in self.notes)


def normalize_parameters(schema: JsonValue) -> Normalized:
    """Bring the parameters of a tool to the working form: an object schema with `properties`, all described.

    None and an empty schema mean a tool without arguments.
    """
    reader = _Reader(describe_properties=True)
    whole = as_object_schema(schema, reader.notes)
    if any(note.level == "error" for note in reader.notes):
        return Normalized(UNTYPED, tuple(reader.notes))
    return reader.finish(whole)


def normalize_schema(schema: JsonValue) -> Normalized:
    """Bring a schema of any value (a result schema) to the working form."""
    return _Reader(describe_properties=False).finish(schema)


class _Reader:
    """Reads one schema: collects notes, and where each part went, so that references follow."""

    def __init__(self, *, describe_properties: bool) -> None:
        self.notes: list[Note] = []
        self._describe = describe_properties
        self._moved: dict[str, str] = {}

    def finish(self, schema: JsonValue) -> Normalized:
        """Read the whole schema and point its references to where their targets went."""
        read = self._read(schema, (), ())
        resolve_references(read, self._moved, self.notes)
        return Normalized(read, tuple(dict.fromkeys(self.notes)))

    def _read(self, value: JsonValue, old: Path, new: Path) -> JsonObject:
        """Read one schema that stood at `old` and will stand at `new`."""
        if old != new:
            self._moved[pointer(old)] = pointer(new)
        node = Node(self._as_schema(value, old), old, self.notes)
        for step in STEPS:
            step(node)
        return self._read_children(node, new)

    def _as_schema(self, value: JsonValue, old: Path) -> JsonObject:
        """Copy a schema; a type name, true and false stand for one."""
        if isinstance(value, dict):
            return dict(value)
        if value is True:
            return {}
        if value is False:
            return {"not": {}}
        meaning = read_meaning(value) if isinstance(value, str) else None
        if meaning is None:
            what = "null" if value is None else type(value).__name__
            message = f"a schema is an object, this is {what if not isinstance(value, str) else repr(value[:40])}"
            self.notes.append(Note(pointer(old), "error", message, 'write {"type": ...}'))
            return {}
        self.notes.append(Note(pointer(old), "changed", f"the type name {value!r} became {shown(meaning)}"))
        return dict(meaning)

    def _read_children(self, node: Node, new: Path) -> JsonObject:
        schema = node.schema
        for keyword in [name for name in schema if name in _HOLDERS]:
            value = schema[keyword]
            at = (*new, keyword)
            if keyword in SCHEMA and not (keyword in _OFTEN_BOOLEAN and isinstance(value, bool)):
                schema[keyword] = self._read(value, node.old_path(keyword), at)
            elif keyword in SCHEMAS and isinstance(value, list):
                schema[keyword] = [
                    self._read(part, node.old_path(keyword, index), (*at, index)) for index, part in enumerate(value)
                ]
            elif keyword in SCHEMA_MAP and isinstance(value, dict):
                schema[keyword] = {
                    name: self._read_named(keyword, name, part, node.old_path(keyword, name), (*at, name))
                    for name, part in value.items()
                }
        return schema

    def _read_named(self, keyword: str, name: str, part: JsonValue, old: Path, new: Path) -> JsonObject:
        schema = self._read(part, old, new)
        if keyword == "properties" and self._describe:
            describe(schema, name, old, self.notes)
        return schema


_HOLDERS = SCHEMA | SCHEMAS | SCHEMA_MAP
_OFTEN_BOOLEAN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items"})
"""Keywords whose true and false every consumer knows."""
