"""The records that the examples of rules start from: each passes every rule, as written and as read."""

from __future__ import annotations

import json

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.tools import Tool
from generator.validation.rule import LEFT_OUT, Places, joined

FIRST, SECOND, THIRD = "aB3dE6gH9", "zY8xW7vU6", "cC2dF5gJ8"
ERROR = {"type": "RESOURCE_NOT_FOUND", "message": "There is no such city."}

_CITY = {"type": "string", "description": "The city."}
_WEATHER = Tool(
    name="get_weather",
    description="Get the weather of a city.",
    parameters={
        "type": "object",
        "properties": {
            "city": _CITY,
            "days": {"type": "integer", "description": "How many days.", "minimum": 1},
            "day": {"type": "string", "description": "The first day.", "format": "date"},
            "hourly": {"type": "boolean", "description": "Whether hour by hour."},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "A note."},
        },
        "required": ["city"],
    },
    result_schema={
        "type": "object",
        "properties": {"temperature": {"type": "number"}},
        "required": ["temperature"],
    },
    result_origin="declared",
)
_CLOCK = Tool(
    name="get_time",
    description="Get the time in a city.",
    parameters={
        "type": "object",
        "properties": {"city": _CITY},
        "required": ["city"],
        "additionalProperties": False,
    },
    strict=True,
    result_schema={"type": "string"},
    result_origin="declared",
)
CATALOG = Catalog(tools=(_WEATHER, _CLOCK))
"""The tools of the records, with their result schemas."""


def call(call_id: str, city: str = "Rome") -> JsonObject:
    """Return an entry of `tool_calls`."""
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": {"city": city}}}


def answer(call_id: str, value: JsonValue) -> JsonObject:
    """Return the tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call_id, "name": "get_weather", "content": dump_compact(value)}


def turn(*calls: JsonObject) -> JsonObject:
    """Return a turn of calls."""
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


SYSTEM: JsonObject = {"role": "system", "content": "You help."}
USER: JsonObject = {"role": "user", "content": "How is the weather in Rome?"}
OF_BOTH: JsonObject = {"role": "user", "content": "How is the weather in Rome, and in Oslo?"}
ON_OSLO: JsonObject = {"role": "user", "content": "And in Oslo? Please look twice."}
COLD: JsonObject = {"role": "assistant", "content": "The temperature is 3.5 degrees in Oslo."}
POEM: JsonObject = {"role": "user", "content": "Please write a poem about the sea."}
REPLY: JsonObject = {"role": "assistant", "content": "The temperature is 21.5 degrees in Rome."}
ON_BOTH: JsonObject = {"role": "assistant", "content": "The temperature is 21.5 degrees in Rome, and in Oslo."}
REFUSAL: JsonObject = {"role": "assistant", "content": "I cannot help with that."}
FAILURE: JsonObject = {"role": "assistant", "content": "I could not get the weather: there is no such city."}
WARM: JsonObject = {"temperature": 21.5}


def _record(
    kind: str, tools: list[Tool], said: tuple[JsonObject, JsonObject], turns: list[JsonObject], statuses: JsonObject
) -> JsonObject:
    return {
        "messages": [SYSTEM, said[0], *turns, said[1]],
        "tools": [tool.shown for tool in tools],
        "metadata": {
            "id": "5f0c2a9be1d47386",
            "index": 0,
            "attempt": 0,
            "kind": kind,
            "seed": 7,
            "author": "offline",
            "format_version": "1.0",
            "toolgen_version": "0.1.0",
            "catalog": CATALOG.digest,
            "reference_date": "2026-01-15",
            "locale": "en_US",
            "statuses": statuses,
        },
    }


def records() -> dict[str, JsonObject]:
    """Return the records by name: one call, one that fails, two in a turn, one made twice, and none."""
    one, two = turn(call(FIRST)), turn(call(FIRST), call(SECOND, "Oslo"))
    error = answer(FIRST, {"error": ERROR})
    good = {FIRST: "SUCCESS", SECOND: "SUCCESS"}
    cold: JsonObject = {"temperature": 3.5}
    once, again = ([turn(call(each, "Oslo")), answer(each, cold)] for each in (SECOND, THIRD))
    twice = [one, answer(FIRST, WARM), REPLY, ON_OSLO, *once, *again]
    return {
        "called": _record("simple", [_WEATHER], (USER, REPLY), [one, answer(FIRST, WARM)], {FIRST: "SUCCESS"}),
        "failed": _record("simple", [_WEATHER], (USER, FAILURE), [one, error], {FIRST: ERROR["type"]}),
        "parallel": _record(
            "parallel", [_WEATHER], (OF_BOTH, ON_BOTH), [two, answer(FIRST, WARM), answer(SECOND, WARM)], good
        ),
        "repeated": _record("multi_turn", [_WEATHER], (USER, COLD), twice, {**good, THIRD: "SUCCESS"}),
        "spoken": _record("irrelevance", [_WEATHER, _CLOCK], (POEM, REFUSAL), [], {}),
    }


def changed(document: JsonValue, places: Places) -> JsonValue:
    """Return a copy of the document with each place set, appended (`-`) or left out."""
    for where, parts in places.items():
        text = joined(parts)
        value = LEFT_OUT if text == LEFT_OUT else json.loads(text)
        document = _set(document, [part.replace("~1", "/").replace("~0", "~") for part in where.split("/")[1:]], value)
    return document


def _set(holder: JsonValue, path: list[str], value: JsonValue) -> JsonValue:
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(holder, list):
        copy = list(holder)
        if key == "-":
            copy.append(value)
        elif value == LEFT_OUT and not rest:
            del copy[int(key)]
        else:
            copy[int(key)] = _set(holder[int(key)], rest, value)
        return copy
    members = dict(holder)
    if value == LEFT_OUT and not rest:
        members.pop(key, None)
    else:
        members[key] = _set(members.get(key, {}), rest, value)
    return members
