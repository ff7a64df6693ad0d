"""Which fields of an entity can be drawn as late as when somebody looks at them, by what its sources read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from generator.domains.domain import Domain, Entity
from generator.jsontext import JsonValue
from generator.worlds.compiler import is_clock, is_number, is_whole
from generator.worlds.sources import source_name

_NAME = re.compile(r"[^\W\d]\w*")
_TEXTS = ("text", "$text", "$calc")
"""Keys whose values are templates or formulas: any word in them may be a name."""
_DEEPEST = 4
"""Sources in one another, and references after one another, that are followed."""
_FARTHEST = 100_000
"""Days from today that every calendar has, either way."""


def leads(domain: Domain) -> dict[str, set[str]]:
    """Return by entity those that must be made before it: what it belongs to, and what its fields refer to."""
    return {
        name: (_refers(list(entity.fields.values())) - {name} | ({entity.parent} if entity.parent else set()))
        & domain.entities.keys()
        for name, entity in domain.entities.items()
    }


def _refers(sources: JsonValue) -> set[str]:
    """Return the entities whose rows are drawn, at any depth."""
    return {
        value[key]
        for value in _objects(sources)
        for key in ("ref", "row", "rows")
        if isinstance(value.get(key), str)
    }  # fmt: skip


def _objects(value: JsonValue) -> Iterator[dict[str, Any]]:
    """Yield every object in a value."""
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else []


@dataclass(frozen=True, slots=True)
class Postponed:
    """The fields of one entity that are drawn when they are first looked at."""

    fields: frozenset[str] = frozenset()
    """Those that are drawn one by one."""
    columns: frozenset[str] = frozenset()
    """Those that tell rows apart: drawn for one row after the other."""


def postponed(domain: Domain) -> dict[str, Postponed]:
    """Return by entity what is drawn when it is first looked at."""
    ahead = leads(domain)
    found = {}
    for name, entity in domain.entities.items():
        fields = _Fields(domain, name, entity)
        circular = name in _all_ahead(ahead[name] | _refers(list(entity.fields.values())), ahead)
        found[name] = Postponed() if circular else Postponed(frozenset(fields.late()), frozenset(fields.columns()))
    return found


def _all_ahead(names: set[str], ahead: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += ahead.get(name, ())
    return found


class _Fields:
    """The fields of one entity, and what is known of them."""

    def __init__(self, domain: Domain, name: str, entity: Entity) -> None:
        self._domain = domain
        self._name = name
        self._entity = entity

    def late(self) -> Iterator[str]:
        """Yield those that can be drawn late: they see no field that comes after them."""
        unseen = {*self._entity.fields, self._name, "me"}
        for field, spec in self._entity.fields.items():
            if (
                field != self._entity.key
                and self._can_wait(spec)
                and self.is_sure(spec)
                and not unseen & set(_names(spec))
            ):
                yield field
            unseen.discard(field)

    def columns(self) -> Iterator[str]:
        """Yield those that tell rows apart, and depend on nothing else."""
        for field, spec in self._entity.fields.items():
            others = [each for name, each in self._entity.fields.items() if name != field]
            if field != self._entity.key and _is_apart(spec) and not _memories(spec) & _memories(others):
                yield field

    def _can_wait(self, spec: JsonValue) -> bool:
        """Say whether a source gives a value whatever it gave to other rows; a list has its own memory of that."""
        if not isinstance(spec, dict) or source_name(spec) == "list":
            return True
        return not any(source_name(part) in _DISTINCT and part.keys() != {"ref"} for part in _objects(spec))

    def is_sure(self, spec: JsonValue, depth: int = 0) -> bool:
        """Say whether a source gives a value whatever the world is like."""
        name = source_name(spec) if isinstance(spec, dict) else ""
        if not isinstance(spec, dict) or not name or name in ("maybe", *_ALWAYS):
            return True
        if name in ("one_of", "list"):
            parts = spec[name] if name == "one_of" else [spec[name]]
            return depth < _DEEPEST and isinstance(parts, list) and all(self.is_sure(each, depth + 1) for each in parts)
        if name == "ref":
            return "where" not in spec and _has_rows(spec["ref"], self._domain, depth + 1)
        if name in ("day", "moment"):
            return _is_days(spec[name]) and self._is_day(spec.get("from", "$today"))
        return name in _SURE and _SURE[name](spec)

    def _is_day(self, start: JsonValue) -> bool:
        """Say whether what a day is counted from is one: today, or a field that is."""
        if start == "$today":
            return True
        spec = self._entity.fields.get(start[1:]) if isinstance(start, str) else None
        is_day = isinstance(spec, dict) and source_name(spec) in ("day", "moment") and "as" not in spec
        given = any(isinstance(start, str) and start[1:] in row for row in self._entity.data)
        return is_day and not given and isinstance(spec, dict) and "from" not in spec and self.is_sure(spec)


_DISTINCT = frozenset({"pool", "faker", "pattern", "ref", "row", "rows", "new", "schema"})
"""Sources that give what tells rows apart, or look through a world; a plain `ref` does neither."""


_APART = ("pool", "faker", "pattern")


def _is_apart(spec: JsonValue) -> bool:
    """Say whether a source draws without repetition, and looks at nothing."""
    if not isinstance(spec, dict):
        return False
    if source_name(spec) == "one_of" and isinstance(spec["one_of"], list):
        return all(isinstance(each, dict) and source_name(each) in _APART for each in spec["one_of"])
    return source_name(spec) in _APART


def _memories(spec: JsonValue) -> set[str]:
    """Return what a source shares its memory of what it gave by, with others of the same row."""
    return {f"{key} {part[key]}" for part in _objects(spec) for key in ("faker", "pattern") if key in part}


def _names(spec: JsonValue) -> Iterator[str]:
    """Yield the names that a source may look at."""
    waiting: list[tuple[Any, bool]] = [(spec, False)]
    while waiting:
        value, is_text = waiting.pop()
        if isinstance(value, str):
            yield from _NAME.findall(value) if is_text or value.startswith("$") else ()
        elif isinstance(value, dict):
            waiting += [(each, is_text or key in _TEXTS) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(each, is_text) for each in value]


def _pair(value: Any) -> tuple[Any, Any]:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (None, None)


def _is_span(spec: dict[str, Any], key: str) -> bool:
    """Say whether there is a number between two constant bounds."""
    low, high = _pair(spec[key])
    whole = is_whole(low, -(10**15), 10**15) and is_whole(high, -(10**15), 10**15)
    numbers = is_number(low) and is_number(high) and low >= -1e15 and high <= 1e15
    return bool((whole if key == "integer" else numbers) and low <= high)


def _is_days(value: Any) -> bool:
    low, high = _pair(value)
    return is_whole(low, -_FARTHEST, _FARTHEST) and is_whole(high, -_FARTHEST, _FARTHEST) and low <= high


def _is_clocks(value: Any) -> bool:
    low, high = _pair(value)
    return is_clock(low) and is_clock(high) and low <= high


_ALWAYS = ("text", "chance", "from", "wording", "pool", "faker", "pattern")
_SURE = {
    "integer": lambda spec: _is_span(spec, "integer"),
    "number": lambda spec: _is_span(spec, "number"),
    "clock": lambda spec: _is_clocks(spec["clock"]),
}
"""By source that needs nothing but what it says: whether it always gives a value."""


def _has_rows(name: Any, domain: Domain, depth: int) -> bool:
    """Say whether every world has rows of an entity: its first row cannot be left out."""
    for _ in range(_DEEPEST):
        entity = domain.entities.get(name) if isinstance(name, str) and depth < _DEEPEST else None
        if entity is None:
            return False
        low = entity.rows[0] if isinstance(entity.rows, tuple) else entity.rows
        fields = _Fields(domain, name, entity)
        if low < 1 or not all(fields.is_sure(spec, depth) for spec in entity.fields.values()):
            return False
        if not entity.parent:
            return True
        name = entity.parent
    return False
