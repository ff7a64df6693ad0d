"""Leaves: the values of a call's arguments one by one, and what becomes of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.places import Path, declared_at
from generator.validation.grounding.sources import Grounding
from generator.validation.verdict import Severity
from generator.validation.view import CallView


class Leaf(NamedTuple):
    """One value of a call: a string, number, boolean or null, or a key that its schema does not name."""

    path: Path
    value: JsonValue
    is_key: bool = False


class Grounded(NamedTuple):
    """A leaf of a call and where it comes from, None where nothing explains it."""

    call: CallView
    leaf: Leaf
    grounding: Grounding | None
    at_most: Severity = "error"
    """How bad it is at most that nothing explains it."""
    misplaced: str = ""
    """Why it stands in the wrong place, where what was said explains it and yet means another; else ""."""

    @property
    def pointer(self) -> str:
        """JSON pointer of the leaf from the root of the record."""
        return self.call.arguments_pointer + pointer(self.leaf.path)


pointer_of = lru_cache(maxsize=4096)(pointer)
"""The pointer of a path: the same few occur in every record."""
_HOLDERS = frozenset({dict, list})


def entry_of(grounding: Grounding) -> JsonObject:
    """Return a grounding as the metadata of a record hold it."""
    return {"rung": grounding.rung, "where": grounding.where, "text": grounding.text}


def place_of(leaf: Leaf) -> str:
    """Return by what the metadata of a record know a leaf of a call."""
    place = pointer(leaf.path)
    return f"{place} (key)" if leaf.is_key else place


def leaves_of(call: CallView) -> Iterator[Leaf]:
    """Yield the leaves of a call's arguments in their order."""
    arguments = call.arguments or {}
    if _HOLDERS.isdisjoint(map(type, arguments.values())):
        yield from _keys(call, (), arguments)
        yield from (Leaf((name,), value) for name, value in arguments.items() if value != "")
        return
    waiting: list[tuple[Path, JsonValue]] = [((), arguments)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            yield from _keys(call, path, value)
            waiting.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in range(len(value) - 1, -1, -1))
        elif value != "":
            yield Leaf(path, value)


def _keys(call: CallView, path: Path, value: dict[str, JsonValue]) -> Iterator[Leaf]:
    """Yield the keys that the schema does not name: the author chose them, and so they are values."""
    if call.tool is not None and not value.keys() <= (declared := declared_at(call.tool, path)):
        yield from (Leaf((*path, key), child, True) for key, child in value.items() if key not in declared)
