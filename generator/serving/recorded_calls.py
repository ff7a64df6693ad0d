"""What a record itself shows of its calls: their own names and arguments, and what each of them brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.formats.conversation import calls_of, function_of, messages_of, with_object_arguments
from generator.formats.literals import parse_json
from generator.jsontext import JsonObject, JsonValue
from generator.records import SUCCESS, ToolResult
from generator.validation.masks import mask_of, unmasked
from generator.validation.view import RecordView


@dataclass(frozen=True, slots=True)
class WrittenResult(ToolResult):
    """A result as a record writes it, which need not be the compact JSON that toolgen writes."""

    written: str = ""

    @property
    def message_text(self) -> str:
        """The tool message's content, byte for byte that of the record."""
        return self.written


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that a record shows with its result, by its own names."""

    turn: int
    """The number of its message among the assistant's: calls of one turn have no order."""
    name: str
    arguments: JsonObject
    result: WrittenResult


def recorded_calls(document: JsonObject) -> tuple[RecordedCall, ...]:
    """Return the calls of a canonical record that are answered in it, in their order; what is malformed is left out."""
    metadata = document.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    return tuple(_calls(document, statuses if isinstance(statuses, dict) else {}))


def _calls(document: JsonObject, statuses: JsonObject) -> Iterator[RecordedCall]:
    turn = -1
    asked: list[JsonObject] = []
    for message in messages_of(document):
        if message.get("role") == "assistant":
            turn += 1
            asked = [with_object_arguments(call) for call in calls_of(message)]
        elif message.get("role") == "tool":
            call = _answered(asked, message.get("tool_call_id"))
            function = function_of(call)
            name, arguments, content = function.get("name"), function.get("arguments"), message.get("content")
            if isinstance(name, str) and isinstance(arguments, dict) and isinstance(content, str):
                yield RecordedCall(turn, name, arguments, _result(name, content, statuses.get(str(call.get("id")))))


def _answered(asked: list[JsonObject], identity: JsonValue) -> JsonObject:
    """Take the call out that a result belongs to: the one of its id, else, where it has none, the first."""
    for place, call in enumerate(asked):
        if identity is None or call.get("id") == identity:
            return asked.pop(place)
    return {}


def _result(name: str, content: str, status: JsonValue) -> WrittenResult:
    """Read the content of a tool message: a value, or an error as toolgen writes it or as the metadata tell it."""
    value = parse_json(content)
    error = value.get("error") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(error, dict) and isinstance(error.get("type"), str):
        return WrittenResult(name, None, error["type"], str(error.get("message", "")), written=content)
    if isinstance(status, str) and status != SUCCESS:
        return WrittenResult(name, None, status, content, written=content)
    return WrittenResult(name, value, written=content)


def told_mask(document: JsonObject) -> JsonObject | None:
    """Return what a record's scrambled names stand for, `{"tools": {...}, "parameters": {...}}`; None for none."""
    if not (isinstance(document.get("messages"), list) and isinstance(document.get("tools"), list)):
        return None
    return mask_of(RecordView({"metadata": document.get("metadata")}))


def by_own_names(document: JsonObject) -> JsonObject:
    """Return a record without its mask; itself where it has none."""
    told = told_mask(document)
    return document if told is None else unmasked(document, told)
