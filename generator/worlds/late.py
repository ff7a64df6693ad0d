"""Late fields: those of a world's rows that are drawn when somebody looks at them.

What tells rows apart is drawn for one row after the other, however far anybody looks; any other field comes from a
stream of its own. Either way it is the same whatever is looked at first, and however much was changed since.
"""

from __future__ import annotations

from typing import Any

from generator.streams import Brook, derive_seed
from generator.worlds.drawing import NothingToDraw, Source, Taken
from generator.worlds.program import EntityProgram
from generator.worlds.rows import ABSENT, PLAIN_TYPES, Row, Scope, stored

_LEAST_WORK = 100
"""What one field may cost in any case; all of a table together may cost what making a table may."""
_MOST_FIELDS = 1_000
_idle: list[Brook] = []
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
        stream = _idle.pop() if _idle else Brook()
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
            stream = _idle.pop() if _idle else Brook()
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
