"""JSON and JSON lines from outside, with the line and column of what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from generator.jsontext import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A syntax error: line and column count from 1."""

    line: int
    column: int
    message: str
    remedy: str = ""


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
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|-?Infinity|NaN')


def _constants(text: str) -> Iterator[tuple[str, int]]:
    """Yield the constants that JSON does not know, with their offsets."""
    for token in _TOKEN.finditer(text):
        if token.group() in ("NaN", "Infinity", "-Infinity"):
            yield token.group(), token.start()


def _duplicate_keys(text: str) -> Iterator[tuple[str, int]]:
    """Yield the keys that their object has already, with their offsets."""
    open_keys: list[set[str] | None] = []
    before = ""
    for token in _TOKEN.finditer(text):
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
