"""A source of values of a JSON Schema."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

from generator.errors import ValueSynthesisError
from generator.schemas.validators import InvalidSchema, validator_for
from generator.values import Context, synthesize_value
from generator.worlds.compiler import Compiler, Path
from generator.worlds.drawing import NothingToDraw, Source, Taken
from generator.worlds.row_sources import nothing
from generator.worlds.rows import ABSENT, Scope


def schema_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a value of a schema; with `give`, the values of these properties as a list."""
    schema, given, field = spec["schema"], spec.get("give"), spec.get("field")
    names = None if given is None else [str(name) for name in given]
    whole = schema if field is None else {"type": "object", "properties": {field: schema}, "required": [field]}
    purpose: Literal["argument", "result"] = "argument" if field is None else "result"
    try:
        validator_for(whole)
    except InvalidSchema as error:
        compiler.faults.add((*path, "schema"), str(error)[:200])
        return nothing

    name, description = str(spec.get("tool", "")), str(spec.get("description", ""))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        context = Context(
            reference_date=scope.world.today, name=name, description=description,
            include=None if names is None else frozenset(names), purpose=purpose,
        )  # fmt: skip
        try:
            value = synthesize_value(whole, seed=random, context=context, locale=scope.world.locale)
        except ValueSynthesisError as error:
            raise NothingToDraw(str(error)) from error
        if field is not None:
            return value[field]
        return value if names is None else [value.get(name, ABSENT) for name in names]

    return source
