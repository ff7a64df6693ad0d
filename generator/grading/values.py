"""Values by what they mean under a schema: two that mean the same are read as equal.

Numbers are equal as numbers, moments as moments where a format says that they are moments, sets in any order where
the schema says that they are sets. A default that is given is as one that is left out, and null as nothing where a
parameter may be either. Words may differ in case and spacing; ids, codes, paths, choices and patterns may not, and
a dictated text only in the case of its first letter.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from math import isfinite
from typing import Literal

import orjson

from generator.assets import asset_file
from generator.jsontext import JsonObject, JsonValue, LongFloat, dump_canonical

TextSort = Literal["exact", "words", "dictated", "date", "date-time", "time", "uuid"]

_TO_THE_LETTER = ("enum", "const", "pattern", "contentEncoding", "contentMediaType", "format")
"""What in a schema says that its texts are meant to the letter; some formats are read."""
_READ: dict[str, TextSort] = {"date": "date", "date-time": "date-time", "time": "time", "uuid": "uuid"}

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MARKS = re.compile(r"[/\\_@#:=<>{}\[\]|~^$%*+&;`]|[^\s\d.,(]\d|\d[^\s\d.,)!?]|(?<=[a-z])[A-Z]|^[A-Z]{1,6}$")
"""Signs of a text that is no plain words: of paths and codes, digits in words, capitals inside, short capitals."""
_SPACES = re.compile(r"\s+")
_SAME_SIGNS = str.maketrans("\u2018\u2019\u201c\u201d\u00a0\u202f", "''\"\"  ")
_LONGEST = 100_000
"""Characters of a text that is read by its words; a longer one is meant to the letter."""
Reading = Hashable
"""What a value means: equal for values that mean the same."""

_DEEPEST = 48
"""Levels of a value that are read by their schema; what lies deeper is compared to the letter."""
_DEEPEST_CHOICE = 6
"""Levels of alternatives within alternatives."""
_MOST_PARTS = 64
"""Alternatives of one schema, and schemas that one refers to or demands at once."""
_CACHED = 4096
_OF_CHOICE = ("anyOf", "oneOf")


def sort_of_texts(schema: JsonObject, name: str) -> TextSort:
    """Say how the texts of a parameter are to be read, by its schema and its name."""
    form = schema.get("format")
    if isinstance(form, str) and form in _READ and not {"enum", "const", "pattern"} & schema.keys():
        return _READ[form]
    if any(keyword in schema for keyword in _TO_THE_LETTER):
        return "exact"
    return _sort_by_name(name)


@lru_cache(maxsize=4096)
def _sort_by_name(name: str) -> TextSort:
    parts = [part.lower() for part in _PARTS.findall(name)]
    return _sorts_by_word().get(parts[-1], "words") if parts else "words"


@cache
def _sorts_by_word() -> dict[str, TextSort]:
    """Return how texts are to be read by the last word of their parameter's name, where it tells."""
    names = tomllib.loads(asset_file("text_names.toml").read_text("utf-8"))
    sorts: tuple[TextSort, TextSort] = ("exact", "dictated")
    return {word: sort for sort in sorts for word in names[sort].split()}


def read_text(value: str, sort: TextSort) -> Hashable:
    """Return what a text means, read as texts of its sort are."""
    if sort == "words":
        return _words(value)
    if sort == "exact" or len(value) > _LONGEST:
        return value
    if sort == "dictated":
        text = unicodedata.normalize("NFC", value.strip()).translate(_SAME_SIGNS)
        return text[:1].lower() + text[1:]
    if sort == "uuid":
        return value.lower()
    moment = _moment(value, sort)
    return value if moment is None else moment


def _words(value: str) -> str:
    """Return plain words without their case and spacing, and what is no plain words as it stands."""
    if len(value) > _LONGEST or _MARKS.search(value):
        return value
    if value.isascii():
        return _SPACES.sub(" ", value.strip()).lower()
    text = unicodedata.normalize("NFC", value.strip()).translate(_SAME_SIGNS)
    return _SPACES.sub(" ", text).casefold()


_DAY = r"(\d{4})-(\d\d)-(\d\d)"
_CLOCK = r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
_ZONE = r"(Z|[+-]\d\d:?\d\d)?"
_DATE = re.compile(rf"{_DAY}(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)?)?", re.ASCII | re.IGNORECASE)
_DATE_TIME = re.compile(rf"{_DAY}[T ]{_CLOCK}{_ZONE}", re.ASCII | re.IGNORECASE)
_TIME = re.compile(rf"{_CLOCK}{_ZONE}", re.ASCII | re.IGNORECASE)


def _moment(value: str, sort: TextSort) -> Hashable | None:
    """Return the moment that a text names; None where it names none."""
    try:
        if sort == "date":
            found = _DATE.fullmatch(value)
            return date(*map(int, found.groups())) if found else None
        if sort == "date-time":
            found = _DATE_TIME.fullmatch(value)
            return _instant(date(*map(int, found.groups()[:3])), found.groups()[3:]) if found else None
        found = _TIME.fullmatch(value)
        return _instant(None, found.groups()) if found else None
    except (ValueError, OverflowError):  # there is no such day, or it lies at the end of time
        return None


def _instant(day: date | None, parts: tuple[str | None, ...]) -> Hashable:
    """Return an instant in UTC with its fraction of a second, or a local one where no zone is told."""
    hour, minute, second = (int(part or 0) for part in parts[:3])
    fraction, zone = parts[3:]
    clock = time(hour, minute, second)
    local = datetime.combine(day or date(2000, 1, 2), clock)
    told = (fraction or "").rstrip("0")
    if zone is None:
        return ("local", local if day else clock, told)
    offset = timedelta() if zone in "Zz" else timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    moment = (local - offset if zone[0] != "-" else local + offset).replace(tzinfo=UTC)
    return (moment if day else moment.time(), told)


class ValueReader:
    """Reads values of one schema; `reader_of` makes it and keeps it.

    Args:
        schema: the schema as parsed JSON, of whatever shape.
        root: the schema in which its references are looked up.
        name: the name of the parameter, "" where it has none.
        level: how many alternatives it lies in.
    """

    __slots__ = ("_branches", "_defaults", "_entries", "_is_set", "_level", "_members", "_name", "_nullable",
                 "_required", "_root", "_schema", "_sort", "_types")  # fmt: skip

    def __init__(self, schema: JsonValue, root: JsonValue, name: str = "", level: int = 0) -> None:
        self._root, self._name, self._level = root, name, level
        self._schema = _whole(schema, root)
        self._types = _types(self._schema)
        self._sort = sort_of_texts(self._schema, name)
        self._is_set = self._schema.get("uniqueItems") is True
        required = self._schema.get("required")
        self._required = frozenset([each for each in _as_list(required) if isinstance(each, str)])
        self._branches: list[ValueReader] | None = None
        self._members: dict[str, ValueReader] = {}
        self._entries: dict[int, ValueReader] = {}
        self._defaults: dict[str, Reading] | None = None
        self._nullable: frozenset[str] | None = None

    def read(self, value: JsonValue, depth: int = 0) -> Reading:
        """Return what a value means."""
        kind = type(value)
        if kind is str or isinstance(value, str):
            return read_text(value, self._branch(value)._sort)
        if kind is int:
            return int(value)
        if value is None or kind is bool:
            return (value,)
        if isinstance(value, float):
            return _number(value)
        if depth >= _DEEPEST:
            return _to_the_letter(value)
        if isinstance(value, dict):
            return frozenset(self._branch(value).members(value, depth).items())
        if isinstance(value, list | tuple):
            return self._branch(value)._list(value, depth)
        return _Nothing()

    def members(self, value: JsonObject, depth: int = 0) -> dict[str, Reading]:
        """Return what each member of an object means, those that are left out with their defaults."""
        if self._defaults is None:
            self._defaults = {key: self._member(key).read(told, depth + 1) for key, told in self._told_defaults()}
        found = dict(self._defaults)
        for key, member in value.items():
            if type(key) is not str:
                return {"": _Nothing()}
            if member is None and key not in found and self._is_optional(key):
                continue
            found[key] = self._member(key).read(member, depth + 1)
        return found

    def _told_defaults(self) -> Iterator[tuple[str, JsonValue]]:
        for name, part in _properties(self._schema).items():
            default = part.get("default") if isinstance(part, dict) else None
            if default is not None and name not in self._required:
                yield name, default

    def _is_optional(self, name: str) -> bool:
        """Say whether a member may be left out and may be null, so that both are the same."""
        if self._nullable is None:
            names = [name for name in _properties(self._schema) if name not in self._required]
            self._nullable = frozenset([name for name in names if self._member(name)._takes_null()])
        return name in self._nullable

    def _takes_null(self) -> bool:
        if self._types is not None and "null" in self._types:
            return True
        return None in _choices(self._schema) or any(branch._takes_null() for branch in self._alternatives())

    def _member(self, name: str) -> ValueReader:
        known = self._members.get(name)
        if known is None:
            properties = _properties(self._schema)
            if name not in properties:
                return self._other(name)
            known = self._members[name] = ValueReader(properties[name], self._root, name)
        return known

    def _other(self, name: str) -> ValueReader:
        """Return the reader of a member that the schema does not name: not kept, since there may be any number."""
        return ValueReader(self._schema.get("additionalProperties"), self._root, name)

    def _list(self, value: list[JsonValue] | tuple[JsonValue, ...], depth: int) -> Reading:
        read = [self._entry(place).read(entry, depth + 1) for place, entry in enumerate(value)]
        return (_SET, frozenset(Counter(read).items())) if self._is_set else (_LIST, *read)

    def _entry(self, place: int) -> ValueReader:
        first = _as_list(self._schema.get("prefixItems"))
        place = place if place < len(first) else -1
        known = self._entries.get(place)
        if known is None:
            schema = self._schema.get("items") if place < 0 else first[place]
            known = self._entries[place] = ValueReader(schema, self._root, self._name)
        return known

    def _alternatives(self) -> list[ValueReader]:
        if self._branches is None:
            parts = [part for keyword in _OF_CHOICE for part in _as_list(self._schema.get(keyword))]
            parts = parts[:_MOST_PARTS] if self._level < _DEEPEST_CHOICE else []
            base = {key: part for key, part in self._schema.items() if key not in _OF_CHOICE} if parts else {}
            wholes = [_joined(base, _whole(part, self._root)) for part in parts]
            self._branches = [ValueReader(each, self._root, self._name, self._level + 1) for each in wholes]
        return self._branches

    def _branch(self, value: JsonValue) -> ValueReader:
        """Return the reader of the alternative that a value is of; this one where there are none."""
        for branch in self._alternatives():
            if branch._suits(value):
                return branch._branch(value)
        return self

    def _suits(self, value: JsonValue) -> bool:
        """Say whether a value is of this alternative, as far as types, required names and constants tell."""
        if self._types is not None and _type_of(value) not in self._types:
            return False
        if isinstance(value, dict):
            return self._required <= value.keys() and self._has_constants(value)
        choices = _choices(self._schema)
        return not choices or value in choices

    def _has_constants(self, value: JsonObject) -> bool:
        """Say whether each member of an object is of the choices, or the constant, that its schema names, if any."""
        parts = _properties(self._schema).items()
        choices = [(key, _choices(part)) for key, part in parts if isinstance(part, dict) and key in value]
        return all(not held or value[key] in held for key, held in choices)


class _Nothing:
    """Stands for what is no JSON: it means the same as nothing else."""


_SET, _LIST = "set", "list"


@lru_cache(maxsize=_CACHED)
def _reader(text: bytes) -> ValueReader:
    schema = orjson.loads(text)
    return ValueReader(schema, schema)


def reader_of(schema: JsonValue) -> ValueReader:
    """Return the reader of a schema, kept for equal schemas; what is no JSON reads values as no schema does."""
    try:
        text = orjson.dumps(schema)
    except (TypeError, ValueError):
        text = b"{}"
    return _reader(text)


def same_value(expected: JsonValue, actual: JsonValue, schema: JsonValue = None) -> bool:
    """Say whether two values mean the same under a schema; without one no default and no format is known."""
    reader = reader_of(schema)
    return reader.read(expected) == reader.read(actual)


def _number(value: float) -> Reading:
    if isinstance(value, LongFloat):
        return Decimal(value.written)
    if not isfinite(value):
        return _Nothing()
    return int(value) if value.is_integer() else float(value)


def _to_the_letter(value: JsonValue) -> Reading:
    try:
        return dump_canonical(value)
    except (TypeError, ValueError, RecursionError):
        return _Nothing()


def _as_list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


_TYPES = {str: "string", dict: "object", list: "array", tuple: "array", bool: "boolean", int: "number"}


def _type_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    return "number" if isinstance(value, float) else _TYPES.get(type(value), "")


def _types(schema: JsonObject) -> frozenset[str] | None:
    """Return the types that a schema admits, integers among the numbers; None where it admits all."""
    told = schema.get("type")
    names = [told] if isinstance(told, str) else told if isinstance(told, list) else None
    if names is None:
        return None
    found = [name.lower() for name in names if isinstance(name, str)]
    return frozenset(["number" if name == "integer" else name for name in found])


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _choices(schema: JsonObject) -> list[JsonValue]:
    if "const" in schema:
        return [schema["const"]]
    found = schema.get("enum")
    return found if isinstance(found, list) else []


def _whole(schema: JsonValue, root: JsonValue) -> JsonObject:
    """Return a schema with what it refers to and all that it demands at once beside its own keywords."""
    if not isinstance(schema, dict):
        return {}
    if "$ref" not in schema and "allOf" not in schema:
        return schema
    found: JsonObject = {}
    waiting: list[JsonValue] = [schema]
    for _ in range(_MOST_PARTS):
        part = waiting.pop() if waiting else None
        if isinstance(part, dict):
            found = _joined({key: held for key, held in part.items() if key not in ("$ref", "allOf")}, found)
            waiting.append(_target(part.get("$ref"), root))
            waiting += _as_list(part.get("allOf"))
    return found


def _target(reference: JsonValue, root: JsonValue) -> JsonValue:
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    for step in reference[1:].split("/")[1:]:
        root = root.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(root, dict) else None
    return root


def _joined(schema: JsonObject, further: JsonObject) -> JsonObject:
    """Return a schema with what a further one demands: the properties and required names of both."""
    joined = {**schema, **further}
    if isinstance(schema.get("properties"), dict) and isinstance(further.get("properties"), dict):
        joined["properties"] = {**schema["properties"], **further["properties"]}
    joined["required"] = [*_as_list(schema.get("required")), *_as_list(further.get("required"))]
    return joined
