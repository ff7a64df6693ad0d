"""Records that pass every rule, as written and as read, for tests and the examples of rules to start from."""

from __future__ import annotations

import copy
import json
from typing import Any

from generator.domains.catalog import Catalog
from generator.jsontext import JsonValue, digest
from generator.tools import Tool
from generator.validation.rule import LEFT_OUT, Places, joined

Json = Any  # parsed JSON

WEATHER = Tool(
    name="get_weather",
    description="Get the weather of a city.",
    parameters={
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "days": {"type": "integer", "description": "How many days.", "minimum": 1},
            "day": {"type": "string", "description": "The first day.", "format": "date"},
            "hourly": {"type": "boolean", "description": "Whether hour by hour."},
            "place": {
                "type": "object",
                "description": "Where exactly.",
                "properties": {
                    "lat": {"type": "number", "description": "Degrees north."},
                    "lon": {"type": "number", "description": "Degrees east."},
                },
            },
            "extra": {"type": "object", "description": "Anything else."},
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
CLOCK = Tool(
    name="get_time",
    description="Get the time in a city.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string", "description": "The city."}},
        "required": ["city"],
        "additionalProperties": False,
    },
    strict=True,
    result_schema={"type": "string"},
    result_origin="declared",
)
LOOSE_CLOCK = CLOCK.model_copy(update={"strict": None})
CATALOG = Catalog(tools=(WEATHER, CLOCK, LOOSE_CLOCK.model_copy(update={"toolset": "loose"})))


def call(call_id: str, name: str, arguments: Json) -> Json:
    """One entry of `tool_calls`."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def result(call_id: str, name: str, content: str) -> Json:
    """One tool message."""
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": content}


ASKED = "How is the weather in Rome?"
ASKED_FOR_BOTH = "How is the weather in Rome, and in Oslo?"
TOLD = "The temperature is 21.5 degrees in Rome."


def _record(
    kind: str, tools: list[Tool], turn: list[Json], statuses: dict[str, str], asked: str = ASKED, told: str = TOLD
) -> Json:
    messages: list[Json] = [{"role": "system", "content": "You help."}, {"role": "user", "content": asked}]
    document = {
        "messages": [*messages, *turn, {"role": "assistant", "content": told}],
        "tools": [tool.shown for tool in tools],
        "metadata": {
            "id": digest(kind),
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
    return copy.deepcopy(document)


def _turn(*calls: Json) -> Json:
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


FIRST, SECOND, THIRD = "aB3dE6gH9", "zY8xW7vU6", "cC2dF5gJ8"
WARM = '{"temperature":21.5}'


def simple() -> Json:
    """One tool, one call."""
    turn = [_turn(call(FIRST, "get_weather", {"city": "Rome"})), result(FIRST, "get_weather", WARM)]
    return _record("simple", [WEATHER], turn, {FIRST: "SUCCESS"})


def failed() -> Json:
    """One tool, one call, which fails."""
    error = '{"error":{"type":"RESOURCE_NOT_FOUND","message":"There is no such city."}}'
    turn = [_turn(call(FIRST, "get_weather", {"city": "Rome"})), result(FIRST, "get_weather", error)]
    return _record(
        "simple",
        [WEATHER],
        turn,
        {FIRST: "RESOURCE_NOT_FOUND"},
        told="I could not get the weather: there is no such city.",
    )


def multiple() -> Json:
    """Two tools, one of them strict, one call."""
    turn = [_turn(call(FIRST, "get_weather", {"city": "Rome"})), result(FIRST, "get_weather", WARM)]
    return _record("multiple", [WEATHER, CLOCK], turn, {FIRST: "SUCCESS"})


def parallel() -> Json:
    """One tool called twice in a turn."""
    calls = [call(FIRST, "get_weather", {"city": "Rome"}), call(SECOND, "get_weather", {"city": "Oslo"})]
    turn = [_turn(*calls), result(FIRST, "get_weather", WARM), result(SECOND, "get_weather", WARM)]
    told = "The temperature is 21.5 degrees in Rome, and in Oslo."
    return _record("parallel", [WEATHER], turn, {FIRST: "SUCCESS", SECOND: "SUCCESS"}, ASKED_FOR_BOTH, told)


def parallel_multiple() -> Json:
    """Two tools called in a turn."""
    calls = [call(FIRST, "get_weather", {"city": "Rome"}), call(SECOND, "get_time", {"city": "Rome"})]
    turn = [_turn(*calls), result(FIRST, "get_weather", WARM), result(SECOND, "get_time", '"10:30"')]
    told = "The temperature is 21.5 degrees in Rome, and the time there is 10:30."
    return _record("parallel_multiple", [WEATHER, LOOSE_CLOCK], turn, {FIRST: "SUCCESS", SECOND: "SUCCESS"}, told=told)


def irrelevance() -> Json:
    """Tools, and no call."""
    asked = "Please write a poem about the sea."
    return _record("irrelevance", [WEATHER, CLOCK], [], {}, asked, "I cannot help with that.")


def repeated() -> Json:
    """One tool, one call; then another one, which is made twice."""
    document = simple()
    again = [
        message
        for call_id in (SECOND, THIRD)
        for message in (
            _turn(call(call_id, "get_weather", {"city": "Oslo"})),
            result(call_id, "get_weather", '{"temperature":3.5}'),
        )
    ]
    asked = {"role": "user", "content": "And in Oslo? Please look twice."}
    told = {"role": "assistant", "content": "The temperature is 3.5 degrees in Oslo."}
    document["messages"] += [asked, *again, told]
    document["metadata"] |= {"kind": "multi_turn", "statuses": dict.fromkeys((FIRST, SECOND, THIRD), "SUCCESS")}
    return document


KINDS = {
    "simple": simple,
    "failed": failed,
    "multiple": multiple,
    "parallel": parallel,
    "parallel_multiple": parallel_multiple,
    "irrelevance": irrelevance,
}


def changed(document: JsonValue, places: Places) -> JsonValue:
    """A copy of the document with each place set, appended (`-`) or left out."""
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
