"""Lines as toolgen writes them, compact and in its order of keys: their definitions are known by their bytes.

A data set shows the same definitions again and again, and they are more than half of most lines. Here a line is cut
around them: each definition is read once in a run, and of the line only what it says itself. That is sound because
every part is valid JSON by itself, so that putting the parts together again makes the line, and because every part is
written again as the very bytes it was read from, so that no key was named twice and no digit lost.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject
from generator.validation.tool_view import CACHED_TOOLS, ToolView, view_of_text

_OPENING = b'{"type":"function","function":{'
_BETWEEN = b"," + _OPENING
_TOOLS = b',"tools":[' + _OPENING
_TO_FIRST = len(_TOOLS) - len(_OPENING)
_METADATA = b'}],"metadata":{'
_END = b"}]}"
_MARK = "\x7f"
"""Stands for the definitions while the rest of the line is read: a character of which the line itself has none."""
_WRITTEN_MARK = f'"{_MARK}"'.encode()
_LINE_END = len(b"\r\n")


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
        if (view := _known(part)) is None:
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
def _known(part: bytes) -> ToolView | None:
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
