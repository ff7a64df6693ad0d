"""Sources of rows: those that a world has, references to them, and rows that it does not have."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.compiler import Compiler, Path
from generator.worlds.drawing import NothingToDraw, Source, Taken, distinct
from generator.worlds.rows import ABSENT, Row, Scope
from generator.worlds.settings import is_entity, weight_of

CompileSource = Callable[[JsonValue, Path, Compiler], Source]


def nothing(scope: Scope, random: Random, taken: Taken) -> Any:
    """Give nothing: what stands for a source that cannot be compiled."""
    return ABSENT


Choose = Callable[[Scope], list[Row]]
Pick = Callable[[Scope, Random], Row | None]
_TRIES = 8
"""Rows that are tried by chance before all are looked through: each that fits is as likely either way."""


def _picked(name: str, spec: dict[str, Any], path: Path, compiler: Compiler, *, free: bool) -> Pick:
    """Return what draws a row that fulfils the source's `where`; None where there is none."""
    choose = _chosen(name, spec, path, compiler)
    test = None
    if "where" in spec:
        test = compiler.parts.conditions(spec["where"], (*path, "where"), compiler, name)

    def pick(scope: Scope, random: Random) -> Row | None:
        rows = list(scope.world.table(name).values())
        held = _held(scope) if free else []
        for _ in range(_TRIES if rows else 0):
            row = rows[int(random.random() * len(rows))]
            if row not in held and (test is None or test(Scope(scope.world, {}, scope, row))):
                return row
        fitting = [row for row in choose(scope) if row not in held]
        return fitting[int(random.random() * len(fitting))] if fitting else None

    return pick


def _held(scope: Scope) -> list[Row]:
    """Return the rows that draws have drawn before, and the user."""
    return [value for value in (*scope.names.values(), scope.world.me) if isinstance(value, Row)]


def _chosen(name: str, spec: dict[str, Any], path: Path, compiler: Compiler) -> Choose:
    """Return what gives the rows of an entity that fulfil the source's `where`."""
    if "where" not in spec:
        return lambda scope: list(scope.world.table(name).values())
    test = compiler.parts.conditions(spec["where"], (*path, "where"), compiler, name)
    weight = weight_of(spec["where"])

    def choose(scope: Scope) -> list[Row]:
        rows = scope.world.table(name).values()
        if not scope.world.spend(weight * len(rows)):
            raise NothingToDraw(f"looking through every {name} takes too long")
        return [row for row in rows if test(Scope(scope.world, {}, scope, row))]

    return choose


def _free(choose: Choose, name: str) -> Choose:
    """Return what gives those rows that no draw has drawn before, and that are not the user."""

    def free(scope: Scope) -> list[Row]:
        rows = choose(scope)
        if held := _held(scope):
            rows = [row for row in rows if row not in held]
        if not rows:
            raise NothingToDraw(f"no {name} fulfils the conditions")
        return rows

    return free


def row_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw an existing row, another one than the draws before it have."""
    name = spec["row"]
    if not is_entity(name, path, compiler):
        return nothing
    pick = _picked(name, spec, path, compiler, free=True)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        row = pick(scope, random)
        if row is None:
            is_alone = list(scope.world.table(name).values()) == [scope.world.me]
            raise NothingToDraw(f"the user is the only {name}" if is_alone else f"no {name} fulfils the conditions")
        return row

    return source


def rows_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw several of them."""
    name = spec["rows"]
    if not is_entity(name, path, compiler):
        return nothing
    free = _free(_chosen(name, spec, path, compiler), name)
    low, high = spec.get("count", [2, 3])

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        rows = free(scope)
        if len(rows) < low:
            raise NothingToDraw(f"there are only {len(rows)} such rows of {name}")
        return random.sample(rows, random.randint(low, min(high, len(rows))))

    return source


def ref_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a reference to a row."""
    name = spec["ref"]
    if not is_entity(name, path, compiler):
        return nothing
    pick = _picked(name, spec, path, compiler, free=False)
    key, is_distinct = object(), spec.get("distinct", False)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        def drawn(random: Random) -> Any:
            row = pick(scope, random)
            if row is None:
                raise NothingToDraw(f"there is no {name} to refer to")
            return row.ref

        return distinct(taken, key, drawn, random) if is_distinct else drawn(random)

    return source


def new_source(spec: dict[str, Any], path: Path, compiler: Compiler, compile_source: CompileSource) -> Source:
    """Draw a row that the world does not have: something to be created, or not to be found."""
    name = spec["new"]
    if not is_entity(name, path, compiler):
        return nothing
    given = {key: compile_source(each, (*path, "set", key), compiler) for key, each in (spec.get("set") or {}).items()}
    for key in given:
        if key not in compiler.fields_of(name):
            compiler.faults.unknown((*path, "set", key), f"field of {name}", key, compiler.fields_of(name))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        fields = {key: each(scope, random, taken) for key, each in given.items()}
        return scope.world.imagine(name, fields, random)

    return source
