"""Finding the one JSON object in a model's text: thoughts and fences are stripped, nothing is repaired."""

from __future__ import annotations

import re

import orjson

from generator.jsontext import JsonObject

LARGEST_TEXT = 200_000
"""Characters; a longer answer is refused unread."""
DEEPEST = 40
"""Levels of nesting; a deeper object is refused."""

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_OPEN_THOUGHT = "</think>"


class BadAnswer(Exception):
    """A model's answer that cannot be used; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def extract_object(text: str) -> JsonObject:
    """Return the first balanced JSON object of a text.

    Raises:
        BadAnswer: there is none, it is cut, too large or too deep.
    """
    if len(text) > LARGEST_TEXT:
        raise BadAnswer("oversized", f"your answer has {len(text):,} characters; write a short one")
    plain = without_thoughts(text)
    start = plain.find("{")
    if start < 0:
        raise BadAnswer("no_json", "your answer holds no JSON object")
    span = _balanced(plain, start)
    try:
        value = orjson.loads(span)
    except orjson.JSONDecodeError as error:
        raise BadAnswer("wrong_json", f"your answer is not valid JSON: {error}") from error
    return dict(value)


def without_thoughts(text: str) -> str:
    """Cut `<think>` blocks, and all before a closing tag whose opening one the server kept to itself."""
    plain = _THOUGHT.sub("", text)
    return plain.rpartition(_OPEN_THOUGHT)[2]


def _balanced(text: str, start: int) -> str:
    depth, in_string, escaped = 0, False, False
    for position in range(start, len(text)):
        character = text[position]
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return text[start : position + 1]
        if depth > DEEPEST:
            raise BadAnswer("too_deep", f"your JSON is nested deeper than {DEEPEST} levels")
    raise BadAnswer("cut_json", "your JSON object ends before it is complete")
