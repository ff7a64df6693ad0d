"""Schemas out of an OpenAPI document: each with the definitions it refers to under `$defs`, for one direction.

Read-only properties are no part of a request and write-only ones no part of a result (OpenAPI 3.0.3, 4.7.24.2).
"""

from __future__ import annotations

import re
from typing import Literal

from generator.formats.openapi_document import ApiDocument, Findings, UnfollowableError
from generator.formats.openapi_unions import told_apart
from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import SCHEMA, SCHEMA_MAP, SCHEMAS
from generator.schemas.node import shown

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
            elif keyword == "required" and isinstance(part, list):
                copy[keyword] = [name for name in part if name not in hidden]
            else:
                copy[keyword] = self._part(keyword, part, hidden)
        if copy.get("required") == [] and value.get("required"):
            del copy["required"]
        return _without_file_type(copy, self._findings)

    def _part(self, keyword: str, part: JsonValue, hidden: frozenset[str]) -> JsonValue:
        if keyword in SCHEMA:
            return self._copy(part, frozenset())
        if keyword in SCHEMAS and isinstance(part, list):
            return [self._copy(one, hidden if keyword == "allOf" else frozenset()) for one in part]
        if keyword in SCHEMA_MAP and isinstance(part, dict):
            kept = {name: one for name, one in part.items() if keyword != "properties" or name not in hidden}
            return {name: self._copy(one, frozenset()) for name, one in kept.items()}
        return part

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
