"""The `ms-swift` format: calls and results as messages of their own, with the roles tool_call and tool_response.

The content of a tool_call is JSON text of one call, tools are JSON text of a list; ids have no place.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import Ids, call_turn, calls_of, messages_of, result_of_call, turns_of
from generator.formats.definitions import wrapped
from generator.formats.format import Format
from generator.formats.literals import parse_json, parse_literal
from generator.formats.losses import IDS, METADATA, ORDER_OF_RESULTS
from generator.jsontext import JsonObject, JsonValue, dump_compact

_CALL, _RESULTS = "tool_call", ("tool_response", "tool")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has messages with the role tool_call or tool_response."""
    if not isinstance(document, dict):
        return False
    return any(message.get("role") in (_CALL, "tool_response") for message in messages_of(document))


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; a call that cannot be read stays as it is, for the rules to find."""
    if not messages_of(document):
        return document
    ids = Ids(document, sum(message.get("role") == _CALL for message in messages_of(document)), "ms-swift")
    messages: list[JsonValue] = []
    waiting: list[JsonObject] = []
    for message in document["messages"]:
        role = message.get("role") if isinstance(message, dict) else None
        call = _read_call(message, ids) if role == _CALL else None
        if call is not None:
            waiting = _add_call(messages, call, waiting)
        elif role in _RESULTS and waiting:
            messages.append(result_of_call(waiting.pop(0), message.get("content")))
        else:
            waiting = []
            messages.append({**message, "role": "tool"} if role in _RESULTS else message)
    return {**document, "messages": messages, "tools": wrapped(document.get("tools", []))}


def _add_call(messages: list[JsonValue], call: JsonObject, waiting: list[JsonObject]) -> list[JsonObject]:
    """Add a call to the turn that is open, or open one; return the calls that wait for results."""
    last = messages[-1] if messages else None
    if isinstance(last, dict) and last.get("role") == "assistant" and (waiting or "tool_calls" not in last):
        messages[-1] = {**last, "tool_calls": [*calls_of(last), call]}
        return [*waiting, call]
    messages.append(call_turn("", [call]))
    return [call]


def _read_call(message: JsonObject, ids: Ids) -> JsonObject | None:
    said = parse_literal(parse_json(message.get("content")))
    if not isinstance(said, dict) or "name" not in said:
        return None
    return ids.call(said["name"], parse_json(said.get("arguments", {})))


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    messages = [message for turn in turns_of(document) for message in _dump_turn(turn.message, turn.results)]
    return {"messages": messages, "tools": dump_compact(document.get("tools", []))}


def _dump_turn(message: JsonObject, results: list[JsonObject]) -> Iterator[JsonObject]:
    if message["content"] or not calls_of(message):
        yield {"role": message["role"], "content": message["content"]}
    for call in calls_of(message):
        function = call["function"]
        yield {
            "role": _CALL,
            "content": dump_compact({"name": function["name"], "arguments": function["arguments"]}),
        }
    for result in results:
        yield {"role": "tool_response", "content": result["content"]}


FORMAT = Format(
    name="ms-swift",
    summary="ms-swift: calls and results as messages of the roles tool_call and tool_response, tools as JSON text",
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"other roles"}),
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages` with the role tool_call or tool_response",
    losses=(METADATA, IDS, ORDER_OF_RESULTS),
)
