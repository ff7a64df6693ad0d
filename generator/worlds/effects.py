"""Effects: what a call does to the world, step by step, as a domain file writes it.

Each step is an object with one of the keys of `EFFECTS`. Steps see the call's arguments by their names (those that were
not given are absent, defaults of the schema count as given), `$args`, `$today`, `$now`, `$me`, and what earlier steps
bound: `get` and `create` bind `$it`, `list` binds `$rows`, `$all`, `$more` and `$next`, `as` gives another name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.changing import (
    create_effect,
    delete_all_effect,
    delete_effect,
    update_all_effect,
    update_effect,
)
from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.conditions import compile_conditions
from generator.worlds.drawing import NothingToDraw
from generator.worlds.listing import list_effect
from generator.worlds.refusals import NOT_FOUND, NOT_POSSIBLE, compile_refusal
from generator.worlds.refusals import Refused as Refused  # noqa: PLC0414 - also named by those who execute effects
from generator.worlds.rows import ABSENT, Scope
from generator.worlds.settings import ANYTHING, LIST, MAPPING, NAME, Setting, fit, fits, is_entity, weight_of
from generator.worlds.steps import Effect as Effect  # noqa: PLC0414 - likewise
from generator.worlds.steps import Made, do_nothing
from generator.worlds.values import compile_value

_MOST_STEPS = 100


def compile_effects(steps: JsonValue, path: Path, compiler: Compiler) -> tuple[list[Effect], Compiler]:
    """Compile the steps of an effect; return them, and the compiler that knows what they bind."""
    effects: list[Effect] = []
    if not isinstance(steps, list | tuple) or len(steps) > _MOST_STEPS:
        compiler.faults.add(path, f"an effect is a list of at most {_MOST_STEPS} steps")
        return effects, compiler
    if compiler.is_too_deep(path):
        return effects, compiler
    for number, spec in enumerate(steps):
        name = next((key for key in spec if key in EFFECTS), "") if isinstance(spec, dict) else ""
        if not name:
            key = next(iter(spec), "") if isinstance(spec, dict) else spec
            compiler.faults.unknown((*path, number), "effect", key, EFFECTS)
            continue
        make, settings, _ = EFFECTS[name]
        if not fit(spec, name, settings, (*path, number), compiler):
            continue
        effect, bound = make(spec, (*path, number), compiler)
        effects.append(effect)
        compiler = compiler.naming(bound)
    return effects, compiler


def _get(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    entity, name = spec["get"], spec.get("as", "it")
    if not is_entity(entity, (*path, "get"), compiler):
        return do_nothing, {name: ""}
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    refusal = compile_refusal(spec["else"], (*path, "else"), compiler, NOT_FOUND) if "else" in spec else None
    weight = weight_of(spec)

    def effect(scope: Scope) -> None:
        rows = scope.world.table(entity).values()
        if not scope.world.spend(weight * len(rows)):
            raise NothingToDraw("there are too many rows to look through")
        found = next((row for row in rows if test(scope.inside(row))), None)
        if found is None and refusal is not None:
            raise refusal(scope)
        scope.names[name] = ABSENT if found is None else found

    return effect, {name: entity}


def _each(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    values = compile_value(spec["each"], (*path, "each"), compiler)
    name, collected = spec.get("as", "each"), spec.get("collect", "it")
    steps, _ = compile_effects(spec.get("do", []), (*path, "do"), compiler.naming({name: ""}))
    weight = weight_of(spec.get("do", []))

    def effect(scope: Scope) -> None:
        found = values(scope)
        many = found if isinstance(found, list) else []
        if not scope.world.spend(weight * len(many)):
            raise NothingToDraw("there are too many to go through")
        made = []
        for value in many:
            scope.names[name] = value
            for each in steps:
                each(scope)
            made.append(scope.names.get(collected, ABSENT))
        scope.names["made"] = [value for value in made if value is not ABSENT]

    return effect, {name: "", "made": ""}


def _require(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    test = compile_conditions(spec["require"], (*path, "require"), compiler)
    refusal = compile_refusal(spec.get("else"), (*path, "else"), compiler, NOT_POSSIBLE)

    def effect(scope: Scope) -> None:
        if not test(scope):
            raise refusal(scope)

    return effect, {}


def _let(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    given = spec["let"]
    if not fits(given, MAPPING, (*path, "let"), compiler):
        return do_nothing, {}
    values: dict[str, Value] = {}
    for name, value in given.items():
        values[name] = compile_value(value, (*path, "let", name), compiler.naming(dict.fromkeys(values, "")))

    def effect(scope: Scope) -> None:
        for name, value in values.items():
            scope.names[name] = value(scope)

    return effect, {name: _type_of(value, compiler) for name, value in given.items()}


def _type_of(value: JsonValue, compiler: Compiler) -> str:
    """Return the entity of the row that a `$path` leads to; "" for any other value."""
    is_path = isinstance(value, str) and value.startswith("$") and "|" not in value
    return compiler.type_at(value[1:].split(".")) if is_path else ""


def _if(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    test = compile_conditions(spec["if"], (*path, "if"), compiler)
    then, one = compile_effects(spec.get("then", []), (*path, "then"), compiler)
    other, two = compile_effects(spec.get("else", []), (*path, "else"), compiler)

    def effect(scope: Scope) -> None:
        for each in then if test(scope) else other:
            each(scope)

    return effect, {**two.types, **one.types}


_CHANGE = {"set": MAPPING, "append": MAPPING, "remove": MAPPING, "merge": MAPPING}

Make = Callable[[dict[str, Any], Path, Compiler], Made]
EFFECTS: dict[str, tuple[Make, dict[str, Setting], str]] = {
    "get": (
        _get, {"where": ANYTHING, "else": MAPPING, "as": NAME}, "the first row that fulfils conditions, else an error",
    ),
    "list": (
        list_effect,
        dict.fromkeys(("where", "search", "means", "sort", "limit", "offset", "page"), ANYTHING) | {"as": NAME},
        "all rows that fulfil conditions, of an entity or a list; searched, sorted, a page of them",
    ),
    "create": (
        create_effect, {"set": MAPPING, "as": NAME}, "a new row; what is not set comes from the entity's sources",
    ),
    "update_all": (
        update_all_effect, {"where": ANYTHING, **_CHANGE, "as": NAME}, "changes of all rows that fulfil conditions",
    ),
    "update": (update_effect, _CHANGE, "changes of a row, or of a list of rows; what is not given changes nothing"),
    "delete_all": (delete_all_effect, {"where": ANYTHING, "as": NAME}, "takes every row that fulfils conditions"),
    "delete": (delete_effect, {}, "takes a row, or a list of rows, and what belongs to it"),
    "each": (
        _each, {"as": NAME, "do": LIST, "collect": NAME}, "steps for each of a list; `$made` is what they bound",
    ),
    "require": (_require, {"else": MAPPING}, "conditions, else an error"),
    "let": (_let, {}, "names for values"),
    "if": (_if, {"then": LIST, "else": LIST}, "steps under conditions"),
}  # fmt: skip
"""By name: what compiles it, its further settings, and what it does."""
