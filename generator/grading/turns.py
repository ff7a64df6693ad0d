"""Turns: what the assistant says or calls in a record, each with the messages before it."""

from __future__ import annotations

from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.records import Record


class Turn(NamedTuple):
    """One turn of the assistant."""

    number: int
    """Which of the record's assistant messages it is, from 0."""
    place: int
    """Index of its message in `messages`."""
    prefix: tuple[JsonObject, ...]
    """The messages before it, as the record has them: what a model is asked to continue."""
    expected: JsonObject
    """The assistant message of the record."""

    @property
    def calls(self) -> list[JsonObject]:
        """The calls that the record makes in this turn."""
        found = self.expected.get("tool_calls")
        return found if isinstance(found, list) else []


def document_of(record: Record | JsonObject) -> JsonObject:
    """Return a record as its JSON document; one that is a mapping already is returned itself."""
    return record.to_dict() if isinstance(record, Record) else record


def turns_of(record: Record | JsonValue) -> tuple[Turn, ...]:
    """Return the turns of the assistant in a record or in its document; none of what holds no messages."""
    document: JsonValue = document_of(record)
    messages = document.get("messages") if isinstance(document, dict) else None
    held: list[JsonValue] | tuple[JsonValue, ...] = messages if isinstance(messages, list | tuple) else ()
    found: list[Turn] = []
    for place, message in enumerate(held):
        if isinstance(message, dict) and message.get("role") == "assistant":
            found.append(Turn(len(found), place, tuple(held[:place]), message))
    return tuple(found)
