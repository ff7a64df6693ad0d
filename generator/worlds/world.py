"""World: the state of one record. Tables of rows, made from the record's seed when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from generator.jsontext import JsonValue
from generator.streams import stream
from generator.worlds.rows import ABSENT, Ref, Row, Scope
from generator.worlds.sources import NothingToDraw, Taken, TooMuch
from generator.worlds.values import exposed

if TYPE_CHECKING:
    from generator.worlds.program import EntityProgram, Program
    from generator.worlds.templates import Template

_CALL_SECONDS = 7
"""How far the clock of a world goes on with each call."""
_REDRAWS = 40
_MOST_STEPS = 60_000
"""What one call, or one look at a world, may take: of loops, rows and values."""
_DEEPEST_VIEW = 12


class World:
    """The rows of each entity, and the clock; a copy costs its tables, not its rows."""

    __slots__ = ("_calls", "_depth", "_steps", "_tables", "changes", "locale", "program", "seed", "today")

    def __init__(self, program: Program, seed: int, today: date, locale: str) -> None:
        self.program = program
        self.seed = seed
        self.today = today
        self.locale = locale
        self.changes: tuple[JsonValue, ...] = ()
        """What calls changed so far: `{"change": "created", "entity": ..., "id": ...}`."""
        self._tables: dict[str, dict[int, Row]] = {}
        self._calls = 0
        self._steps = 0
        self._depth = 0

    def copy(self) -> World:
        """Return a world of the same state that can change on its own."""
        twin = World(self.program, self.seed, self.today, self.locale)
        twin._tables = {name: dict(rows) for name, rows in self._tables.items()}
        twin.changes = self.changes
        twin._calls = self._calls
        return twin

    def scope(self, **names: Any) -> Scope:
        """Return a scope over this world in which `$today`, `$now` and `$me` stand for something."""
        known: dict[str, Any] = {"today": self.today.isoformat(), "now": self.now}
        if self.program.me and (rows := self.table(self.program.me)):
            known["me"] = next(iter(rows.values()))
        return Scope(self, {**known, **names})

    @property
    def now(self) -> str:
        """The time of this world, which goes on with each call."""
        start = timedelta(hours=8, minutes=self.seed % 600, seconds=self.seed % 53 + self._calls * _CALL_SECONDS)
        return (datetime.combine(self.today, time()) + start).isoformat() + "Z"

    def tick(self) -> None:
        """Let the time of one call go by."""
        self._calls += 1

    def strain(self, steps: int = 1) -> None:
        """Count what is done on this world.

        Raises:
            TooMuch: it is more than any sensible domain needs.
        """
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise TooMuch("this takes more steps than a call may take")

    @property
    def calls(self) -> int:
        """How many calls were executed on it."""
        return self._calls

    def table(self, entity: str) -> dict[int, Row]:
        """Return the rows of an entity by their numbers."""
        found = self._tables.get(entity)
        if found is None:
            found = self._tables[entity] = self._made(self.program.entities[entity])
        return found

    def row(self, ref: Ref) -> Any:
        """Return the row that a reference means; ABSENT where it is gone."""
        return self.table(ref.entity).get(ref.number, ABSENT)

    def id_of(self, ref: Ref) -> JsonValue:
        """Return the id that a reference is shown as; null where the row is gone."""
        row = self.row(ref)
        return row.fields.get(self.program.entities[ref.entity].key) if isinstance(row, Row) else None

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
        scope = self.scope().inside(value)
        written = self.program.entities[value.entity].views.get(view)
        if self._depth >= _DEEPEST_VIEW:
            raise TooMuch(f"the view {view!r} of {value.entity} shows itself")
        self._depth += 1
        try:
            if written is not None:
                return exposed(written(scope), scope)
            return {key: exposed(field, scope) for key, field in value.fields.items() if field is not ABSENT}
        finally:
            self._depth -= 1

    def put(self, row: Row) -> None:
        """Place a row in its table, in place of the one that has its number."""
        self.table(row.entity)[row.number] = row

    def remove(self, row: Row) -> None:
        """Take a row out of its table; rows that belong to it go with it."""
        self.table(row.entity).pop(row.number, None)
        for name, program in self.program.entities.items():
            if program.parent == row.entity:
                for child in [each for each in self.table(name).values() if each.parent == row.ref]:
                    self.remove(child)

    def note(self, change: str, row: Row, **details: JsonValue) -> None:
        """Keep what a call changed."""
        key = self.program.entities[row.entity].key
        self.changes = (*self.changes, {"change": change, "entity": row.entity, "id": row.fields.get(key), **details})

    def create(self, entity: str, given: dict[str, Any], scope: Scope) -> Row:
        """Add a row with the fields given and the others from their sources; its id is new."""
        rows = self.table(entity)
        number = max(rows, default=0) + 1
        random = stream(self.seed, "create", entity, number)
        row = self._row(self.program.entities[entity], number, None, random, {}, given, scope)
        self._make_unlike(row, rows, random)
        rows[number] = row
        return row

    def imagine(self, entity: str, given: dict[str, Any], random: Random, scope: Scope) -> Row:
        """Return a row that the world does not have, whose id no row has."""
        row = self._row(self.program.entities[entity], -1 - random.getrandbits(20), None, random, {}, given, scope)
        self._make_unlike(row, self.table(entity), random)
        return row

    def _make_unlike(self, row: Row, rows: dict[int, Row], random: Random) -> None:
        """Give a row another id where a row has its id already, as far as its source knows others."""
        self.strain(len(rows) // 16)
        program = self.program.entities[row.entity]
        source = program.fields.get(program.key)
        held = {str(each.fields.get(program.key)) for each in rows.values()}
        for _ in range(_REDRAWS):
            if source is None or str(row.fields.get(program.key)) not in held:
                return
            row.fields[program.key] = source(self.scope().inside(row), random, {})

    def _made(self, program: EntityProgram) -> dict[int, Row]:
        random = stream(self.seed, "world", program.name)
        parents: list[Row | None] = list(self.table(program.parent).values()) if program.parent else [None]
        taken: Taken = {}
        data = list(program.data)
        random.shuffle(data)
        rows: dict[int, Row] = {}
        scope = Scope(self, {"today": self.today.isoformat(), "now": self.now})
        for parent in parents:
            for _ in range(random.randint(*program.rows)):
                if program.data and not data:
                    break
                given = dict(data.pop()) if program.data else {}
                number = len(rows) + 1
                row = self._row(program, number, parent, random, taken, given, scope)
                self._make_unlike(row, rows, random)
                rows[number] = row
        return rows

    def _row(
        self,
        program: EntityProgram,
        number: int,
        parent: Row | None,
        random: Random,
        taken: Taken,
        given: dict[str, Any],
        scope: Scope,
    ) -> Row:
        """Make a row: what is given first, each other field from its source, in their order."""
        self.strain(1 + len(program.fields))
        if program.parent and parent is None:
            parent = self._parent_of(program, given, random)
        fields = {key: value for key, value in given.items() if value is not ABSENT}
        row = Row(program.name, number, fields, parent.ref if parent is not None else None)
        inside = scope.inside(row)
        for name, source in program.fields.items():
            if name not in fields:
                value = source(inside, random, taken)
                fields[name] = value.ref if isinstance(value, Row) else value
        return row

    def _parent_of(self, program: EntityProgram, given: dict[str, Any], random: Random) -> Row:
        """Return the row that a new one belongs to: the one given under the parent's name, else any."""
        named = given.pop(program.parent, ABSENT)
        if isinstance(named, Row):
            return named
        rows = list(self.table(program.parent).values())
        if not rows:
            raise NothingToDraw(f"there is no {program.parent} that a {program.name} could belong to")
        return rows[int(random.random() * len(rows))]


def is_row_of(value: Any, entity: str) -> bool:
    """Say whether a value is a row of an entity."""
    return isinstance(value, Row) and value.entity == entity


Build = Callable[[], World]
