"""A record turn by turn: each message with the results of its calls, as formats without ids need them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.formats.conversation import calls_of, digest_of, fresh_ids, function_of
from generator.ids import is_call_id
from generator.jsontext import JsonObject


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
