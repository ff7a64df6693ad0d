"""The DeepFabric format (seeds/000): the canonical record, arguments as objects and ids of nine characters."""

from __future__ import annotations

from generator.formats.conversation import (
    all_calls,
    calls_of,
    function_of,
    linked_names,
    messages_of,
    rewrite_messages,
)
from generator.formats.format import Format
from generator.formats.shown_tools import wrapped
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record whose calls, if any, hold no arguments as text."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return False
    return not any(isinstance(function_of(call).get("arguments"), str) for call in all_calls(document))


def load_record(document: JsonObject) -> JsonObject:
    """Bring a DeepFabric record to the canonical choices.

    A turn of calls whose `content` is missing or null gets "" (seeds/000 omits it, seeds/003 allows null), a
    tool message without `name` the name of the call it answers, and tools written as JSON text become a list.
    Nothing else is touched.
    """
    if isinstance(document.get("tools"), str):
        document = {**document, "tools": wrapped(document["tools"])}
    if not any(map(_has_gap, messages_of(document))):
        return document
    names = linked_names(document)

    def canonical(message: JsonObject) -> JsonObject:
        if not _has_gap(message):
            return message
        if message["role"] == "assistant":
            return _with_content(message)
        return _with_name(message, names[_answers(message)]) if _answers(message) in names else message

    return rewrite_messages(document, canonical)


def _has_gap(message: JsonObject) -> bool:
    if message.get("role") == "tool":
        return "name" not in message
    return message.get("content") is None and message.get("role") == "assistant" and bool(calls_of(message))


def _with_content(message: JsonObject) -> JsonObject:
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    return {"role": message["role"], "content": "", **rest}


def _with_name(message: JsonObject, name: str) -> JsonObject:
    rest = {key: value for key, value in message.items() if key != "content"}
    return {**rest, "name": name, **{key: message[key] for key in ("content",) if key in message}}


def _answers(message: JsonObject) -> str:
    identity = message.get("tool_call_id")
    return identity if isinstance(identity, str) else ""


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record: it is in this format already."""
    return document


FORMAT = Format(
    name="deepfabric",
    summary="DeepFabric: the canonical record, arguments as objects, ids of nine letters and digits",
    matches_record=matches_record,
    keys=("messages",),
    in_text=("messages",),
    standing="otherwise",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages`, arguments as objects or no calls at all",
)
