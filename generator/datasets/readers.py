"""Readers: how the lines of a data set become canonical records, whatever format they are in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.formats import FORMATS
from generator.formats.conversation import calls_of, function_of, messages_of
from generator.formats.recognition import beside, read_in, read_record
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue
from generator.validation.verdict import Reading, is_written

CANONICAL = "deepfabric"
"""The format whose records are judged as they stand."""


@dataclass(frozen=True, slots=True)
class FormatReader:
    """Reads every record in one format."""

    name: str

    def __call__(self, document: JsonValue) -> Reading:
        """Bring the document to the canonical record; what is no object stays as it is."""
        if FORMATS[self.name].load_record is None or not isinstance(document, dict):
            return Reading("", document)
        return Reading(self.name, read_in(self.name, document), beside=beside(self.name, document))


def any_format(document: JsonValue) -> Reading:
    """Read a record in the format it shows by itself; what is canonical, or in no format, is judged as it stands."""
    if not isinstance(document, dict):
        return Reading("", document)
    if is_canonical(document):
        return Reading(CANONICAL, document, beside=beside(CANONICAL, document))
    found = read_record(document)
    if not found.form:
        return Reading("", document, found.problem)
    read = document if found.form == CANONICAL else found.document
    return Reading(found.form, read, beside=beside(found.form, document))


def is_canonical(document: JsonObject) -> bool:
    """Say whether a record is to be judged as a canonical one, broken or not.

    It is where any call has arguments as an object. Ids of nine characters decide as well, even where the arguments
    are text, as DeepFabric forbids (seeds/000, rule 1), unless the record looks as mistral-finetune wants it: without
    content beside calls, and without metadata.
    """
    messages = document.get("messages")
    if not isinstance(messages, list) or isinstance(document.get("tools"), str):
        return False
    calls: list[JsonObject] = []
    for call in _calls_in(messages):
        if isinstance(function_of(call).get("arguments"), dict):
            return True
        calls.append(call)
    if not calls:
        return is_written(document) and document["metadata"].get("statuses") == {}
    return any(is_call_id(call.get("id")) for call in calls) and not _looks_of_mistral(document)


def _calls_in(messages: list[JsonValue]) -> Iterator[JsonObject]:
    for message in messages:
        if isinstance(message, dict) and "tool_calls" in message:
            yield from calls_of(message)


def _looks_of_mistral(document: JsonObject) -> bool:
    turns = [message for message in messages_of(document) if calls_of(message)]
    return "metadata" not in document and not any("content" in turn for turn in turns)
