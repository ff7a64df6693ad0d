"""From what is said to messages: the turns of a dialogue whose calls and results stand in it as text."""

from __future__ import annotations

from typing import NamedTuple

from generator.formats.embedded_json import as_text
from generator.formats.turns import Ids, call_turn, result_of_call
from generator.jsontext import JsonObject, JsonValue


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
