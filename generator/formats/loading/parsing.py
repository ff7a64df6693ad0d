"""Text from outside, told apart by content: JSON, JSON lines or YAML, with line and column of what is wrong.

Every document that leaves this module is plain JSON: finite numbers, 64-bit integers, text that UTF-8 can hold, unique
keys, at most `MAX_DEPTH` levels. What is not is a `Problem` that names its line and column.

YAML is built from the parser's events: no tags, no code, no expanding aliases.
Plain scalars are read by YAML 1.2's core schema, which is JSON's: `yes`, `on` and `2024-01-01` stay strings.

ruamel.yaml, tried in place of this, reads the same values of all tool files, but has no C parser for YAML 1.2: 15 times
slower for the events alone, whose aliases, tags and depth would be bounded here all the same.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

import yaml

from generator.errors import Problem
from generator.jsontext import JsonObject, JsonValue, pointer

Path = tuple[str | int, ...]
"""The keys and places that lead to a part of a document."""

MAX_FILE_BYTES = 16 * 1024 * 1024
"""The largest tool file that is read: 16 MiB, many thousand tools."""
MAX_YAML_BYTES = 4 * 1024 * 1024
"""The largest YAML file that is read: YAML takes some fifty times as long to parse as JSON."""
MAX_DEPTH = 100
"""How many lists and objects may stand inside each other."""
_MAX_REPORTED = 20
_SHOWN_DEPTH = 8
_BYTE_ORDER_MARK = "\ufeff"
_INTEGERS = (-(2**63), 2**64 - 1)
_WIDE_BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed document and where it was read."""

    value: JsonValue
    place: str
    """The file, with `:line` for a line of JSON lines or a YAML document after the first."""

    def where(self, at: str) -> str:
        """Name a place inside the document by its JSON pointer."""
        return f"{self.place}#{at}" if at else self.place


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text held: its documents, and what was wrong with it."""

    documents: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A syntax error: line and column count from 1."""

    line: int
    column: int
    message: str
    remedy: str = ""


def read_documents(data: bytes, place: str) -> Reading:
    """Read every document of a text; `place` names the file in problems."""
    if len(data) > MAX_FILE_BYTES:
        return _refused(too_large(place, len(data)))
    try:
        text = data.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        return _refused(_not_utf8(data, error, place))
    parsed = _parse(text, len(data)) if text.strip() else []
    if not parsed:
        return _refused(Problem(place, "is empty", "write into it what belongs there, or leave the file out"))
    return _checked(parsed, place)


def too_large(place: str, size: int, limit: int = MAX_FILE_BYTES) -> Problem:
    """Say that a file is larger than what is read."""
    return Problem(
        place, f"is {size:,} bytes large; at most {limit:,} are read", "split it, or give the tools you need in a file"
    )


def _refused(problem: Problem) -> Reading:
    return Reading(problems=(problem,))


def _not_utf8(data: bytes, error: UnicodeDecodeError, place: str) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
    hint = "it looks like UTF-16; " if data.startswith(_WIDE_BYTE_ORDER_MARKS) else ""
    return Problem(f"{place}:{line}:{column}", f"is not UTF-8: byte 0x{data[error.start]:02x}", f"{hint}save as UTF-8")


def _parse(text: str, size: int) -> list[tuple[int, JsonValue | TextProblem]]:
    """Parse by content: JSON where it opens like JSON, JSON lines where its first line is a whole document."""
    if text.lstrip()[0] in "{[":
        value = parse_json(text)
        if isinstance(value, TextProblem):
            return parse_json_lines(text) or [(1, value)]
        return [(1, value)]
    if size > MAX_YAML_BYTES:
        message = f"is {size:,} bytes of YAML; at most {MAX_YAML_BYTES:,} are read"
        return [(1, TextProblem(1, 1, message, "split it, or write it as JSON"))]
    return parse_yaml(text)


def _checked(parsed: list[tuple[int, JsonValue | TextProblem]], place: str) -> Reading:
    documents, problems = [], []
    for line, value in parsed:
        here = place if len(parsed) == 1 else f"{place}:{line}"
        if isinstance(value, TextProblem):
            problems.append(Problem(f"{place}:{value.line}:{value.column}", value.message, value.remedy))
            continue
        unusable = [Problem(f"{here}#{at}", message, remedy) for at, message, remedy in find_unusable(value)]
        problems += unusable
        if not unusable:
            documents.append(Document(value, here))
    return Reading(tuple(documents), tuple(problems))


def find_unusable(value: JsonValue) -> list[tuple[str, str, str]]:
    """Return what no JSON text may hold, or what is nested too deeply, as (pointer, message, remedy)."""
    if _is_plain(value):
        return []
    found: list[tuple[str, str, str]] = []
    stack: list[tuple[JsonValue, Path]] = [(value, ())]
    while stack and len(found) < _MAX_REPORTED:
        node, path = stack.pop()
        problem = _scalar_problem(node)
        if problem is not None:
            found.append((pointer(path), *problem))
        elif len(path) >= MAX_DEPTH and isinstance(node, dict | list) and node:
            message = f"and below is nested deeper than {MAX_DEPTH} levels"
            found.append((pointer(path[:_SHOWN_DEPTH]), message, "flatten the definition"))
        else:
            found += [(pointer(path), *bad) for bad in _key_problems(node)]
            stack += _children(node, path)
    return found


def _children(node: JsonValue, path: Path) -> Iterator[tuple[JsonValue, Path]]:
    """Yield what stands in a list or an object, with the path to it."""
    if isinstance(node, dict):
        yield from ((child, (*path, key)) for key, child in node.items() if isinstance(key, str))
    elif isinstance(node, list):
        yield from ((child, (*path, index)) for index, child in enumerate(node))


def _is_plain(value: JsonValue) -> bool:
    """Say whether all is well, as it mostly is: nothing is kept of where anything stands."""
    stack: list[Iterator[JsonValue]] = [iter((value,))]
    while stack:
        for node in stack[-1]:
            if isinstance(node, dict | list):
                if len(stack) > MAX_DEPTH or (isinstance(node, dict) and not all(map(_is_key, node))):
                    return False
                stack.append(iter(node.values() if isinstance(node, dict) else node))
                break
            if _scalar_problem(node) is not None:
                return False
        else:
            stack.pop()
    return True


def _is_key(key: JsonValue) -> bool:
    return isinstance(key, str) and (key.isascii() or _is_encodable(key))


def _scalar_problem(node: JsonValue) -> tuple[str, str] | None:
    if isinstance(node, str):
        return None if node.isascii() or _is_encodable(node) else _SURROGATE
    if node is None or isinstance(node, bool | dict | list):
        return None
    if isinstance(node, int):
        in_range = _INTEGERS[0] <= node <= _INTEGERS[1]
        return None if in_range else ("is an integer that 64 bits cannot hold", "write it as a string, or smaller")
    if isinstance(node, float):
        return None if math.isfinite(node) else ("is a number that JSON cannot hold", "write a finite number")
    return (f"is a {type(node).__name__}, which JSON cannot hold", "use strings, numbers, booleans, lists and objects")


_SURROGATE = ("holds half of a surrogate pair, which UTF-8 cannot hold", "remove the broken character")


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _key_problems(node: JsonValue) -> Iterator[tuple[str, str]]:
    for key in node if isinstance(node, dict) else ():
        if not isinstance(key, str):
            yield (f"has the key {key!r}, which is no string", "quote it")
        elif not _is_encodable(key):
            yield _SURROGATE


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
_JSON_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|-?Infinity|NaN')


def _constants(text: str) -> Iterator[tuple[str, int]]:
    """Yield the constants that JSON does not know, with their offsets."""
    for token in _JSON_TOKEN.finditer(text):
        if token.group() in ("NaN", "Infinity", "-Infinity"):
            yield token.group(), token.start()


def _duplicate_keys(text: str) -> Iterator[tuple[str, int]]:
    """Yield the keys that their object has already, with their offsets."""
    open_keys: list[set[str] | None] = []
    before = ""
    for token in _JSON_TOKEN.finditer(text):
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
class _OpenNode:
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
        self._open: list[_OpenNode] = []
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
        self._open.append(_OpenNode({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor))

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

    def _set(self, event: Any, parent: _OpenNode, value: JsonValue) -> None:
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


Opened = Literal["mapping", "list", "end", "scalar"]

_PART = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+')
_OPENS: dict[str, Opened] = {"{": "mapping", "[": "list", "}": "end", "]": "end"}


@dataclass(slots=True)
class _OpenPart:
    """A mapping or list that the walk is inside of."""

    path: Path | None
    """None where nothing inside is sought."""
    holds: Opened
    count: int = 0
    key: str | None = None

    def next_part(self, text: str) -> tuple[str | int, bool]:
        """Return where in here the part that comes next belongs, and whether it is the key that tells so."""
        if self.holds != "mapping":
            self.count += 1
            return self.count - 1, False
        if self.key is None:
            self.key = text
            return text, True
        key, self.key = self.key, None
        return key, False


def lines_of(text: str, wanted: Iterable[Path]) -> dict[Path, int]:
    """Return the line of each path, from 1: that of its key, or of the nearest part around it that is written there.

    The text must be one that was parsed before: what is wrong with it is not told here.
    """
    paths = list(wanted)
    sought = {path[:length] for path in paths for length in range(len(path) + 1)}
    found = _walk(_json_parts(text) if text.lstrip()[:1] in ("{", "[") else _yaml_parts(text), sought)
    return {path: _nearest(path, found) for path in paths}


def _nearest(path: Path, found: dict[Path, int]) -> int:
    return next((found[path[:length]] for length in range(len(path), -1, -1) if path[:length] in found), 1)


def _walk(parts: Iterator[tuple[Opened, str, int]], sought: set[Path]) -> dict[Path, int]:
    """Note the lines of the paths that are sought while the parts go by; nothing else is kept."""
    found: dict[Path, int] = {}
    stack: list[_OpenPart] = []
    for holds, text, line in parts:
        if holds == "end":
            if not stack:
                break
            stack.pop()
            continue
        here = _step(stack, text, line, found, sought)
        if holds != "scalar":
            stack.append(_OpenPart(here, holds))
    return found


def _step(stack: list[_OpenPart], text: str, line: int, found: dict[Path, int], sought: set[Path]) -> Path | None:
    """Go one part on; return the path of the value that begins, None for a key or what is not sought."""
    here: Path | None = ()
    is_key = False
    if stack:
        part, is_key = stack[-1].next_part(text)
        here = None if stack[-1].path is None else (*stack[-1].path, part)
    if here is None or here not in sought:
        return None
    found.setdefault(here, line)
    return None if is_key else here


def _json_parts(text: str) -> Iterator[tuple[Opened, str, int]]:
    line, place = 1, 0
    for token in _PART.finditer(text):
        line += text.count("\n", place, token.start())
        place = token.start()
        word = token.group()
        if word in _OPENS:
            yield _OPENS[word], "", line
        else:
            yield "scalar", str(json.loads(word)) if word[0] == '"' else word, line


def _yaml_parts(text: str) -> Iterator[tuple[Opened, str, int]]:
    for event in yaml.parse(text, Loader=LOADER):
        line = event.start_mark.line + 1 if event.start_mark is not None else 1
        if isinstance(event, yaml.MappingStartEvent):
            yield "mapping", "", line
        elif isinstance(event, yaml.SequenceStartEvent):
            yield "list", "", line
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            yield "end", "", line
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            yield "scalar", getattr(event, "value", ""), line
        elif isinstance(event, yaml.DocumentEndEvent):
            return
