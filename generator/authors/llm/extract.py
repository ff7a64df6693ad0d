"""Finding the one JSON object in a model's text: prose and fences around it are left, nothing is repaired."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

import orjson

from generator.jsontext import JsonObject

LARGEST_TEXT = 200_000
"""Characters; a longer answer is refused unread."""
DEEPEST = 40
"""Levels of nesting; a deeper object is refused."""

_MOST_SCANNED = 5 * LARGEST_TEXT
"""Characters that are looked at in search of the object: braces in prose may each seem to begin one."""
_LEAST_SCANNED = 1000
"""What a brace counts for at least, so that a thousand of them are enough."""


class BadAnswer(Exception):
    """A model's answer that cannot be used; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def extract_object(text: str, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of a text: the first that holds every one of the keys, else the longest there is.

    Prose around it may hold braces of its own, and small objects as well. Where what would be longer is no object,
    that is the answer, and what is found inside is a part of it.

    Raises:
        BadAnswer: there is none, it is cut, too large or too deep.
    """
    if len(text) > LARGEST_TEXT:
        raise BadAnswer("oversized", f"your answer has {len(text):,} characters; write a short one")
    best: tuple[int, JsonObject] | None = None
    worst: tuple[int, BadAnswer] = (-1, BadAnswer("no_json", "your answer holds no JSON object"))
    for length, found in _candidates(text):
        if isinstance(found, BadAnswer):
            worst = max(worst, (length, found), key=_length)
        elif keys and all(key in found for key in keys):
            return found
        else:
            best = (length, found) if best is None else max(best, (length, found), key=_length)
    if best is None or worst[0] > best[0]:
        raise worst[1]
    return best[1]


def _length(candidate: tuple[int, object]) -> int:
    return candidate[0]


def _candidates(text: str) -> Iterator[tuple[int, JsonObject | BadAnswer]]:
    """Yield what stands at each opening brace, with its length: an object, or why it is none."""
    start, scanned = text.find("{"), 0
    while start >= 0 and scanned < _MOST_SCANNED:
        end, fault = _balanced(text, start)
        scanned += max(end - start, _LEAST_SCANNED)
        found = fault or _parsed(text[start:end])
        yield (len(text) if fault else end) - start, found
        start = text.find("{", start + 1 if isinstance(found, BadAnswer) else end)


def _parsed(span: str) -> JsonObject | BadAnswer:
    try:
        return dict(orjson.loads(span))
    except orjson.JSONDecodeError as error:
        return BadAnswer("wrong_json", f"your answer is not valid JSON: {error}")


_STRUCTURE = re.compile(r'["{}\[\]]')
_REST_OF_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def _balanced(text: str, start: int) -> tuple[int, BadAnswer | None]:
    """Return where the brackets that open at `start` are closed; where they are not, how far one looked, and why."""
    depth, at = 0, start
    while match := _STRUCTURE.search(text, at):
        at = match.end()
        if match[0] == '"':
            rest = _REST_OF_STRING.match(text, at)
            if rest is None:
                break
            at = rest.end()
            continue
        depth += 1 if match[0] in "{[" else -1
        if depth == 0:
            return at, None
        if depth > DEEPEST:
            return at, BadAnswer("too_deep", f"your JSON is nested deeper than {DEEPEST} levels")
    return len(text), BadAnswer("cut_json", "your JSON object ends before it is complete")
