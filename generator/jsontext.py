"""JSON as text and data: compact, pretty and canonical writers, JSON pointers."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, TypeAlias

import orjson

from generator.exact_json import dump_exactly

# Parsed JSON is untyped until a schema or a rule has looked at it: Any says so, a recursive union only pretends.
JsonValue: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Any]


def dump_compact(value: JsonValue) -> str:
    """Write compact JSON, keys in their own order, non-ASCII kept."""
    return dump_exactly(value).decode()


def dump_line(value: JsonValue) -> bytes:
    """Write one line of JSONL, newline included."""
    return dump_exactly(value, orjson.OPT_APPEND_NEWLINE)


def dump_pretty(value: JsonValue) -> str:
    """Write JSON for people: two spaces of indent, final newline."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def dump_canonical(value: JsonValue) -> bytes:
    """Write compact JSON with sorted keys: equal values give equal bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(value: JsonValue, size: int = 16) -> str:
    """Return `size` hex digits that identify the value whatever its key order."""
    return blake2b(dump_canonical(value), digest_size=(size + 1) // 2).hexdigest()[:size]


def pointer(parts: Iterable[str | int]) -> str:
    """Write a JSON pointer (RFC 6901); no parts give the empty pointer of the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def encodable(name: str) -> str:
    r"""Return a file's name as JSON can hold it: bytes that are no UTF-8 become escapes (`\udcff`)."""
    return name.encode("utf-8", "backslashreplace").decode()
