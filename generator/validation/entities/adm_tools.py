"""ADM: Tools, their declarations and schemas, by the rules that loading a tool file keeps too (seeds/004, 4.1 to 4.3).

A file is loaded wherever one safe reading is left; here the specification is taken at its word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.adm.schema import ADM_TYPES, NO_NULLS, SCHEMA_RULES, VERSION_RULES, AdmRule, is_newer_minor
from generator.schemas.adm.tools import DECLARATION_RULES, DECLARATIONS, TOOL_RULES
from generator.schemas.keywords import Path
from generator.validation.rule import Find, Finding, rules_of
from generator.validation.verdict import kind_of
from generator.validation.view import as_list

TYPE_CODES = frozenset({"ADM223", "ADM224"})
"""The rules that tell of a type which is not one of ADM's."""

Part = Literal["tools", "declarations", "schemas", "structures"]


class Structure(NamedTuple):
    """One object inside a Tool, and where it stands."""

    path: Path
    entry: JsonObject


class ToolStructures:
    """The structures of an ADM Tool, whatever JSON it is."""

    def __init__(self, document: JsonValue) -> None:
        self.document = document
        self.tools = [Structure((), document)] if isinstance(document, dict) else []
        self.is_newer = bool(self.tools) and is_newer_minor(document)
        self.misplaced: list[tuple[Path, JsonValue, str]] = []
        """Values that stand where an object has to, with the name of that object."""
        self.declarations: list[Structure] = []
        self.schemas: list[Structure] = []
        field = next((name for name in DECLARATIONS if self.tools and name in document), "")
        for index, declaration in enumerate(as_list(document[field]) if field else []):
            self._keep((field, index), declaration, "a FunctionDeclaration", self.declarations)
        for path, declaration in self.declarations:
            self._walk((*path, "parameters"), declaration.get("parameters"))

    def _walk(self, path: Path, root: JsonValue) -> None:
        waiting = [(path, root)] if root is not None else []
        while waiting:
            at, value = waiting.pop()
            self._keep(at, value, "a Schema", self.schemas)
            if isinstance(value, dict):
                properties = value.get("properties")
                inner = [((*at, "items"), value["items"])] if value.get("items") is not None else []
                named = properties.items() if isinstance(properties, dict) else ()
                inner += [((*at, "properties", name), part) for name, part in named]
                waiting += reversed(inner)

    def _keep(self, path: Path, value: JsonValue, what: str, kept: list[Structure]) -> None:
        if isinstance(value, dict):
            kept.append(Structure(path, value))
        else:
            self.misplaced.append((path, value, what))

    def is_of_new_type(self, entry: JsonObject) -> bool:
        """Say whether a schema has a type that only a newer MINOR version can know, and so a form of its own."""
        kind = entry.get("type")
        return self.is_newer and isinstance(kind, str) and kind not in ADM_TYPES

    @property
    def structures(self) -> list[Structure]:
        """Every object that ADM defines."""
        return [*self.tools, *self.declarations, *self.schemas]


def over(rule: AdmRule, part: Part) -> Find[ToolStructures]:
    """Make the search for what breaks a rule of one structure in every such structure of a Tool."""

    def find(view: ToolStructures) -> Iterator[Finding]:
        structures: list[Structure] = getattr(view, part)
        for path, entry in structures:
            if rule.code not in TYPE_CODES and view.is_of_new_type(entry):
                continue
            for at, message in rule.check(entry):
                yield Finding(pointer((*path, *at)), message)

    return find


def _tool_is_object(view: ToolStructures) -> Iterator[Finding]:
    if not isinstance(view.document, dict):
        yield Finding("", f"a Tool is an object, this is {kind_of(view.document)}")


def _list_has_its_name(view: ToolStructures) -> Iterator[Finding]:
    for _, tool in view.tools:
        if DECLARATIONS[0] not in tool and DECLARATIONS[1] in tool:
            yield Finding(f"/{DECLARATIONS[1]}", f"the list of a Tool is called `{DECLARATIONS[0]}`")


def _parts_are_objects(what: str) -> Find[ToolStructures]:
    def find(view: ToolStructures) -> Iterator[Finding]:
        for path, value, due in view.misplaced:
            if due == what:
                yield Finding(pointer(path), f"{what} is an object, this is {kind_of(value)}")

    return find


def _judged(rules: tuple[AdmRule, ...], part: Part) -> dict[str, Find[ToolStructures]]:
    return {rule.code: over(rule, part) for rule in rules if rule is not NO_NULLS}


TOOL_CHECKS: dict[str, Find[ToolStructures]] = {
    "ADM201": _tool_is_object,
    **_judged(TOOL_RULES, "tools"),
    "ADM207": _parts_are_objects("a FunctionDeclaration"),
    **_judged(DECLARATION_RULES, "declarations"),
    "ADM220": _parts_are_objects("a Schema"),
    **_judged(SCHEMA_RULES, "schemas"),
    "ADM241": _list_has_its_name,
}
"""The checks of an ADM Tool, its declarations and its schemas."""
SHARED_CHECKS: dict[str, Find[ToolStructures]] = {
    NO_NULLS.code: over(NO_NULLS, "structures"),
    **_judged(VERSION_RULES, "tools"),
}
"""The checks that FunctionCalls and ToolResults keep as Tools do: no nulls, and a version that is known."""

TOOL_STRUCTURE_RULES = rules_of("adm_structures", TOOL_CHECKS)
SHARED_RULES = rules_of("adm_structures", SHARED_CHECKS)
