"""Keys that an object of a line names twice: readers keep one of the values in silence, and which one differs."""

from __future__ import annotations

import json
from collections import Counter
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer

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
    return _find(line)


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


def _find(line: bytes) -> tuple[RepeatedKey, ...]:
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
