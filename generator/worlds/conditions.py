"""Conditions: lists of `[left, operator, right]`, all of which hold; `{any: [...]}` and `{not: [...]}` among them.

Inside a `where` the left side is a field of the row, `due` or `book.title`; elsewhere it is a value such as
`$r1.total`. In a `where`, a line whose right side is an argument that was not given asks nothing; the right side never
means a field of the row itself, so that `[status, "=", $status]` compares the row's with the argument.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.rows import ABSENT, PLAIN_TYPES, Row, Scope, Worded, step
from generator.worlds.values import compile_value, plain

Test = Callable[[Scope], bool]

_MOST_LINES = 50


def _folded(value: Any) -> str:
    return value.casefold().strip() if isinstance(value, str) else str(plain(value)).casefold()


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def holds(left: Any, right: Any) -> bool:
        try:
            return bool(compare(left, right))
        except TypeError:
            return False

    return holds


def _like(left: Any, right: Any) -> bool:
    text = _folded(left if not isinstance(left, list) else " ".join(map(_folded, left)))
    return all(word in text for word in _folded(right).split())


def _has(left: Any, right: Any) -> bool:
    return isinstance(left, list) and any(_same(each, right) for each in left)


def _same(left: Any, right: Any) -> bool:
    if type(left) is str and type(right) is str:
        return left == right
    one, other = plain(left), plain(right)
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)


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
    asked = _lines(lines, path, compiler, entity)
    if entity is None:
        return lambda scope: asked(scope) is True
    return lambda scope: asked(scope) is not False


Asked = Callable[[Scope], bool | None]
"""A test that says None where its right side is an argument that was not given: it asks nothing."""


def _lines(lines: JsonValue, path: Path, compiler: Compiler, entity: str | None) -> Asked:
    if not isinstance(lines, list) or len(lines) > _MOST_LINES:
        compiler.faults.add(path, f"a condition is a list of at most {_MOST_LINES} times [left, operator, right]")
        return _never
    if compiler.is_too_deep(path):
        return _never
    if lines and isinstance(lines[0], str):
        lines = [lines]
    tests = [_line(line, (*path, number), compiler, entity) for number, line in enumerate(lines)]
    return tests[0] if len(tests) == 1 else _all(tests)


def _never(scope: Scope) -> bool:
    return False


def _all(tests: list[Asked]) -> Asked:
    def holds(scope: Scope) -> bool | None:
        answer = None if tests else True
        for test in tests:
            held = test(scope)
            if held is False:
                return False
            answer = answer or held
        return answer

    return holds


def _any(tests: list[Asked]) -> Asked:
    def holds(scope: Scope) -> bool | None:
        answer = None if tests else False
        for test in tests:
            held = test(scope)
            if held:
                return True
            answer = False if held is False else answer
        return answer

    return holds


def _not(test: Asked) -> Asked:
    def holds(scope: Scope) -> bool | None:
        held = test(scope)
        return None if held is None else not held

    return holds


def _line(line: JsonValue, path: Path, compiler: Compiler, entity: str | None) -> Asked:
    match line:
        case {"any": list(ways)} if len(line) == 1 and len(ways) <= _MOST_LINES:
            return _any([_lines(each, (*path, "any", n), compiler, entity) for n, each in enumerate(ways)])
        case {"not": lines} if len(line) == 1:
            return _not(_lines(lines, (*path, "not"), compiler, entity))
        case list([spec, str(name)]):
            left = _left(spec, (*path, 0), compiler, entity)
            if name in _ALONE:
                return _alone(left, _ALONE[name][0])
            compiler.faults.unknown((*path, 1), "operator", name, _ALONE)
        case list([spec, str(name), other]):
            left = _left(spec, (*path, 0), compiler, entity)
            if name in OPERATORS:
                compare = _compared if entity is None else _asked
                return compare(left, OPERATORS[name][0], compile_value(other, (*path, 2), compiler))
            compiler.faults.unknown((*path, 1), "operator", name, OPERATORS)
        case _:
            compiler.faults.add(path, "a condition is [left, operator, right], {any: [...]} or {not: [...]}")
    return _never


def _alone(left: Value, holds: Callable[[Any], bool]) -> Asked:
    return lambda scope: holds(left(scope))


def _compared(left: Value, holds: Callable[[Any, Any], bool], right: Value) -> Asked:
    def test(scope: Scope) -> bool:
        value, other = left(scope), right(scope)
        if value is ABSENT or other is ABSENT:
            return False
        return holds(value, other.value if isinstance(other, Worded) else other)

    return test


def _asked(left: Value, holds: Callable[[Any, Any], bool], right: Value) -> Asked:
    """Make the test of a row: what was not given asks nothing."""

    def test(scope: Scope) -> bool | None:
        other = right(scope.around or scope)
        if other is ABSENT:
            return None
        value = left(scope)
        return value is not ABSENT and holds(value, other.value if isinstance(other, Worded) else other)

    return test


def _field(name: str) -> Value:
    """Return what gives one field of a row: what conditions ask for more often than for anything else."""

    def field(scope: Scope) -> Any:
        row = scope.it
        found = row.kept.get(name, ABSENT) if type(row) is Row else ABSENT
        return found if type(found) in PLAIN_TYPES else step(row, name, scope.world)

    return field


def _left(spec: JsonValue, path: Path, compiler: Compiler, entity: str | None) -> Value:
    if entity is None or not isinstance(spec, str) or spec.startswith("$"):
        return compile_value(spec, path, compiler)
    keys = spec.split(".")
    if entity:
        compiler.naming({"it": entity}).check_path(["it", *keys], path)
    if len(keys) == 1:
        return _field(spec)

    def field(scope: Scope) -> Any:
        value = scope.it
        for key in keys:
            value = step(value, key, scope.world)
        return value

    return field
