"""DF: the rules of the DeepFabric Data Format (seeds/000)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.validation.rule import Check, Finding
from generator.validation.verdict import brief, kind_of
from generator.validation.view import RecordView

_CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")


def _record_is_object(record: RecordView) -> Iterator[Finding]:
    if not record.is_object:
        yield Finding("", f"a record is a JSON object, this is {kind_of(record.document)}")


def messages_are_list(record: RecordView) -> Iterator[Finding]:
    """Find messages that are no array, in a record and in a request alike."""
    if record.is_object and not record.has_messages:
        what = kind_of(record.entry["messages"]) if "messages" in record.entry else "missing"
        yield Finding("/messages", f"`messages` is an array, here it is {what}")


def tool_calls_are_list(record: RecordView) -> Iterator[Finding]:
    """Find messages whose calls are no array."""
    for message in record.messages:
        calls = message.entry.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            yield Finding(f"{message.pointer}/tool_calls", f"`tool_calls` is an array, here it is {kind_of(calls)}")


def _arguments_are_objects(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.has_function and not isinstance(call.given, dict) and not call.malformed:
            what = kind_of(call.given) if "arguments" in call.function else "missing"
            yield Finding(call.arguments_pointer, f"the arguments of a call are an object, here they are {what}")


def _ids_are_nine_characters(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.entry and not (isinstance(call.id, str) and _CALL_ID.fullmatch(call.id)):
            yield Finding(f"{call.pointer}/id", f"a call id is exactly nine of a-z, A-Z, 0-9, not {brief(call.id)}")


def _ids_are_unique(record: RecordView) -> Iterator[Finding]:
    if len(record.calls_by_id) == len(record.calls):
        return
    counts = Counter(call.id for call in record.calls if isinstance(call.id, str))
    for call in record.calls:
        if isinstance(call.id, str) and counts[call.id] > 1 and record.calls_by_id[call.id] is not call:
            yield Finding(f"{call.pointer}/id", f"the call id {brief(call.id)} is used by an earlier call")


def _type_is_function(record: RecordView) -> Iterator[Finding]:
    for call in record.calls:
        if call.entry and call.entry.get("type") != "function":
            yield Finding(
                f"{call.pointer}/type", f'the type of a call is "function", not {brief(call.entry.get("type"))}'
            )


def _results_name_their_call(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        call_id = result.message.entry.get("tool_call_id")
        if call_id is not None and result.call is None:
            yield Finding(
                f"{result.message.pointer}/tool_call_id", f"no call of this record has the id {brief(call_id)}"
            )


def _result_content_is_text(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        content = result.message.content
        if content is not None and not isinstance(content, str):
            yield Finding(
                f"{result.message.pointer}/content", f"what a tool returns is a string, not {kind_of(content)}"
            )


def _result_content_is_json(record: RecordView) -> Iterator[Finding]:
    for result in record.results:
        if isinstance(result.message.content, str) and not result.is_json:
            yield Finding(f"{result.message.pointer}/content", "what a tool returns is the text of a JSON value")


CHECKS: dict[str, Check] = {
    "DF001": Check(_record_is_object),
    "DF002": Check(messages_are_list),
    "DF003": Check(tool_calls_are_list),
    "DF004": Check(_arguments_are_objects, "calls"),
    "DF005": Check(_ids_are_nine_characters, "calls"),
    "DF006": Check(_ids_are_unique, "calls"),
    "DF007": Check(_type_is_function, "calls"),
    "DF008": Check(_results_name_their_call, "mispaired"),
    "DF009": Check(_result_content_is_text, "results"),
    "DF010": Check(_result_content_is_json, "results"),
}
