"""Formulas of domain files: arithmetic that is never run as Python, and what values may do with texts and lists."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from generator.worlds.rows import ABSENT, Scope, step

Formula = Callable[[Scope], Any]

_LONGEST = 500
_DEEPEST_FORMULA = 40
_LARGEST = 10**15
_LARGEST_POWER = 64
_MOST_DIGITS = 15
_WHOLE = 2**63
"""Whole numbers of JSON that every reader holds are below."""


class NoFormula(ValueError):
    """A text is no formula; the message says why."""


def _power(base: float, exponent: float) -> float:
    if abs(exponent) > _LARGEST_POWER or abs(base) > _LARGEST:
        raise OverflowError("too large a power")
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("no real number")
    return float(result) if isinstance(result, float) else int(result)


def rounded(value: float, digits: int | None = None) -> float:
    """Return a number rounded to some digits.

    Raises:
        ValueError: so many digits are nobody's wish; Python would calculate for hours.
    """
    if digits is not None and not -_MOST_DIGITS <= digits <= _MOST_DIGITS:
        raise ValueError("too many digits")
    figure: float = _number(value)
    return round(figure, None if digits is None else int(digits))


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "min": min, "max": max, "round": rounded, "ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt,
    "log": math.log, "exp": math.exp, "sin": math.sin, "cos": math.cos, "tan": math.tan, "sum": sum,
    "len": len, "radians": math.radians, "degrees": math.degrees, "hypot": math.hypot,
}  # fmt: skip
"""What a formula may call."""
_CONSTANTS = {"pi": math.pi, "e": math.e}


def compile_formula(text: str) -> tuple[Formula, list[list[str]]]:
    """Return what calculates a formula, and the paths that it names.

    Raises:
        NoFormula: it is too long, does not parse, or holds something that is no arithmetic.
    """
    if len(text) > _LONGEST:
        raise NoFormula(f"a formula has at most {_LONGEST} characters")
    try:
        tree = ast.parse(text.replace("$", ""), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoFormula(f"{text!r} is no formula: {getattr(error, 'msg', error)}") from error
    if _depth(tree.body) > _DEEPEST_FORMULA:
        raise NoFormula(f"a formula nests at most {_DEEPEST_FORMULA} deep")
    paths: list[list[str]] = []
    inner = _compile(tree.body, paths)

    def calculate(scope: Scope) -> Any:
        try:
            return sound(inner(scope))
        except (TypeError, ValueError, ArithmeticError):
            return ABSENT  # an argument that was not given, or figures that have no result

    return calculate, paths


def _depth(tree: ast.expr) -> int:
    """Return how deep a formula nests, without descending into it by calls."""
    level: list[ast.AST] = [tree]
    depth = 0
    while level and depth <= _DEEPEST_FORMULA:
        level = [child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
        depth += 1
    return depth


def sound(value: Any) -> Any:
    """Return a number as JSON can hold it, without the noise of binary fractions; ABSENT for none that it could."""
    if isinstance(value, float):
        return round(value, 10) if math.isfinite(value) else ABSENT
    if isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        return ABSENT
    return value


def _compile(node: ast.expr, paths: list[list[str]]) -> Formula:
    match node:
        case ast.Constant(value=int() | float() | str() as value):
            return lambda scope: value
        case ast.Name() | ast.Attribute():
            return _name(node, paths)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _calculation(_BINARY[type(op)], *_compile_all((left, right), paths))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compile(operand, paths)
            return lambda scope: -_number(inner(scope))
        case ast.Compare(left=left, ops=ops, comparators=rest) if _COMPARE.keys() >= set(map(type, ops)):
            return _comparison(_compile_all((left, *rest), paths), [_COMPARE[type(op)] for op in ops])
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _choice(*_compile_all((test, body, orelse), paths))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in FUNCTIONS:
            return _application(FUNCTIONS[name], _compile_all(given, paths))
    raise NoFormula(f"a formula holds numbers, names, + - * / // % **, comparisons and {', '.join(FUNCTIONS)}")


def _compile_all(nodes: Iterable[ast.expr], paths: list[list[str]]) -> list[Formula]:
    return [_compile(each, paths) for each in nodes]


def _calculation(apply: Callable[[Any, Any], Any], left: Formula, right: Formula) -> Formula:
    return lambda scope: apply(_number(left(scope)), _number(right(scope)))


def _choice(asked: Formula, then: Formula, other: Formula) -> Formula:
    return lambda scope: then(scope) if asked(scope) else other(scope)


def _application(function: Callable[..., Any], inputs: list[Formula]) -> Formula:
    return lambda scope: function(*(each(scope) for each in inputs))


def _comparison(parts: list[Formula], compare: list[Callable[[Any, Any], bool]]) -> Formula:
    def holds(scope: Scope) -> bool:
        values = [part(scope) for part in parts]
        if any(value is ABSENT for value in values):
            raise TypeError("nothing to compare")
        pairs = zip(compare, values, values[1:], strict=False)
        return all(apply(one, other) for apply, one, other in pairs)

    return holds


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("no number")
    return value


def _name(node: ast.expr, paths: list[list[str]]) -> Formula:
    keys: list[str] = []
    while isinstance(node, ast.Attribute):
        keys.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise NoFormula("a formula names values by name.field")
    first = node.id
    if not keys and first in _CONSTANTS:
        constant = _CONSTANTS[first]
        return lambda scope: constant
    paths.append([first, *keys])

    def look_up(scope: Scope) -> Any:
        value = scope.get(first)
        for key in keys:
            value = step(value, key, scope.world)
        return value

    return look_up


_LONGEST_TEXT = 20_000


def as_text(value: Any) -> str:
    """Return a plain value as text, as JSON writes it.

    Raises:
        TypeError: it is a row, an object or a list, which no text stands for.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise TypeError("no plain value")


def as_number(text: Any) -> float:
    """Return the number that a text writes."""
    written = as_text(text)
    return float(written) if any(mark in written for mark in ".eE") else int(written)


def total(values: list[Any]) -> Any:
    """Return the sum, without the noise of binary fractions."""
    found = sum(values)
    return round(found, 4) if isinstance(found, float) else found


def mean(values: list[Any]) -> float:
    """Return the mean, to two decimals."""
    return float(round(sum(values) / len(values), 2))


def distinct_values(values: list[Any]) -> list[Any]:
    """Return each value once, in their order; 1 and true are two."""
    seen: dict[str, Any] = {}
    for value in values:
        seen.setdefault(repr(value), value)
    return list(seen.values())


def merged(*objects: Any) -> dict[str, Any]:
    """Return several objects in one; later keys win."""
    if not all(isinstance(each, dict) for each in objects):
        raise TypeError("no object")
    return {key: value for each in objects for key, value in each.items()}


def split(text: Any, separator: str = ",") -> list[str]:
    """Return the parts of a text, without the spaces around them."""
    return [each.strip() for each in as_text(text).split(as_text(separator))]


def joined_text(values: list[Any], separator: str = ", ") -> str:
    """Return one text of several values.

    Raises:
        ValueError: it is longer than any result should be.
    """
    text = as_text(separator).join(map(as_text, values))
    if len(text) > _LONGEST_TEXT:
        raise ValueError("too long a text")
    return text


def first_of(values: Any, many: Any) -> Any:
    """Return the first of a list, or of the characters of a text."""
    if not isinstance(values, list | str):
        raise TypeError("no list")
    return values[: max(0, int(many))]
