"""The shape that every writer of records may rely on: what a record must have before it can be written at all.

This is no judgement of its quality, which is what the rules are for: it says that messages, calls, results and tools
are where they belong and of the type they need, and that results can be told apart by their calls.
"""

from __future__ import annotations

from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue


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
    found = _in_tools(document.get("tools", []))
    if found is not None:
        return found
    waiting: dict[str, None] = {}
    asked = 0
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            return Misshapen(f"/messages/{index}", "a message is an object")
        if message.get("role") == "tool":
            found = _in_result(message, waiting, index)
        else:
            if waiting and len(waiting) < asked:
                return Misshapen(f"/messages/{index}", "only some of the calls before this message have a result")
            waiting = {}
            found = _in_message(message, waiting, index)
            asked = len(waiting)
        if found is not None:
            return found
    if waiting and len(waiting) < asked:
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
