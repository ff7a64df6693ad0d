"""Values of domain files: JSON in which `$name.field` stands for a value and `{$operator: ...}` for a calculation.

`$loan.book.title` goes from name to field to field, `$rows.0.id` to a place of a list, `$rows.title` to the field of
each; `$it|full` shows a row, or each of a list, by the entity's view `full`; `$$` at the start is a plain dollar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.compiler import Compiler, Path, Value, weight_of
from generator.worlds.formulas import (
    NoFormula,
    as_number,
    as_text,
    compile_formula,
    distinct_values,
    first_of,
    joined_text,
    mean,
    merged,
    rounded,
    sound,
    split,
    total,
)
from generator.worlds.rows import ABSENT, PLAIN_TYPES, NothingToDraw, Ref, Row, Scope, Worded, step
from generator.worlds.speech import between, formed, shifted

_LARGEST = 2**63
_MOST_KEPT = 4096
"""Paths that are kept."""


def compile_value(spec: JsonValue, path: Path, compiler: Compiler) -> Value:
    """Compile a value; what is wrong with it is noted as a fault."""
    if compiler.is_too_deep(path):
        return lambda scope: ABSENT
    if isinstance(spec, str):
        return _text(spec, path, compiler)
    if isinstance(spec, dict):
        if len(spec) == 1 and (name := next(iter(spec))).startswith("$"):
            return _operator(name, spec[name], (*path, name), compiler)
        return _object(spec, path, compiler)
    if isinstance(spec, list):
        return _list(spec, path, compiler)
    if isinstance(spec, int) and not -_LARGEST <= spec < _LARGEST:
        compiler.faults.add(path, f"{str(spec)[:24]} is outside the signed 64-bit range")
        return lambda scope: ABSENT
    return lambda scope: spec


def _text(spec: str, path: Path, compiler: Compiler) -> Value:
    if not spec.startswith("$"):
        return lambda scope: spec
    if spec.startswith("$$"):
        return lambda scope: spec[1:]
    whole, _, view = spec[1:].partition("|")
    keys = whole.split(".")
    compiler.check_path(keys, path)
    look_up = compile_path(keys)
    if not view:
        return look_up
    if not any(view in entity.views for entity in compiler.domain.entities.values()):
        known = {name for entity in compiler.domain.entities.values() for name in entity.views}
        compiler.faults.unknown(path, "view", view, sorted(known))
    return lambda scope: scope.world.show(look_up(scope), view)


def compile_path(keys: Iterable[str]) -> Value:
    """Return what follows a path of keys from a name in scope."""
    return _look_up(tuple(keys))


@lru_cache(maxsize=_MOST_KEPT)
def _look_up(keys: tuple[str, ...]) -> Value:
    """Return what follows a path: the same for all texts that name it, since a domain names each a dozen times."""
    first, *rest = keys
    if not rest:
        return lambda scope: scope.get(first)

    def look_up(scope: Scope) -> Any:
        value = scope.get(first)
        for key in rest:
            if value is ABSENT:
                return ABSENT
            value = step(value, key, scope.world)
        return value

    return look_up


def _object(spec: dict[str, JsonValue], path: Path, compiler: Compiler) -> Value:
    fields = [(key, compile_value(value, (*path, key), compiler)) for key, value in spec.items()]
    return lambda scope: {key: value for key, each in fields if (value := each(scope)) is not ABSENT}


def _list(spec: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    items = [compile_value(each, (*path, place), compiler) for place, each in enumerate(spec)]
    return lambda scope: [value for item in items if (value := item(scope)) is not ABSENT]


def plain(value: Any) -> JsonValue:
    """Return a value without rows: a reference is the number it has, a worded value the value itself."""
    if isinstance(value, Worded):
        return value.value
    if isinstance(value, Row):
        return value.ref
    return value


def _operator(name: str, spec: JsonValue, path: Path, compiler: Compiler) -> Value:
    if name == "$draw":
        return compiler.parts.drawn(spec, path, compiler)
    if name not in OPERATORS:
        compiler.faults.unknown(path, "operator", name, [*OPERATORS, "$draw"])
        return lambda scope: ABSENT
    make, parts, _ = OPERATORS[name]
    given = spec if isinstance(spec, list) else [spec]
    if not parts[0] <= len(given) <= parts[1]:
        wanted = f"{parts[0]}" if parts[0] == parts[1] else f"{parts[0]} to {parts[1]}"
        compiler.faults.add(path, f"{name} takes a list of {wanted} parts, not {len(given)}")
        return lambda scope: ABSENT
    return make(given, path, compiler)


def _strict(function: Callable[..., Any]) -> Callable[[list[JsonValue], Path, Compiler], Value]:
    """Make an operator of a function of values; where a value is absent or unfit, there is no result."""

    def make(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
        parts = [compile_value(each, (*path, place), compiler) for place, each in enumerate(given)]

        def value(scope: Scope) -> Any:
            values = [part(scope) for part in parts]
            if any(each is ABSENT for each in values):
                return ABSENT
            try:
                return sound(function(*(each.value if isinstance(each, Worded) else each for each in values)))
            except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
                return ABSENT  # values that the operator is not for

        return value

    return make


def _if(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    test = compiler.parts.conditions(given[0], (*path, 0), compiler)
    then, other = (compile_value(each, (*path, place), compiler) for place, each in ((1, given[1]), (2, given[2])))
    return lambda scope: then(scope) if test(scope) else other(scope)


def _or(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    parts = [compile_value(each, (*path, place), compiler) for place, each in enumerate(given)]

    def value(scope: Scope) -> Any:
        return next((found for part in parts if (found := part(scope)) is not ABSENT and found is not None), ABSENT)

    return value


def _formula(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    try:
        calculate, paths = compile_formula(str(given[0]))
    except NoFormula as error:
        compiler.faults.add(path, str(error))
        return lambda scope: ABSENT
    for keys in paths:
        compiler.check_path(keys, path)
    return calculate


def _each(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    rows = compile_value(given[0], (*path, 0), compiler)
    inner = compile_value(given[1], (*path, 1), compiler.naming({"it": ""}, open=True))
    weight = weight_of(given[1])

    def value(scope: Scope) -> Any:
        found = rows(scope)
        if not isinstance(found, list) or not scope.world.spend(weight * len(found)):
            return ABSENT
        values = [inner(scope.inside(one, it=one)) for one in found]
        return [each for each in values if each is not ABSENT]

    return value


def _written(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    return compiler.parts.text(str(given[0]), path, compiler)


def _pick(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    key = compile_value(given[0], (*path, 0), compiler)
    choices = given[1] if isinstance(given[1], dict) else {}
    if not choices:
        compiler.faults.add((*path, 1), "`$pick` takes [value, {value: result, else: result}]")
    table = {name: compile_value(each, (*path, 1, name), compiler) for name, each in choices.items()}
    other = table.get("else")

    def value(scope: Scope) -> Any:
        asked = key(scope)
        asked = asked.value if isinstance(asked, Worded) else asked
        found = table.get(str(asked).lower() if isinstance(asked, bool) else str(asked), other)
        return ABSENT if found is None else found(scope)

    return value


def _only(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    """Compile what keeps some keys of an object, or of each of a list; all of them where no keys are given."""
    whole, wanted = (compile_value(each, (*path, place), compiler) for place, each in enumerate(given))

    def value(scope: Scope) -> Any:
        found, keys = whole(scope), wanted(scope)
        if not isinstance(keys, list) or not scope.world.spend(len(keys)):
            return found
        if isinstance(found, list):
            return [_kept(each, keys) for each in found]
        return _kept(found, keys)

    return value


def _kept(value: Any, keys: list[Any]) -> Any:
    return {key: each for key, each in value.items() if key in keys} if isinstance(value, dict) else value


def _column(rows: list[Any], key: str, world: Any) -> list[Any]:
    """Return a field, or what a path leads to, of each row that has it.

    Raises:
        NothingToDraw: the rows are of an entity that has no such field.
    """
    name, *rest = key.split(".")
    for row in rows:
        if isinstance(row, Row) and name not in world.fields_of(row.entity):
            raise NothingToDraw(f"a {row.entity} has no field {name!r} of which a total could be drawn")
    return [value for row in rows if (value := _along(row, (name, *rest), world)) is not ABSENT and value is not None]


def _along(value: Any, keys: tuple[str, ...], world: Any) -> Any:
    for key in keys:
        value = step(value, key, world)
    return value


def _totalled(draw_together: Callable[[list[Any]], Any]) -> Callable[[list[JsonValue], Path, Compiler], Value]:
    """Make an operator that draws a list together: of numbers, or of one field of each of its rows."""

    def make(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
        rows = compile_value(given[0], (*path, 0), compiler)
        key = given[1] if len(given) > 1 else None

        def value(scope: Scope) -> Any:
            found = rows(scope)
            if not isinstance(found, list):
                return ABSENT
            values = found if key is None else _column(found, str(key), scope.world)
            try:
                return sound(draw_together(values))
            except (TypeError, ValueError, ArithmeticError):
                return ABSENT

        return value

    return make


def _sorted_rows(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    rows = compile_value(given[0], (*path, 0), compiler)
    key = str(given[1])
    descending, key = key.startswith("-"), key.lstrip("-")

    def value(scope: Scope) -> Any:
        found = rows(scope)
        if not isinstance(found, list):
            return ABSENT
        keys = tuple(key.split("."))
        return sorted(found, key=lambda row: _sortable(_along(row, keys, scope.world)), reverse=descending)

    return value


def _sortable(value: Any) -> tuple[int, Any]:
    if isinstance(value, int | float):
        return (0, value)
    return (1, str(value)) if value is not ABSENT and value is not None else (2, "")


def _filtered(given: list[JsonValue], path: Path, compiler: Compiler) -> Value:
    rows = compile_value(given[0], (*path, 0), compiler)
    test = compiler.parts.conditions(given[1], (*path, 1), compiler.naming({}, open=True), "")

    weight = weight_of(given[1])

    def value(scope: Scope) -> Any:
        found = rows(scope)
        if not isinstance(found, list) or not scope.world.spend(weight * len(found)):
            return ABSENT
        return [row for row in found if test(scope.inside(row))]

    return value


Make = Callable[[list[JsonValue], Path, Compiler], Value]
OPERATORS: dict[str, tuple[Make, tuple[int, int], str]] = {
    "$if": (_if, (3, 3), "[conditions, then, else]"),
    "$or": (_or, (1, 8), "the first of several values that is given"),
    "$pick": (_pick, (2, 2), "[value, {value: result, else: result}]"),
    "$calc": (_formula, (1, 1), "arithmetic: `ceil(pages / days)`"),
    "$text": (_written, (1, 1), "a template, written"),
    "$each": (_each, (2, 2), "[list, value]: the value for each, whose fields are names"),
    "$where": (_filtered, (2, 2), "[list, conditions]: those for which they hold"),
    "$sort": (_sorted_rows, (2, 2), "[list, field]: in order; `-field` the other way round"),
    "$count": (_totalled(len), (1, 1), "how many a list holds"),
    "$sum": (_totalled(total), (1, 2), "[list, field or path such as `item.price`] or [list]: the total"),
    "$average": (_totalled(mean), (1, 2), "the mean"),
    "$least": (_totalled(min), (1, 2), "the smallest"),
    "$most": (_totalled(max), (1, 2), "the largest"),
    "$distinct": (_totalled(distinct_values), (1, 2), "each value once"),
    "$shift": (_strict(shifted), (2, 3), "[day or time, amount, unit]: later by it; days unless said"),
    "$between": (_strict(between), (2, 3), "[from, to, unit]: how long it is; days unless said"),
    "$day": (_strict(lambda moment: as_text(moment)[:10]), (1, 1), "the day of a time"),
    "$form": (_strict(formed), (2, 2), "[day or time, form]: in a form such as `%Y-%m-%dT%H:%M:%SZ`"),
    "$clock": (_strict(lambda moment: as_text(moment)[11:16]), (1, 1), "the time of day of a time, HH:MM"),
    "$round": (_strict(rounded), (1, 2), "[number, digits]"),
    "$lower": (_strict(lambda value: as_text(value).lower()), (1, 1), "in lower case"),
    "$upper": (_strict(lambda value: as_text(value).upper()), (1, 1), "in upper case"),
    "$join": (_strict(joined_text), (1, 2), "[list, separator]: one text"),
    "$split": (_strict(split), (1, 2), "[text, separator]: a list"),
    "$first": (_strict(first_of), (2, 2), "[list, number]: the first ones"),
    "$merge": (_strict(merged), (1, 4), "several objects in one, later keys win"),
    "$only": (_only, (2, 2), "[object or list of them, keys]: these keys alone; all where no keys are given"),
    "$not": (_strict(lambda value: not value), (1, 1), "true for false, and the other way round"),
    "$string": (_strict(as_text), (1, 1), "a number as text"),
    "$number": (_strict(as_number), (1, 1), "a text as number"),
    "$length": (_strict(lambda text: len(as_text(text))), (1, 1), "how many characters a text has"),
    "$words": (_strict(lambda text: len(as_text(text).split())), (1, 1), "how many words a text has"),
}  # fmt: skip
"""By name: what compiles it, how many parts it takes, and what it gives."""


def exposed(value: Any, scope: Scope) -> JsonValue:
    """Return a value as JSON: rows by their plain view, references by their ids.

    What is larger than a world may say in one answer is null; the call is refused for it.
    """
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, list | dict):
        return _exposed_parts(value, scope)
    if isinstance(value, Row):
        return scope.world.show(value, "")
    if isinstance(value, Ref):
        return scope.world.id_of(value)
    if isinstance(value, Worded):
        return value.value
    return None


def _exposed_parts(value: list[Any] | dict[str, Any], scope: Scope) -> JsonValue:
    if not scope.world.spend(len(value) + 1):
        return None
    if isinstance(value, dict):
        return {key: each if type(each) in PLAIN_TYPES else exposed(each, scope) for key, each in value.items()}
    return [each if type(each) in PLAIN_TYPES else exposed(each, scope) for each in value]


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
