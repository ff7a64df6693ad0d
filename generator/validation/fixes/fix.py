"""What a fix is, the parts of a record that it may change in place, and whether two texts say the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

import orjson

from generator.jsontext import JsonObject, JsonValue, read_exactly


@dataclass(frozen=True, slots=True)
class Fix:
    """One mend. Its function changes the record it is given, whatever JSON that holds, and never raises."""

    name: str
    summary: str
    """What it does, in one line."""
    codes: tuple[str, ...]
    """The rules whose findings it mends."""
    mend: Callable[[JsonObject], None]
    loses: str = ""
    """What may be lost or changed in meaning; "" for a fix that is safe. The others run where they are asked for."""

    @property
    def is_safe(self) -> bool:
        """Whether the record means what it meant before."""
        return not self.loses


def letters_of(name: str) -> str:
    """Return the letters and digits of a name in lower case, by which names that are spelt otherwise are one."""
    return "".join(character for character in name.lower() if character.isalnum())


def objects_in(value: JsonValue) -> list[JsonObject]:
    """Return the objects of an array; none where it is no array."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def messages_of(record: JsonObject) -> list[JsonObject]:
    """Return the messages that are objects."""
    return objects_in(record.get("messages"))


def calls_of(message: JsonObject) -> list[JsonObject]:
    """Return the calls of a message that are objects."""
    return objects_in(message.get("tool_calls"))


def all_calls(record: JsonObject) -> Iterator[JsonObject]:
    """Yield every call of the record, in order."""
    for message in messages_of(record):
        yield from calls_of(message)


def function_of(holder: JsonObject) -> JsonObject:
    """Return the `function` of a call or a tool; an empty object where there is none."""
    function = holder.get("function")
    return function if isinstance(function, dict) else {}


def functions_called(record: JsonObject) -> Iterator[JsonObject]:
    """Yield the `function` of every call that has one."""
    for call in all_calls(record):
        if isinstance(call.get("function"), dict):
            yield call["function"]


def functions_shown(record: JsonObject) -> Iterator[JsonObject]:
    """Yield the `function` of every tool that has one."""
    for tool in objects_in(record.get("tools")):
        if isinstance(tool.get("function"), dict):
            yield tool["function"]


@dataclass(slots=True)
class Turn:
    """An assistant's turn of calls, and the tool messages that follow it at once."""

    calls: list[JsonObject]
    results: list[JsonObject] = field(default_factory=list)
    first_result: int = 0
    """Index of the first result among the messages."""


def turns_of(record: JsonObject) -> list[Turn]:
    """Return the turns of calls with their results; a message that is no object ends them."""
    turns: list[Turn] = []
    open_turn: Turn | None = None
    raw = record.get("messages")
    for index, message in enumerate(raw if isinstance(raw, list) else []):
        if isinstance(message, dict) and message.get("role") == "tool" and open_turn is not None:
            open_turn.results.append(message)
            continue
        open_turn = None
        if isinstance(message, dict) and message.get("role") == "assistant" and calls_of(message):
            open_turn = Turn(calls_of(message), first_result=index + 1)
            turns.append(open_turn)
    return turns


def key_of(identity: JsonValue) -> str:
    """Return a text that identifies an id of any JSON type; "" for a missing one."""
    if identity is None or identity == "":
        return ""
    try:
        return orjson.dumps(identity).decode()
    except TypeError:
        return repr(identity)


def parsed(text: JsonValue) -> JsonValue:
    """Return what a JSON text says, or None where it is no text or no JSON."""
    if not isinstance(text, str):
        return None
    try:
        value = read_exactly(text)
        orjson.dumps(value)  # what nests too deeply to be written stays text, and so do numbers that it would round
    except (TypeError, ValueError):
        return None
    return value


def put_first(holder: JsonObject, key: str, value: JsonValue) -> None:
    """Set a key, as the first where it is new."""
    rest = dict(holder)
    holder.clear()
    holder.update({key: value, **rest})
    holder[key] = value


def put_after(holder: JsonObject, key: str, value: JsonValue, before: str) -> None:
    """Set a key, behind another where it is new."""
    rest = {name: held for name, held in holder.items() if name != key}
    holder.clear()
    for name, held in rest.items():
        holder[name] = held
        if name == before:
            holder[key] = value
    holder[key] = value


def say_the_same(one: str | bytes, other: str | bytes) -> bool:
    """Say whether two JSON texts hold the same values; False where one is no JSON, or nests too deeply to tell."""
    try:
        return _exact(one) == _exact(other)
    except (ValueError, RecursionError, InvalidOperation):
        return False


def _exact(text: str | bytes) -> object:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=lambda pairs: ("object", pairs))
