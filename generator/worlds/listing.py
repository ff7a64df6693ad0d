"""Listing: the effect that finds rows, searched, sorted, and a page of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from generator.jsontext import dump_canonical
from generator.worlds.compiler import Compiler, Path, is_entity, weight_of
from generator.worlds.conditions import compile_conditions
from generator.worlds.drawing import NothingToDraw
from generator.worlds.rows import ABSENT, Row, Scope, Worded, step
from generator.worlds.values import Made, compile_value, do_nothing

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
