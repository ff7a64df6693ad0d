"""Changes: what calls did to a world, told with the fields before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue, digest
from generator.worlds.rows import ABSENT, Ref, Row


class Change(NamedTuple):
    """One row that a call created (nothing before), deleted (nothing after), or updated."""

    before: Row | None
    after: Row | None

    @property
    def kind(self) -> str:
        """`created`, `deleted` or `updated`."""
        if self.before is None:
            return "created"
        return "deleted" if self.after is None else "updated"


def told(start: World, end: World) -> JsonObject:
    """Return how a world began and ended, by digest, and everything that changed in between."""
    between = end.changes[len(start.changes) :]
    names = _Names(end, between)
    return {"initial": start.digest(), "final": end.digest(), "changes": [_told(change, names) for change in between]}


class _Names:
    """The ids by which references are told, also those of rows that are gone."""

    def __init__(self, world: World, changes: Iterable[Change]) -> None:
        self._world = world
        self._gone = {change.before.ref: change.before for change in changes if change.before is not None}

    def id_of(self, row: Row) -> JsonValue:
        return self.plain(row.get(self._world.program.entities[row.entity].key))

    def plain(self, value: Any) -> JsonValue:
        """Return a field as JSON."""
        if isinstance(value, Ref):
            row = self._world.row(value)
            row = self._gone.get(value) if row is ABSENT else row
            return None if row is None else self.id_of(row)
        if isinstance(value, list):
            return [self.plain(each) for each in value]
        if isinstance(value, dict):
            return {key: self.plain(each) for key, each in value.items()}
        return None if value is ABSENT else value

    def fields(self, row: Row, keys: Iterable[str]) -> JsonObject:
        """Return some fields as JSON; those that the row does not have are left out."""
        return {key: self.plain(row.get(key)) for key in keys if row.get(key) is not ABSENT}


def _told(change: Change, names: _Names) -> JsonObject:
    before, after = change
    row = after or before
    if row is None:
        return {}
    changed = [key for key in _keys(before, after) if _differs(key, before, after)]
    return {
        "change": change.kind,
        "entity": row.entity,
        "id": names.id_of(row),
        **({"before": names.fields(before, changed)} if before is not None else {}),
        **({"after": names.fields(after, changed)} if after is not None else {}),
    }


def _keys(before: Row | None, after: Row | None) -> list[str]:
    return list(dict.fromkeys([*(before.fields if before else ()), *(after.fields if after else ())]))


def _differs(key: str, before: Row | None, after: Row | None) -> bool:
    return before is None or after is None or before.get(key) != after.get(key)


def state_digest(tables: Mapping[str, Mapping[int, Row]]) -> str:
    """Return 16 hex digits of the full state: every row with its fields, whatever order they were made in."""
    return digest(
        {
            name: [[number, _stable(row.parent), _stable(row.fields)] for number, row in sorted(rows.items())]
            for name, rows in tables.items()
        }
    )


def _stable(value: Any) -> JsonValue:
    if isinstance(value, dict):
        return {key: _stable(each) for key, each in value.items() if each is not ABSENT}
    if isinstance(value, tuple | list):
        return [_stable(each) for each in value]
    return None if value is ABSENT else value
