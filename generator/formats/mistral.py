"""The `mistral` format: lines as mistral-finetune takes them, arguments as text and ids of nine characters.

Its documentation shows a turn of calls without `content`; its validator refuses text beside calls.
"""

from __future__ import annotations

from generator.formats.conversation import (
    all_calls,
    calls_of,
    messages_of,
    rewrite_calls,
    rewrite_messages,
    with_text_arguments,
)
from generator.formats.format import TEXT_ARGUMENTS, Format
from generator.formats.losses import METADATA, TEXT_BESIDE_CALLS
from generator.formats.openai import load_record
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has calls whose arguments are text and whose ids are nine characters."""
    if not isinstance(document, dict) or "parallel_tool_calls" in document or not messages_of(document):
        return False
    calls = list(all_calls(document))
    return bool(calls) and all(_is_of_mistral(call) for call in calls)


def _is_of_mistral(call: JsonObject) -> bool:
    function = call.get("function")
    return isinstance(function, dict) and isinstance(function.get("arguments"), str) and is_call_id(call.get("id"))


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    written = rewrite_messages(document, _dump_message)
    return {"messages": written["messages"], "tools": document.get("tools", [])}


def _dump_message(message: JsonObject) -> JsonObject:
    if not calls_of(message):
        return message
    return rewrite_calls({key: value for key, value in message.items() if key != "content"}, with_text_arguments)


FORMAT = Format(
    name="mistral",
    summary="mistral-finetune: arguments as text, ids of nine characters, no content beside calls",
    matches_record=matches_record,
    keys=("messages",),
    signs=TEXT_ARGUMENTS,
    reads_as="openai",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages`, every call with arguments as text and an id of nine characters",
    losses=(METADATA, TEXT_BESIDE_CALLS),
)
