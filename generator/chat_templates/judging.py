"""What a rendering has made of a record: what is lost, moved, encoded twice or written as another language does."""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.chat_templates.probes import texts_of
from generator.formats.conversation import calls_of, function_of
from generator.jsontext import JsonObject, JsonValue, dump_compact

NO_TOOLS = "shows no tools"
NO_CALLS = "drops the calls"
FIRST_CALL_ALONE = "drops all calls of a turn but the first"
TWICE = "encodes arguments twice, as text inside text"
AS_PYTHON = "writes arguments as Python does, not as JSON"
_WHOSE = {
    "system": "the system message",
    "user": "what the user says",
    "tool": "the results",
    "assistant": "what the assistant says",
}


def faults(text: str, document: JsonObject) -> list[str]:
    """Return what a rendered record has lost, put elsewhere or spoiled, each once, in words."""
    return list(dict.fromkeys([*_of_tools(text, document["tools"]), *_of_messages(text, document["messages"])]))


def holds(text: str, value: JsonValue) -> bool:
    """Say whether a value stands in a text, in any of its spellings."""
    return any(each in text for each in spellings(value))


def spellings(value: JsonValue) -> list[str]:
    """Return how a value may stand in a text: as it is, as JSON, as Python says it."""
    if not isinstance(value, str):
        return list(dict.fromkeys([json.dumps(value), str(value), dump_compact(value)]))
    quoted = [json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True)]
    single = value.replace("\\", "\\\\").replace("'", "\\'")
    return list(dict.fromkeys([value, *quoted, repr(value)[1:-1], single]))


def _of_tools(text: str, tools: list[JsonObject]) -> Iterator[str]:
    shown = [function_of(tool) for tool in tools]
    named = [holds(text, function["name"]) for function in shown]
    if shown and not any(holds(text, function["description"]) for function in shown):
        yield "drops the descriptions of tools" if all(named) else NO_TOOLS
        return
    if not all(named):
        yield "drops the names of tools"
    for function in shown:
        if not holds(text, function["description"]):
            yield "drops the descriptions of tools"
        if not all(holds(text, name) for name in function["parameters"]["properties"]):
            yield "drops the parameters of tools"


def _of_messages(text: str, messages: list[JsonObject]) -> Iterator[str]:
    """Read the text from its start; the calls of a turn stand before what is said after their results."""
    at = 0
    waiting: list[JsonObject] = []
    since = 0
    for message in messages:
        content = message["content"].strip()
        began, behind = _find(text, content, at) if content else (at, at)
        if began < 0:
            yield f"{'moves' if holds(text, content) else 'drops'} {_WHOSE[message['role']]}"
            began, behind = at, at
        if message["role"] != "tool" and waiting:
            yield from _of_calls(text[since:began] if content else text[since:], waiting)
            waiting = []
        if calls := calls_of(message):
            waiting, since = calls, behind
        at = behind
    if waiting:
        yield from _of_calls(text[since:], waiting)


def _find(text: str, content: str, at: int) -> tuple[int, int]:
    """Return where a text begins and ends, from a place on; -1 where it is not."""
    places = [(place, place + len(each)) for each in spellings(content) if (place := text.find(each, at)) >= 0]
    return min(places, default=(-1, -1))


def _of_calls(text: str, calls: list[JsonObject]) -> Iterator[str]:
    at = 0
    for place, call in enumerate(calls):
        function = function_of(call)
        at = text.find(function["name"], at)
        if at < 0:
            yield FIRST_CALL_ALONE if place else NO_CALLS
            return
        at += len(function["name"])
        yield from _of_arguments(text, function["arguments"])


def _of_arguments(text: str, arguments: JsonObject) -> Iterator[str]:
    if not all(holds(text, each) for each in texts_of(arguments)):
        yield "drops arguments"
    if any(f'\\"{key}\\":' in text for key in arguments):
        yield TWICE
    if arguments and str(arguments) in text:
        yield AS_PYTHON
