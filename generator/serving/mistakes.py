"""Mistakes: calls as a bad model makes them, on demand, so that it can be tried how an agent takes them.

A call of this kind is known by its id alone: the server keeps nothing, and any other one knows it, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import count
from random import Random

import orjson

from generator.ids import CALL_ID_ALPHABET, is_call_id
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import stream
from generator.schemas.validators import validator_for
from generator.serving.answers import Answer

WRONG_ARGUMENTS, UNKNOWN_TOOL = "wrong_arguments", "unknown_tool"
MISTAKES = {
    WRONG_ARGUMENTS: "the last call has arguments that its schema does not accept",
    UNKNOWN_TOOL: "the last call is of a tool that was not sent",
}
"""Each kind, with what it does to an answer that makes calls."""
_SALT = 4
"""Characters of an id that are drawn; the others follow from these and the name."""
_LONGEST_NAME = 64


def mistaken(answer: Answer, kind: str, tools: Iterable[JsonObject], *label: str | int) -> Answer:
    """Return an answer with a mistake in its last call, drawn by a label; one without calls as it is.

    `tools` are those of the request.
    """
    if not answer.calls:
        return answer
    functions = {tool["function"]["name"]: tool["function"] for tool in tools}
    random = stream(0, "mistake", kind, *label)
    call = answer.calls[-1]
    if kind == UNKNOWN_TOOL:
        call = call._replace(name=_unknown(call.name, functions))
    else:
        call = call._replace(arguments=_wrong(call.arguments, functions[call.name]["parameters"], random))
    return replace(answer, calls=(*answer.calls[:-1], call._replace(id=_marked(call.name, random))))


def _unknown(name: str, known: Iterable[str]) -> str:
    """Return a name much like another that no tool has."""
    taken = set(known)
    names = (f"{name[: _LONGEST_NAME - 5]}_v{number}" for number in count(2))
    return next(each for each in names if each not in taken)


def _wrong(text: str, parameters: JsonObject, random: Random) -> str:
    """Return arguments that the parameters do not accept; where these accept all, such as are no JSON."""
    validator = validator_for(parameters)
    wrong = [changed for changed in _changes(orjson.loads(text)) if not validator.is_valid(changed)]
    return dump_compact(random.choice(wrong)) if wrong else f"{text[:-1]},"


def _changes(arguments: JsonObject) -> Iterator[JsonObject]:
    """Yield arguments with one thing otherwise: one missing, one of another type, one that no tool has."""
    for name, value in arguments.items():
        yield {key: kept for key, kept in arguments.items() if key != name}
        yield {**arguments, name: 0 if isinstance(value, str) else str(value)}
    yield {**arguments, "unknown_argument": True}


def _marked(name: str, random: Random) -> str:
    salt = "".join(random.choices(CALL_ID_ALPHABET, k=_SALT))
    return salt + _mark(salt, name)


def _mark(salt: str, name: str) -> str:
    number = int.from_bytes(blake2b(f"mistake {salt} {name}".encode("utf-8", "replace"), digest_size=8).digest())
    size = len(CALL_ID_ALPHABET)
    return "".join(CALL_ID_ALPHABET[number // size**place % size] for place in range(5))


def without_mistakes(messages: list[JsonValue]) -> list[JsonValue]:
    """Return the messages of a conversation without the calls that were mistakes, and what was said to them.

    So an agent that lets the model try again goes on where it was. What has not the shape of messages stays.
    """
    mistakes = {call["id"] for message in messages for call in _calls(message) if _is_mistake(call)}
    return [kept for message in messages if (kept := _without(message, mistakes)) is not None] if mistakes else messages


def _without(message: JsonValue, mistakes: set[str]) -> JsonValue:
    """Return what is left of a message; None for nothing."""
    if not isinstance(message, dict):
        return message
    answered = message.get("tool_call_id")
    if isinstance(answered, str) and answered in mistakes:
        return None
    calls = _calls(message)
    left = [call for call in calls if not _is_mistake(call)]
    if len(left) == len(calls):
        return message
    rest = {**message}
    del rest["tool_calls"]
    if left:
        return {**rest, "tool_calls": left}
    return rest if rest.get("content") else None


def _calls(message: JsonValue) -> list[JsonValue]:
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    return calls if isinstance(calls, list) else []


def _is_mistake(call: JsonValue) -> bool:
    function = call.get("function") if isinstance(call, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    identity = call.get("id") if isinstance(call, dict) else None
    if not isinstance(name, str) or not isinstance(identity, str):
        return False
    bare = identity.removeprefix("call_")
    return is_call_id(bare) and bare[_SALT:] == _mark(bare[:_SALT], name)
