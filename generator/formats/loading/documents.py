"""Reading text from outside: JSON, JSON lines or YAML, told apart by content, in bounded time and memory.

Every document that leaves this module is plain JSON: finite numbers, 64-bit integers, text that UTF-8 can
hold, unique keys, at most `MAX_DEPTH` levels. What is not is a `Problem` that names its line and column.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from generator.errors import Problem
from generator.formats.loading.parsing import TextProblem, parse_json, parse_json_lines
from generator.jsontext import JsonValue, pointer

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
    # YAML is imported where it is met: most tool files are JSON.
    from generator.formats.loading.parsing import parse_yaml

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


Opened = Literal["mapping", "list", "end", "scalar"]

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+')
_OPENS: dict[str, Opened] = {"{": "mapping", "[": "list", "}": "end", "]": "end"}


@dataclass(slots=True)
class _Open:
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
    stack: list[_Open] = []
    for holds, text, line in parts:
        if holds == "end":
            if not stack:
                break
            stack.pop()
            continue
        here = _step(stack, text, line, found, sought)
        if holds != "scalar":
            stack.append(_Open(here, holds))
    return found


def _step(stack: list[_Open], text: str, line: int, found: dict[Path, int], sought: set[Path]) -> Path | None:
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
    for token in _TOKEN.finditer(text):
        line += text.count("\n", place, token.start())
        place = token.start()
        word = token.group()
        if word in _OPENS:
            yield _OPENS[word], "", line
        else:
            yield "scalar", str(json.loads(word)) if word[0] == '"' else word, line


def _yaml_parts(text: str) -> Iterator[tuple[Opened, str, int]]:
    import yaml

    from generator.formats.loading.parsing import LOADER

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
