"""What compiling a domain needs: its names, what settings must be, where faults are, formulas never run as Python."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from generator.domains.domain import Domain
from generator.domains.reading import Faults
from generator.jsontext import JsonValue
from generator.schemas.adm_schema import ERROR_TYPES
from generator.worlds.rows import ABSENT, Scope, step
from generator.worlds.speech import compile_form

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
            first, second, apply = _compile(left, paths), _compile(right, paths), _BINARY[type(op)]
            return lambda scope: apply(_number(first(scope)), _number(second(scope)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compile(operand, paths)
            return lambda scope: -_number(inner(scope))
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in _COMPARE for op in ops):
            return _comparison([_compile(each, paths) for each in (left, *rest)], [_COMPARE[type(op)] for op in ops])
        case ast.IfExp(test=test, body=body, orelse=orelse):
            asked, then, other = (_compile(each, paths) for each in (test, body, orelse))
            return lambda scope: then(scope) if asked(scope) else other(scope)
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in FUNCTIONS:
            function, inputs = FUNCTIONS[name], [_compile(each, paths) for each in given]
            return lambda scope: function(*(each(scope) for each in inputs))
    raise NoFormula(f"a formula holds numbers, names, + - * / // % **, comparisons and {', '.join(FUNCTIONS)}")


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


Path = tuple[str | int, ...]
Value = Callable[[Scope], Any]
"""A compiled expression: gives the value, or ABSENT."""

Types = Mapping[str, str]
"""The names in scope: each with the entity that it is a row of, or "" where it is something else."""

_DEEPEST_SETTING = 60
"""Keys and places that may lead to a part of a domain file: what nests deeper is no work of anybody."""

ALWAYS = {"today": "", "now": "", "args": ""}
"""Names that are always in scope."""


class CompileConditions(Protocol):
    """Compiles a list of conditions; `entity` is that of the row whose fields the left sides are."""

    def __call__(
        self, lines: JsonValue, path: Path, compiler: Compiler, entity: str | None = None
    ) -> Callable[[Scope], bool]:
        """Return what tests them in a scope."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What compiles the parts that values may hold and that hold values themselves."""

    conditions: CompileConditions
    text: Callable[[str, Path, Compiler], Value]
    """A template, written without a word about who is speaking."""
    drawn: Callable[[JsonValue, Path, Compiler], Value]
    """A source, drawn from the record's seed and the arguments."""


@dataclass(frozen=True, slots=True)
class Compiler:
    """A domain, the names in scope, and the faults found so far."""

    domain: Domain
    faults: Faults
    parts: Parts
    types: Types = field(default_factory=lambda: dict(ALWAYS))
    open: bool = False
    """Whether names may be in scope that are not known here, such as the keys of a result."""
    _fields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The names that lead on from the rows looked at so far, by entity."""

    def naming(self, types: Types, *, open: bool | None = None) -> Compiler:  # noqa: A002 - the field's own name
        """Return a compiler with further names in scope."""
        return replace(self, types={**self.types, **types}, open=self.open if open is None else open)

    def of_row(self, entity: str) -> Compiler:
        """Return a compiler inside a row: its fields are names of their own."""
        return self.naming({name: self.field_type(entity, name) for name in self.fields_of(entity)})

    def fields_of(self, entity: str) -> tuple[str, ...]:
        """Return the names that lead on from a row: its fields, its parent, and the entity itself."""
        if (known := self._fields.get(entity)) is not None:
            return known
        found = self.domain.entities.get(entity)
        if found is None:
            return ()
        data = {name: None for row in found.data for name in row}
        parent = [found.parent] if found.parent else []
        names = tuple(dict.fromkeys([*data, *found.fields, found.key, *parent, entity]))
        self._fields[entity] = names
        return names

    def field_type(self, entity: str, name: str) -> str:
        """Return the entity that a field refers to; "" where it holds a plain value."""
        found = self.domain.entities.get(entity)
        if found is None:
            return ""
        if name in (found.parent, entity):
            return name
        source = found.fields.get(name)
        if isinstance(source, dict):
            target = source.get("ref") or source.get("row")
            return target if isinstance(target, str) else ""
        return ""

    def type_at(self, keys: list[str]) -> str:
        """Return the entity of the row that a path leads to; "" where it leads to something else."""
        entity = self.types.get(keys[0], "")
        for key in keys[1:]:
            entity = self.field_type(entity, key) if entity else ""
        return entity if entity in self.domain.entities else ""

    def is_too_deep(self, path: Path) -> bool:
        """Note a fault where a value nests too deeply to be followed."""
        if len(path) <= _DEEPEST_SETTING:
            return False
        self.faults.add(path[:8], "nested too deeply", f"at most {_DEEPEST_SETTING} levels")
        return True

    def check_path(self, keys: list[str], path: Path) -> None:
        """Note a fault where a path begins with no known name or leaves a row by no field of it."""
        name, rest = keys[0], keys[1:]
        if name not in self.types:
            if not self.open:
                self.faults.unknown(path, "name", f"${name}", [f"${known}" for known in self.types])
            return
        entity = self.types[name]
        for key in rest:
            if entity not in self.domain.entities:  # something else, or an entity whose name is a fault already
                return
            fields = self.fields_of(entity)
            if key not in fields:
                self.faults.unknown(path, f"field of {entity}", key, fields)
                return
            entity = self.field_type(entity, key)


Setting = tuple[Callable[[Any], bool], str]
"""Whether a value fits, and what it must be."""

_MOST_DRAWN = 100


def is_number(value: Any) -> bool:
    """Say whether a value is a number, and no flag."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Any, low: int, high: int) -> bool:
    """Say whether a value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_pair(value: Any) -> bool:
    whole = isinstance(value, list) and len(value) == 2 and all(is_whole(each, 0, _MOST_DRAWN) for each in value)
    return bool(whole and value[0] <= value[1])


def _is_form(value: Any) -> bool:
    try:
        return isinstance(value, str) and compile_form(value) is not None
    except ValueError:
        return False


def is_clock(value: Any) -> bool:
    """Say whether a value is a time of day, HH:MM."""
    digits = value.split(":") if isinstance(value, str) and len(value) == len("09:30") else []
    return len(digits) == 2 and all(each.isascii() and each.isdecimal() for each in digits) and value < "24:00"


ANYTHING: Setting = (lambda value: True, "anything")
NAME: Setting = (lambda value: isinstance(value, str) and 0 < len(value) <= 80 and "." not in value, "a name")
MAPPING: Setting = (lambda value: isinstance(value, dict), "{name: value}")
LIST: Setting = (lambda value: isinstance(value, list), "a list")
FLAG: Setting = (lambda value: isinstance(value, bool), "true or false")
WHOLE_STEP: Setting = (lambda value: is_whole(value, 1, 10**15), "a whole number above 0")
STEP: Setting = (lambda value: is_number(value) and 1e-6 <= value <= 1e15, "a number above 0")
DECIMALS: Setting = (lambda value: is_whole(value, 0, 10), "a whole number from 0 to 10")
MINUTES: Setting = (lambda value: is_whole(value, 1, 1440), "a number of minutes from 1 to 1440")
FORM: Setting = (_is_form, "a form of dates and times such as %Y-%m-%d %H:%M, of 64 characters at most")
WEEKDAYS: Setting = (lambda value: value == "weekdays", "`weekdays`")
HOURS: Setting = (
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(is_clock, value)),
    'two times of day such as ["08:00", "20:00"]',
)
COUNT: Setting = (_is_pair, f"[from, to], whole numbers up to {_MOST_DRAWN}")
WEIGHTS: Setting = (
    lambda value: (
        isinstance(value, list) and all(is_number(each) and 0 <= each < 1e15 for each in value) and sum(value) > 0
    ),
    "a list of numbers, not all of them 0",
)
PROBABILITY: Setting = (lambda value: is_number(value) and 0 <= value <= 1, "a probability from 0 to 1")


def fit(spec: Mapping[str, JsonValue], name: str, known: Mapping[str, Setting], path: Path, compiler: Compiler) -> bool:
    """Say whether the settings beside `name` are known ones and as they must be; note faults where not."""
    fits = True
    for key, value in spec.items():
        if key == name:
            continue
        if key not in known:
            compiler.faults.unknown((*path, key), f"setting of {name}", key, known)
        elif not known[key][0](value):
            compiler.faults.add((*path, key), f"`{key}` must be {known[key][1]}")
        else:
            continue
        fits = False
    return fits


def fits(value: JsonValue, setting: Setting, path: Path, compiler: Compiler) -> bool:
    """Say whether a value is as it must be; note a fault where it is not."""
    if not setting[0](value):
        compiler.faults.add(path, f"must be {setting[1]}")
        return False
    return True


def is_entity(name: Any, path: Path, compiler: Compiler) -> bool:
    """Say whether a name is that of an entity; note a fault where it is not."""
    if isinstance(name, str) and name in compiler.domain.entities:
        return True
    compiler.faults.unknown(path, "entity", name, compiler.domain.entities)
    return False


def weight_of(spec: JsonValue) -> int:
    """Return how many parts a value is made of, as a measure of what it costs."""
    total = 0
    waiting: list[Any] = [spec]
    while waiting:
        value = waiting.pop()
        total += 1
        inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting.extend(inner)
    return total


class Refused(Exception):
    """A call that the world refuses: an error type of ADM, and what the tool says."""

    def __init__(self, error_type: str, message: str) -> None:
        self.error_type = error_type
        self.message = message
        super().__init__(message)


NOT_FOUND = {"RESOURCE_NOT_FOUND": "Nothing like that was found."}
NOT_POSSIBLE = {"INVALID_STATE": "This is not possible."}


def compile_refusal(
    spec: JsonValue, path: Path, compiler: Compiler, default: dict[str, str]
) -> Callable[[Scope], Refused]:
    """Compile `{ERROR_TYPE: message}`; what is not said is taken from the default."""
    ((error_type, message),) = default.items()
    if isinstance(spec, dict) and len(spec) == 1:
        ((error_type, message),) = spec.items()
    elif spec is not None:
        compiler.faults.add(path, "an error is {ERROR_TYPE: message}")
    if error_type not in ERROR_TYPES:
        compiler.faults.unknown(path, "error type", error_type, ERROR_TYPES)
    text = compiler.parts.text(str(message), (*path, error_type), compiler)
    return lambda scope: Refused(error_type, text(scope) or NOT_POSSIBLE["INVALID_STATE"])
