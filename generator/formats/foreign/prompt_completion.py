"""The `prompt-completion` format, for reading: the messages of a prompt, and those that complete it, with tools.

Where a row prefers one completion to another, the preferred one is read.
"""

from __future__ import annotations

from generator.formats.conversation import all_calls, calls_of, digest_of, fresh_ids, rewrite_calls
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import parse_json
from generator.formats.openai import load_record as load_openai
from generator.jsontext import JsonObject, JsonValue

_COMPLETIONS = ("completion", "chosen", "response")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a prompt of messages, or a preferred conversation."""
    if not isinstance(document, dict):
        return False
    return _are_messages(document.get("prompt")) or _are_messages(document.get("chosen"))


def _are_messages(value: JsonValue) -> bool:
    value = parse_json(value)
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) and "role" in each for each in value)


def load_record(document: JsonObject) -> JsonObject:
    """Bring a row to the canonical document."""
    prompt, completion = parse_json(document.get("prompt")), _completion(document)
    messages = [*_listed(prompt, "user"), *_listed(completion, "assistant")]
    if isinstance(prompt, list) and isinstance(completion, list) and completion[: len(prompt)] == prompt:
        messages = completion
    return load_openai({"messages": _linked(document, messages), "tools": read_foreign(document.get("tools", []))})


def _linked(document: JsonObject, messages: list[JsonValue]) -> list[JsonValue]:
    """Return messages with ids where their calls have none, as such rows often do, and results linked by position."""
    calls = list(all_calls({"messages": messages}))
    if not calls or any("id" in call for call in calls):
        return messages
    ids = iter(fresh_ids(len(calls), (), "prompt-completion", digest_of(document)))
    linked: list[JsonValue] = []
    waiting: list[str] = []
    for message in messages:
        match message:
            case dict() if calls_of(message):
                linked.append(rewrite_calls(message, lambda call: {"id": next(ids), **call}))
                waiting = [call["id"] for call in calls_of(linked[-1])]
            case {"role": "tool"} if waiting:
                linked.append({**message, "tool_call_id": waiting.pop(0)})
            case _:
                linked.append(message)
    return linked


def _completion(document: JsonObject) -> JsonValue:
    return parse_json(next((document[name] for name in _COMPLETIONS if name in document), None))


def _listed(value: JsonValue, role: str) -> list[JsonValue]:
    """Return messages as they are, and a text as a message."""
    if isinstance(value, list):
        return value
    return [] if value is None else [{"role": role, "content": value}]


FORMAT = Format(
    name="prompt-completion",
    summary="TRL's rows: a prompt of messages with its completion, or the preferred one of two",
    matches_record=matches_record,
    keys=("prompt", "chosen"),
    load_record=load_record,
    columns=frozenset({"prompt", "tools", *_COMPLETIONS}),
    recognised_by="`prompt` with messages, with or without `completion` or `chosen`",
)
