"""JSON as text: written compactly in one way, digested, and read and written with its numbers as they are.

The fast reader turns an integer beyond 64 bits into a float and rounds long fractions, without a word. So a text in
which there may be such a number is read anew, each of them with its digits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from hashlib import blake2b
from typing import Any, TypeAlias

import orjson

_DIGITS = bytes(48 if 48 <= letter < 58 else 46 if letter == 46 else 32 for letter in range(256))
"""Each digit as 0, each point as a point, anything else as a space."""
_NO_POINTS = b"."
_LONG = b"0" * 17
_LONG_TEXT = re.compile(r"[0-9](?:\.?[0-9]){16}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LEAST, _LARGEST = -(2**63), 2**64 - 1
_MOST_DIGITS = 4000
"""Digits of the longest integer that Python reads without being asked to."""


class LongFloat(float):
    """A number that a float rounds, with its digits."""

    __slots__ = ("written",)
    written: str


def _fraction(written: str) -> float:
    value = float(written)
    return value if _is_kept(written, value) else _long(written)


def _integer(written: str) -> int | float:
    return int(written) if len(written) <= _MOST_DIGITS else _long(written)


def _long(written: str) -> LongFloat:
    value = LongFloat(written)
    value.written = written
    return value


def _is_kept(written: str, value: float) -> bool:
    try:
        return Decimal(written) == Decimal(repr(value))
    except InvalidOperation:  # infinity, or an exponent beyond what can be compared
        return False


def may_hold_long_numbers(text: str | bytes) -> bool:
    """Say whether there are as many digits in a row as numbers have that a reader may round; a quick look."""
    if isinstance(text, bytes):
        return _LONG in text.translate(_DIGITS, _NO_POINTS)
    return len(text) >= len(_LONG) and _LONG_TEXT.search(text) is not None


def read_exactly(text: str | bytes) -> Any:
    """Read JSON with every number as it is: a long integer as an int, a long fraction as a `LongFloat`.

    Raises:
        orjson.JSONDecodeError: the text is no JSON.
    """
    value = orjson.loads(text)
    if not may_hold_long_numbers(text):
        return value
    try:
        return json.loads(text, parse_float=_fraction, parse_int=_integer)
    except (ValueError, RecursionError):  # what the other reader does not read at all nests too deeply
        return value


def read_integers(text: str | bytes) -> Any:
    """Read JSON with every integer as it is, fractions as floats; the text is known to be JSON.

    Raises:
        ValueError, RecursionError: Python's reader does not read it.
    """
    return json.loads(text, parse_int=_integer)


def with_floats(value: Any) -> Any:
    """Copy a value with its long fractions as the floats next to them."""
    if isinstance(value, dict):
        return {key: with_floats(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_floats(inner) for inner in value]
    return float(value) if isinstance(value, LongFloat) else value


def within_64_bits(value: Any) -> Any:
    """Copy a value with the largest signed integer and one in the place of each integer beyond 64 bits."""
    if isinstance(value, dict):
        return {key: within_64_bits(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [within_64_bits(inner) for inner in value]
    return value if type(value) is not int or _LEAST <= value <= _LARGEST else 2**63


def dump_exactly(value: Any, option: int | None = None) -> bytes:
    """Write compact JSON, long numbers with their digits; `option` is the fast writer's.

    Raises:
        TypeError: a value is not JSON, or nests too deeply.
    """
    try:
        return orjson.dumps(value, option=option)
    except TypeError:
        return orjson.dumps(_as_written(value, 0), option=option)


_DEEPEST = 254


def _as_written(value: Any, depth: int) -> Any:
    """Copy a value with its long numbers as the text they are written with."""
    if depth > _DEEPEST:
        raise TypeError("it nests too deeply")
    if isinstance(value, dict):
        return {key: _as_written(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_written(inner, depth + 1) for inner in value]
    if isinstance(value, LongFloat):
        return orjson.Fragment(value.written)
    if type(value) is int and not _LEAST <= value <= _LARGEST:
        return orjson.Fragment(str(value))
    return value


def altered_number(text: bytes, written: bytes) -> str:
    """Return a number of a text that what was written of it holds rounded; "" where there is none."""
    if not may_hold_long_numbers(text):
        return ""
    for match in _NUMBER.finditer(text.decode("utf-8", "replace")):
        number = match[0]
        if len(number) < len(_LONG) or number.encode() in written:
            continue
        try:
            rounded = orjson.dumps(orjson.loads(number))
        except orjson.JSONDecodeError:  # 007, or infinity
            continue
        if rounded != number.encode() and Decimal(number) != Decimal(rounded.decode()) and rounded in written:
            return number
    return ""


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


def dump_canonical_exactly(value: JsonValue) -> bytes:
    """Write as `dump_canonical` does what others have written, too: long numbers as they stand."""
    return dump_exactly(value, orjson.OPT_SORT_KEYS)


def digest(value: JsonValue, size: int = 16) -> str:
    """Return `size` hex digits that identify the value whatever its key order."""
    return blake2b(dump_canonical_exactly(value), digest_size=(size + 1) // 2).hexdigest()[:size]


def pointer(parts: Iterable[str | int]) -> str:
    """Write a JSON pointer (RFC 6901); no parts give the empty pointer of the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def encodable(name: str) -> str:
    r"""Return a file's name as JSON can hold it: bytes that are no UTF-8 become escapes (`\udcff`)."""
    return name.encode("utf-8", "backslashreplace").decode()
