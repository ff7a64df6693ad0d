"""JSON, JSON lines and YAML from outside, with line and column of what is wrong.

YAML is built from the parser's events: no tags, no code, no expanding aliases.
Plain scalars are read by YAML 1.2's core schema, which is JSON's: `yes`, `on` and `2024-01-01` stay strings.

ruamel.yaml, tried in place of this, reads the same values of all tool files, but has no C parser for YAML 1.2: 15 times
slower for the events alone, whose aliases, tags and depth would be bounded here all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from generator.jsontext import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A syntax error: line and column count from 1."""

    line: int
    column: int
    message: str
    remedy: str = ""


class _DuplicateKeyError(ValueError):
    """An object names a key twice."""


class _NotANumberError(ValueError):
    """A constant that JSON does not know: NaN, Infinity."""


def parse_json(text: str, first_line: int = 1) -> JsonValue | TextProblem:
    """Parse one JSON document; a key given twice and NaN are refused."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return TextProblem(
            first_line + error.lineno - 1, error.colno, f"is not JSON: {error.msg}", "correct the text there"
        )
    except _DuplicateKeyError:
        return _first(_duplicate_keys(text), text, first_line, "the key {} is given twice", "keep one of them")
    except _NotANumberError:
        return _first(_constants(text), text, first_line, "{} is not JSON", "write a number, or leave the key out")
    except RecursionError:
        return TextProblem(first_line, 1, "is nested too deeply to be read", "flatten the definitions")
    except ValueError:
        # Python refuses to convert an integer with thousands of digits, since that takes quadratic time.
        found = _LONG_INTEGER.search(text)
        at = found.start() if found else 0
        return _at(text, at, first_line, "is an integer with thousands of digits", "write the number as a string")


def parse_json_lines(text: str) -> list[tuple[int, JsonValue | TextProblem]]:
    """Parse JSON lines as (line, document or problem); [] where the first line is no document of its own."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 2 or isinstance(parse_json(lines[0][1]), TextProblem):
        return []
    return [(number, parse_json(line, number)) for number, line in lines]


def _unique(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DuplicateKeyError
    return members


def _no_constant(name: str) -> NoReturn:
    raise _NotANumberError(name)


_LONG_INTEGER = re.compile(r"[0-9]{4301,}")  # what Python's limit on converting integers lets no longer through
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|-?Infinity|NaN')


def _constants(text: str) -> Iterator[tuple[str, int]]:
    """Yield the constants that JSON does not know, with their offsets."""
    for token in _TOKEN.finditer(text):
        if token.group() in ("NaN", "Infinity", "-Infinity"):
            yield token.group(), token.start()


def _duplicate_keys(text: str) -> Iterator[tuple[str, int]]:
    """Yield the keys that their object has already, with their offsets."""
    open_keys: list[set[str] | None] = []
    before = ""
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            open_keys.append(set() if word == "{" else None)
        elif word in "}]":
            open_keys.pop()
        elif word[0] == '"' and before in "{," and open_keys and (keys := open_keys[-1]) is not None:
            key = json.loads(word)
            if key in keys:
                yield word, token.start()
            keys.add(key)
        before = word


def _first(found: Iterator[tuple[str, int]], text: str, first_line: int, message: str, remedy: str) -> TextProblem:
    """Word the first finding with its place."""
    word, offset = next(found)
    return _at(text, offset, first_line, message.format(word), remedy)


def _at(text: str, offset: int, first_line: int, message: str, remedy: str) -> TextProblem:
    """Place a finding at an offset of the text."""
    line = text.count("\n", 0, offset)
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return TextProblem(first_line + line, column, message, remedy)


MAX_EXPANDED = 200_000
"""How many values the aliases of one document may stand for, all in all."""
MAX_OPEN = 200
"""How many lists and mappings may be open at once."""
_TOO_DEEP, _FLATTEN = f"is nested deeper than {MAX_OPEN} levels", "flatten the definitions"
_PARSERS_OWN_LIMIT = "maximum nesting depth"
"""What the C parser says from PyYAML 6.0.4 on, which reads ahead of its events and so may be first to refuse."""

# The C parser where PyYAML was built with it, else the pure one: the same events.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]{1,400}")
_BASED = re.compile(r"0o[0-7]{1,100}|0x[0-9a-fA-F]{1,100}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_BEGINS_A_VALUE = frozenset("0123456789+-.~nNtTfF")
"""What a plain scalar that is no text may begin with."""
_PREFIX = "tag:yaml.org,2002:"
_PLAIN_TAGS = frozenset({None, "!", f"{_PREFIX}map", f"{_PREFIX}seq"})
_MERGE = "<<"
_MEND = "correct the text there"


class _RefusedError(Exception):
    """A document that is YAML but not data for us; carries the problem."""

    def __init__(self, event: Any, message: str, remedy: str) -> None:  # PyYAML's events are untyped
        mark = event.start_mark
        self.problem = TextProblem(mark.line + 1, mark.column + 1, message, remedy)
        super().__init__(message)


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet."""

    value: dict[str, JsonValue] | list[JsonValue]
    anchor: str | None
    size: int = 1
    key: str | None = None
    merged: dict[str, JsonValue] = field(default_factory=dict)
    merges: bool = False
    """Whether the key is a plain `<<`; one in quotes is a key like any other."""


class _Builder:
    """Builds the value of one document from its events, one at a time."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[JsonValue, int] | None] = {}
        self._expanded = 0
        self.value: JsonValue = None
        self.takes: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._hold,
            yaml.AliasEvent: lambda event: self._add(event, *self._aliased(event)),
            yaml.MappingStartEvent: self._start,
            yaml.SequenceStartEvent: self._start,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
        }
        """What takes the next event of the document, by its type; a document that cannot be used is a refusal."""

    def _hold(self, event: Any) -> None:
        value = _scalar(event)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)
        self._add(event, value, 1)

    def _start(self, event: Any) -> None:
        if event.tag not in _PLAIN_TAGS:
            raise _RefusedError(event, f"has the tag {event.tag}", "tool files are plain data: remove the tag")
        if len(self._open) >= MAX_OPEN:
            raise _RefusedError(event, _TOO_DEEP, _FLATTEN)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor))

    def _end(self, event: Any) -> None:
        done = self._open.pop()
        if isinstance(done.value, dict):
            done.value.update({key: value for key, value in done.merged.items() if key not in done.value})
        if done.anchor:
            self._anchors[done.anchor] = (done.value, done.size)
        self._add(event, done.value, done.size)

    def _aliased(self, event: Any) -> tuple[JsonValue, int]:
        if event.anchor not in self._anchors:
            raise _RefusedError(event, f"the alias *{event.anchor} names no anchor", "define the anchor before")
        target = self._anchors[event.anchor]
        if target is None:
            raise _RefusedError(event, f"the alias *{event.anchor} stands inside itself", "write the part out")
        self._expanded += target[1]
        if self._expanded > MAX_EXPANDED:
            message = f"its aliases expand to more than {MAX_EXPANDED:,} values"
            raise _RefusedError(event, message, "write the definitions out")
        return target

    def _add(self, event: Any, value: JsonValue, size: int) -> None:
        if not self._open:
            self.value = value
            return
        parent = self._open[-1]
        parent.size += size
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.key is None:
            parent.merges = value == _MERGE and isinstance(event, yaml.ScalarEvent) and event.implicit[0]
            parent.key = self._key(event, value, parent.value, merges=parent.merges)
        else:
            self._set(event, parent, value)

    def _key(self, event: Any, value: JsonValue, known: dict[str, JsonValue], *, merges: bool) -> str:
        if isinstance(value, dict | list):
            raise _RefusedError(event, "a key is a list or mapping", "keys are strings")
        # `404:` and `true:` are strings to JSON: the text as it was written.
        key = value if isinstance(value, str) else str(getattr(event, "value", value))
        if key in known and not merges:
            raise _RefusedError(event, f"the key {key!r} is given twice", "keep one of them")
        return key

    def _set(self, event: Any, parent: _Open, value: JsonValue) -> None:
        key, parent.key = parent.key, None
        if not parent.merges:
            parent.value[key] = value  # type: ignore[call-overload, index]  # a parent that has a key is a mapping
            return
        for part in value if isinstance(value, list) else [value]:
            if not isinstance(part, dict):
                raise _RefusedError(event, "`<<` merges something that is no mapping", "merge mappings alone")
            parent.merged.update({name: held for name, held in part.items() if name not in parent.merged})


def _scalar(event: Any) -> JsonValue:
    """Resolve a scalar by the core schema."""
    text: str = event.value
    if event.tag is None and not event.implicit[0]:
        return text
    tag = None if event.tag in (None, "!") else event.tag.removeprefix(_PREFIX)
    if tag not in (None, "str", "int", "float", "bool", "null"):
        raise _RefusedError(event, f"has the tag {event.tag}", "tool files are plain data: remove the tag")
    if tag == "str" or (tag is None and not event.implicit[0]):
        return text
    return _plain(event, text)


def is_text_when_plain(text: str) -> bool:
    """Say whether a text may stand without quotes and still be read as a text."""
    if text and text[0] not in _BEGINS_A_VALUE:
        return True
    if text in _NULL or text in _TRUE or text in _FALSE:
        return False
    return not any(pattern.fullmatch(text) for pattern in (_INTEGER, _BASED, _NOT_FINITE, _FLOAT))


def _plain(event: Any, text: str) -> JsonValue:
    if text and text[0] not in _BEGINS_A_VALUE:
        return text
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _NOT_FINITE.fullmatch(text):
        raise _RefusedError(event, f"{text} is a number that JSON cannot hold", "write a finite number")
    return float(text) if _FLOAT.fullmatch(text) else text


def parse_yaml(text: str) -> list[tuple[int, JsonValue | TextProblem]]:
    """Parse every document of a YAML text as (line, document or problem); reading ends at the first problem."""
    parsed: list[tuple[int, JsonValue | TextProblem]] = []
    builder, line = _Builder(), 1
    try:
        for event in yaml.parse(text, Loader=LOADER):
            take = builder.takes.get(type(event))
            if take is not None:
                take(event)
            elif type(event) is yaml.DocumentStartEvent:
                builder, line = _Builder(), _line(event)
            elif type(event) is yaml.DocumentEndEvent:
                parsed.append((line, builder.value))
    except _RefusedError as refusal:
        return [*parsed, (line, refusal.problem)]
    except yaml.YAMLError as error:
        return [*parsed, (line, _syntax(error, text))]
    return [document for document in parsed if document[1] is not None] or parsed


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _syntax(error: yaml.YAMLError, text: str) -> TextProblem:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        what = getattr(error, "problem", None) or "syntax error"
        if _PARSERS_OWN_LIMIT in what:
            return TextProblem(mark.line + 1, mark.column + 1, _TOO_DEEP, _FLATTEN)
        return TextProblem(mark.line + 1, mark.column + 1, f"is neither JSON nor YAML: {what}", _MEND)
    offset = getattr(error, "position", 0)
    line = text.count("\n", 0, offset) + 1
    reason = getattr(error, "reason", str(error))
    return TextProblem(line, offset - text.rfind("\n", 0, offset), f"is neither JSON nor YAML: {reason}", _MEND)
