"""The ids of calls as a file has them: reading gives calls others, and messages name what stands in the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.jsontext import JsonValue
from generator.validation.verdict import Violation

_CONVERSATIONS = ("messages", "traj", "input")


def in_own_words(violations: Sequence[Violation], given: JsonValue, read: JsonValue) -> list[Violation]:
    """Return the violations with the ids that stand in the file in place of those that reading gave."""
    own = _own_ids(given, read)
    return [_renamed(violation, own) for violation in violations] if own else list(violations)


def _renamed(violation: Violation, own: dict[str, str]) -> Violation:
    message = violation.message
    for ours, theirs in own.items():
        if ours in message:
            message = message.replace(ours, theirs)
    return violation if message is violation.message else violation.model_copy(update={"message": message})


def _own_ids(given: JsonValue, read: JsonValue) -> dict[str, str]:
    """Return the ids in the file by those that reading gave; the names of the functions where the file has no ids.

    There are none where the calls are not the same in number.
    """
    theirs, ours = list(_ids(given)), list(_ids(read))
    if not theirs:
        theirs = list(_names(read))
    pairs = zip(ours, theirs, strict=True) if len(ours) == len(theirs) else ()
    return {one: other for one, other in pairs if isinstance(one, str) and isinstance(other, str) and one != other}


def _ids(document: JsonValue) -> Iterator[JsonValue]:
    """Yield the id of every call, in order, wherever formats with ids have their calls."""
    for name in _CONVERSATIONS:
        messages = document.get(name) if isinstance(document, dict) else None
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, dict):
                yield from _ids_in(message)


def _ids_in(message: dict[str, JsonValue]) -> Iterator[JsonValue]:
    if message.get("type") == "function_call":
        yield message.get("call_id")
    calls, content = message.get("tool_calls"), message.get("content")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield call.get("id")
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "tool_use":
            yield part.get("id")


def _names(document: JsonValue) -> Iterator[JsonValue]:
    """Yield the name of the function of every call of a canonical record."""
    messages = document.get("messages") if isinstance(document, dict) else None
    for message in messages if isinstance(messages, list) else ():
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                function = call.get("function")
                yield function.get("name") if isinstance(function, dict) else None
