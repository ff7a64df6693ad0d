"""The shape of a record: what can be stored as JSON, how large it may be, and the written shape that breaks no rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import filterfalse
from typing import Any

import orjson

from generator.jsontext import JsonValue, LongFloat, pointer
from generator.records import SUCCESS
from generator.schemas.adm import ERROR_TYPES
from generator.schemas.validators import SchemaValidator, validator_for
from generator.validation.kinds import KIND_CHECKS
from generator.validation.rule import Finding
from generator.validation.verdict import brief

MOST_MESSAGES = 10_000
MOST_CALLS = 5_000
MOST_LOOKED_THROUGH = 200_000_000
"""Characters that are looked through for what calls and answers tell: each looks through all that was said before."""

SMALL = 2 * MOST_CALLS
"""Bytes of a record's JSON: no shorter one is too large, since a call or a message takes two bytes or more.

Nor are more characters looked through in it than n * n / 8, a quarter of the limit.
"""


def oversized(document: JsonValue) -> Iterator[Finding]:
    """Yield one finding where a record is larger than what is checked; else none."""
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list):
        return
    if len(messages) > MOST_MESSAGES:
        yield Finding("/messages", f"{len(messages):,} messages are too many for a record; {MOST_MESSAGES:,} are read")
        return
    calls = said = looked_through = 0
    for message in messages:
        if isinstance(message, dict):
            made = _calls_in(message)
            calls += made
            if made or message.get("role") == "assistant":
                looked_through += said * max(made, 1)
            said += _characters(message.get("content"))
    if calls > MOST_CALLS:
        yield Finding("/messages", f"{calls:,} calls are too many for a record; {MOST_CALLS:,} are read")
    elif looked_through > MOST_LOOKED_THROUGH:
        what = f"{len(messages):,} messages with {calls:,} calls and {said:,} characters"
        most = f"{MOST_LOOKED_THROUGH:,} characters are looked through for what calls and answers tell"
        yield Finding("/messages", f"{what} are too many for a record, {looked_through:,} to look through; {most}")


def _calls_in(message: dict[str, JsonValue]) -> int:
    calls = message.get("tool_calls")
    return len(calls) if isinstance(calls, list) else 0


def _characters(content: JsonValue) -> int:
    return len(content) if isinstance(content, str) else 0


def unstorable(document: JsonValue) -> Iterator[Finding]:
    """Yield one finding where a document cannot be stored as JSON, or is too large to be checked; else none.

    No view of such a document is safe.
    """
    try:
        written = orjson.dumps(document, option=_PLAIN)
        # NaN is written as null, and so may be hidden: what is read back is then another document.
        hidden = list(_first_unstorable(document)) if b"null" in written and orjson.loads(written) != document else []
        yield from hidden or oversized(document)
    except (TypeError, ValueError, RecursionError) as error:
        found = list(_first_unstorable(document))
        yield found[0] if found else Finding("", f"cannot be written as JSON: {error}")


_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
DEEPEST = 254
"""How many arrays and objects may lie in each other: the most that the JSON writer writes."""


def _first_unstorable(root: JsonValue) -> Iterator[Finding]:
    """Yield the first value inside that JSON cannot hold."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        problem = "it nests too deeply" if len(path) > DEEPEST else _not_json(value)
        if problem:
            yield Finding(pointer(path[:DEEPEST]).encode("utf-8", "replace").decode(), problem)
            return
        if isinstance(value, dict):
            waiting.extend(((*path, key), child) for key, child in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(value))


def _not_json(value: JsonValue) -> str:
    """Return why JSON cannot hold a value, whatever is inside; "" where it can."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return _not_json_number(value)
    if isinstance(value, str):
        return "it holds a lone surrogate, which is no Unicode text" if _has_surrogate(value) else ""
    if isinstance(value, dict):
        odd = next(filterfalse(_is_key, value), None)
        return "" if odd is None else f"{brief(odd)} is no JSON key"
    return "" if type(value) is list else f"a {type(value).__name__} is not JSON"


def _not_json_number(number: float) -> str:
    if isinstance(number, int):
        return "" if -(2**63) <= number < 2**64 else "a number beyond 64 bits is read differently by different readers"
    if isinstance(number, LongFloat):
        return "a number has more digits than a reader keeps"
    return "NaN and Infinity are not JSON" if number - number != 0 else ""


def _is_key(key: object) -> bool:
    return isinstance(key, str) and not _has_surrogate(key)


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


SHAPE_RULES = frozenset(
    [
        "DF001",
        "DF002",
        "DF003",
        "DF004",
        "DF005",
        "DF007",
        "DF009",
        "OA001",
        "OA002",
        "OA003",
        "OA004",
        "OA005",
        "OA006",
        "OA007",
        "OA008",
        "OA011",
        "OA012",
        "OA013",
        "OA015",
        "OA017",
        "OA032",
        "ADM104",
        "TC001",
        "TC002",
        "TC003",
        "TC004",
        "TC005",
        "TC102",
        "TC103",
        "TC111",
        "TC113",
    ]
)
"""The rules that a record of the written shape cannot break."""

_TEXT = {"type": "string"}


def _object(optional: dict[str, Any] | None = None, **required: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


_CALL = _object(
    id={"type": "string", "pattern": "^[a-zA-Z0-9]{9}$"},
    type={"const": "function"},
    function=_object(name={"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"}, arguments={"type": "object"}),
)
_MESSAGE = {
    "anyOf": [
        _object(role={"enum": ["user", "assistant", "system"]}, content=_TEXT),
        _object(
            role={"const": "assistant"},
            content={"const": ""},
            tool_calls={"type": "array", "minItems": 1, "items": _CALL},
        ),
        _object(role={"const": "tool"}, tool_call_id=_TEXT, name={"type": "string", "minLength": 1}, content=_TEXT),
    ]
}
_METADATA = {
    "type": "object",
    "properties": {
        "kind": {"enum": list(KIND_CHECKS)},
        "statuses": {"type": "object", "additionalProperties": {"enum": [SUCCESS, *ERROR_TYPES]}},
    },
}
SHAPE: dict[str, Any] = _object(
    {"metadata": _METADATA},
    messages={"type": "array", "minItems": 1, "items": _MESSAGE},
    tools={"type": "array"},
)
"""JSON Schema 2020-12 of a record's written shape."""


@lru_cache(maxsize=1)
def _shape() -> SchemaValidator:
    return validator_for(SHAPE)


def has_written_shape(document: JsonValue) -> bool:
    """Say whether a document has the written shape, so that no rule of shape need be asked."""
    return _shape().is_valid(document)
