"""Conditions: lists of `[left, operator, right]`, all of which hold; `{any: [...]}` and `{not: [...]}` among them.

Inside a `where` the left side is a field of the row, `due` or `book.title`; elsewhere it is a value such as
`$r1.total`. In a `where`, a line whose right side is an argument that was not given asks nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.compiler import Compiler, Path
from generator.worlds.rows import ABSENT, Scope, Worded
from generator.worlds.values import compile_path, compile_value, plain

Test = Callable[[Scope], bool]


def _folded(value: Any) -> str:
    return str(value).casefold().strip()


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def holds(left: Any, right: Any) -> bool:
        try:
            return bool(compare(left, right))
        except TypeError:
            return False

    return holds


def _like(left: Any, right: Any) -> bool:
    text = _folded(left if not isinstance(left, list) else " ".join(map(str, left)))
    return all(word in text for word in _folded(right).split())


def _has(left: Any, right: Any) -> bool:
    return isinstance(left, list) and any(_same(each, right) for each in left)


def _same(left: Any, right: Any) -> bool:
    return plain(left) == plain(right)


def _is(left: Any, right: Any) -> bool:
    return _folded(left) == _folded(right)


def _many(right: Any) -> list[Any]:
    return right if isinstance(right, list) else [right]


OPERATORS: dict[str, tuple[Callable[[Any, Any], bool], str]] = {
    "=": (_same, "the same value"),
    "!=": (lambda left, right: not _same(left, right), "another value"),
    "<": (_ordered(operator.lt), "less, or earlier"),
    "<=": (_ordered(operator.le), "at most, or not later"),
    ">": (_ordered(operator.gt), "more, or later"),
    ">=": (_ordered(operator.ge), "at least, or not earlier"),
    "is": (_is, "the same text, whatever its case"),
    "in": (lambda left, right: any(_same(left, each) for each in _many(right)), "one of a list"),
    "not in": (lambda left, right: not any(_same(left, each) for each in _many(right)), "none of a list"),
    "has": (_has, "a list that holds the value"),
    "has all": (lambda left, right: all(_has(left, each) for each in _many(right)), "a list that holds them all"),
    "has any": (lambda left, right: any(_has(left, each) for each in _many(right)), "a list that holds one of them"),
    "contains": (lambda left, right: _folded(right) in _folded(left), "a text that contains the text"),
    "starts": (lambda left, right: _folded(left).startswith(_folded(right)), "a text that starts with the text"),
    "like": (_like, "a text, or list of texts, with every word of the text"),
    "on": (lambda left, right: str(left)[:10] == str(right)[:10], "a time on the day of the other"),
}
"""By name: whether it holds, and what it means."""

_ALONE: dict[str, tuple[Callable[[Any], bool], str]] = {
    "given": (lambda left: left is not ABSENT and left is not None, "there is a value"),
    "missing": (lambda left: left is ABSENT or left is None, "there is none"),
    "empty": (lambda left: not left, "an empty list or text, zero or nothing"),
    "not empty": (bool, "anything but that"),
}
UNARY = _ALONE
"""Operators without a right side."""


def compile_conditions(lines: JsonValue, path: Path, compiler: Compiler, entity: str | None = None) -> Test:
    """Compile a list of conditions; `entity` is the row's, where the left sides are its fields."""
    if not isinstance(lines, list):
        compiler.faults.add(path, "a condition is a list of [left, operator, right]")
        return lambda scope: False
    if lines and isinstance(lines[0], str):
        lines = [lines]
    tests = [_line(line, (*path, number), compiler, entity) for number, line in enumerate(lines)]
    return lambda scope: all(test(scope) for test in tests)


def _line(line: JsonValue, path: Path, compiler: Compiler, entity: str | None) -> Test:
    if isinstance(line, dict) and len(line) == 1:
        ((how, inner),) = line.items()
        if how == "any" and isinstance(inner, list):
            tests = [compile_conditions(each, (*path, how, n), compiler, entity) for n, each in enumerate(inner)]
            return lambda scope: any(test(scope) for test in tests)
        if how == "not":
            test = compile_conditions(inner, (*path, how), compiler, entity)
            return lambda scope: not test(scope)
    if not (isinstance(line, list) and len(line) in (2, 3) and isinstance(line[1], str)):
        compiler.faults.add(path, "a condition is [left, operator, right], {any: [...]} or {not: [...]}")
        return lambda scope: False
    left = _left(line[0], (*path, 0), compiler, entity)
    if len(line) == 2 and line[1] in _ALONE:
        alone = _ALONE[line[1]][0]
        return lambda scope: alone(left(scope))
    if line[1] not in OPERATORS or len(line) == 2:
        compiler.faults.unknown((*path, 1), "operator", line[1], [*OPERATORS, *_ALONE])
        return lambda scope: False
    right = compile_value(line[2], (*path, 2), compiler)
    if entity is not None:
        right = _outside(right, strict=bool(entity))
    return _compared(left, OPERATORS[line[1]][0], right, skips=entity is not None)


def _outside(right: Callable[[Scope], Any], *, strict: bool) -> Callable[[Scope], Any]:
    """Look a value up around the row: an argument is meant, even where a field of the row has its name."""

    def value(scope: Scope) -> Any:
        found = right(scope.around) if scope.around is not None else ABSENT
        return found if strict or found is not ABSENT else right(scope)

    return value


def _compared(
    left: Callable[[Scope], Any], holds: Callable[[Any, Any], bool], right: Callable[[Scope], Any], *, skips: bool
) -> Test:
    def test(scope: Scope) -> bool:
        other = right(scope)
        if other is ABSENT:
            return skips
        value = left(scope)
        if value is ABSENT:
            return False
        return holds(value, other.value if isinstance(other, Worded) else other)

    return test


def _left(spec: JsonValue, path: Path, compiler: Compiler, entity: str | None) -> Callable[[Scope], Any]:
    if entity is None or not isinstance(spec, str) or spec.startswith("$"):
        return compile_value(spec, path, compiler)
    keys = spec.split(".")
    if entity:
        compiler.naming({"it": entity}).check_path(["it", *keys], path)
    inner = compile_path(keys)
    return lambda scope: inner(Scope(scope.world, {}, None, scope.it))
