"""An OpenAPI document and its schemas: references followed inside it and never out of it, definitions under `$defs`.

Read-only properties are no part of a request and write-only ones no part of a result (OpenAPI 3.0.3, 4.7.24.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import SCHEMA, SCHEMA_MAP, SCHEMAS, Level, Note, shown
from generator.schemas.references import target_of

_MAX_HOPS = 20


class UnfollowableError(Exception):
    """A reference that leads nowhere, in circles, or out of the document."""

    def __init__(self, message: str, remedy: str) -> None:
        self.remedy = remedy
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class ApiDocument:
    """The document as parsed; `version` is "2.0", "3.0" or "3.1"."""

    root: JsonObject
    version: str

    def target(self, reference: str) -> JsonValue:
        """Return what a reference points to.

        Raises:
            UnfollowableError: it points to nothing, or to another document.
        """
        if not reference.startswith("#"):
            message = f"the reference {shown(reference)} leads to another document, which is never fetched"
            raise UnfollowableError(message, "bundle the documents into one")
        target = target_of(self.root, reference)
        if target is None:
            raise UnfollowableError(f"the reference {shown(reference)} points to nothing", "define it, or write it out")
        return target

    def resolved(self, value: JsonValue, place: str = "") -> tuple[JsonValue, str]:
        """Follow an object's `$ref`, and the next, to what stands there; return it with its place.

        Raises:
            UnfollowableError: a reference cannot be followed.
        """
        for _ in range(_MAX_HOPS):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                return value, place
            value, place = self.target(reference), reference[1:]
        raise UnfollowableError("the reference only leads on to others", "write it out")

    def resolved_object(self, value: JsonValue, place: str, what: str) -> tuple[JsonObject, str]:
        """Follow references as `resolved` does, to an object.

        Raises:
            UnfollowableError: a reference cannot be followed, or there is no object at its end.
        """
        target, place = self.resolved(value, place)
        if not isinstance(target, dict):
            raise UnfollowableError(f"{what} is {shown(target)}, no object", f"write {what} as OpenAPI has it")
        return target, place


@dataclass(slots=True)
class Findings:
    """What reading one operation found; pointers are relative to the operation."""

    notes: list[Note] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    """Where the parts of the schemas that are made of the operation stand in the document."""

    def note(self, level: Level, at: str, message: str, remedy: str = "") -> None:
        """Note a finding, once."""
        found = Note(at, level, message, remedy)
        if found not in self.notes:
            self.notes.append(found)


def api_version(root: JsonObject) -> str | None:
    """Return the version whose rules a document follows, or None for one that is not known."""
    given = str(root.get("openapi", root.get("swagger", "")))
    if "openapi" not in root:
        return "2.0" if given in ("2.0", "2") else None
    major_minor = ".".join(given.split(".")[:2])
    return major_minor if major_minor in ("3.0", "3.1") else None


_CHOICES = ("oneOf", "anyOf")


def told_apart(schema: JsonObject, api: ApiDocument, findings: Findings) -> JsonObject:
    """Return a schema without `discriminator`: each branch of its choice says its own value of that property."""
    if "discriminator" not in schema:
        return schema
    discriminator = schema["discriminator"]
    rest = {keyword: part for keyword, part in schema.items() if keyword != "discriminator"}
    choice = next((keyword for keyword in _CHOICES if isinstance(schema.get(keyword), list)), None)
    if not isinstance(discriminator, dict):
        discriminator = {"propertyName": discriminator}
    name = discriminator.get("propertyName")
    if choice is None or not isinstance(name, str):
        findings.note("lost", "", "a `discriminator` names subtypes that the schema does not list: left out")
        return rest
    values = _values(discriminator.get("mapping"))
    findings.note("changed", "", f"the discriminator `{name}` became a `const` of each choice")
    return {**rest, choice: [_marked(branch, name, values, api) for branch in schema[choice]]}


def _values(mapping: JsonValue) -> dict[str, list[str]]:
    """Return the values that stand for each schema, by the last part of its reference or by its name."""
    values: dict[str, list[str]] = {}
    for value, reference in mapping.items() if isinstance(mapping, dict) else ():
        if isinstance(reference, str):
            values.setdefault(reference.rpartition("/")[2], []).append(value)
    return values


def _marked(branch: JsonValue, name: str, values: dict[str, list[str]], api: ApiDocument) -> JsonValue:
    """Give a branch its value, where the schema that it refers to lets it have that."""
    reference = branch.get("$ref") if isinstance(branch, dict) else None
    if not isinstance(reference, str):
        return branch
    schema_name = reference.rpartition("/")[2]
    own = values.get(schema_name, [schema_name])
    declared = _declared(api, reference, name)
    listed = declared.get("enum")
    if "const" in declared or (isinstance(listed, list) and not all(value in listed for value in own)):
        return branch
    said: JsonObject = {"const": own[0]} if len(own) == 1 else {"enum": own}
    return {**branch, "properties": {name: {"type": "string", **said}}, "required": [name]}


def _declared(api: ApiDocument, reference: str, name: str) -> JsonObject:
    """Return what a referenced schema itself says of one of its properties."""
    try:
        target, _ = api.resolved({"$ref": reference})
        properties = target.get("properties") if isinstance(target, dict) else None
        declared, _ = api.resolved(properties.get(name) if isinstance(properties, dict) else None)
    except UnfollowableError:
        # Carrying the branch reports the reference.
        return {}
    return declared if isinstance(declared, dict) else {}


Side = Literal["request", "result"]

MAX_DEFINITIONS = 32
"""How many definitions one schema carries; what is still further away admits every value."""
_HIDDEN_FLAG: dict[Side, tuple[str, str]] = {
    "request": ("readOnly", "read-only: no part of a request"),
    "result": ("writeOnly", "write-only: no part of a result"),
}
_OF_DOCUMENTS = frozenset({"xml", "externalDocs"})
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


class SchemaCarrier:
    """Carries schemas of one operation and one direction out of their document.

    `at` is where the finished schema will stand inside the definition, for the places of its parts.
    """

    def __init__(self, api: ApiDocument, side: Side, findings: Findings, at: str) -> None:
        self._api = api
        self._flag, self._reason = _HIDDEN_FLAG[side]
        self._findings = findings
        self._at = at
        self._names: dict[str, str] = {}

    def carry(self, schema: JsonValue) -> JsonValue:
        """Copy a schema; its references point into the definitions."""
        return self._copy(schema, frozenset())

    def definitions(self) -> JsonObject:
        """Return every definition that what was carried refers to, the nearest ones first, as `$defs` holds them."""
        carried: JsonObject = {}
        waiting = list(self._names)
        while waiting:
            for reference in waiting:
                name = self._names[reference]
                self._findings.places[f"{self._at}/$defs/{name}"] = reference[1:]
                carried[name] = self._copy(self._target(reference), frozenset())
            waiting = [reference for reference, name in self._names.items() if name not in carried]
        return carried

    def with_definitions(self, schema: JsonValue) -> JsonValue:
        """Copy one whole schema, and put its definitions into it."""
        copy = self.carry(schema)
        definitions = self.definitions()
        return {**copy, "$defs": definitions} if definitions and isinstance(copy, dict) else copy

    def is_hidden(self, schema: JsonValue) -> bool:
        """Say whether a property is no part of this direction."""
        if not isinstance(schema, dict):
            return False
        if schema.get(self._flag) is True or "$ref" not in schema:
            return schema.get(self._flag) is True
        target = self._target(schema["$ref"])
        return isinstance(target, dict) and target.get(self._flag) is True

    def _target(self, reference: JsonValue) -> JsonValue:
        """Follow a reference; one that cannot be followed is an error of the operation."""
        try:
            return self._api.target(reference) if isinstance(reference, str) else {}
        except UnfollowableError as problem:
            self._findings.note("error", "", str(problem), problem.remedy)
            return {}

    def _copy(self, value: JsonValue, hidden: frozenset[str]) -> JsonValue:
        """Copy one schema; `hidden` are the properties that the whole it is a part of does not have."""
        if not isinstance(value, dict):
            return value
        hidden |= self._hidden_names(value, set())
        copy: JsonObject = {}
        for keyword, part in told_apart(value, self._api, self._findings).items():
            if keyword == "$ref" and isinstance(part, str):
                copy.update(self._reference(part))
            elif keyword in _OF_DOCUMENTS or keyword.startswith("x-"):
                self._findings.note("changed", "", f"`{keyword}` says nothing of values: left out")
            else:
                copy[keyword] = self._part(keyword, part, hidden)
        if copy.get("required") == [] and value.get("required"):
            del copy["required"]
        return _without_file_type(copy, self._findings)

    def _part(self, keyword: str, part: JsonValue, hidden: frozenset[str]) -> JsonValue:
        if keyword in SCHEMA:
            return self._copy(part, frozenset())
        if isinstance(part, list):
            return self._listed(keyword, part, hidden)
        if keyword in SCHEMA_MAP and isinstance(part, dict):
            kept = {name: one for name, one in part.items() if keyword != "properties" or name not in hidden}
            return {name: self._copy(one, frozenset()) for name, one in kept.items()}
        return part

    def _listed(self, keyword: str, parts: list[JsonValue], hidden: frozenset[str]) -> list[JsonValue]:
        if keyword == "required":
            return [name for name in parts if name not in hidden]
        if keyword in SCHEMAS:
            return [self._copy(one, hidden if keyword == "allOf" else frozenset()) for one in parts]
        return parts

    def _hidden_names(self, value: JsonValue, seen: set[str]) -> frozenset[str]:
        """Return the properties of a schema, `allOf` and references included, that this direction leaves out."""
        if not isinstance(value, dict):
            return frozenset()
        found: set[str] = set()
        properties = value.get("properties")
        for name, part in properties.items() if isinstance(properties, dict) else ():
            if self.is_hidden(part):
                found.add(name)
                self._findings.note("changed", "", f"the property {shown(name)} is {self._reason}")
        for part in value["allOf"] if isinstance(value.get("allOf"), list) else ():
            found |= self._hidden_names(part, seen)
        reference = value.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            found |= self._hidden_names(self._target(reference), seen)
        return frozenset(found)

    def _reference(self, reference: str) -> JsonObject:
        """Return the reference to a definition, which is carried along."""
        if reference not in self._names:
            if len(self._names) >= MAX_DEFINITIONS:
                message = f"more than {MAX_DEFINITIONS} definitions belong to one schema: the furthest admit any value"
                self._findings.note("lost", "", message)
                return {}
            self._names[reference] = self._free_name(reference)
        return {"$ref": "#" + pointer(("$defs", self._names[reference]))}

    def _free_name(self, reference: str) -> str:
        plain = _NO_NAME.sub("_", reference.rpartition("/")[2]) or "schema"
        taken, name, count = set(self._names.values()), plain, 1
        while name in taken:
            count += 1
            name = f"{plain}_{count}"
        return name


def _without_file_type(schema: JsonObject, findings: Findings) -> JsonObject:
    """Write OpenAPI 2.0's `type: file` as the text that JSON has for bytes."""
    if schema.get("type") != "file":
        return schema
    findings.note("changed", "", "the type file became a string of bytes (`format: binary`)")
    return {"format": "binary", **schema, "type": "string"}
