"""The text of a line: cut so that known definitions are read once, keys that it names twice, ids as it has them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.tool_view import CACHED_TOOLS, ToolView, view_of_text
from generator.validation.verdict import Violation

_LINE_END = len(b"\r\n")


class RepeatedKey(NamedTuple):
    """A key that its object names more than once."""

    pointer: str
    key: str
    times: int


def repeated_keys(line: bytes, written: bytes) -> tuple[RepeatedKey, ...]:
    """Return the keys that a line repeats; `written` is what was parsed from it, as compact JSON.

    A parser that drops a member drops its colon as well, and a writer adds none. So the line is looked at more
    closely only where the numbers of colons differ, or where some are written as escapes.
    """
    if line.startswith(written) and len(line) - len(written) <= _LINE_END:
        return ()
    if line.count(b":") == written.count(b":") and not (b"\\u003" in line and _escapes_colon(line)):
        return ()
    return _find_repeated(line)


def _escapes_colon(line: bytes) -> bool:
    return b"\\u003a" in line or b"\\u003A" in line


class _Repeating(dict[str, JsonValue]):
    """An object that was given some key twice."""

    repeated: tuple[tuple[str, int], ...] = ()


def _object(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    kept = _Repeating(members)
    kept.repeated = tuple((key, count) for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return kept


def _find_repeated(line: bytes) -> tuple[RepeatedKey, ...]:
    try:
        root = json.loads(line, object_pairs_hook=_object)
    except RecursionError:
        return (RepeatedKey("", "?", 2),)
    found: list[RepeatedKey] = []
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, _Repeating):
            found += [RepeatedKey(pointer([*path, key]), key, times) for key, times in value.repeated]
        if isinstance(value, dict):
            waiting.extend(((*path, key), child) for key, child in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(value))
    return tuple(sorted(found))


_OPENING = b'{"type":"function","function":{'
_BETWEEN = b"," + _OPENING
_TOOLS = b',"tools":[' + _OPENING
_TO_FIRST = len(_TOOLS) - len(_OPENING)
_METADATA = b'}],"metadata":{'
_END = b"}]}"
_MARK = "\x7f"
"""Stands for the definitions while the rest of the line is read: a character of which the line itself has none."""
_WRITTEN_MARK = f'"{_MARK}"'.encode()


class CompactLine(NamedTuple):
    """A line that was cut around its definitions."""

    document: JsonObject
    """The whole record; its definitions are shared with other lines and never changed."""
    tools: list[ToolView]
    rest: bytes
    """What the line says beside its definitions."""


def read_compact(line: bytes) -> CompactLine | None:
    """Cut and read a line; None where it has another layout, or where more may stand in it than was read."""
    start = line.find(_TOOLS) + _TO_FIRST
    end = (line.rfind(_METADATA, start) + 1 or _end_of_last(line)) if start >= _TO_FIRST else 0
    if end <= start or _MARK.encode() in line:
        return None
    views: list[ToolView] = []
    for part in line[start + len(_OPENING) : end].split(_BETWEEN):
        if (view := _known_tool(part)) is None:
            return None
        views.append(view)
    before, after = line[:start], line[end:]
    document = _read(b"".join((before, _WRITTEN_MARK, after)))
    if document is None:
        return None
    document["tools"] = [view.raw for view in views]
    return CompactLine(document, views, before + after)


def _end_of_last(line: bytes) -> int:
    """Return where the last definition ends, if nothing follows them in the line; else 0."""
    whole = line.rstrip(b"\r\n")
    return len(whole) - len(b"]}") if whole.endswith(_END) else 0


@lru_cache(maxsize=CACHED_TOOLS)
def _known_tool(part: bytes) -> ToolView | None:
    """Return the view of a definition, given without its opening; None where it would be written in another way."""
    text = _OPENING + part
    try:
        return view_of_text(text) if orjson.dumps(orjson.loads(text)) == text else None
    except (TypeError, ValueError):
        return None


def _read(rest: bytes) -> JsonObject | None:
    try:
        document = orjson.loads(rest)
        written = orjson.dumps(document)
    except (TypeError, ValueError):
        return None
    is_whole = rest.startswith(written) and len(rest) - len(written) <= _LINE_END
    return document if is_whole and type(document) is dict and document.get("tools") == [_MARK] else None


_CONVERSATIONS = ("messages", "traj", "input")


def in_own_words(violations: Sequence[Violation], given: JsonValue, read: JsonValue) -> list[Violation]:
    """Return the violations with the ids that stand in the file in place of those that reading gave."""
    own = _own_ids(given, read)
    return [_renamed(violation, own) for violation in violations] if own else list(violations)


def _renamed(violation: Violation, own: dict[str, str]) -> Violation:
    message = violation.message
    for ours, theirs in own.items():
        if ours in message:
            message = message.replace(ours, theirs)
    return violation if message is violation.message else violation.model_copy(update={"message": message})


def _own_ids(given: JsonValue, read: JsonValue) -> dict[str, str]:
    """Return the ids in the file by those that reading gave; the names of the functions where the file has no ids.

    There are none where the calls are not the same in number.
    """
    theirs, ours = list(_ids(given)), list(_ids(read))
    if not theirs:
        theirs = list(_names(read))
    pairs = zip(ours, theirs, strict=True) if len(ours) == len(theirs) else ()
    return {one: other for one, other in pairs if isinstance(one, str) and isinstance(other, str) and one != other}


def _ids(document: JsonValue) -> Iterator[JsonValue]:
    """Yield the id of every call, in order, wherever formats with ids have their calls."""
    for name in _CONVERSATIONS:
        messages = document.get(name) if isinstance(document, dict) else None
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, dict):
                yield from _ids_in(message)


def _ids_in(message: dict[str, JsonValue]) -> Iterator[JsonValue]:
    if message.get("type") == "function_call":
        yield message.get("call_id")
    calls, content = message.get("tool_calls"), message.get("content")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield call.get("id")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield part.get("id")


def _names(document: JsonValue) -> Iterator[JsonValue]:
    """Yield the name of the function of every call of a canonical record."""
    messages = document.get("messages") if isinstance(document, dict) else None
    for message in messages if isinstance(messages, list) else ():
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                function = call.get("function")
                yield function.get("name") if isinstance(function, dict) else None
