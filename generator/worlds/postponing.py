"""Postponing: which fields of an entity can be drawn as late as when somebody looks at them.

A field that tells rows apart is drawn with its table, and so is one for which there may be nothing to draw: its row
is left out. Any other field is the same whenever it is drawn, as long as it sees the same world.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.domains.domain import Domain, Entity
from generator.jsontext import JsonValue
from generator.worlds.settings import is_clock, is_number, is_whole
from generator.worlds.sources import source_name

_NAME = re.compile(r"[^\W\d]\w*")
_TEXTS = ("text", "$text", "$calc")
"""Keys whose values are templates or formulas: any word in them may be a name."""
_COSTLY = ("$each", "$where", "$sort", "list")
_FARTHEST = 100_000
"""Days from today that every calendar has, either way."""


def leads(domain: Domain) -> dict[str, set[str]]:
    """Return by entity those that must be made before it: what it belongs to, and what its fields refer to."""
    return {
        name: (_refers(list(entity.fields.values())) | ({entity.parent} if entity.parent else set()))
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


def postponed(domain: Domain) -> dict[str, frozenset[str]]:
    """Return by entity the fields that are drawn when they are first looked at."""
    ahead = leads(domain)
    found = {}
    for name, entity in domain.entities.items():
        circular = name in _all_ahead(ahead[name], ahead)
        found[name] = frozenset() if circular else frozenset(_Fields(domain, name, entity).late())
    return found


def _all_ahead(names: set[str], ahead: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += ahead[name]
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
            if field != self._entity.key and self._is_sure(spec) and not unseen & set(_names(spec)):
                yield field
            unseen.discard(field)

    def _is_sure(self, spec: JsonValue) -> bool:
        """Say whether a source gives a value whatever happens, cheaply, and whatever it gave to other rows."""
        if any(key in part for part in _objects(spec) for key in _COSTLY):
            return False
        if not isinstance(spec, dict):
            return True
        name = source_name(spec)
        if not name:
            return True
        if name == "maybe":
            return not any(source_name(part) in _DISTINCT for part in _objects(spec))
        if name == "one_of":
            return isinstance(spec["one_of"], list) and all(map(self._is_sure_part, spec["one_of"]))
        if name == "ref":
            return spec.keys() == {"ref"} and _has_rows(spec["ref"], self._domain)
        if name in ("day", "moment"):
            return _is_days(spec[name]) and self._is_day(spec.get("from", "$today"))
        return name in _SURE and _SURE[name](spec)

    def _is_sure_part(self, spec: JsonValue) -> bool:
        return not (isinstance(spec, dict) and "one_of" in spec) and self._is_sure(spec)

    def _is_day(self, start: JsonValue) -> bool:
        """Say whether what a day is counted from is one: today, or a field that is."""
        if start == "$today":
            return True
        spec = self._entity.fields.get(start[1:]) if isinstance(start, str) else None
        is_day = isinstance(spec, dict) and source_name(spec) in ("day", "moment") and "as" not in spec
        given = any(isinstance(start, str) and start[1:] in row for row in self._entity.data)
        return is_day and not given and isinstance(spec, dict) and "from" not in spec and self._is_sure(spec)


_DISTINCT = frozenset({"pool", "faker", "pattern", "ref", "row", "rows", "new", "schema"})
"""Sources that may give what tells rows apart, or look through a world."""


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
    numbers = is_number(low) and is_number(high) and -1e15 <= low and high <= 1e15
    return bool((whole if key == "integer" else numbers) and low <= high)


def _is_days(value: Any) -> bool:
    low, high = _pair(value)
    return is_whole(low, -_FARTHEST, _FARTHEST) and is_whole(high, -_FARTHEST, _FARTHEST) and low <= high


def _is_clocks(value: Any) -> bool:
    low, high = _pair(value)
    return is_clock(low) and is_clock(high) and low <= high


_SURE = {
    "integer": lambda spec: _is_span(spec, "integer"),
    "number": lambda spec: _is_span(spec, "number"),
    "clock": lambda spec: _is_clocks(spec["clock"]),
    "text": lambda spec: "<" not in str(spec["text"]),
    "chance": lambda spec: True,
    "from": lambda spec: True,
    "wording": lambda spec: True,
}
"""By source that needs nothing but what it says: whether it always gives a value."""


def _has_rows(name: Any, domain: Domain) -> bool:
    """Say whether every world has rows of an entity: its first row cannot be left out."""
    seen: set[str] = set()
    while isinstance(name, str) and name not in seen:
        entity = domain.entities.get(name)
        if entity is None:
            return False
        seen.add(name)
        low = entity.rows[0] if isinstance(entity.rows, tuple) else entity.rows
        fields = _Fields(domain, name, entity)
        if low < 1 or not all(fields._is_sure(spec) or _is_given(spec) for spec in entity.fields.values()):
            return False
        if not entity.parent:
            return True
        name = entity.parent
    return False


def _is_given(spec: JsonValue) -> bool:
    """Say whether a source gives a value, if perhaps one that an earlier row has."""
    return isinstance(spec, dict) and source_name(spec) in ("pool", "faker", "pattern")
