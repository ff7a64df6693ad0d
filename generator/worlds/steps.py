"""Steps: what the steps of an effect share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.rows import Scope
from generator.worlds.values import compile_value

Effect = Callable[[Scope], None]
Bound = dict[str, str]
"""The names that a step binds, each with the entity that it is a row of, or "" where it is something else."""
Made = tuple[Effect, Bound]


def do_nothing(scope: Scope) -> None:
    """Stand for a step that cannot be compiled."""
    return


def compile_fields(spec: dict[str, Any], key: str, entity: str, path: Path, compiler: Compiler) -> dict[str, Value]:
    """Compile `key: {field: value}`, fields of an entity where it is known."""
    given = spec.get(key) or {}
    known = compiler.fields_of(entity) if entity else []
    for name in given:
        if known and name not in known:
            compiler.faults.unknown((*path, key, name), f"field of {entity}", name, known)
    return {name: compile_value(value, (*path, key, name), compiler) for name, value in given.items()}
