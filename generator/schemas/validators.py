"""Validators of JSON Schema 2020-12: cached, bounded in time, closed to network and files.

`jsonschema_rs` decides and `jsonschema` words the messages. Where `jsonschema` would take too long or sees
nothing wrong, the wording is that of `jsonschema_rs`; `DISAGREEMENTS` lists where the two are known to differ.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

import jsonschema_rs
import orjson

from generator.errors import UsageError
from generator.jsontext import JsonObject, JsonValue, dump_canonical, pointer
from generator.schemas.drafts import Draft
from generator.schemas.keywords import REFERENCES, mentions
from generator.schemas.limits import DEEPEST_PATH, DEEPEST_VALUE, LARGEST_WORK, LONGEST_CHAIN, deepest_value, depth_of

Schema = dict[str, Any] | bool
"""A schema as parsed JSON."""

CACHE_SIZE = 4096
"""How many compiled schemas are kept; a compiled tool schema takes a few kB."""

METASCHEMA = "https://json-schema.org/draft/2020-12/schema"

WORDING_LIMIT = 20_000
"""Bytes of JSON above which a value is not given to `jsonschema`, whose `uniqueItems` is quadratic."""

_BOUNDED_REGEX = jsonschema_rs.FancyRegexOptions(
    backtrack_limit=100_000, size_limit=10_000_000, dfa_size_limit=10_000_000
)

DISAGREEMENTS: dict[str, str] = {
    "pattern": "jsonschema_rs reads ECMA 262 syntax and stops backtracking at a limit (the text then does not "
    "match); jsonschema uses Python's re, whose $ accepts a trailing newline, whose \\d accepts every script and "
    "which can hang",
    "patternProperties": "as pattern",
    "format": "jsonschema_rs checks every format of the specification strictly; jsonschema only those whose optional "
    "package is installed, and it accepts any text with an @ as an email",
    "multipleOf": "jsonschema_rs computes exactly with decimals; jsonschema divides floats, so that 0.07 is no "
    "multiple of 0.01 there",
    "dependencies": "jsonschema_rs still obeys the keyword of older drafts, which 2020-12 keeps for compatibility; "
    "jsonschema ignores it",
}
"""Where the two libraries are known to differ, by keyword, and why.

jsonschema_rs decides, but a schema with one of these keywords must be accepted by both. That takes a second look at
`multipleOf` alone: by the others jsonschema_rs refuses all that jsonschema can refuse.
"""


class InvalidSchema(UsageError):
    """A schema that cannot be used; `problems` says where and why."""

    def __init__(self, problems: list[SchemaProblem]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{problem.pointer or '/'}: {problem.message}" for problem in problems))


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One way in which a value (or a schema) is wrong."""

    pointer: str
    """JSON pointer into the value (or the schema)."""
    keyword: str
    """The schema keyword that refuses it; "" where the value is not JSON at all."""
    message: str


class SchemaValidator:
    """One compiled schema (JSON Schema 2020-12, or the draft given), formats asserted unless `formats` is false.

    Make one with `validator_for`, which caches. The schema must not be changed afterwards.

    Raises:
        InvalidSchema: the schema is not valid, refers outside itself or holds a pattern that is too large.
    """

    def __init__(
        self, schema: Schema, *, formats: bool = True, draft: Draft = Draft.DRAFT_2020_12, text: bytes | None = None
    ) -> None:
        self.schema = schema
        self._formats = formats
        text = content_of(schema) if text is None else text
        self._deepest = _deepest_value(schema, text)
        self._unbounded = self._deepest >= DEEPEST_VALUE
        self._decider = _compile(schema, formats, draft)
        self._asks_both = b'"multipleOf":' in text and divides_by_fractions(schema)
        self._divisions = divisions_of(schema) if self._asks_both else None

    def is_valid(self, value: JsonValue) -> bool:
        """Say whether the value satisfies the schema; what is not JSON (NaN, lone surrogates) satisfies nothing."""
        if self._asks_both:
            return self.is_possible(value) and not self._is_refused_by_division(value)
        return self.is_possible(value)

    def _is_refused_by_division(self, value: JsonValue) -> bool:
        """Say whether `jsonschema` refuses what `jsonschema_rs` accepts, for how it divides."""
        try:
            if self._divisions is not None:
                return not self._divisions.hold_in(value) and len(orjson.dumps(value)) <= WORDING_LIMIT
        except (OverflowError, TypeError):  # a number beyond what a float, or orjson, can hold
            return bool(self._worded(value))
        return bool(self._worded(value))

    def is_possible(self, value: JsonValue) -> bool:
        """Say whether `jsonschema_rs` alone accepts the value, which is exact about fractions."""
        try:
            return (self._unbounded or self._is_bounded(value)) and bool(self._decider.is_valid(value))
        except ValueError:
            return False

    def first_problem(self, value: JsonValue) -> SchemaProblem | None:
        """Return one thing that is wrong with the value, as `jsonschema_rs` words it; None where it finds nothing."""
        try:
            return next((_from_rs(error) for error in self._decider.iter_errors(value)), None)
        except ValueError as error:
            return SchemaProblem("", "", f"is not JSON: {error}")

    def problems(self, value: JsonValue) -> list[SchemaProblem]:
        """Return everything that is wrong with the value, in the order of its places; [] when it is valid."""
        if not self._is_bounded(value):
            message = f"nests deeper than {self._deepest} levels, too deep for a schema whose references multiply"
            return [SchemaProblem("", "$ref", message)]
        try:
            decided = [_from_rs(error) for error in self._decider.iter_errors(value)]
        except ValueError as error:
            return [SchemaProblem("", "", f"is not JSON: {error}")]
        if not decided and not self._asks_both:
            return []
        problems = dict.fromkeys(self._worded(value) or decided)
        return sorted(problems, key=lambda problem: problem.pointer)

    def _is_bounded(self, value: JsonValue) -> bool:
        """Say whether the work over the value is bounded: only where references multiply depends it on its depth."""
        return self._unbounded or depth_of(value, self._deepest) <= self._deepest

    def type_problems(self, value: JsonValue) -> set[str]:
        """Return the pointers at which `type` refuses the value, in any branch of the schema."""
        if not self._is_bounded(value):
            return set()
        try:
            return {at for error in self._decider.iter_errors(value) for at in _type_errors(error)}
        except ValueError:
            return set()

    def _worded(self, value: JsonValue) -> list[SchemaProblem]:
        """Ask `jsonschema` for its words; [] where it would take too long or sees nothing."""
        try:
            if len(orjson.dumps(value)) > WORDING_LIMIT:
                return []
            return [_from_python(error) for error in self._wording.iter_errors(value)]
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
            return []

    @cached_property
    def _wording(self) -> Any:  # jsonschema's validator classes are made at run time
        from generator.schemas.wording import wording_validator

        return wording_validator(self.schema, formats=self._formats)


def _deepest_value(schema: Schema, text: bytes) -> int:
    if not isinstance(schema, dict) or not mentions(text, REFERENCES):
        return DEEPEST_VALUE
    deepest = deepest_value(schema)
    if deepest < 0:
        raise InvalidSchema(
            [
                SchemaProblem(
                    "",
                    "$ref",
                    "its references multiply, or lead on, to more branches than can be followed: "
                    f"{LONGEST_CHAIN:,} one from the other, {DEEPEST_PATH:,} levels, {LARGEST_WORK:,} in all",
                )
            ]
        )
    return deepest


_ENGINES: dict[Draft, type[Any]] = {
    Draft.DRAFT_4: jsonschema_rs.Draft4Validator,
    Draft.DRAFT_6: jsonschema_rs.Draft6Validator,
    Draft.DRAFT_7: jsonschema_rs.Draft7Validator,
    Draft.DRAFT_2019_09: jsonschema_rs.Draft201909Validator,
    Draft.DRAFT_2020_12: jsonschema_rs.Draft202012Validator,
}


def _compile(schema: Schema, formats: bool, draft: Draft) -> Any:  # the engines share no base class
    try:
        return _ENGINES[draft](schema, validate_formats=formats, pattern_options=_BOUNDED_REGEX, offline=True)
    except jsonschema_rs.ValidationError as error:
        raise InvalidSchema([_without_fetching(_from_rs(error))]) from error
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise InvalidSchema([SchemaProblem("", "", str(error))]) from error


def _without_fetching(problem: SchemaProblem) -> SchemaProblem:
    """Say of a reference to another document what it is, not how it could not be fetched."""
    place = problem.message.partition("Resource '")[2].partition("' is not present")[0]
    if problem.keyword != "$ref" or not place:
        return problem
    message = f"refers to {place}, which is not in the schema; other documents are never fetched: put it into `$defs`"
    return SchemaProblem(problem.pointer, problem.keyword, message)


def _from_rs(error: jsonschema_rs.ValidationError) -> SchemaProblem:
    return SchemaProblem(pointer(error.instance_path), error.kind.name, error.message)


def _from_python(error: Any) -> SchemaProblem:  # jsonschema.ValidationError; its package is imported late
    return SchemaProblem(pointer(error.absolute_path), str(error.validator or "false schema"), error.message)


def _type_errors(error: jsonschema_rs.ValidationError) -> Iterator[str]:
    """Yield where `type` refuses, in this error and in the branches it sums up."""
    if error.kind.name == "type":
        yield pointer(error.instance_path)
    for branch in getattr(error.kind, "context", ()):
        for inner in branch:
            yield from _type_errors(inner)


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """A mapping that forgets what was used longest ago."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Key, Value] = OrderedDict()

    def get(self, key: Key) -> Value | None:
        """Return the value kept for the key, or None."""
        value = self._entries.get(key)
        if value is not None:
            with suppress(KeyError):  # another thread may have forgotten it meanwhile
                self._entries.move_to_end(key)
        return value

    def put(self, key: Key, value: Value) -> Value:
        """Keep the value, forget the oldest one where there are too many, and return the value."""
        self._entries[key] = value
        if len(self._entries) > self._size:
            self._entries.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()


_BY_IDENTITY: BoundedCache[tuple[int, bool, int], tuple[Schema, SchemaValidator]] = BoundedCache(CACHE_SIZE)
_BY_CONTENT: BoundedCache[tuple[bytes, bool, int], SchemaValidator] = BoundedCache(CACHE_SIZE)


def validator_for(
    schema: Schema, *, formats: bool = True, draft: Draft = Draft.DRAFT_2020_12, text: bytes | None = None
) -> SchemaValidator:
    """Return the validator of a schema, compiled once for equal schemas; `formats` false leaves formats unasserted.

    `text` is what `content_of` returned for the schema, where that is known.

    Raises:
        InvalidSchema: see SchemaValidator.
    """
    # The entry holds the schema itself, so that its id is not given to another object meanwhile.
    entry = _BY_IDENTITY.get((id(schema), formats, draft))
    if entry is not None:
        return entry[1]
    validator = _by_content(schema, formats, draft, text)
    _BY_IDENTITY.put((id(schema), formats, draft), (schema, validator))
    return validator


def _by_content(
    schema: Schema, formats: bool, draft: Draft = Draft.DRAFT_2020_12, text: bytes | None = None
) -> SchemaValidator:
    try:
        text = content_of(schema) if text is None else text
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidSchema([SchemaProblem("", "", f"is not JSON: {error}")]) from error
    key = (text, formats, draft)
    known = _BY_CONTENT.get(key)
    return known or _BY_CONTENT.put(key, SchemaValidator(schema, formats=formats, draft=draft, text=text))


def content_of(schema: Schema) -> bytes:
    """Return bytes that equal schemas share, integers beyond 64 bits included.

    Raises:
        TypeError, ValueError: it is not JSON.
    """
    try:
        return dump_canonical(schema)
    except TypeError as error:
        if "64-bit" not in str(error):
            raise
        return json.dumps(schema, sort_keys=True, allow_nan=False).encode()


@lru_cache(maxsize=1)
def _metaschema() -> SchemaValidator:
    return SchemaValidator({"$ref": METASCHEMA})


def schema_problems(schema: JsonValue) -> list[SchemaProblem]:
    """Say everything that keeps `schema` from being a usable JSON Schema 2020-12; [] when it is one."""
    problems = _metaschema().problems(schema)
    if problems:
        return problems
    try:
        _by_content(schema, formats=True)
    except InvalidSchema as error:
        return error.problems
    return []


_DEEPEST = 40
_PLAIN = frozenset(
    """type title description examples default deprecated properties required items enum const format
    additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
    minLength maxLength""".split()
)
"""Keywords under which every number has one place, and a divisor speaks of that place alone."""


@dataclass(frozen=True, slots=True)
class Divisions:
    """The divisor of one place of a value, and those of the places inside it."""

    divisor: int | float | None
    members: tuple[tuple[str, Divisions], ...]
    entries: Divisions | None

    def hold_in(self, value: JsonValue) -> bool:
        """Say whether every number is a multiple where one is wanted, as `jsonschema` calculates.

        Raises:
            OverflowError: a quotient is too large for a float.
        """
        if isinstance(value, dict):
            return all(inner.hold_in(value[name]) for name, inner in self.members if name in value)
        if isinstance(value, list):
            return self.entries is None or all(map(self.entries.hold_in, value))
        if self.divisor is None or not isinstance(value, int | float) or isinstance(value, bool):
            return True
        return _is_multiple(value, self.divisor)


def _is_multiple(value: int | float, divisor: int | float) -> bool:
    if isinstance(divisor, float):
        quotient = value / divisor
        return int(quotient) == quotient
    return not value % divisor


def divisions_of(schema: JsonValue) -> Divisions | None:
    """Return where a schema divides; None where other keywords than the plainest could have a say in it."""
    return _read(schema, 0)


def _read(schema: JsonValue, depth: int) -> Divisions | None:
    if not isinstance(schema, dict) or depth > _DEEPEST or not _PLAIN.issuperset(schema):
        return None
    if isinstance(schema.get("additionalProperties"), dict):
        return None
    members = _members(schema.get("properties", {}), depth + 1)
    items = schema.get("items")
    entries = _NOTHING if items is None else _read(items, depth + 1)
    if members is None or entries is None:
        return None
    return Divisions(schema.get("multipleOf"), members, None if entries == _NOTHING else entries)


def _members(properties: JsonObject, depth: int) -> tuple[tuple[str, Divisions], ...] | None:
    """Return the properties inside which a schema divides; None where one of them is not of the plainest."""
    found = []
    for name, part in properties.items():
        inner = _NOTHING if part is True else _read(part, depth)
        if inner is None:
            return None
        if inner != _NOTHING:
            found.append((name, inner))
    return tuple(found)


_NOTHING = Divisions(None, (), None)


def divides_by_fractions(schema: JsonValue) -> bool:
    """Say whether any `multipleOf` inside is a fraction; a property of that name counts too, which only costs time."""
    waiting = [schema]
    for node in waiting:
        if isinstance(node, dict):
            divisor = node.get("multipleOf")
            if isinstance(divisor, float) and not divisor.is_integer():
                return True
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)
    return False
