"""Records packed for a page: small lines of JSON, compressed in chunks that a browser opens when one is read.

A chunk is gzip in base64. Its first line holds the tools that its records show, each further line is a record:
[index, id, split, attempt, author, tools by their place in the first line, messages]; a message is [role, text], or
[role, text, calls]; a tool's is ["tool", text, name, call id, status]; a call is [call id, name, arguments], an
argument [pointer, value, evidence level, where, words]. Beside each chunk goes its part of the list:
[index, kind, split, tools called, request] a record, names by their numbers.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from generator.formats.conversation import calls_of, function_of, messages_of
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.reports.page.source import index_of

RECORDS_IN_CHUNK = 500
_LARGEST_CHUNK = 4 * 1024 * 1024
"""Bytes of JSON from which on a chunk is full, however few its records are."""
_LONGEST_TEXT = 20_000
_LONGEST_REQUEST = 200
_LONGEST_NAME = 200
_MOST_MESSAGES = 200
_MOST_CALLS = 100
_MOST_ARGUMENTS = 200
_MOST_TOOLS = 128
_DEEPEST = 16
_MOST_NAMES = 2_000
"""Names that one can filter by; a set whose names are masked has no end of them."""


class Chunk(NamedTuple):
    """Some records in the form that goes into the page."""

    records: str
    listed: str
    """Their part of the list."""


@dataclass(slots=True)
class Names:
    """Names by number, in the order in which they came."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number_of(self, name: str) -> int:
        """Return the number of a name; -1 where there are too many already."""
        name = name[:_LONGEST_NAME]
        if name not in self.numbers and len(self.numbers) >= _MOST_NAMES:
            return -1
        return self.numbers.setdefault(name, len(self.numbers))


@dataclass(slots=True)
class Packer:
    """Packs records one by one."""

    kinds: Names = field(default_factory=Names)
    splits: Names = field(default_factory=Names)
    tools: Names = field(default_factory=Names)
    records: int = 0
    _lines: list[bytes] = field(default_factory=list)
    _listed: list[JsonValue] = field(default_factory=list)
    _shown: dict[str, int] = field(default_factory=dict)
    """The tools of the chunk as JSON, by their places."""
    _size: int = 0

    def add(self, document: JsonObject, split: str) -> Iterator[Chunk]:
        """Add a record, and yield the chunk that it fills."""
        metadata = _object(document.get("metadata"))
        index = index_of(document)
        facts = (_short(metadata.get("id")), split, _short(metadata.get("attempt")), _short(metadata.get("author")))
        index = self.records if index is None else index
        line = orjson.dumps([index, *facts, self._places(document), _messages(document, metadata)])
        called = dict.fromkeys(str(function_of(call).get("name")) for call in _calls(document))
        numbers = sorted({self.tools.number_of(name) for name in called} - {-1})
        kind = self.kinds.number_of(str(metadata.get("kind", "")))
        self._listed.append([index, kind, self.splits.number_of(split), numbers, first_request(document)])
        self._lines.append(line)
        self._size += len(line)
        self.records += 1
        if len(self._lines) == RECORDS_IN_CHUNK or self._size >= _LARGEST_CHUNK:
            yield from self.close()

    def close(self) -> Iterator[Chunk]:
        """Yield what no chunk holds yet."""
        if self._lines:
            head = b"[" + b",".join(text.encode() for text in self._shown) + b"]"
            yield Chunk(_packed(b"\n".join([head, *self._lines])), _packed(orjson.dumps(self._listed)))
        self._lines, self._listed, self._shown, self._size = [], [], {}, 0

    def _places(self, document: JsonObject) -> list[JsonValue]:
        tools = document.get("tools")
        places: list[JsonValue] = []
        for tool in tools[:_MOST_TOOLS] if isinstance(tools, list) else ():
            told = function_of(tool) if isinstance(tool, dict) else {}
            parameters, _ = cut(dump_compact(told.get("parameters")))
            text = dump_compact([_short(told.get("name")), cut(_text(told.get("description")))[0], parameters])
            if text not in self._shown:
                self._size += len(text)
            places.append(self._shown.setdefault(text, len(self._shown)))
        return places


def first_request(document: JsonObject) -> str:
    """Return the beginning of what the user says first; "" where no user speaks."""
    turns = (message for message in messages_of(document) if message.get("role") == "user")
    return _text(next(turns, {}).get("content"))[:_LONGEST_REQUEST]


def cut(text: str) -> tuple[str, bool]:
    """Return a text at a length that a page can show, with a word on what is missing; and whether it was cut."""
    if len(text) <= _LONGEST_TEXT:
        return text, False
    return f"{text[:_LONGEST_TEXT]}… ({len(text) - _LONGEST_TEXT:,} more characters)", True


def _packed(data: bytes) -> str:
    return b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")


def _messages(document: JsonObject, metadata: JsonObject) -> list[JsonValue]:
    grounding, statuses = _object(metadata.get("grounding")), _object(metadata.get("statuses"))
    messages = messages_of(document)
    told = [_message(message, grounding, statuses) for message in messages[:_MOST_MESSAGES]]
    more = len(messages) - _MOST_MESSAGES
    return [*told, ["…", f"{more:,} more messages"]] if more > 0 else told


def _message(message: JsonObject, grounding: JsonObject, statuses: JsonObject) -> JsonValue:
    role, (text, _) = _short(message.get("role")), cut(_text(message.get("content")))
    if role == "tool":
        identity = _short(message.get("tool_call_id"))
        return [role, text, _short(message.get("name")), identity, _short(statuses.get(identity))]
    calls = calls_of(message)
    if not calls:
        return [role, text]
    return [role, text, [_call(call, grounding) for call in calls[:_MOST_CALLS]]]


def _call(call: JsonObject, grounding: JsonObject) -> JsonValue:
    identity, function = _short(call.get("id")), function_of(call)
    evidence = _object(grounding.get(identity))
    leaves = _leaves(function.get("arguments"))
    arguments = [_argument(pointer, value, _object(evidence.get(pointer))) for pointer, value in leaves]
    return [identity, _short(function.get("name")), arguments]


def _argument(pointer: str, value: str, entry: JsonObject) -> JsonValue:
    if not entry:
        return [pointer, value]
    return [pointer, value, _short(entry.get("level")), _short(entry.get("where")), cut(_text(entry.get("text")))[0]]


def _leaves(arguments: JsonValue) -> list[tuple[str, str]]:
    """Return the values of some arguments as JSON, with the pointers to them; no more than a page can show."""
    found: list[tuple[str, str]] = []
    waiting: list[tuple[str, JsonValue, int]] = [("", arguments, 0)]
    while waiting and len(found) < _MOST_ARGUMENTS:
        pointer, value, depth = waiting.pop()
        if isinstance(value, dict | list) and value and depth < _DEEPEST:
            parts: Iterable[tuple[object, JsonValue]] = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [(f"{pointer}/{_escaped(str(key))}", part, depth + 1) for key, part in reversed([*parts])]
        elif pointer or not isinstance(value, dict):
            found.append((pointer[:_LONGEST_TEXT], cut(dump_compact(value))[0]))
    return found


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _calls(document: JsonObject) -> Iterator[JsonObject]:
    for message in messages_of(document):
        yield from calls_of(message)


def _text(value: JsonValue) -> str:
    """Return a text as it is, and whatever else stands in its place as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else dump_compact(value)


def _short(value: JsonValue) -> str:
    return _text(value)[:_LONGEST_NAME]


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
