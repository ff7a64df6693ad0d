"""Records in the Qwen3 format (seeds/002): calls and results as tagged text inside the messages.

Calls stand as `<tool_call>` blocks in the assistant's content, the results of one turn as `<tool_response>`
blocks in one user message, matched by position. The format holds no ids: reading assigns them in order, from
the statuses of the metadata where those fit, else new ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import all_calls, calls_of, messages_of
from generator.formats.format import Format
from generator.formats.record_losses import IDS_BESIDE_METADATA, ORDER_OF_RESULTS
from generator.formats.shown_tools import wrapped
from generator.formats.tagged import (
    CALL_OPENS,
    dump_calls,
    dump_responses,
    holds_responses,
    response_texts,
    split_calls,
)
from generator.formats.turns import Ids, Turn, call_turn, results_by_position, turns_of
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record with tagged calls or results in its messages."""
    if not isinstance(document, dict):
        return False
    return any(_is_tagged(message) for message in messages_of(document)) and not any(all_calls(document))


def _is_tagged(message: JsonObject) -> bool:
    content = message.get("content")
    if message.get("role") == "assistant":
        return isinstance(content, str) and CALL_OPENS in content
    return message.get("role") == "user" and holds_responses(content)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record in this format; its ids are lost from the messages, the metadata is kept."""
    messages = [message for turn in turns_of(document) for message in _dump_turn(turn)]
    return {**document, "messages": messages}


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    message = turn.message
    calls = calls_of(message)
    if calls:
        content = dump_calls(message["content"], [call["function"] for call in calls])
        yield {"role": message["role"], "content": content}
    else:
        yield message
    if turn.results:
        yield {"role": "user", "content": dump_responses([result["content"] for result in turn.results])}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a Qwen3 record to the canonical document.

    A turn whose calls cannot be read stays text, and a result that no call answers to gets no id: the rules
    find both.
    """
    messages: list[JsonValue] = []
    unanswered: list[JsonObject] = []
    if not isinstance(document.get("messages"), list):
        return document
    texts = [message["content"] for message in messages_of(document) if isinstance(message.get("content"), str)]
    ids = Ids(document, sum(text.count(CALL_OPENS) for text in texts), "qwen3")
    for message in document["messages"]:
        if isinstance(message, dict) and message.get("role") == "user" and holds_responses(message.get("content")):
            messages.extend(results_by_position(unanswered, response_texts(message["content"])))
            unanswered = []
            continue
        turn = _load_turn(message, ids)
        unanswered = calls_of(turn) if isinstance(turn, dict) else []
        messages.append(turn)
    tools = {"tools": wrapped(document["tools"])} if isinstance(document.get("tools"), str) else {}
    return {**document, "messages": messages, **tools}


def _load_turn(message: JsonValue, ids: Ids) -> JsonValue:
    content = message.get("content") if isinstance(message, dict) and message.get("role") == "assistant" else None
    read = split_calls(content) if isinstance(content, str) and CALL_OPENS in content else None
    if read is None:
        return message
    text, functions = read
    return call_turn(text, [ids.call(function["name"], function["arguments"]) for function in functions])


FORMAT = Format(
    name="qwen3",
    summary="Qwen3 messages: calls and results as tagged text, matched by position",
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"tags"}),
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages` with `<tool_call>` or `<tool_response>` blocks as text",
    losses=(IDS_BESIDE_METADATA, ORDER_OF_RESULTS),
)
