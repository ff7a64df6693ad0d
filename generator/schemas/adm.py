"""ADM's rules for Schema, FunctionDeclaration and Tool (ADM, 4.1 to 4.3), and JSON Schema written as ADM's.

Each rule is one small function over one object. Names that ADM refuses are mapped to valid ones, and what is merely
missing has one safe reading: deviations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Level, Note, Path, is_extension, shown
from generator.schemas.references import target_of
from generator.schemas.types import read_type

ADM_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT")
Finding = tuple[Path, str]
"""Where in the object a rule is broken, and how."""


@dataclass(frozen=True, slots=True)
class AdmRule:
    """One rule of ADM: its code, under which the table of rules says what it demands, and what mends it."""

    code: str
    level: Level
    remedy: str
    check: Callable[[JsonObject], Iterator[Finding]]

    def notes(self, structure: JsonObject, path: Path) -> Iterator[Note]:
        """Yield a note for each way in which the structure at `path` breaks the rule."""
        for at, message in self.check(structure):
            yield Note(pointer((*path, *at)), self.level, message, self.remedy, self.code)


def schema_notes(schema: JsonValue, path: Path = ()) -> Iterator[Note]:
    """Yield every way in which a schema, and the schemas inside it, break ADM's rules."""
    if not isinstance(schema, dict):
        remedy = 'write {"type": ...}'
        yield Note(pointer(path), "error", f"a Schema is an object, this is {shown(schema)}", remedy, NOT_AN_OBJECT)
        return
    for rule in SCHEMA_RULES:
        yield from rule.notes(schema, path)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, part in properties.items():
            yield from schema_notes(part, (*path, "properties", name))
    if schema.get("items") is not None:
        yield from schema_notes(schema["items"], (*path, "items"))


NOT_AN_OBJECT = "ADM220"
_SCHEMA_FIELDS = frozenset({"type", "description", "properties", "required", "items", "enum"})
_TELLING = ("properties", "items", "enum", "anyOf", "oneOf", "allOf", "$ref", "const")


def _meaning(schema: JsonObject) -> str | None:
    """Return the JSON type that a schema means, however it is spelled."""
    kind = schema.get("type")
    meaning = read_type(kind) if isinstance(kind, str) else None
    return meaning[0] if meaning else None


def _type_is_given(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("type") is None and not any(field in schema for field in _TELLING):
        yield (), "`type` is missing"


def _type_is_said(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("type") is None and any(field in schema for field in _TELLING):
        yield (), "`type` is missing; the rest of the schema implies it"


def _type_is_known(schema: JsonObject) -> Iterator[Finding]:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) and kind else [kind]
    if kind is not None and any(not isinstance(name, str) or read_type(name) is None for name in kinds):
        yield ("type",), f"the type {shown(kind)} is not known"


def _type_is_in_capitals(schema: JsonObject) -> Iterator[Finding]:
    kind = schema.get("type")
    understood = isinstance(kind, list) or (isinstance(kind, str) and read_type(kind) is not None)
    if kind is not None and kind not in ADM_TYPES and understood:
        yield ("type",), f"{shown(kind)} is no type of ADM"


def _description_is_text(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("description") is not None and not isinstance(schema["description"], str):
        yield ("description",), f"`description` is {shown(schema['description'])}, no text"


def _description_says_something(schema: JsonObject) -> Iterator[Finding]:
    if isinstance(schema.get("description"), str) and not schema["description"].strip():
        yield ("description",), "`description` is empty"


def _properties_are_map(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("properties") is not None and not isinstance(schema["properties"], dict):
        yield ("properties",), f"`properties` is {shown(schema['properties'])}, no map of names to schemas"


def _properties_are_of_object(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("properties") and _meaning(schema) not in (None, "object"):
        yield ("properties",), f"`properties` belongs to OBJECT, the type is {shown(schema['type'])}"


def _required_is_list(schema: JsonObject) -> Iterator[Finding]:
    required = schema.get("required")
    if required is not None and not (isinstance(required, list) and all(isinstance(name, str) for name in required)):
        yield ("required",), f"`required` is {shown(required)}, no list of names"


def _required(schema: JsonObject) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


def _required_is_declared(schema: JsonObject) -> Iterator[Finding]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for index, name in enumerate(_required(schema)):
        if name not in known:
            yield ("required", index), f"{shown(name)} is required and no property"


def _required_is_distinct(schema: JsonObject) -> Iterator[Finding]:
    names = _required(schema)
    for index, name in enumerate(names):
        if name in names[:index]:
            yield ("required", index), f"{shown(name)} is required twice"


def _required_is_of_object(schema: JsonObject) -> Iterator[Finding]:
    if _required(schema) and _meaning(schema) not in (None, "object"):
        yield ("required",), f"`required` belongs to OBJECT, the type is {shown(schema['type'])}"


def _array_has_items(schema: JsonObject) -> Iterator[Finding]:
    if _meaning(schema) == "array" and schema.get("items") is None:
        yield (), "an ARRAY has no `items`"


def _items_are_of_array(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("items") is not None and _meaning(schema) not in (None, "array"):
        yield ("items",), f"`items` belongs to ARRAY, the type is {shown(schema['type'])}"


def _enum_is_list(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("enum") is not None and not isinstance(schema["enum"], list):
        yield ("enum",), f"`enum` is {shown(schema['enum'])}, no list"


def _enum(schema: JsonObject) -> list[JsonValue]:
    return schema["enum"] if isinstance(schema.get("enum"), list) else []


def _enum_has_values(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("enum") == []:
        yield ("enum",), "`enum` is empty: no value is possible"


def _enum_is_text(schema: JsonObject) -> Iterator[Finding]:
    for index, value in enumerate(_enum(schema)):
        if not isinstance(value, str):
            yield ("enum", index), f"{shown(value)} is no text; `enum` lists texts"


def _enum_is_distinct(schema: JsonObject) -> Iterator[Finding]:
    texts = [value for value in _enum(schema) if isinstance(value, str)]
    if len(set(texts)) != len(texts):
        yield ("enum",), "`enum` lists a value twice"


def _enum_is_of_string(schema: JsonObject) -> Iterator[Finding]:
    if schema.get("enum") is not None and _meaning(schema) not in (None, "string"):
        yield ("enum",), f"`enum` belongs to STRING, the type is {shown(schema['type'])}"


def _fields_are_known(schema: JsonObject) -> Iterator[Finding]:
    for name in schema:
        if name not in _SCHEMA_FIELDS and not is_extension(name):
            yield (name,), f"`{name}` is no field of a Schema"


def fields_have_values(structure: JsonObject) -> Iterator[Finding]:
    """Find the fields that are null, in any structure of ADM."""
    for name, value in structure.items():
        if value is None:
            yield (name,), f"`{name}` is null; ADM leaves out what has no value"


NO_NULLS = AdmRule("ADM219", "deviation", "leave it out", fields_have_values)
"""A rule for every structure of ADM."""
_TYPES = ", ".join(ADM_TYPES)
SCHEMA_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM221", "error", f"give it one of {_TYPES}", _type_is_given),
    AdmRule("ADM222", "deviation", f"give it one of {_TYPES}", _type_is_said),
    AdmRule("ADM223", "error", f"give it one of {_TYPES}", _type_is_known),
    AdmRule("ADM224", "deviation", f"write one of {_TYPES}", _type_is_in_capitals),
    AdmRule("ADM225", "error", "write a text, or leave it out", _description_is_text),
    AdmRule("ADM226", "advice", "write a text, or leave it out", _description_says_something),
    AdmRule("ADM227", "error", 'write {"name": {"type": ...}}', _properties_are_map),
    AdmRule("ADM228", "deviation", "make the type OBJECT, or leave `properties` out", _properties_are_of_object),
    AdmRule("ADM229", "error", "list property names", _required_is_list),
    AdmRule("ADM230", "error", "declare the property, or do not require it", _required_is_declared),
    AdmRule("ADM231", "deviation", "name it once", _required_is_distinct),
    AdmRule("ADM232", "deviation", "make the type OBJECT, or leave `required` out", _required_is_of_object),
    AdmRule("ADM233", "error", 'add "items": {"type": ...}', _array_has_items),
    AdmRule("ADM234", "deviation", "make the type ARRAY, or leave `items` out", _items_are_of_array),
    AdmRule("ADM235", "error", "list texts", _enum_is_list),
    AdmRule("ADM236", "error", "list values, or leave it out", _enum_has_values),
    AdmRule("ADM237", "error", "write the value as text", _enum_is_text),
    AdmRule("ADM238", "deviation", "list it once", _enum_is_distinct),
    AdmRule("ADM239", "error", "make the type STRING, or leave `enum` out", _enum_is_of_string),
    AdmRule("ADM240", "deviation", "leave it out, or give it an extension's name", _fields_are_known),
    NO_NULLS,
)
"""The rules of ADM for one Schema object."""


ErrorType = Literal[
    "PARAMETER_VALIDATION_FAILED",
    "RESOURCE_NOT_FOUND",
    "PERMISSION_DENIED",
    "BUSINESS_RULE_VIOLATION",
    "SERVICE_UNAVAILABLE",
    "RATE_LIMIT_EXCEEDED",
    "INVALID_STATE",
    "CONFIGURATION_ERROR",
]
ERROR_TYPES: tuple[str, ...] = get_args(ErrorType)


VERSION_FIELDS = ("_adm_version", "_version")
"""Where a structure declares its version; the first that is there counts."""

_VERSION = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})")


class AdmVersion(NamedTuple):
    """A version of ADM."""

    major: int
    minor: int
    patch: int


SUPPORTED = AdmVersion(1, 0, 0)


def read_version(structure: JsonObject) -> AdmVersion | None:
    """Return the version that a structure declares; None where it declares none that can be read."""
    field = _field(structure)
    text = structure.get(field) if field is not None else None
    found = _VERSION.fullmatch(text) if isinstance(text, str) else None
    return AdmVersion(int(found[1]), int(found[2]), int(found[3])) if found else None


def is_newer_minor(structure: JsonObject) -> bool:
    """Say whether a structure is of a newer MINOR version, which may hold what this one does not know."""
    version = read_version(structure)
    return version is not None and version.major == SUPPORTED.major and version.minor > SUPPORTED.minor


def is_refused(structure: JsonObject) -> bool:
    """Say whether a structure is of a newer MAJOR version, of which nothing can be known."""
    version = read_version(structure)
    return version is not None and version.major > SUPPORTED.major


def _field(structure: JsonObject) -> str | None:
    return next((name for name in VERSION_FIELDS if structure.get(name) is not None), None)


def _version_is_readable(structure: JsonObject) -> Iterator[Finding]:
    field = _field(structure)
    if field is not None and read_version(structure) is None:
        yield (field,), f"{shown(structure[field])} is no version; a version is MAJOR.MINOR.PATCH"


def _major_is_known(structure: JsonObject) -> Iterator[Finding]:
    if is_refused(structure):
        field = _field(structure) or ""
        yield (field,), f"ADM {structure[field]} is not known here, and may break with {SUPPORTED.major}"


def _version_is_not_older(structure: JsonObject) -> Iterator[Finding]:
    version = read_version(structure)
    if version is not None and version < SUPPORTED:
        field = _field(structure) or ""
        yield (field,), f"ADM {structure[field]} is older than {SUPPORTED.major}.0.0, as which it is read"


VERSION_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM251", "deviation", "write it like 1.0.0", _version_is_readable),
    AdmRule("ADM252", "error", f"write it in ADM {SUPPORTED.major}", _major_is_known),
    AdmRule("ADM253", "advice", f"write it in ADM {SUPPORTED.major}", _version_is_not_older),
)
"""The rules for the version that a Tool, a FunctionCall or a ToolResult declares."""


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
            return self._joined(branches, rest, path, references)
        if len(branches) < len(node[keyword]):
            self._lose(path, "ADM has no null", keyword)
        if len(branches) > 1:
            self._lose(path, f"ADM has no `{keyword}`: the first of {len(branches)} choices is kept", keyword)
        first = branches[0] if branches and isinstance(branches[0], dict) else {}
        return self._flat({**first, **rest}, path, references)

    def _joined(
        self, conjuncts: list[JsonValue], rest: JsonObject, path: Path, references: int
    ) -> tuple[JsonObject, int]:
        """Write conjuncts, and what stands beside them, as one object."""
        whole: JsonObject = {}
        for conjunct in conjuncts:
            flat, references = self._flat(conjunct if isinstance(conjunct, dict) else {}, path, references)
            whole = _merged(whole, flat)
        return _merged(whole, rest), references

    def _type(self, node: JsonObject, path: Path) -> str:
        kind = node.get("type")
        if isinstance(kind, list):
            self._lose(path, f"ADM has no list of types: the first of {shown(kind)} is kept", "type")
            kind = next((name for name in kind if name != "null"), "string")
        if isinstance(kind, str) and kind != "null":
            return kind.upper()
        return self._implied_type(node, path)

    def _implied_type(self, node: JsonObject, path: Path) -> str:
        """Return the type that the other keywords speak of."""
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


DECLARATIONS = ("function_declarations", "functionDeclarations")
RESULTS = ("response", "response_json_schema", "responseJsonSchema")
JSON_SCHEMA_PARAMETERS = ("parameters_json_schema", "parametersJsonSchema")
MAX_NAME = 64
ADVISED_DESCRIPTION = 1000
"""Characters that ADM recommends at most for a description."""
_OTHER_CHARACTERS = re.compile(r"[^a-zA-Z0-9_-]")
_DECLARATION_FIELDS = frozenset({"name", "description", "parameters"})


def _declarations(tool: JsonObject) -> tuple[str, JsonValue]:
    name = next((name for name in DECLARATIONS if name in tool), DECLARATIONS[0])
    return name, tool.get(name)


def _declarations_are_list(tool: JsonObject) -> Iterator[Finding]:
    name, declarations = _declarations(tool)
    if not isinstance(declarations, list):
        yield (name,), f"`{name}` is {shown(declarations)}, no list"


def _declarations_are_given_once(tool: JsonObject) -> Iterator[Finding]:
    if all(name in tool for name in DECLARATIONS):
        yield (DECLARATIONS[1],), "the declarations are given in both spellings"


def _declarations_are_not_empty(tool: JsonObject) -> Iterator[Finding]:
    name, declarations = _declarations(tool)
    if declarations == []:
        yield (name,), f"`{name}` is empty: a Tool declares at least one function"


def _names_are_unique(tool: JsonObject) -> Iterator[Finding]:
    field, declarations = _declarations(tool)
    first: dict[str, int] = {}
    for index, declaration in enumerate(declarations if isinstance(declarations, list) else []):
        name = declaration.get("name") if isinstance(declaration, dict) else None
        if isinstance(name, str) and first.setdefault(name, index) != index:
            message = f"{shown(name)} is declared already at /{field}/{first[name]}; names in a Tool are unique"
            yield (field, index, "name"), message


def _tool_fields_are_known(tool: JsonObject) -> Iterator[Finding]:
    for name in tool:
        if name not in DECLARATIONS and not is_extension(name):
            yield (name,), f"`{name}` is no field of a Tool"


TOOL_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM202", "error", "list FunctionDeclarations", _declarations_are_list),
    AdmRule("ADM203", "error", "keep one of the two", _declarations_are_given_once),
    AdmRule("ADM204", "error", "declare a function", _declarations_are_not_empty),
    AdmRule("ADM205", "error", "rename or remove one of them", _names_are_unique),
    AdmRule("ADM206", "deviation", "leave it out, or give it an extension's name", _tool_fields_are_known),
    NO_NULLS,
)
"""The rules of ADM for one Tool."""


def declaration_is_object(declaration: JsonValue) -> Iterator[Note]:
    """Note a declaration that is no object; every other rule needs one."""
    if not isinstance(declaration, dict):
        message = f"a FunctionDeclaration is an object, this is {shown(declaration)}"
        yield Note("", "error", message, "write name, description and parameters", "ADM207")


def _name_is_given(declaration: JsonObject) -> Iterator[Finding]:
    if declaration.get("name") is None:
        yield (), "`name` is missing"


def _name_is_text(declaration: JsonObject) -> Iterator[Finding]:
    name = declaration.get("name")
    if name is not None and not (isinstance(name, str) and name.strip()):
        yield ("name",), f"`name` is {shown(name)}, no name"


def _name(declaration: JsonObject) -> str:
    name = declaration.get("name")
    return name if isinstance(name, str) else ""


def _name_has_valid_characters(declaration: JsonObject) -> Iterator[Finding]:
    found = _OTHER_CHARACTERS.search(_name(declaration))
    if found and _name(declaration).strip():
        yield ("name",), f"the name holds {shown(found.group())}; names are letters, digits, _ and -"


def _name_starts_right(declaration: JsonObject) -> Iterator[Finding]:
    start = _name(declaration)[:1]
    if start and not _OTHER_CHARACTERS.match(start) and not (start.isalpha() or start == "_"):
        yield ("name",), f"the name starts with {shown(start)}; names start with a letter or _"


def _name_is_short(declaration: JsonObject) -> Iterator[Finding]:
    length = len(_name(declaration))
    if length > MAX_NAME:
        yield ("name",), f"the name has {length} characters, more than {MAX_NAME}"


def _description_is_given(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if description is None:
        yield (), "`description` is missing"
    elif isinstance(description, str) and not description.strip():
        yield ("description",), "`description` is empty"


def _declaration_is_described_in_text(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if description is not None and not isinstance(description, str):
        yield ("description",), f"`description` is {shown(description)}, no text"


def _description_is_short(declaration: JsonObject) -> Iterator[Finding]:
    description = declaration.get("description")
    if isinstance(description, str) and len(description) > ADVISED_DESCRIPTION:
        yield ("description",), f"`description` has {len(description)} characters, more than {ADVISED_DESCRIPTION}"


def _parameters_are_given(declaration: JsonObject) -> Iterator[Finding]:
    others = JSON_SCHEMA_PARAMETERS
    if declaration.get("parameters") is None and not any(declaration.get(name) for name in others):
        yield (), "`parameters` is missing; a function without parameters has an empty OBJECT"


def _parameters_are_object(declaration: JsonObject) -> Iterator[Finding]:
    parameters = declaration.get("parameters")
    kind = parameters.get("type") if isinstance(parameters, dict) else None
    meaning = read_type(kind) if isinstance(kind, str) else None
    if meaning is not None and meaning[0] != "object":
        yield ("parameters", "type"), f"parameters are an OBJECT, not {shown(kind)}"


def _declaration_fields_are_known(declaration: JsonObject) -> Iterator[Finding]:
    for name in declaration:
        if name not in _DECLARATION_FIELDS and not is_extension(name):
            yield (name,), f"`{name}` is no field of a FunctionDeclaration"


DECLARATION_RULES: tuple[AdmRule, ...] = (
    AdmRule("ADM208", "error", "give it a name", _name_is_given),
    AdmRule("ADM209", "error", "give it a name", _name_is_text),
    AdmRule("ADM210", "deviation", "rename it; it is mapped to a valid name here", _name_has_valid_characters),
    AdmRule("ADM211", "deviation", "rename it; it is mapped to a valid name here", _name_starts_right),
    AdmRule("ADM212", "deviation", "rename it; it is mapped to a valid name here", _name_is_short),
    AdmRule(
        "ADM213",
        "deviation",
        "describe what the function does; its name in words stands in here",
        _description_is_given,
    ),
    AdmRule("ADM214", "error", "write a text", _declaration_is_described_in_text),
    AdmRule("ADM215", "advice", "say it in fewer words", _description_is_short),
    AdmRule("ADM216", "deviation", 'add "parameters": {"type": "OBJECT", "properties": {}}', _parameters_are_given),
    AdmRule("ADM217", "error", "put the value into a property of an OBJECT", _parameters_are_object),
    AdmRule("ADM218", "deviation", "leave it out, or give it an extension's name", _declaration_fields_are_known),
    NO_NULLS,
)
"""The rules of ADM for one FunctionDeclaration."""
