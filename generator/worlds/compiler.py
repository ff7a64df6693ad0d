"""The compiler of a domain: the names in scope, what settings must be, where faults are, and how calls are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from generator.domains.domain import Domain
from generator.domains.reading import Faults
from generator.jsontext import JsonValue
from generator.schemas.adm import ERROR_TYPES
from generator.worlds.rows import Scope
from generator.worlds.speech import compile_form

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
