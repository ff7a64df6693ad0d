"""Values written inside texts, as JSON and as Python writes them: read without running anything, never failing.

The reader takes texts, numbers, lists, tuples, mappings and the constants of Python and JSON; names, operators and
every other expression are refused. Depth and length are bounded.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

import orjson

from generator.jsontext import JsonObject, JsonValue, dump_compact, read_exactly

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


LONGEST = 1024 * 1024
DEEPEST = 60
"""How many lists and mappings may lie in each other."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?")
_WORD = re.compile(r"[A-Za-z]+")
_CONSTANTS: dict[str, JsonValue] = {
    "True": True, "False": False, "None": None, "true": True, "false": False, "null": None,
}  # fmt: skip
_KEY = re.compile(r"\s*([A-Za-z_$][\w$.\-]*)\s*=")
_NAME = re.compile(r"\s*([^\W\d][^()\[\]{}=,'\"\n]{0,200})\(")
_SPACE = re.compile(r"\s*")
_PLAIN = {"'": re.compile(r"[^'\\\n]*"), '"': re.compile(r'[^"\\\n]*')}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "a": "\a", "v": "\v", "\n": ""}
_CODED = {"x": 2, "u": 4, "U": 8}
_CLOSING = {"[": "]", "(": ")"}


class _Unreadable(Exception):
    """The text is no literal; the outermost function says so by returning None."""


def read_literal(text: str, start: int = 0) -> tuple[JsonValue, int] | None:
    """Read the value at `start`; return it and where it ends, or None where there is none."""
    if len(text) > LONGEST:
        return None
    try:
        value, end = _value(text, _skip(text, start), 0)
    except (_Unreadable, ValueError, OverflowError):
        return None
    return value, end


def parse_literal(text: JsonValue) -> JsonValue:
    """Return what a text says that is a value as Python writes it, and no more; whatever is none stays as it is."""
    read = read_literal(text) if isinstance(text, str) else None
    return read[0] if read is not None and not text[read[1] :].strip() else text


def read_bracketed_calls(text: str, *, positions: bool = False) -> list[JsonObject] | None:
    """Read a text that is a list of calls and nothing else; return `{"name", "arguments"}` each, or None.

    With `positions` arguments without a name are read as well, under their places as numbers in text.
    """
    if len(text) > LONGEST or not text.startswith("[") or not text.rstrip().endswith("]"):
        return None
    try:
        calls, end = _calls(text, 1, positions)
    except (_Unreadable, ValueError, OverflowError):
        return None
    return calls if calls and not text[end:].strip() else None


def _calls(text: str, position: int, positions: bool) -> tuple[list[JsonObject], int]:
    calls: list[JsonObject] = []
    while True:
        call, position = _call(text, position, positions)
        calls.append(call)
        position = _skip(text, position)
        if text.startswith("]", position):
            return calls, position + 1
        position = _expect(text, position, ",")


def _call(text: str, position: int, positions: bool) -> tuple[JsonObject, int]:
    name = _NAME.match(text, position)
    if name is None:
        raise _Unreadable
    arguments: JsonObject = {}
    position = _skip(text, name.end())
    while not text.startswith(")", position):
        key = _KEY.match(text, position)
        name_of_argument = key[1] if key is not None else str(len(arguments)) if positions else ""
        if not name_of_argument or name_of_argument in arguments:
            raise _Unreadable
        begin = key.end() if key is not None else position
        arguments[name_of_argument], position = _value(text, _skip(text, begin), 0)
        position = _skip(text, position)
        if not text.startswith(")", position):
            position = _skip(text, _expect(text, position, ","))
    return {"name": name[1].strip(), "arguments": arguments}, position + 1


def _value(text: str, position: int, depth: int) -> tuple[JsonValue, int]:
    opening = text[position : position + 1]
    if depth > DEEPEST:
        raise _Unreadable
    if opening in ("'", '"'):
        return _text(text, position + 1, opening)
    if opening in ("[", "("):
        return _list(text, position + 1, _CLOSING[opening], depth)
    if opening == "{":
        return _mapping(text, position + 1, depth)
    number = _NUMBER.match(text, position)
    if number is not None:
        return _number(number[0]), number.end()
    word = _WORD.match(text, position)
    if word is None or word[0] not in _CONSTANTS:
        raise _Unreadable
    return _CONSTANTS[word[0]], word.end()


def _number(text: str) -> int | float:
    """Read a number that JSON can hold."""
    whole = text.lstrip("+-").isdigit()
    value = (int(text) if len(text.lstrip("+-")) < 20 else None) if whole else float(text)
    if value is None or value != value or value in (float("inf"), float("-inf")):
        raise _Unreadable
    return value


def _list(text: str, position: int, closing: str, depth: int) -> tuple[list[JsonValue], int]:
    values: list[JsonValue] = []
    position = _skip(text, position)
    while not text.startswith(closing, position):
        value, position = _value(text, position, depth + 1)
        values.append(value)
        position = _skip(text, position)
        if not text.startswith(closing, position):
            position = _skip(text, _expect(text, position, ","))
    return values, position + 1


def _mapping(text: str, position: int, depth: int) -> tuple[JsonObject, int]:
    values: JsonObject = {}
    position = _skip(text, position)
    while not text.startswith("}", position):
        key, position = _value(text, position, depth + 1)
        if not isinstance(key, str):
            raise _Unreadable
        position = _skip(text, _expect(text, _skip(text, position), ":"))
        values[key], position = _value(text, position, depth + 1)
        position = _skip(text, position)
        if not text.startswith("}", position):
            position = _skip(text, _expect(text, position, ","))
    return values, position + 1


def _text(text: str, position: int, quote: str) -> tuple[str, int]:
    pieces: list[str] = []
    while True:
        plain = _PLAIN[quote].match(text, position)
        end = plain.end() if plain is not None else position
        pieces.append(text[position:end])
        if text.startswith(quote, end):
            return _whole("".join(pieces)), end + 1
        if not text.startswith("\\", end):
            raise _Unreadable
        piece, position = _escape(text, end + 1)
        pieces.append(piece)


def _escape(text: str, position: int) -> tuple[str, int]:
    letter = text[position : position + 1]
    if not letter:
        raise _Unreadable
    if letter in _CODED:
        end = position + 1 + _CODED[letter]
        return chr(int(text[position + 1 : end], 16)), end
    return _ESCAPES.get(letter, letter if letter in "'\"\\/" else "\\" + letter), position + 1


def _whole(text: str) -> str:
    """Join surrogates that were written as two escapes; a lone one is refused, as JSON cannot hold it."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16")


def _expect(text: str, position: int, sign: str) -> int:
    if not text.startswith(sign, position):
        raise _Unreadable
    return position + len(sign)


def _skip(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space is not None else position
