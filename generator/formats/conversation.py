"""The messages of a record: read and rewritten where they may be malformed, their shape, and taken turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import orjson

from generator.formats.literals import as_text
from generator.ids import draw_call_ids, is_call_id
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact, read_exactly
from generator.random_streams import stream


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


def with_text_arguments(call: JsonObject) -> JsonObject:
    """Return the call with its arguments as compact JSON text."""
    function = function_of(call)
    return {**call, "function": {**function, "arguments": dump_compact(function.get("arguments", {}))}}


def with_object_arguments(call: JsonObject) -> JsonObject:
    """Return the call with arguments that are the JSON text of an object read; others stay, for the rules to find."""
    function = function_of(call)
    if not isinstance(function.get("arguments"), str):
        return call
    try:
        arguments = read_exactly(function["arguments"])
    except orjson.JSONDecodeError:
        return call
    return {**call, "function": {**function, "arguments": arguments}} if isinstance(arguments, dict) else call


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


class Misshapen(NamedTuple):
    """The first place at which a document has not the shape of a record, and why."""

    pointer: str
    message: str


def find_misshapen(document: JsonValue) -> Misshapen | None:
    """Return the first place at which a canonical document has not the shape of a record, or None."""
    if not isinstance(document, dict):
        return Misshapen("", "a record is an object")
    messages = document.get("messages")
    if not isinstance(messages, list) or not messages:
        return Misshapen("/messages", "a record has a list of messages that is not empty")
    return _in_tools(document.get("tools", [])) or _in_messages(messages)


def _in_messages(messages: list[JsonValue]) -> Misshapen | None:
    waiting: dict[str, None] = {}
    asked = 0
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            return Misshapen(f"/messages/{index}", "a message is an object")
        if message.get("role") == "tool":
            found = _in_result(message, waiting, index)
        else:
            if 0 < len(waiting) < asked:
                return Misshapen(f"/messages/{index}", "only some of the calls before this message have a result")
            waiting = {}
            found = _in_message(message, waiting, index)
            asked = len(waiting)
        if found is not None:
            return found
    if 0 < len(waiting) < asked:
        return Misshapen(f"/messages/{len(messages) - 1}", "only some of the last calls have a result")
    return None


def _in_tools(tools: JsonValue) -> Misshapen | None:
    if not isinstance(tools, list):
        return Misshapen("/tools", "the tools of a record are a list")
    for index, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            return Misshapen(f"/tools/{index}", "a tool is an object with a `function` that has a name")
        if not isinstance(function.get("parameters", {}), dict):
            return Misshapen(f"/tools/{index}/function/parameters", "the parameters of a tool are an object")
    return None


def _in_message(message: JsonObject, waiting: dict[str, None], index: int) -> Misshapen | None:
    role = message.get("role")
    if role not in ("system", "user", "assistant"):
        return Misshapen(f"/messages/{index}/role", "a role is system, user, assistant or tool")
    if not isinstance(message.get("content"), str):
        return Misshapen(f"/messages/{index}/content", "the content of a message is text")
    calls = message.get("tool_calls")
    if calls is None and "tool_calls" not in message:
        return None
    if role != "assistant" or not isinstance(calls, list) or not calls:
        return Misshapen(f"/messages/{index}/tool_calls", "calls are a list of the assistant's, not empty")
    for place, call in enumerate(calls):
        problem = _problem_of_call(call, waiting)
        if problem:
            return Misshapen(f"/messages/{index}/tool_calls/{place}", problem)
    return None


def _problem_of_call(call: JsonValue, waiting: dict[str, None]) -> str:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return "a call is an object with a `function`"
    function = call["function"]
    if not isinstance(function.get("name"), str):
        return "a call names its function"
    if not isinstance(function.get("arguments"), dict):
        return "the arguments of a call are an object"
    identity = call.get("id")
    if not isinstance(identity, str) or identity in waiting:
        return "a call has an id of its own"
    waiting[identity] = None
    return ""


def _in_result(message: JsonObject, waiting: dict[str, None], index: int) -> Misshapen | None:
    identity = message.get("tool_call_id")
    if not isinstance(identity, str) or identity not in waiting:
        return Misshapen(f"/messages/{index}/tool_call_id", "a result answers one of the calls right before it, once")
    del waiting[identity]
    if not isinstance(message.get("content"), str):
        return Misshapen(f"/messages/{index}/content", "the content of a result is text")
    return None


class Turn(NamedTuple):
    """What one of the speakers says or calls, with the results of the calls in the order of the calls."""

    message: JsonObject
    results: list[JsonObject]


def turns_of(document: JsonObject) -> list[Turn]:
    """Return the turns of a record of the canonical shape."""
    turns: list[Turn] = []
    for message in document["messages"]:
        if message["role"] == "tool":
            turns[-1].results.append(message)
        else:
            turns.append(Turn(message, []))
    for turn in turns:
        if len(turn.results) > 1:
            places = {call["id"]: place for place, call in enumerate(calls_of(turn.message))}
            turn.results.sort(key=lambda result: places[result["tool_call_id"]])
    return turns


class Ids:
    """The ids of a record whose format holds none: those that the metadata tells where they fit, else new ones."""

    def __init__(self, document: JsonObject, count: int, label: str) -> None:
        """Count how many calls need an id; the label and the record decide what the new ones are."""
        metadata = document.get("metadata")
        statuses = metadata.get("statuses") if isinstance(metadata, dict) else None
        told = list(statuses) if isinstance(statuses, dict) else []
        if len(told) != count or not all(is_call_id(identity) for identity in told):
            told = fresh_ids(count, (), label, digest_of(document)) if count else []
        self._ids: Iterator[str] = iter(told)

    def call(self, name: object, arguments: object) -> JsonObject:
        """Return a canonical call with the next id."""
        return {"id": next(self._ids), "type": "function", "function": {"name": name, "arguments": arguments}}


def call_turn(text: str, calls: list[JsonObject]) -> JsonObject:
    """Return the assistant's turn of calls."""
    return {"role": "assistant", "content": text, "tool_calls": calls}


def result_of_call(call: JsonObject, content: object) -> JsonObject:
    """Return the tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call["id"], "name": function_of(call)["name"], "content": content}


def results_by_position(calls: list[JsonObject], contents: list[str]) -> Iterator[JsonObject]:
    """Yield a tool message for each content, linked to the call of the same position; a surplus one has no link."""
    for place, content in enumerate(contents):
        yield result_of_call(calls[place], content) if place < len(calls) else {"role": "tool", "content": content}


class Said(NamedTuple):
    """One turn: user, assistant, system, or a result; with the calls it makes, if any."""

    role: str
    text: JsonValue
    calls: tuple[JsonObject, ...] = ()
    """`{"name", "arguments"}` each."""


def messages_of_turns(document: JsonObject, turns: list[Said], label: str) -> list[JsonValue]:
    """Return the messages of the turns; results answer the calls before them, in their order.

    A result that answers no call stays a message without one, for the rules to find.
    """
    ids = Ids(document, sum(len(turn.calls) for turn in turns), label)
    messages: list[JsonValue] = []
    waiting: list[JsonObject] = []
    for turn in turns:
        if turn.role == "result" and waiting:
            messages.append(result_of_call(waiting.pop(0), as_text(turn.text)))
        elif turn.role == "result":
            messages.append({"role": "tool", "content": as_text(turn.text)})
        elif turn.calls:
            made = [ids.call(call["name"], call["arguments"]) for call in turn.calls]
            messages.append(call_turn(turn.text if isinstance(turn.text, str) else "", made))
            waiting = [*made]
        else:
            messages.append({"role": turn.role, "content": turn.text})
            waiting = []
    return messages
