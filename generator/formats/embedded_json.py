"""JSON inside JSON: texts that hold values, read and written without ever failing."""

from __future__ import annotations

import json
from functools import lru_cache

import orjson

from generator.jsontext import JsonValue, dump_compact, read_exactly

_DECODER = json.JSONDecoder()
python_json = json.JSONEncoder(ensure_ascii=False).encode
"""Writes a value as Python's own writer does, with its spaces, letters as they are."""


def parse_json(text: JsonValue) -> JsonValue:
    """Return what a JSON text says; whatever is no JSON text stays as it is."""
    if not isinstance(text, str):
        return text
    try:
        return read_exactly(text)
    except orjson.JSONDecodeError:
        return text


def as_text(value: JsonValue) -> JsonValue:
    """Return a text as it is and any other value as compact JSON; one that nests too deeply stays as it is."""
    if isinstance(value, str):
        return value
    return as_json(value)


def as_json(value: JsonValue) -> JsonValue:
    """Return a value as compact JSON; one that nests too deeply to be written stays as it is."""
    try:
        return dump_compact(value)
    except (TypeError, ValueError):
        return value


def spaced_json(value: JsonValue) -> str:
    """Return what `python_json` writes of a value that comes again and again, such as a tool: it is remembered."""
    try:
        return _spaced(orjson.dumps(value))
    except TypeError:
        return python_json(value)


@lru_cache(maxsize=4096)
def _spaced(compact: bytes) -> str:
    return python_json(orjson.loads(compact))


def is_compact(text: str, value: JsonValue) -> bool:
    """Say whether a text is exactly what writing the value gives."""
    return bool(as_json(value) == text)


def read_json_at(text: str, start: int) -> tuple[JsonValue, int] | None:
    """Read the JSON value that begins at a place in a text; return it and where it ends, or None."""
    try:
        end = _DECODER.raw_decode(text, start)[1]
        return read_exactly(text[start:end]), end
    except (ValueError, RecursionError):
        return None


def skip_space(text: str, position: int, also: str = "") -> int:
    """Return the first place from here on that holds no space, and none of the signs in `also`."""
    while position < len(text) and (text[position].isspace() or text[position] in also):
        position += 1
    return position


def read_several(text: str) -> list[JsonValue] | None:
    """Read a list of values, or values one after the other; None where there is anything else."""
    found: list[JsonValue] = []
    position = 0
    while position < len(text):
        read = read_json_at(text, position)
        if read is None:
            return None
        found.extend(read[0] if isinstance(read[0], list) else [read[0]])
        position = skip_space(text, read[1], ",")
    return found


def between(text: str, opening: str, closing: str) -> list[str]:
    """Return the texts between pairs of tags, in order; each is read once, whatever is missing."""
    found: list[str] = []
    start = text.find(opening)
    while start >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        found.append(text[start + len(opening) : end])
        start = text.find(opening, end + len(closing))
    return found
