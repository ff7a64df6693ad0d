"""Reading and rewriting the messages of a record that may be malformed: what cannot be read is left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from generator.ids import draw_call_ids
from generator.jsontext import JsonObject, JsonValue, digest
from generator.streams import stream


def messages_of(document: JsonObject) -> list[JsonObject]:
    """Return the messages that are objects; none where the document holds no list of messages."""
    messages = document.get("messages")
    return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []


def calls_of(message: JsonObject) -> list[JsonObject]:
    """Return the calls of a message that are objects."""
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def function_of(call: JsonObject) -> JsonObject:
    """Return the function a call invokes; empty where it is no object."""
    function = call.get("function")
    return function if isinstance(function, dict) else {}


def all_calls(document: JsonObject) -> Iterator[JsonObject]:
    """Yield every call of the document, in order."""
    for message in messages_of(document):
        yield from calls_of(message)


def rewrite_messages(document: JsonObject, rewrite: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Return the document with each message that is an object rewritten; its other keys keep their places."""
    messages = document.get("messages")
    if not isinstance(messages, list):
        return document
    rewritten = [rewrite(message) if isinstance(message, dict) else message for message in messages]
    return {**document, "messages": rewritten}


def rewrite_calls(message: JsonObject, rewrite: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Return the message with each of its calls rewritten, or the message itself where it holds no list of calls."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [rewrite(call) if isinstance(call, dict) else call for call in calls]}


def rewrite_ids(document: JsonObject, ids: dict[str, str]) -> JsonObject:
    """Return the document with call ids replaced in calls, tool messages and the statuses of the metadata."""

    def in_call(call: JsonObject) -> JsonObject:
        return {**call, "id": _renamed(call["id"], ids)} if "id" in call else call

    def in_message(message: JsonObject) -> JsonObject:
        message = rewrite_calls(message, in_call)
        if "tool_call_id" not in message:
            return message
        return {**message, "tool_call_id": _renamed(message["tool_call_id"], ids)}

    return with_statuses_of(rewrite_messages(document, in_message), lambda identity: ids.get(identity, identity))


def _renamed(identity: JsonValue, ids: dict[str, str]) -> JsonValue:
    return ids.get(identity, identity) if isinstance(identity, str) else identity


def with_statuses_of(document: JsonObject, renamed: Callable[[str], str]) -> JsonObject:
    """Return the document with the statuses of its metadata under the new ids."""
    metadata = document.get("metadata")
    statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
    if not isinstance(metadata, dict) or not isinstance(statuses, dict):
        return document
    named = {renamed(identity): status for identity, status in statuses.items()}
    return {**document, "metadata": {**metadata, "statuses": named}}


def linked_names(document: JsonObject) -> dict[str, str]:
    """Return the function name of each call by the call's id."""
    names: dict[str, str] = {}
    for call in all_calls(document):
        identity, name = call.get("id"), function_of(call).get("name")
        if isinstance(identity, str) and isinstance(name, str):
            names.setdefault(identity, name)
    return names


def fresh_ids(count: int, taken: Iterable[str], *label: int | str) -> list[str]:
    """Return `count` new call ids that the label decides and that are none of the taken ones."""
    known = set(taken)
    drawn = draw_call_ids(count + len(known), stream(0, "call ids", *label))
    return [identity for identity in drawn if identity not in known][:count]


def digest_of(document: JsonValue) -> str:
    """Return what tells a parsed document from others; documents too deep to be written share one."""
    try:
        return digest(document)
    except (TypeError, ValueError):
        return "too deep"
