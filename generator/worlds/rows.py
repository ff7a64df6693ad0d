"""The rows of a world, how they refer to each other, what they are drawn from, and the scopes of their names."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from generator.jsontext import JsonValue

_LONGEST_PLACE = 8
"""Digits of a place in a list."""


class Absent:
    """What a name stands for that nobody gave a value: an optional argument, a path that leads nowhere."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


UNDRAWN: Final = object()
"""What stands in a row for a field that nobody has looked at."""

PLAIN_TYPES: Final = frozenset({str, int, float, bool, type(None)})
"""Types of values that are what they are: no reference, and nothing that holds one."""


class Ref(NamedTuple):
    """A field that refers to a row of another entity."""

    entity: str
    number: int


class Late(Protocol):
    """Draws the fields of rows that nobody has looked at: the same values, however late."""

    def __call__(self, row: Row, key: str) -> Any:
        """Return a field of a row."""
        ...


class Row:
    """One thing: never changed, but replaced in its table by a row of the same number."""

    __slots__ = ("_late", "entity", "kept", "number", "parent")

    def __init__(
        self, entity: str, number: int, fields: dict[str, Any], parent: Ref | None = None, late: Late | None = None
    ) -> None:
        self.entity = entity
        self.number = number
        self.kept = fields
        """The fields as far as they are drawn, with UNDRAWN for the others."""
        self._late = late
        self.parent = parent

    @property
    def fields(self) -> dict[str, Any]:
        """All fields; those that nobody has looked at are drawn."""
        if self._late is not None:
            for key in [key for key, value in self.kept.items() if value is UNDRAWN]:
                self.get(key)
        return self.kept

    def fill(self, blank: dict[str, Any]) -> dict[str, Any]:
        """Give the row the fields of a blank one, behind those that it has."""
        self.kept = {**self.kept, **blank, **self.kept} if self.kept else blank.copy()
        return self.kept

    def get(self, key: str) -> Any:
        """Return one field; ABSENT where the row does not have it."""
        found = self.kept.get(key, ABSENT)
        if found is UNDRAWN and self._late is not None:
            self.kept[key] = ABSENT  # while it is drawn it is not there
            found = self.kept[key] = self._late(self, key)
        return found

    @property
    def ref(self) -> Ref:
        """What other rows refer to it by."""
        return Ref(self.entity, self.number)

    def __repr__(self) -> str:
        return f"{self.entity} {self.number}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and (self.entity, self.number) == (other.entity, other.number)

    def __hash__(self) -> int:
        return hash((self.entity, self.number))


class Worded:
    """A value with the words that say it and the conditions that it means."""

    __slots__ = ("means", "say", "value")

    def __init__(self, value: JsonValue, say: tuple[str, ...], means: Any) -> None:
        self.value = value
        self.say = say
        self.means = means

    def __repr__(self) -> str:
        return f"worded {self.value!r}"


class WorldState(Protocol):
    """What expressions, sources and effects see of the world that they are evaluated on."""

    @property
    def seed(self) -> int:
        """The record's."""
        ...

    @property
    def today(self) -> date:
        """The reference date."""
        ...

    @property
    def locale(self) -> str:
        """The language of the texts in it."""
        ...

    @property
    def me(self) -> Any:
        """The row that is the user; ABSENT where there is none."""
        ...

    held: int
    """How many fields the last call gave the value that they had."""

    def known(self, name: str) -> Any:
        """Return what a name stands for in every scope; ABSENT for other names."""
        ...

    def row(self, ref: Ref) -> Any:
        """Return the row that a reference means; ABSENT where it is gone."""
        ...

    def table(self, entity: str) -> Mapping[int, Row]:
        """Return the rows of an entity by their numbers."""
        ...

    def id_of(self, ref: Ref) -> JsonValue:
        """Return the id that a reference is shown as; null where the row is gone."""
        ...

    def fields_of(self, entity: str) -> tuple[str, ...]:
        """Return the names that lead on from a row: its fields, its parent, and the entity itself."""
        ...

    def sayings(self, entity: str, *, typed: bool) -> tuple[Any, ...]:
        """Return the templates by which rows of an entity are called, with or without their ids."""
        ...

    def show(self, value: Any, view: str) -> JsonValue:
        """Return a row, or each of a list, as results show it."""
        ...

    def spend(self, work: int) -> bool:
        """Count work that a domain asks for; false once it is more than one call may cost."""
        ...

    def put(self, row: Row) -> None:
        """Place a row in its table, in place of the one that has its number."""
        ...

    def remove(self, row: Row) -> None:
        """Take a row out of its table, with those that belong to it."""
        ...

    def create(self, entity: str, given: dict[str, Any]) -> Row:
        """Add a row with the fields given and the others from their sources."""
        ...

    def imagine(self, entity: str, given: dict[str, Any], random: Random) -> Row:
        """Return a row that the world does not have, whose id no row has."""
        ...


class Scope:
    """The names that an expression sees: its own, then those of a row or an object, then those around it.

    Behind them all stand the names that every world knows: `today`, `now` and `me`.
    """

    __slots__ = ("around", "it", "names", "world")

    def __init__(self, world: WorldState, names: dict[str, Any], around: Scope | None = None, it: Any = ABSENT) -> None:
        self.world = world
        self.names = names
        self.around = around
        self.it = it

    def get(self, name: str) -> Any:
        """Return what a name stands for; ABSENT where it stands for nothing."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name, ABSENT)
            if found is not ABSENT:
                return found
            it = scope.it
            if it is not ABSENT:
                found = step(it, name, self.world)
                if found is not ABSENT:
                    return found
            scope = scope.around
        return self.world.known(name)

    def inside(self, it: Any, /, **names: Any) -> Scope:
        """Return the scope of a row or an object within this one."""
        return Scope(self.world, names, self, it)


def step(value: Any, key: str, world: WorldState) -> Any:
    """Go one key further: into a row's fields or parent, an object's keys, a list's places, or each of a list."""
    if type(value) is Row:
        found = value.kept.get(key, ABSENT)
        return found if type(found) in PLAIN_TYPES else _of_row(value, key, found, world)
    if isinstance(value, dict):
        return resolved(value.get(key, ABSENT), world)
    if isinstance(value, list):
        return _of_list(value, key, world)
    if isinstance(value, Worded):
        return value.value if key == "value" else step(value.value, key, world)
    return ABSENT


def _of_row(row: Row, key: str, found: Any, world: WorldState) -> Any:
    if found is UNDRAWN:
        found = row.get(key)
        if type(found) in PLAIN_TYPES:
            return found
    if found is not ABSENT:
        return resolved(found, world)
    if row.parent is not None and key == row.parent.entity:
        return world.row(row.parent)
    return row if key == row.entity else ABSENT


_ENDS = {"first": 0, "last": -1}


def _place(key: str) -> int | None:
    """Return the place of a list that a key means, from the end where it is negative; None where it is no place."""
    if key.isascii() and key.removeprefix("-").isdecimal() and len(key) < _LONGEST_PLACE:
        return int(key)
    return _ENDS.get(key)


def _of_list(values: list[Any], key: str, world: WorldState) -> Any:
    place = _place(key)
    if place is not None:
        return resolved(values[place], world) if -len(values) <= place < len(values) else ABSENT
    found = [step(resolved(value, world), key, world) for value in values]
    return [value for value in found if value is not ABSENT]


def resolved(value: Any, world: WorldState) -> Any:
    """Return the row that a reference means; the rows of a list of references, without those that are gone."""
    if isinstance(value, Ref):
        return world.row(value)
    if isinstance(value, list) and value and isinstance(value[0], Ref):
        rows = [world.row(each) if isinstance(each, Ref) else each for each in value]
        return [row for row in rows if row is not ABSENT]
    return value


def stored(value: Any) -> Any:
    """Return a value as a field keeps it: a row by its reference, a worded value by the value."""
    if isinstance(value, Row):
        return value.ref
    if isinstance(value, Worded):
        return value.value
    if isinstance(value, list):
        return [stored(each) for each in value]
    if isinstance(value, dict):
        return {key: stored(each) for key, each in value.items()}
    return value


Taken = dict[Hashable, Any]
"""What the sources of one table have given already, or have left to give, so that its rows differ."""
Source = Callable[[Scope, Random, Taken], Any]

_MOST_TRIES = 24


class NothingToDraw(Exception):
    """No row or value is there for a draw: the way cannot be gone in this world."""


def picked(taken: Taken, source: Hashable, entries: Sequence[Any], random: Random) -> Any:
    """Return an entry that this source has not given in this table; once all are given, they begin anew."""
    left = taken.get(source)
    if not left:
        left = taken[source] = list(entries)
    place = int(random.random() * len(left))
    left[place], left[-1] = left[-1], left[place]
    return left.pop()


def distinct(taken: Taken, source: Hashable, make: Callable[[Random], Any], random: Random) -> Any:
    """Return a value that this source has not given in this table, as far as there is one."""
    before = taken.get(source)
    if before is None:
        before = taken[source] = set()
    value = make(random)
    for _ in range(_MOST_TRIES):
        mark = repr(value) if isinstance(value, list | dict) else value
        if mark not in before:
            before.add(mark)
            break
        value = make(random)
    return value
