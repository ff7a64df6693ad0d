"""Effects: what a call does to the world, step by step, as a domain file writes it.

Each step is an object with one of the keys of `EFFECTS`. Steps see the call's arguments by their names (those that were
not given are absent, defaults of the schema count as given), `$args`, `$today`, `$now`, `$me`, and what earlier steps
bound: `get` and `create` bind `$it`, `list` binds `$rows`, `$all`, `$more` and `$next`, `as` gives another name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.jsontext import JsonValue
from generator.records.calls import ERROR_TYPES
from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.conditions import compile_conditions
from generator.worlds.rows import ABSENT, Row, Scope, Worded, step
from generator.worlds.values import compile_value

Effect = Callable[[Scope], None]

_MOST_STEPS = 100
_LONGEST_LOOP = 500


class Refused(Exception):
    """A call that the world refuses: an error type of ADM, and what the tool says."""

    def __init__(self, error_type: str, message: str) -> None:
        self.error_type = error_type
        self.message = message
        super().__init__(message)


def compile_effects(steps: JsonValue, path: Path, compiler: Compiler) -> tuple[list[Effect], Compiler]:
    """Compile the steps of an effect; return them, and the compiler that knows what they bind."""
    effects: list[Effect] = []
    if not isinstance(steps, list | tuple) or len(steps) > _MOST_STEPS:
        compiler.faults.add(path, f"an effect is a list of at most {_MOST_STEPS} steps")
        return effects, compiler
    for number, spec in enumerate(steps):
        name = next((key for key in spec if key in EFFECTS), "") if isinstance(spec, dict) else ""
        if not name:
            key = next(iter(spec), "") if isinstance(spec, dict) else spec
            compiler.faults.unknown((*path, number), "effect", key, EFFECTS)
            continue
        make, further, _ = EFFECTS[name]
        for key in spec:
            if key != name and key not in further:
                compiler.faults.unknown((*path, number, key), f"setting of {name}", key, further)
        if wrong := [key for key in ("as", "collect") if not isinstance(spec.get(key, ""), str)]:
            compiler.faults.add((*path, number, wrong[0]), f"`{wrong[0]}` takes a name")
            continue
        effect, bound = make(spec, (*path, number), compiler)
        effects.append(effect)
        compiler = compiler.naming(bound)
    return effects, compiler


def _entity(spec: dict[str, Any], key: str, path: Path, compiler: Compiler) -> str:
    name = spec[key]
    if not isinstance(name, str) or name not in compiler.domain.entities:
        compiler.faults.unknown((*path, key), "entity", name, compiler.domain.entities)
        return ""
    return name


Bound = dict[str, str]
Made = tuple[Effect, Bound]


def _nothing(scope: Scope) -> None:
    return


def _refusal(spec: JsonValue, path: Path, compiler: Compiler) -> Callable[[Scope], Refused]:
    """Compile `{ERROR_TYPE: message}`."""
    error_type, message = next(iter(spec.items())) if isinstance(spec, dict) and spec else ("RESOURCE_NOT_FOUND", "")
    if error_type not in ERROR_TYPES:
        compiler.faults.unknown(path, "error type", error_type, ERROR_TYPES)
    text = compiler.parts.text(str(message) or "Nothing like that was found.", (*path, error_type), compiler)
    return lambda scope: Refused(error_type, text(scope) or "This is not possible.")


def _get(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    entity = _entity(spec, "get", path, compiler)
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    refusal = _refusal(spec["else"], (*path, "else"), compiler) if "else" in spec else None
    name = spec.get("as", "it")

    def effect(scope: Scope) -> None:
        rows = scope.world.table(entity).values()
        found = next((row for row in rows if test(scope.inside(row))), None)
        if found is None and refusal is not None:
            raise refusal(scope)
        scope.names[name] = ABSENT if found is None else found

    return effect, {name: entity}


def _list(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    if isinstance(spec["list"], str) and spec["list"].startswith("$"):
        rows_of: Callable[[Scope], list[Row]] = _given_rows(spec, path, compiler)
        entity = ""
    else:
        entity = _entity(spec, "list", path, compiler)
        rows_of = lambda scope: list(scope.world.table(entity).values())  # noqa: E731 - one of two ways to get them
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    chosen = [_searched(spec, path, compiler, entity), _meant(spec, path, compiler)]
    order, page = _order(spec, path, compiler), _page(spec, path, compiler)
    name = spec.get("as", "rows")

    def effect(scope: Scope) -> None:
        rows = [row for row in rows_of(scope) if test(scope.inside(row))]
        for choose in chosen:
            rows = choose(rows, scope)
        rows = order(rows, scope)
        start, end = page(scope)
        shown = rows[start:end]
        more = end is not None and end < len(rows)
        scope.names |= {name: shown, "all": rows, "more": more, "next": str(end) if more else ABSENT}

    return effect, {name: "", "all": "", "more": "", "next": ""}


def _given_rows(spec: dict[str, Any], path: Path, compiler: Compiler) -> Callable[[Scope], list[Row]]:
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
    for place, each in enumerate(fields):
        if entity:
            compiler.naming({"it": entity}).check_path(["it", *str(each).split(".")], (*path, "search", "in", place))
    wanted = compile_value(search["for"], (*path, "search", "for"), compiler)

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        text = wanted(scope)
        words = str(text.value if isinstance(text, Worded) else text).casefold().split() if text is not ABSENT else []
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


def _meant(spec: dict[str, Any], path: Path, compiler: Compiler) -> Choose:
    """Compile `means: value`: rows that fulfil what a worded value means."""
    if "means" not in spec:
        return lambda rows, scope: rows
    value = compile_value(spec["means"], (*path, "means"), compiler)
    tests = {
        repr(wording.value): compile_conditions(list(wording.means), ("wordings", name, place, "means"), compiler, "")
        for name, wordings in compiler.domain.wordings.items()
        for place, wording in enumerate(wordings)
    }

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        asked = value(scope)
        asked = asked.value if isinstance(asked, Worded) else asked
        test = tests.get(repr(asked))
        return rows if test is None else [row for row in rows if test(scope.inside(row))]

    return choose


def _order(spec: dict[str, Any], path: Path, compiler: Compiler) -> Choose:
    """Compile `sort`: `due`, `-due`, or {by: value, descending: value, fields: {argument's value: field}}."""
    sort = spec.get("sort")
    if sort is None:
        return lambda rows, scope: rows
    settings = sort if isinstance(sort, dict) else {"by": sort}
    by = compile_value(settings.get("by"), (*path, "sort", "by"), compiler)
    descending = compile_value(settings.get("descending", False), (*path, "sort", "descending"), compiler)
    fields = _keys(settings.get("fields"))
    default = settings.get("default", "")

    def choose(rows: list[Row], scope: Scope) -> list[Row]:
        asked = by(scope)
        name = str(fields.get(str(asked), asked) if asked is not ABSENT and asked is not None else default)
        backwards = name.startswith("-") is not (descending(scope) in (True, "desc", "descending", "DESC"))
        keys = name.lstrip("-").split(".")
        return sorted(rows, key=lambda row: _sort_key(row, keys, scope), reverse=backwards) if name else rows

    return choose


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


def _fields(spec: dict[str, Any], key: str, entity: str, path: Path, compiler: Compiler) -> dict[str, Value]:
    given = spec.get(key) or {}
    if not isinstance(given, dict):
        compiler.faults.add((*path, key), f"`{key}` takes {{field: value}}")
        return {}
    for name in given:
        if entity and name not in compiler.fields_of(entity):
            compiler.faults.unknown((*path, key, name), f"field of {entity}", name, compiler.fields_of(entity))
    return {name: compile_value(value, (*path, key, name), compiler) for name, value in given.items()}


def _stored(value: Any) -> Any:
    """Return a value as a field keeps it: a row by its reference."""
    if isinstance(value, Row):
        return value.ref
    if isinstance(value, list) and value and isinstance(value[0], Row):
        return [row.ref for row in value]
    return value.value if isinstance(value, Worded) else value


def _create(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    entity = _entity(spec, "create", path, compiler)
    given = _fields(spec, "set", entity, path, compiler)
    name = spec.get("as", "it")

    def effect(scope: Scope) -> None:
        values = {field: value(scope) for field, value in given.items()}
        parent = compiler.domain.entities[entity].parent
        kept = {field: value if field == parent else _stored(value) for field, value in values.items()}
        row = scope.world.create(entity, kept, scope)
        scope.world.note("created", row)
        scope.names[name] = row

    return effect, {name: entity}


def _target(spec: dict[str, Any], key: str, path: Path, compiler: Compiler) -> tuple[Value, str, str]:
    """Compile what is changed: a name, the entity that it is a row of, and the name to bind again."""
    written = str(spec[key])
    name = written.lstrip("$")
    return compile_value(written, (*path, key), compiler), compiler.types.get(name, ""), name


def _update(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    target, entity, name = _target(spec, "update", path, compiler)
    changes = _changes(spec, entity, path, compiler)

    def effect(scope: Scope) -> None:
        row = target(scope)
        if isinstance(row, Row):
            scope.names[name] = _changed(row, changes, scope)

    return effect, {name: entity}


Change = Callable[[Any, Any], Any]


def _changes(spec: dict[str, Any], entity: str, path: Path, compiler: Compiler) -> list[tuple[str, Value, Change]]:
    """Compile what an update does to fields: `set`, `append`, `remove`, `merge`; what is absent changes nothing."""
    inner = compiler.of_row(entity).naming(compiler.types) if entity else compiler.naming({}, open=True)
    return [
        (field, value, change)
        for key, change in _CHANGES.items()
        for field, value in _fields(spec, key, entity, path, inner).items()
    ]


def _many(value: Any) -> list[Any]:
    """Return a value as a list: nothing as an empty one, one thing as a list of it."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _keys(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_CHANGES: dict[str, Change] = {
    "set": lambda before, value: value,
    "append": lambda before, value: [*_many(before), *(each for each in _many(value) if each not in _many(before))],
    "remove": lambda before, value: [each for each in _many(before) if each not in _many(value)],
    "merge": lambda before, value: {**_keys(before), **_keys(value)},
}  # fmt: skip
"""By key: what becomes of a field's value."""


def _changed(row: Row, changes: list[tuple[str, Value, Change]], scope: Scope) -> Row:
    inside = Scope(scope.world, scope.names, Scope(scope.world, {}, scope.around, row), scope.it)
    fields = dict(row.fields)
    for field, value, change in changes:
        given = value(inside)
        if given is not ABSENT:
            fields[field] = change(fields.get(field), _stored(given))
    if fields == row.fields:
        return row
    twin = Row(row.entity, row.number, fields, row.parent)
    scope.world.put(twin)
    changed = sorted(key for key in fields if fields[key] != row.fields.get(key))
    scope.world.note("updated", twin, fields=changed)
    return twin


def _update_all(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    entity = _entity(spec, "update_all", path, compiler)
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    changes = _changes(spec, entity, path, compiler)
    name = spec.get("as", "rows")

    def effect(scope: Scope) -> None:
        rows = [row for row in scope.world.table(entity).values() if test(scope.inside(row))]
        scope.names[name] = [_changed(row, changes, scope) for row in rows]

    return effect, {name: ""}


def _delete(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    target, _, _ = _target(spec, "delete", path, compiler)

    def effect(scope: Scope) -> None:
        found = target(scope)
        for row in found if isinstance(found, list) else [found]:
            if isinstance(row, Row):
                scope.world.note("deleted", row)
                scope.world.remove(row)

    return effect, {}


def _delete_all(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    entity = _entity(spec, "delete_all", path, compiler)
    test = compile_conditions(spec.get("where", []), (*path, "where"), compiler, entity)
    name = spec.get("as", "rows")

    def effect(scope: Scope) -> None:
        rows = [row for row in scope.world.table(entity).values() if test(scope.inside(row))]
        for row in rows:
            scope.world.note("deleted", row)
            scope.world.remove(row)
        scope.names[name] = rows

    return effect, {name: ""}


def _each(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    values = compile_value(spec["each"], (*path, "each"), compiler)
    name = spec.get("as", "each")
    steps, _ = compile_effects(spec.get("do", []), (*path, "do"), compiler.naming({name: ""}))
    collected = spec.get("collect", "it")

    def effect(scope: Scope) -> None:
        found = values(scope)
        made = []
        for value in (found if isinstance(found, list) else [])[:_LONGEST_LOOP]:
            scope.world.strain()
            scope.names[name] = value
            for each in steps:
                each(scope)
            made.append(scope.names.get(collected, ABSENT))
        scope.names["made"] = [value for value in made if value is not ABSENT]

    return effect, {name: "", "made": ""}


def _require(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    test = compile_conditions(spec["require"], (*path, "require"), compiler)
    refusal = _refusal(spec.get("else"), (*path, "else"), compiler)

    def effect(scope: Scope) -> None:
        if not test(scope):
            raise refusal(scope)

    return effect, {}


def _let(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    given = spec["let"]
    if not isinstance(given, dict):
        compiler.faults.add(path, "`let` takes {name: value}")
        return _nothing, {}
    values: dict[str, Value] = {}
    for name, value in given.items():
        values[name] = compile_value(value, (*path, "let", name), compiler.naming(dict.fromkeys(values, "")))

    def effect(scope: Scope) -> None:
        for name, value in values.items():
            scope.names[name] = value(scope)

    return effect, dict.fromkeys(values, "")


def _if(spec: dict[str, Any], path: Path, compiler: Compiler) -> Made:
    test = compile_conditions(spec["if"], (*path, "if"), compiler)
    then, one = compile_effects(spec.get("then", []), (*path, "then"), compiler)
    other, two = compile_effects(spec.get("else", []), (*path, "else"), compiler)

    def effect(scope: Scope) -> None:
        for each in then if test(scope) else other:
            each(scope)

    return effect, {**two.types, **one.types}


Make = Callable[[dict[str, Any], Path, Compiler], Made]
EFFECTS: dict[str, tuple[Make, tuple[str, ...], str]] = {
    "get": (_get, ("where", "else", "as"), "the first row that fulfils conditions, else an error"),
    "list": (
        _list,
        ("where", "search", "means", "sort", "limit", "offset", "page", "as"),
        "all rows that fulfil conditions, of an entity or a list; searched, sorted, a page of them",
    ),
    "create": (_create, ("set", "as"), "a new row; what is not set comes from the entity's sources"),
    "update_all": (
        _update_all, ("where", "set", "append", "remove", "merge", "as"), "changes of all rows that fulfil conditions",
    ),
    "update": (_update, ("set", "append", "remove", "merge"), "changes of a row; what is not given changes nothing"),
    "delete_all": (_delete_all, ("where", "as"), "takes every row that fulfils conditions"),
    "delete": (_delete, (), "takes a row, or a list of rows, and what belongs to it"),
    "each": (_each, ("as", "do", "collect"), "steps for each of a list; `$made` is what they bound"),
    "require": (_require, ("else",), "conditions, else an error"),
    "let": (_let, (), "names for values"),
    "if": (_if, ("then", "else"), "steps under conditions"),
}  # fmt: skip
"""By name: what compiles it, its further settings, and what it does."""
