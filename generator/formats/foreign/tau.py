"""The `tau` format, for reading: what tau-bench and its successor keep of a run: a trajectory, or a simulation.

The messages are OpenAI's, in `traj` with arguments as text, or in `messages` with calls of `{"id", "name",
"arguments", "requestor"}`. What the run was to do, and whether it did, stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import calls_of, messages_of
from generator.formats.definitions import wrapped
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json
from generator.formats.openai import load_record as load_openai
from generator.jsontext import JsonObject, JsonValue

_USER = "user"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a trajectory, or messages whose calls say who asks for them."""
    if not isinstance(document, dict):
        return False
    if isinstance(document.get("traj"), list):
        return True
    return any("requestor" in part for message in messages_of(document) for part in (message, *calls_of(message)))


def load_record(document: JsonObject) -> JsonObject:
    """Bring a run to the canonical document; what the simulated user calls on its own side is left out."""
    messages = document.get("traj", document.get("messages"))
    listed = messages if isinstance(messages, list) else []
    plain = [plain for message in listed for plain in _plain(message)]
    tools = wrapped(parse_json(document.get("tools", [])))
    return load_openai({"messages": plain, "tools": tools})


def _plain(message: JsonValue) -> Iterator[JsonValue]:
    """Yield a message in OpenAI's shape, without what tells of costs and times."""
    if not isinstance(message, dict):
        yield message
    elif message.get("requestor") == _USER or _calls_of_user(message):
        return
    elif message.get("role") == "tool":
        yield from map(_result, message.get("tool_messages") or [message])
    else:
        said: JsonObject = {"role": message.get("role"), "content": message.get("content")}
        calls = [_call(call) for call in calls_of(message)]
        yield {**said, "content": said["content"] or "", "tool_calls": calls} if calls else said


def _calls_of_user(message: JsonObject) -> bool:
    calls = calls_of(message)
    return message.get("role") == _USER and bool(calls) and not message.get("content")


def _result(message: JsonObject) -> JsonObject:
    named = {"name": message["name"]} if isinstance(message.get("name"), str) else {}
    identity = message.get("tool_call_id", message.get("id"))
    return {"role": "tool", "tool_call_id": identity, **named, "content": as_text(message.get("content"))}


def _call(call: JsonObject) -> JsonObject:
    if "function" in call:
        return call
    function = {"name": call.get("name"), "arguments": call.get("arguments", {})}
    return {"id": call.get("id"), "type": "function", "function": function}


FORMAT = Format(
    name="tau",
    summary="tau-bench: a trajectory, or a simulation, of a customer and an agent",
    matches_record=matches_record,
    keys=("messages", "traj"),
    in_text=("traj",),
    signs=frozenset({"requestor"}),
    standing="certain",
    load_record=load_record,
    columns=frozenset({"traj", "messages", "tools"}),
    recognised_by="`traj`, or `messages` with `requestor`",
)
