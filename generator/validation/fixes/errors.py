"""Fixes of the errors that tools return, as ADM writes them."""

from __future__ import annotations

from collections.abc import Callable

from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.schemas.adm.schema import ERROR_TYPES
from generator.validation.fixes.exact import say_the_same
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import messages_of, parsed

_FIELDS = ("type", "message")


def _change_errors(change: Callable[[JsonObject], JsonObject]) -> Callable[[JsonObject], None]:
    """Make a fix of a change to the error object in a tool message; a text that would lose digits stays."""

    def mend(record: JsonObject) -> None:
        for message in messages_of(record):
            content = message.get("content")
            value: JsonValue = parsed(content) if message.get("role") == "tool" else None
            error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
            if isinstance(error, dict) and isinstance(content, str) and say_the_same(content, dump_compact(value)):
                changed = change(error)
                if changed != error:
                    message["content"] = dump_compact({"error": changed})

    return mend


def _in_capitals(error: JsonObject) -> JsonObject:
    kind = error.get("type")
    if not isinstance(kind, str) or kind in ERROR_TYPES:
        return error
    alike = next((known for known in ERROR_TYPES if _letters(known) == _letters(kind)), None)
    return error if alike is None else {**error, "type": alike}


def _letters(kind: str) -> str:
    return "".join(character for character in kind.lower() if character.isalnum())


def _bare(error: JsonObject) -> JsonObject:
    return {key: value for key, value in error.items() if key in _FIELDS}


FIXES = (
    Fix(
        "error-types-in-capitals",
        "Writes a standard type of errors as it is written: resourceNotFound becomes RESOURCE_NOT_FOUND.",
        ("ADM108",),
        _change_errors(_in_capitals),
    ),
    Fix(
        "errors-bare",
        "Leaves of an error its type and message.",
        ("ADM112",),
        _change_errors(_bare),
        loses="the details of the error",
    ),
)
"""Fixes of the errors that tools return."""
