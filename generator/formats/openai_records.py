"""Records in the OpenAI format (seeds/003): arguments as JSON text, ids that start with `call_`.

An id is written as `call_` and the nine characters; reading strips the prefix where nine remain, and gives a
new id to every other, in calls and tool messages alike.
"""

from __future__ import annotations

import orjson

from generator.formats.conversation import (
    all_calls,
    digest_of,
    fresh_ids,
    function_of,
    messages_of,
    rewrite_calls,
    rewrite_ids,
    rewrite_messages,
    with_statuses_of,
)
from generator.formats.deepfabric import load_record as fill_gaps
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue, dump_compact, read_exactly

_PREFIX = "call_"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record with arguments as text, `call_` ids or a request's parameter."""
    if not isinstance(document, dict) or not messages_of(document):
        return False
    return "parallel_tool_calls" in document or any(_is_openai(call) for call in all_calls(document))


def _is_openai(call: JsonObject) -> bool:
    return isinstance(function_of(call).get("arguments"), str) or str(call.get("id", "")).startswith(_PREFIX)


def load_record(document: JsonObject) -> JsonObject:
    """Bring an OpenAI record to the canonical document.

    Arguments that are no JSON object in text stay as they are, for the rules to find. A request's
    `parallel_tool_calls` is dropped unless it contradicts a strict tool (seeds/003, 7).
    """
    loaded = rewrite_messages(document, lambda message: rewrite_calls(message, _parse_arguments))
    loaded = rewrite_ids(loaded, _canonical_ids(document))
    if isinstance(document.get("parallel_tool_calls"), bool) and not _contradicts_strict(document):
        loaded = {key: value for key, value in loaded.items() if key != "parallel_tool_calls"}
    return fill_gaps(loaded)


def _parse_arguments(call: JsonObject) -> JsonObject:
    function = function_of(call)
    if not isinstance(function.get("arguments"), str):
        return call
    try:
        arguments = read_exactly(function["arguments"])
    except orjson.JSONDecodeError:
        return call
    return {**call, "function": {**function, "arguments": arguments}} if isinstance(arguments, dict) else call


def _canonical_ids(document: JsonObject) -> dict[str, str]:
    """Return the canonical id of every id in the document; distinct ids stay distinct."""
    canonical: dict[str, str | None] = {}
    taken: set[str] = set()
    for identity in _ids(document):
        bare = identity.removeprefix(_PREFIX)
        usable = is_call_id(bare) and (identity in canonical or bare not in taken)
        canonical.setdefault(identity, bare if usable else None)
        taken.add(bare)
    strangers = [identity for identity, bare in canonical.items() if bare is None]
    if strangers:
        fresh = fresh_ids(len(strangers), taken, "openai", digest_of(messages_of(document)))
        canonical.update(zip(strangers, fresh, strict=True))
    return {identity: bare for identity, bare in canonical.items() if bare is not None}


def _ids(document: JsonObject) -> list[str]:
    """Return every id in the document: those of calls first, then those that tool messages name."""
    calls = [call.get("id") for call in all_calls(document)]
    links = [message.get("tool_call_id") for message in messages_of(document)]
    return [identity for identity in [*calls, *links] if isinstance(identity, str)]


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record in this format.

    Where a strict tool is shown, `parallel_tool_calls` is false, as strict tools demand (seeds/003, 7).
    """
    dumped = with_statuses_of(rewrite_messages(document, _dump_message), _prefixed)
    return {**dumped, "parallel_tool_calls": False} if _shows_strict(document) else dumped


def _prefixed(identity: str) -> str:
    return _PREFIX + identity


def _dump_message(message: JsonObject) -> JsonObject:
    if "tool_calls" in message:
        return rewrite_calls(message, _dump_call)
    if isinstance(message.get("tool_call_id"), str):
        return {**message, "tool_call_id": _prefixed(message["tool_call_id"])}
    return message


def _dump_call(call: JsonObject) -> JsonObject:
    written = with_text_arguments(call)
    return {**written, "id": _prefixed(call["id"])} if isinstance(call.get("id"), str) else written


def with_text_arguments(call: JsonObject) -> JsonObject:
    """Return the call with its arguments as compact JSON text."""
    function = function_of(call)
    return {**call, "function": {**function, "arguments": dump_compact(function.get("arguments", {}))}}


def _contradicts_strict(document: JsonObject) -> bool:
    return document["parallel_tool_calls"] is True and _shows_strict(document)


def _shows_strict(document: JsonObject) -> bool:
    tools = document.get("tools")
    shown = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return any(function_of(tool).get("strict") is True for tool in shown)
