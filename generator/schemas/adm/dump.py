"""JSON Schema as ADM's Schema: six types and six fields, and every keyword that does not fit reported."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Path, is_extension
from generator.schemas.node import Note, shown
from generator.schemas.references import target_of

_MAX_REFERENCES = 8
"""How many references deep a schema is written out; a schema that contains itself ends there."""
_MAX_WRITTEN = 10_000
"""How many schemas one is written out to at most: references inside references multiply."""
_KEPT = frozenset({"type", "description", "properties", "required", "items", "enum"})
_SILENT = frozenset(
    {"$defs", "definitions", "$schema", "$id", "$ref", "anyOf", "oneOf", "allOf", "prefixItems", "const"}
)
_NULL = {"type": "null"}


def to_adm(schema: JsonObject) -> tuple[JsonObject, tuple[Note, ...]]:
    """Write a schema in the working form as an ADM Schema; the notes say what was lost, and where."""
    writer = _Writer(schema)
    return writer.write(schema, (), 0), tuple(writer.notes)


class _Writer:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self.notes: list[Note] = []
        self._written = 0

    def write(self, schema: JsonValue, path: Path, references: int) -> JsonObject:
        """Write one schema that stands at `path`."""
        self._written += 1
        if self._written > _MAX_WRITTEN:
            self._lose(path, "the schema is too large when it is written out: cut here")
            return {"type": "OBJECT"}
        node, references = self._flat(schema if isinstance(schema, dict) else {}, path, references)
        written: JsonObject = {"type": self._type(node, path)}
        if isinstance(node.get("description"), str):
            written["description"] = node["description"]
        for part in (self._object, self._array, self._enum):
            written.update(part(node, written["type"], path, references))
        for name, value in node.items():
            if is_extension(name):
                written[name] = value
            elif name not in _KEPT and name not in _SILENT:
                self._lose(path, f"ADM has no `{name}`", name)
        return written

    def _lose(self, path: Path, message: str, *parts: str) -> None:
        self.notes.append(Note(pointer((*path, *parts)), "lost", message))

    def _flat(self, node: JsonObject, path: Path, references: int) -> tuple[JsonObject, int]:
        """Write out references and choices: what is left says everything in one object."""
        while isinstance(node.get("$ref"), str):
            target = target_of(self._root, node["$ref"])
            rest = {name: value for name, value in node.items() if name != "$ref"}
            if references >= _MAX_REFERENCES or not isinstance(target, dict):
                self._lose(path, "the schema contains itself: written out to a depth", "$ref")
                return {"type": "object", **rest}, references
            node, references = {**target, **rest}, references + 1
        for keyword in ("anyOf", "oneOf", "allOf"):
            if isinstance(node.get(keyword), list) and node[keyword]:
                return self._chosen(node, keyword, path, references)
        return node, references

    def _chosen(self, node: JsonObject, keyword: str, path: Path, references: int) -> tuple[JsonObject, int]:
        branches = [branch for branch in node[keyword] if branch != _NULL]
        rest = {name: value for name, value in node.items() if name != keyword}
        if keyword == "allOf":
            merged: JsonObject = {}
            for branch in branches:
                flat, references = self._flat(branch if isinstance(branch, dict) else {}, path, references)
                merged = _merged(merged, flat)
            return _merged(merged, rest), references
        if len(branches) < len(node[keyword]):
            self._lose(path, "ADM has no null", keyword)
        if len(branches) > 1:
            self._lose(path, f"ADM has no `{keyword}`: the first of {len(branches)} choices is kept", keyword)
        first = branches[0] if branches and isinstance(branches[0], dict) else {}
        return self._flat({**first, **rest}, path, references)

    def _type(self, node: JsonObject, path: Path) -> str:
        kind = node.get("type")
        if isinstance(kind, list):
            self._lose(path, f"ADM has no list of types: the first of {shown(kind)} is kept", "type")
            kind = next((name for name in kind if name != "null"), "string")
        if isinstance(kind, str) and kind != "null":
            return kind.upper()
        if "properties" in node:
            return "OBJECT"
        if "items" in node or "prefixItems" in node:
            return "ARRAY"
        if not isinstance(node.get("const"), str) and "enum" not in node:
            self._lose(path, "ADM has no value of any type: STRING stands for it", "type")
        return "STRING"

    def _object(self, node: JsonObject, kind: str, path: Path, references: int) -> JsonObject:
        if kind != "OBJECT":
            return {}
        properties = node.get("properties") or {}
        written: JsonObject = {
            "properties": {
                name: self.write(part, (*path, "properties", name), references) for name, part in properties.items()
            }
        }
        if node.get("required"):
            written["required"] = [name for name in node["required"] if name in properties]
        return written

    def _array(self, node: JsonObject, kind: str, path: Path, references: int) -> JsonObject:
        if kind != "ARRAY":
            return {}
        items = node.get("items")
        places = node.get("prefixItems") or []
        if places and any(place != places[0] for place in [*places, *([items] if items else [])]):
            self._lose(path, "ADM has no tuples: the first element's schema is kept for all", "prefixItems")
        if not isinstance(items, dict):
            items = places[0] if places else None
        if not isinstance(items, dict):
            self._lose(path, "ADM has no array of any values: STRING stands for them", "items")
            items = {"type": "string"}
        return {"items": self.write(items, (*path, "items"), references)}

    def _enum(self, node: JsonObject, kind: str, path: Path, references: int) -> JsonObject:
        values = node.get("enum", [node["const"]] if "const" in node else None)
        if not isinstance(values, list):
            return {}
        texts = [value for value in values if isinstance(value, str)]
        if kind == "STRING" and texts:
            if len(texts) < len(values):
                self._lose(path, "`enum` lists texts in ADM: other values are left out", "enum")
            return {"enum": list(dict.fromkeys(texts))}
        self._lose(path, "ADM has `enum` for STRING alone", "enum")
        return {}


def _merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """Merge two conjuncts: their properties and what they require together, otherwise the second's word."""
    merged = {**one, **other}
    if "properties" in one and "properties" in other:
        merged["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        merged["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    return merged
