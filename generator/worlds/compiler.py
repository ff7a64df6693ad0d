"""What compiling a domain's texts and values needs to know: its names, and where to put what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from generator.domains.domain import Domain
from generator.domains.faults import Faults
from generator.jsontext import JsonValue
from generator.worlds.rows import Scope

Path = tuple[str | int, ...]
Value = Callable[[Scope], Any]
"""A compiled expression: gives the value, or ABSENT."""

Types = Mapping[str, str]
"""The names in scope: each with the entity that it is a row of, or "" where it is something else."""

_DEEPEST = 60
"""Keys and places that may lead to a part of a domain file: what nests deeper is no work of anybody."""

ALWAYS = {"today": "", "now": "", "args": ""}
"""Names that are always in scope."""


class CompileConditions(Protocol):
    """Compiles a list of conditions; `entity` is that of the row whose fields the left sides are."""

    def __call__(
        self, lines: JsonValue, path: Path, compiler: Compiler, entity: str | None = None
    ) -> Callable[[Scope], bool]:
        """Return what tests them in a scope."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What compiles the parts that values may hold and that hold values themselves."""

    conditions: CompileConditions
    text: Callable[[str, Path, Compiler], Value]
    """A template, written without a word about who is speaking."""
    drawn: Callable[[JsonValue, Path, Compiler], Value]
    """A source, drawn from the record's seed and the arguments."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A domain, the names in scope, and the faults found so far."""

    domain: Domain
    faults: Faults
    parts: Parts
    types: Types = field(default_factory=lambda: dict(ALWAYS))
    open: bool = False
    """Whether names may be in scope that are not known here, such as the keys of a result."""
    _fields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The names that lead on from the rows looked at so far, by entity."""

    def naming(self, types: Types, *, open: bool | None = None) -> Compiler:  # noqa: A002 - the field's own name
        """Return a compiler with further names in scope."""
        return replace(self, types={**self.types, **types}, open=self.open if open is None else open)

    def of_row(self, entity: str) -> Compiler:
        """Return a compiler inside a row: its fields are names of their own."""
        return self.naming({name: self.field_type(entity, name) for name in self.fields_of(entity)})

    def fields_of(self, entity: str) -> tuple[str, ...]:
        """Return the names that lead on from a row: its fields, its parent, and the entity itself."""
        if (known := self._fields.get(entity)) is not None:
            return known
        found = self.domain.entities.get(entity)
        if found is None:
            return ()
        data = {name: None for row in found.data for name in row}
        parent = [found.parent] if found.parent else []
        names = tuple(dict.fromkeys([*data, *found.fields, found.key, *parent, entity]))
        self._fields[entity] = names
        return names

    def field_type(self, entity: str, name: str) -> str:
        """Return the entity that a field refers to; "" where it holds a plain value."""
        found = self.domain.entities.get(entity)
        if found is None:
            return ""
        if name in (found.parent, entity):
            return name
        source = found.fields.get(name)
        if isinstance(source, dict):
            target = source.get("ref") or source.get("row")
            return target if isinstance(target, str) else ""
        return ""

    def type_at(self, keys: list[str]) -> str:
        """Return the entity of the row that a path leads to; "" where it leads to something else."""
        entity = self.types.get(keys[0], "")
        for key in keys[1:]:
            entity = self.field_type(entity, key) if entity else ""
        return entity if entity in self.domain.entities else ""

    def is_too_deep(self, path: Path) -> bool:
        """Note a fault where a value nests too deeply to be followed."""
        if len(path) <= _DEEPEST:
            return False
        self.faults.add(path[:8], "nested too deeply", f"at most {_DEEPEST} levels")
        return True

    def check_path(self, keys: list[str], path: Path) -> None:
        """Note a fault where a path begins with no known name or leaves a row by no field of it."""
        name, rest = keys[0], keys[1:]
        if name not in self.types:
            if not self.open:
                self.faults.unknown(path, "name", f"${name}", [f"${known}" for known in self.types])
            return
        entity = self.types[name]
        for key in rest:
            if entity not in self.domain.entities:  # something else, or an entity whose name is a fault already
                return
            fields = self.fields_of(entity)
            if key not in fields:
                self.faults.unknown(path, f"field of {entity}", key, fields)
                return
            entity = self.field_type(entity, key)
