"""The world of a record: tables of rows, made from its seed when looked at, and what calls changed in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue, digest
from generator.random_streams import SplitMix, derive_seed, stream
from generator.worlds.compiler import Refused
from generator.worlds.program import EntityProgram, Program
from generator.worlds.rows import ABSENT, PLAIN_TYPES, Late, NothingToDraw, Ref, Row, Scope, Source, Taken, stored
from generator.worlds.templates import Template
from generator.worlds.values import exposed


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


_CALL_SECONDS = 7
"""How far the clock of a world goes on with each call."""
_REDRAWS = 40
_MOST_WORK = 200_000
"""What one call may cost, in parts looked at: a hostile domain ends here, at about a quarter of a second."""
_MOST_ROWS = 1_000
"""Rows of one entity."""
_DEEPEST_VIEW = 12

Table = dict[int, Row]


class _Beginning:
    """The tables as the record began, shared by all copies of its world: whoever looks first has them made."""

    __slots__ = ("late", "tables", "taken")

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.taken: dict[str, Taken] = {}
        self.late: dict[str, LateFields] = {}


class World:
    """The rows of each entity, and the clock; a copy costs no row and no table."""

    __slots__ = (
        "_beginning", "_born", "_calls", "_depth", "_owned", "_tables",
        "changes", "held", "locale", "program", "seed", "spent", "today",
    )  # fmt: skip

    def __init__(
        self, program: Program, seed: int, today: date, locale: str, *, beginning: _Beginning | None = None
    ) -> None:
        self.program = program
        self.seed = seed
        self.today = today
        self.locale = locale
        self.changes: tuple[Change, ...] = ()
        """What calls changed so far."""
        self._beginning = beginning or _Beginning()
        self._tables: dict[str, Table] = {}
        """The tables that calls changed."""
        self._owned: set[str] = set()
        """Those of them that no other copy shares."""
        self._calls = 0
        self._born = 0
        self.spent = 0
        self.held = 0
        """How many fields the last call gave the value that they had."""
        self._depth = 0

    def copy(self) -> World:
        """Return a world of the same state that can change on its own."""
        twin = World(self.program, self.seed, self.today, self.locale, beginning=self._beginning)
        twin._tables = dict(self._tables)
        self._owned = set()
        twin.changes = self.changes
        twin._calls = self._calls
        twin._born = self._born
        return twin

    def as_late_as(self, other: World) -> World:
        """Return this state at the time of another: with its clock and the ids of new rows, not what happened to it."""
        twin = self.copy()
        twin.changes = other.changes  # what a result is filled up with depends on how many there were
        twin._calls = other._calls
        twin._born = other._born
        return twin

    def scope(self, **names: Any) -> Scope:
        """Return a scope over this world; `$today`, `$now` and `$me` stand for something in it."""
        return Scope(self, names)

    def known(self, name: str) -> Any:
        """Return what a name stands for in every scope; ABSENT for other names."""
        if name == "today":
            return self.today.isoformat()
        if name == "now":
            return self.now
        return self.me if name == "me" else ABSENT

    @property
    def me(self) -> Any:
        """The row that is the user; ABSENT where the domain names no such entity."""
        if not self.program.me:
            return ABSENT
        return next(iter(self.table(self.program.me).values()), ABSENT)

    @property
    def now(self) -> str:
        """The time of this world, which goes on with each call."""
        start = timedelta(hours=8, minutes=self.seed % 600, seconds=self.seed % 53 + self._calls * _CALL_SECONDS)
        return (datetime.combine(self.today, time()) + start).isoformat() + "Z"

    def tick(self) -> None:
        """Let the time of one call go by."""
        self._calls += 1

    @property
    def calls(self) -> int:
        """How many calls were executed on it."""
        return self._calls

    @property
    def most_work(self) -> int:
        """What one call may cost, in parts looked at."""
        return _MOST_WORK

    def spend(self, work: int) -> bool:
        """Count work that a domain asks for; false once it is more than one call may cost."""
        self.spent += work
        return self.spent <= _MOST_WORK

    @property
    def is_spent(self) -> bool:
        """Whether more work was asked for than one call may cost."""
        return self.spent > _MOST_WORK

    def digest(self) -> str:
        """Return 16 hex digits of the full state, whatever was looked at so far; the clock does not count."""
        return state_digest({name: self.table(name) for name in sorted(self.program.entities)})

    def table(self, entity: str) -> Table:
        """Return the rows of an entity by their numbers."""
        found = self._tables.get(entity)
        if found is None:
            found = self._beginning.tables.get(entity)
            if found is None:
                found = self._as_it_began()._make(self.program.entities[entity])
        return found

    def _as_it_began(self) -> World:
        """Return the world before any call, on which tables are made, whenever they are first looked at."""
        return World(self.program, self.seed, self.today, self.locale, beginning=self._beginning)

    def row(self, ref: Ref) -> Any:
        """Return the row that a reference means; ABSENT where it is gone."""
        entity, number = ref
        table = self._tables.get(entity)
        if table is None:
            table = self._beginning.tables.get(entity)
        return (self.table(entity) if table is None else table).get(number, ABSENT)

    def id_of(self, ref: Ref) -> JsonValue:
        """Return the id that a reference is shown as; null where the row is gone."""
        row = self.row(ref)
        return exposed(self._id(row), self.scope()) if isinstance(row, Row) else None

    def _id(self, row: Row) -> Any:
        return row.get(self.program.entities[row.entity].key)

    def fields_of(self, entity: str) -> tuple[str, ...]:
        """Return the names that lead on from a row: its fields, its parent, and the entity itself."""
        return self.program.compiler.fields_of(entity)

    def sayings(self, entity: str, *, typed: bool) -> tuple[Template, ...]:
        """Return how rows of an entity are called, with or without their ids."""
        program = self.program.entities[entity]
        return (program.say_id if typed else program.say) or program.say or program.say_id

    def show(self, value: Any, view: str) -> JsonValue:
        """Return a row, or each of a list, as results show it."""
        if isinstance(value, list):
            return [self.show(each, view) for each in value]
        if not isinstance(value, Row):
            return value
        scope = Scope(self, {}, None, value)
        written = self.program.entities[value.entity].views.get(view)
        if written is None:
            return exposed({key: field for key, field in value.fields.items() if field is not ABSENT}, scope)
        if self._depth >= _DEEPEST_VIEW or not self.spend(1):  # views that show one another without end
            return None
        self._depth += 1
        try:
            return exposed(written(scope), scope)
        finally:
            self._depth -= 1

    def put(self, row: Row) -> None:
        """Place a row in its table, in place of the one that has its number."""
        before = self.row(row.ref)
        self._own(row.entity)[row.number] = row
        self.changes = (*self.changes, Change(before if isinstance(before, Row) else None, row))

    def remove(self, row: Row) -> None:
        """Take a row out of its table; rows that belong to it go with it, before it."""
        found = self.row(row.ref)
        if not isinstance(found, Row):
            return
        for name, program in self.program.entities.items():
            if program.parent == row.entity:
                for child in [each for each in self.table(name).values() if each.parent == row.ref]:
                    self.remove(child)
        del self._own(row.entity)[row.number]
        self.changes = (*self.changes, Change(found, None))

    def _own(self, entity: str) -> Table:
        """Return a table that can be written to without any other copy seeing it."""
        if entity not in self._owned:
            self._tables[entity] = dict(self.table(entity))
            self._owned.add(entity)
        return self._tables[entity]

    def create(self, entity: str, given: dict[str, Any]) -> Row:
        """Add a row with the fields given and the others from their sources; its id is new.

        Raises:
            Refused: the id that was given is that of another row.
            NothingToDraw: no further id is there, or no row that it could belong to.
        """
        program = self.program.entities[entity]
        if len(self.table(entity)) >= _MOST_ROWS:
            raise NothingToDraw(f"there is no room for another {entity}")
        self._born += 1
        number = len(self._beginning.tables[entity]) + self._born  # never the number of a row that is gone
        random = stream(self.seed, "create", entity, number)
        begins = Scope(self, {}, None, Row(entity, number, given))
        given = {**{key: stored(value(begins)) for key, value in program.new.items()}, **_known(given)}
        row = self._row(program, number, None, random, self._taken(entity), given)
        self._tell_apart(row, given.get(program.key, ABSENT), random)
        self.put(row)
        return row

    def _tell_apart(self, row: Row, named: Any, random: Random) -> None:
        """Give a new row an id that no row has or had; one that it was given, `named`, is only not to be another's."""
        entity = row.entity
        held = {str(self._id(each)) for each in self.table(entity).values()}
        if named is ABSENT:
            gone = [each.before for each in self.changes if each.before is not None and each.before.entity == entity]
            if not self._is_unlike(row, held.union(str(self._id(each)) for each in gone), random):
                raise NothingToDraw(f"there is no further id for another {entity}")
        elif named is not None and str(self._id(row)) in held:
            raise Refused("INVALID_STATE", f"There is a {entity} {self._id(row)} already.")

    def imagine(self, entity: str, given: dict[str, Any], random: Random) -> Row:
        """Return a row that the world does not have, whose id no row has."""
        number = -1 - random.getrandbits(32)
        given = {**self._unused_data(entity, random), **given}
        row = self._row(self.program.entities[entity], number, None, random, self._taken(entity), given)
        if not self._is_unlike(row, {str(self._id(each)) for each in self.table(entity).values()}, random):
            raise NothingToDraw(f"every {entity} that could be is there")
        return row

    def _unused_data(self, entity: str, random: Random) -> dict[str, Any]:
        """Return data that no row has, so that the texts of a further row belong together; {} where there is none."""
        data = self.program.entities[entity].data
        rows = self.table(entity).values() if data else ()
        free = [each for each in data if not any(all(row.get(key) == each[key] for key in each) for row in rows)]
        return dict(random.choice(free)) if free else {}

    def _taken(self, entity: str) -> Taken:
        """Return what the rows of the beginning have, so that a further one is unlike them."""
        self.table(entity)
        begun = self._beginning
        taken = {**begun.taken[entity], **begun.late[entity].taken(len(begun.tables[entity]))}
        return {source: values.copy() for source, values in taken.items()}

    def _is_unlike(self, row: Row, held: set[str], random: Random) -> bool:
        """Give a row another id while one of those held is its own; say whether that came to an end."""
        program = self.program.entities[row.entity]
        source = program.fields.get(program.key)
        for _ in range(_REDRAWS):
            if str(self._id(row)) not in held:
                return True
            if source is None:
                return False
            row.kept[program.key] = stored(source(Scope(self, {}, None, row), random, {}))
        return False

    def _make(self, program: EntityProgram) -> Table:
        """Make the table that the record begins with; a row for which there is nothing to draw is left out."""
        rows: Table = {}
        self._beginning.tables[program.name] = rows  # an entity that refers to itself sees the rows made so far
        taken = self._beginning.taken[program.name] = {}
        random = stream(self.seed, "world", program.name)
        held: set[str] = set()
        planned = self._planned(program, random)
        late = self._beginning.late[program.name] = LateFields(self, program, len(planned))
        for parent, given in planned:
            try:
                row = self._row(program, len(rows) + 1, parent, random, taken, given, late)
                mark = str(row.get(program.key))
                if mark in held:
                    if not self._is_unlike(row, held, random):
                        continue
                    mark = str(row.get(program.key))
            except NothingToDraw:
                continue
            held.add(mark)
            rows[row.number] = row
        return rows

    def _planned(self, program: EntityProgram, random: Random) -> list[tuple[Row | None, dict[str, Any]]]:
        """Return for each row to be made its parent and the data that it begins with."""
        parents: list[Row | None] = list(self.table(program.parent).values()) if program.parent else [None]
        low, high = program.rows
        planned = [parent for parent in parents for _ in range(low + int(random.random() * (high - low + 1)))]
        del planned[_MOST_ROWS:]
        if not program.data:
            return [(parent, {}) for parent in planned]
        data = random.sample(program.data, min(len(planned), len(program.data)))
        return [(parent, dict(given)) for parent, given in zip(planned, data, strict=False)]

    def _row(
        self,
        program: EntityProgram,
        number: int,
        parent: Row | None,
        random: Random,
        taken: Taken,
        given: dict[str, Any],
        late: Late | None = None,
    ) -> Row:
        """Make a row: what is given first, each other field from its source, in their order."""
        if program.parent and parent is None:
            parent = self._parent_of(program, given, random)
        fields = _known(given)
        fields.pop(program.parent, None)  # what a row belongs to is no field of it
        row = Row(program.name, number, fields, parent.ref if parent is not None else None, late)
        sources = program.fields
        if late is not None:
            sources = program.early
            fields = row.fill(program.blank)
        inside = Scope(self, {}, None, row)
        for name, source in sources.items():
            if given.get(name, ABSENT) is ABSENT:
                value = source(inside, random, taken)
                fields[name] = value if type(value) in PLAIN_TYPES else stored(value)
        return row

    def _parent_of(self, program: EntityProgram, given: dict[str, Any], random: Random) -> Row:
        """Return the row that a new one belongs to: the one given under the parent's name, else any."""
        named = given.get(program.parent, ABSENT)
        if isinstance(named, Row):
            return named
        rows = list(self.table(program.parent).values())
        if not rows:
            raise NothingToDraw(f"there is no {program.parent} that a {program.name} could belong to")
        return rows[int(random.random() * len(rows))]


def _known(given: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not ABSENT}


_LEAST_WORK = 100
"""What one field may cost in any case; all of a table together may cost what making a table may."""
_MOST_FIELDS = 1_000
_idle: list[SplitMix] = []
"""Streams that draw nothing at the moment: to make one costs more than what it is for."""


class _Column:
    """A field that tells rows apart: what the first rows have, and how it goes on."""

    __slots__ = ("at", "source", "taken", "values")

    def __init__(self, source: Source, at: int) -> None:
        self.source = source
        self.at = at
        self.taken: Taken = {}
        self.values: list[Any] = []


class LateFields:
    """Draws the fields of one table's rows, in the world as the record began."""

    __slots__ = ("_columns", "_program", "_rows", "_spent", "_start", "_world")

    def __init__(self, world: World, program: EntityProgram, rows: int) -> None:
        self._world = world
        self._program = program
        self._start = derive_seed(world.seed, "late", program.name)
        self._columns: dict[str, _Column] = {}
        self._rows = rows
        self._spent = world.most_work - max(_LEAST_WORK, world.most_work // (1 + rows * len(program.late)))

    def __call__(self, row: Row, key: str) -> Any:
        """Return a field of a row."""
        program = self._program
        if key in program.columns:
            column, number = self._columns.get(key), row.number
            if column is None or len(column.values) < number:  # whoever looks at one looks at the next ones
                column = self._up_to(key, max(number, min(2 * number, self._rows)))
            return column.values[number - 1]
        stream = _idle.pop() if _idle else SplitMix()
        stream.at = self._start + row.number * _MOST_FIELDS + program.places[key]
        world = self._world
        kept, world.spent = world.spent, self._spent
        try:
            value = program.fields[key](Scope(world, {}, None, row), stream, {})
        except NothingToDraw:
            value = ABSENT
        finally:
            world.spent = kept
            _idle.append(stream)
        return value if type(value) in PLAIN_TYPES else stored(value)

    def _up_to(self, key: str, number: int) -> _Column:
        """Draw a field for the rows up to a number, as far as it is not."""
        program = self._program
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = _Column(program.fields[key], self._start + program.places[key])
        if len(column.values) < number:
            stream = _idle.pop() if _idle else SplitMix()
            stream.at = column.at
            scope = Scope(self._world, {})
            while len(column.values) < number:
                try:
                    value = column.source(scope, stream, column.taken)
                except NothingToDraw:
                    value = ABSENT
                column.values.append(value if type(value) in PLAIN_TYPES else stored(value))
            column.at = stream.at
            _idle.append(stream)
        return column

    def taken(self, rows: int) -> Taken:
        """Return what the sources of the columns have given to that many rows, or have left to give."""
        return {key: what for name in self._program.columns for key, what in self._up_to(name, rows).taken.items()}


def changes_between(start: World, end: World) -> JsonObject:
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
