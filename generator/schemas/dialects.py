"""The root of a tool's parameters: always an object schema, with its properties where consumers look for them."""

from __future__ import annotations

from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import KNOWN, SCHEMA, SCHEMA_MAP, SCHEMAS, Node, Note, Path, shown
from generator.schemas.references import resolve_references, target_of
from generator.schemas.steps import STEPS, describe
from generator.schemas.types import ANY, read_meaning, read_name, read_type

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
        schema = {**target, **_without(schema, "$ref")}
        notes.append(Note("/$ref", "changed", f"the root's {shown(reference)} was copied to the root"))
    notes.append(Note("/$ref", "error", "the root refers on and on", "write the parameters out"))
    return schema


def _with_object_root(schema: JsonObject, notes: list[Note]) -> JsonObject:
    schema = _of_type_object(schema, notes)
    if schema.get("properties") is None:
        notes.append(Note("", "changed", "empty `properties` were added"))
        schema = {**schema, "properties": {}}
    if "nullable" in schema:
        schema = _without(schema, "nullable")
        notes.append(Note("/nullable", "changed", "`nullable` left out: arguments are always an object"))
    return schema


_MAY_MEAN_OBJECT = frozenset({("object", ""), (ANY, "")})


def _of_type_object(schema: JsonObject, notes: list[Note]) -> JsonObject:
    """Make the type of the root object where it may mean that; every other type is an error."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    meanings = [read_type(name) if isinstance(name, str) else None for name in kinds]
    if kind is not None and _MAY_MEAN_OBJECT.isdisjoint(meanings):
        remedy = "put the value into a property of an object"
        notes.append(Note("/type", "error", f"the type of parameters is object, not {shown(kind)}", remedy))
        return schema
    if isinstance(kind, str) and read_name(kind) not in (None, (ANY, "")):
        return schema
    notes.append(Note("/type", "changed", "the type of parameters became object"))
    return {"type": "object", **_without(schema, "type")}


def _without(schema: JsonObject, keyword: str) -> JsonObject:
    return {name: value for name, value in schema.items() if name != keyword}


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
            at = (*new, keyword)
            if keyword not in SCHEMA:
                schema[keyword] = self._read_several(node, keyword, at)
            elif not (keyword in _OFTEN_BOOLEAN and isinstance(schema[keyword], bool)):
                schema[keyword] = self._read(schema[keyword], node.old_path(keyword), at)
        return schema

    def _read_several(self, node: Node, keyword: str, at: Path) -> JsonValue:
        """Read a list of schemas, or schemas by name; what is neither comes back as it is."""
        value = node.schema[keyword]
        if keyword in SCHEMAS and isinstance(value, list):
            return [self._read(part, node.old_path(keyword, index), (*at, index)) for index, part in enumerate(value)]
        if keyword in SCHEMA_MAP and isinstance(value, dict):
            return {
                name: self._read_named(keyword, name, part, node.old_path(keyword, name), (*at, name))
                for name, part in value.items()
            }
        return value

    def _read_named(self, keyword: str, name: str, part: JsonValue, old: Path, new: Path) -> JsonObject:
        schema = self._read(part, old, new)
        if keyword == "properties" and self._describe:
            describe(schema, name, old, self.notes)
        return schema


_HOLDERS = SCHEMA | SCHEMAS | SCHEMA_MAP
_OFTEN_BOOLEAN = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items"})
"""Keywords whose true and false every consumer knows."""
