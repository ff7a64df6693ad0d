"""Turns: what the assistant says or calls in a record, each with the messages before it."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from generator.errors import UsageError
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


def document_of(record: Record | JsonValue) -> JsonObject:
    """Return a record as a document with messages: a `Record`, a document, or the text of one.

    A document of another format than ours or OpenAI's is read in the format that it shows.

    Raises:
        UsageError: it is no record of any known format.
    """
    if isinstance(record, Record):
        return record.to_dict()
    document: JsonValue = record
    if isinstance(record, str):
        try:
            document = orjson.loads(record)
        except orjson.JSONDecodeError as error:
            raise UsageError(f"the record is no JSON: {error.msg} at column {error.pos + 1}") from error
    if not isinstance(document, dict):
        raise UsageError("a record is a JSON object with messages")
    return document if isinstance(document.get("messages"), list) else _of_another_format(document)


def _of_another_format(document: JsonObject) -> JsonObject:
    from generator.formats.recognition import read_record

    found = read_record(document)
    read: JsonValue = found.document
    if not found.form or not isinstance(read, dict) or not isinstance(read.get("messages"), list):
        raise UsageError(f"this is no record of a known format: {found.problem or 'it has no messages'}")
    return read


def turns_of(record: Record | JsonValue) -> tuple[Turn, ...]:
    """Return the turns of the assistant in a record, or in its document.

    Raises:
        UsageError: see `document_of`.
    """
    messages = document_of(record)["messages"]
    found: list[Turn] = []
    for place, message in enumerate(messages):
        if isinstance(message, dict) and message.get("role") == "assistant":
            found.append(Turn(len(found), place, tuple(messages[:place]), message))
    return tuple(found)
