"""What a call does to the world: the steps of a domain file that list, create, update and delete rows, compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from generator.jsontext import JsonValue, dump_canonical
from generator.worlds.compiler import (
    ANYTHING,
    LIST,
    MAPPING,
    NAME,
    NOT_FOUND,
    NOT_POSSIBLE,
    Compiler,
    Path,
    Setting,
    Value,
    compile_refusal,
    fit,
    fits,
    is_entity,
    weight_of,
)
from generator.worlds.conditions import Test, compile_conditions
from generator.worlds.rows import ABSENT, Absent, NothingToDraw, Row, Scope, Worded, step, stored
from generator.worlds.values import (
    Effect,
    Made,
    compile_fields,
    compile_value,
    do_nothing,
)

RowsOf = Callable[[Scope], list[Row]]


def list_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `list`: it binds the rows shown, and `$all`, `$more` and `$next`."""
    name = spec.get("as", "rows")
    bound = {name: "", "all": "", "more": "", "next": ""}
    if isinstance(spec["list"], str) and spec["list"].startswith("$"):
        rows_of, entity = _given_rows(spec, path, compiler), ""
    elif is_entity(spec["list"], (*path, "list"), compiler):
        entity = spec["list"]
        rows_of = _rows_of(entity)
    else:
        return do_nothing, bound
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    chosen = [_searched(spec, path, compiler, entity), _meant(spec, path, compiler)]
    order, page = _order(spec, path, compiler, entity), _page(spec, path, compiler)
    weight = weight_of(spec)

    def effect(scope: Scope) -> None:
        rows = rows_of(scope)
        if not scope.world.spend(weight * len(rows)):
            raise NothingToDraw("there are too many rows to look through")
        world = scope.world
        rows = [row for row in rows if test(Scope(world, {}, scope, row))]
        for choose in chosen:
            rows = choose(rows, scope)
        rows = order(rows, scope)
        start, end = page(scope)
        more = end is not None and end < len(rows)
        scope.names |= {name: rows[start:end], "all": rows, "more": more, "next": str(end) if more else ABSENT}

    return effect, bound


def _rows_of(entity: str) -> RowsOf:
    return lambda scope: list(scope.world.table(entity).values())


def _given_rows(spec: dict[str, Any], path: Path, compiler: Compiler) -> RowsOf:
    value = compile_value(spec["list"], (*path, "list"), compiler)
    return lambda scope: list(found) if isinstance(found := value(scope), list) else []


Choose = Callable[[list[Row], Scope], list[Row]]


def _searched(spec: dict[str, Any], path: Path, compiler: Compiler, entity: str) -> Choose:
    """Compile `search: {in: [fields], for: value}`: rows that have every word of a text in one of the fields."""
    search = spec.get("search")
    if search is None:
        return lambda rows, scope: rows
    if not (isinstance(search, dict) and set(search) == {"in", "for"}):
        compiler.faults.add((*path, "search"), "`search` takes {in: [fields], for: value}")
        return lambda rows, scope: rows
    fields = search["in"] if isinstance(search["in"], list) else [search["in"]]
    fields = [str(each) for each in fields]
    for place, each in enumerate(fields):
        if entity:
            compiler.naming({"it": entity}).check_path(["it", *each.split(".")], (*path, "search", "in", place))
    wanted = compile_value(search["for"], (*path, "search", "for"), compiler)

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        text = wanted(scope)
        text = text.value if isinstance(text, Worded) else text
        words = text.casefold().split() if isinstance(text, str) else []
        return [row for row in rows if all(_stands(word, row, fields, scope) for word in words)]

    return choose


def _stands(word: str, row: Row, fields: list[str], scope: Scope) -> bool:
    """Say whether a word, or its singular, stands in one of the fields."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    for field in fields:
        value: Any = row
        for key in field.split("."):
            value = step(value, key, scope.world)
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        if value is not ABSENT and stem in text.casefold():
            return True
    return False


def _mark(value: Any) -> bytes:
    """Return bytes that equal plain values share, whatever the order of their keys."""
    try:
        return dump_canonical(value)
    except TypeError:  # a row, or nothing at all: no wording has such a value
        return b""


def _meant(spec: dict[str, Any], path: Path, compiler: Compiler) -> Choose:
    """Compile `means: value`: rows that fulfil what a worded value means."""
    if "means" not in spec:
        return lambda rows, scope: rows
    value = compile_value(spec["means"], (*path, "means"), compiler)
    tests = {
        _mark(wording.value): compile_conditions(list(wording.means), ("wordings", name, place, "means"), compiler, "")
        for name, wordings in compiler.domain.wordings.items()
        for place, wording in enumerate(wordings)
    }

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        asked = value(scope)
        asked = asked.value if isinstance(asked, Worded) else asked
        test = tests.get(_mark(asked))
        return rows if test is None else [row for row in rows if test(scope.inside(row))]

    return choose


_SORT = ("by", "descending", "fields", "default")


def _order(spec: dict[str, Any], path: Path, compiler: Compiler, entity: str) -> Choose:
    """Compile `sort`: `due`, `-due`, or {by: value, descending: value, fields: {argument's value: field}, default}."""
    sort = spec.get("sort")
    if sort is None:
        return lambda rows, scope: rows
    settings = sort if isinstance(sort, dict) else {"by": sort}
    for key in settings.keys() - set(_SORT):
        compiler.faults.unknown((*path, "sort", key), "setting of sort", key, _SORT)
    by = compile_value(settings.get("by"), (*path, "sort", "by"), compiler)
    descending = compile_value(settings.get("descending", False), (*path, "sort", "descending"), compiler)
    fields, default = settings.get("fields") or {}, str(settings.get("default", ""))
    if not isinstance(fields, dict):
        compiler.faults.add((*path, "sort", "fields"), "`fields` takes {value of the argument: field}")
        fields = {}
    _check_fields([settings.get("by"), default, *fields.values()], (*path, "sort"), compiler, entity)

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        asked = by(scope)
        name = str(fields.get(str(asked), asked) if asked is not ABSENT and asked is not None else default)
        backwards = _is_backwards(name, descending(scope))
        keys = name.removeprefix("-").split(".")
        return sorted(rows, key=lambda row: _sort_key(row, keys, scope), reverse=backwards) if name else rows

    return choose


def _is_backwards(name: str, descending: Any) -> bool:
    """Say which way a field is sorted: a word such as `asc` decides it, true turns what `-field` says."""
    word = str(descending.value if isinstance(descending, Worded) else descending).lower()
    if word in _ASCENDING or word in _DESCENDING:
        return word in _DESCENDING
    return name.startswith("-") is not (word == "true")


_ASCENDING = ("asc", "ascending")
_DESCENDING = ("desc", "descending")


def _check_fields(names: list[Any], path: Path, compiler: Compiler, entity: str) -> None:
    """Note faults where fields to sort by are none of the entity's."""
    for name in names:
        if entity and isinstance(name, str) and name and not name.startswith("$"):
            compiler.naming({"it": entity}).check_path(["it", *name.removeprefix("-").split(".")], path)


def _sort_key(row: Row, keys: list[str], scope: Scope) -> tuple[int, float, str]:
    value: Any = row
    for key in keys:
        value = step(value, key, scope.world)
    if isinstance(value, int | float):
        return (0, value, "")
    return (1, 0, str(value))


def _page(spec: dict[str, Any], path: Path, compiler: Compiler) -> Callable[[Scope], tuple[int, int | None]]:
    """Compile `limit`, `offset` and `page`: where the shown rows start and end."""
    limit, offset, page = (compile_value(spec.get(key), (*path, key), compiler) for key in ("limit", "offset", "page"))

    def bounds(scope: Scope) -> tuple[int, int | None]:
        many, start, number = (_whole(each(scope)) for each in (limit, offset, page))
        if number is not None and many is not None:
            start = (max(number, 1) - 1) * many
        first = max(start or 0, 0)
        return first, None if many is None else first + max(many, 0)

    return bounds


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9 else None


def create_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `create`."""
    name = spec.get("as", "it")
    entity = spec["create"]
    if not is_entity(entity, (*path, "create"), compiler):
        return do_nothing, {name: ""}
    given = compile_fields(spec, "set", entity, path, compiler)
    parent = compiler.domain.entities[entity].parent

    def effect(scope: Scope) -> None:
        values = {field: value(scope) for field, value in given.items()}
        scope.names[name] = scope.world.create(
            entity, {field: value if field == parent else stored(value) for field, value in values.items()}
        )

    return effect, {name: entity}


def _target(spec: dict[str, Any], key: str, path: Path, compiler: Compiler) -> tuple[Value, str, str]:
    """Compile what is changed: its value, the entity that it is a row of, and the name to bind again."""
    written = spec[key]
    if not (isinstance(written, str) and written.startswith("$")):
        compiler.faults.add((*path, key), f"`{key}` takes the `$name` of what an earlier step bound")
        return (lambda scope: ABSENT), "", ""
    keys = written[1:].split(".")
    return compile_value(written, (*path, key), compiler), compiler.type_at(keys), keys[0] if len(keys) == 1 else ""


def update_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `update` of one row, or of each of a list."""
    target, entity, name = _target(spec, "update", path, compiler)
    changes = _changes(spec, entity, path, compiler)

    def effect(scope: Scope) -> None:
        found = target(scope)
        if isinstance(found, Row):
            changed: Any = _changed(found, changes, scope)
        elif isinstance(found, list):
            changed = [_changed(row, changes, scope) if isinstance(row, Row) else row for row in found]
        else:
            return
        if name:
            scope.names[name] = changed

    return effect, {name: entity} if name else {}


Change = Callable[[Any, Any], Any]
_NAME = re.compile(r"[${]\s*\$?(?:args\.)?([A-Za-z_]\w*)")
_NOT_ASKED = frozenset({"now", "today", "me", "it"})


@dataclass(frozen=True, slots=True)
class _Field:
    """What an update does to one field."""

    name: str
    value: Value
    change: Change
    asked: frozenset[str]
    """The names in the value for which something may be asked: no constants, and not the hour."""


def _changes(spec: dict[str, Any], entity: str, path: Path, compiler: Compiler) -> list[_Field]:
    """Compile what an update does to fields: `set`, `append`, `remove`, `merge`; what is absent changes nothing."""
    inner = compiler.of_row(entity).naming(compiler.types) if entity else compiler.naming({}, open=True)
    return [
        _Field(name, value, change, frozenset(_names(spec[key][name])) - _NOT_ASKED)
        for key, change in _CHANGES.items()
        for name, value in compile_fields(spec, key, entity, path, inner).items()
    ]


def _names(value: JsonValue) -> Iterator[str]:
    """Yield the names from which a value is made."""
    if isinstance(value, str):
        yield from _NAME.findall(value)
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _names(each)


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None or value is ABSENT else [value]


def _appended(before: Any, value: Any) -> Any:
    held = _as_list(before)
    return [*held, *(each for each in _as_list(value) if each not in held)]


def _removed(before: Any, value: Any) -> Any:
    gone = _as_list(value)
    return [each for each in _as_list(before) if each not in gone]


def _merged(before: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        return before
    return {**before, **value} if isinstance(before, dict) else value


_CHANGES: dict[str, Change] = {
    "set": lambda before, value: value,
    "append": _appended,
    "remove": _removed,
    "merge": _merged,
}
"""By key: what becomes of a field's value."""


def _changed(row: Row, changes: list[_Field], scope: Scope) -> Row:
    """Change a row as it is now, whatever the name that leads to it remembers; a row that is gone stays gone."""
    current: Row | Absent = scope.world.row(row.ref)
    if isinstance(current, Absent):
        return row
    row = current
    inside = Scope(scope.world, scope.names, Scope(scope.world, {}, scope.around, row), scope.it)
    fields = dict(row.fields)
    for field in changes:
        given = field.value(inside)
        if given is ABSENT:
            continue
        before, new = fields.get(field.name), stored(given)
        if not scope.world.spend(1 + len(_as_list(before)) * len(_as_list(new)) // 8):
            raise NothingToDraw("too much is changed at once")
        fields[field.name] = field.change(before, new)
        if fields[field.name] == before and any(scope.get(name) is not ABSENT for name in field.asked):
            scope.world.held += 1
    if fields == row.fields:
        return row
    twin = Row(row.entity, row.number, fields, row.parent)
    scope.world.put(twin)
    return twin


def _fulfilling(entity: str, test: Test, weight: int, scope: Scope) -> list[Row]:
    rows = scope.world.table(entity).values()
    if not scope.world.spend(weight * len(rows)):
        raise NothingToDraw("there are too many rows to look through")
    return [row for row in rows if test(scope.inside(row))]


def update_all_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `update_all`."""
    entity, name = spec["update_all"], spec.get("as", "rows")
    if not is_entity(entity, (*path, "update_all"), compiler):
        return do_nothing, {name: ""}
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    changes, weight = _changes(spec, entity, path, compiler), weight_of(spec)

    def effect(scope: Scope) -> None:
        rows = _fulfilling(entity, test, weight, scope)
        scope.names[name] = [_changed(row, changes, scope) for row in rows]

    return effect, {name: ""}


def delete_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `delete` of a row, or of each of a list."""
    target, _, _ = _target(spec, "delete", path, compiler)

    def effect(scope: Scope) -> None:
        for row in _as_list(target(scope)):
            if isinstance(row, Row):
                scope.world.remove(row)

    return effect, {}


def delete_all_effect(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    """Compile `delete_all`."""
    entity, name = spec["delete_all"], spec.get("as", "rows")
    if not is_entity(entity, (*path, "delete_all"), compiler):
        return do_nothing, {name: ""}
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    weight = weight_of(spec)

    def effect(scope: Scope) -> None:
        rows = _fulfilling(entity, test, weight, scope)
        for row in rows:
            scope.world.remove(row)
        scope.names[name] = rows

    return effect, {name: ""}


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
        made = _step(spec, (*path, number), compiler)
        if made is not None:
            effect, bound = made
            effects.append(effect)
            compiler = compiler.naming(bound)
    return effects, compiler


def _step(spec: JsonValue, path: Path, compiler: Compiler) -> Made | None:
    """Compile one step; None where something is wrong with it."""
    name = next((key for key in spec if key in EFFECTS), "") if isinstance(spec, dict) else ""
    if not name:
        key = next(iter(spec), "") if isinstance(spec, dict) else spec
        compiler.faults.unknown(path, "effect", key, EFFECTS)
        return None
    make, settings, _ = EFFECTS[name]
    return make(spec, path, compiler) if fit(spec, name, settings, path, compiler) else None


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
