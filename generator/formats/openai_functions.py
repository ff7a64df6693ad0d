"""The `openai-functions` format, for reading: OpenAI's older calls, one a message, and results of the role function."""

from __future__ import annotations

from generator.formats.conversation import messages_of
from generator.formats.embedded_json import as_text, parse_json
from generator.formats.format import Format
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
from generator.jsontext import JsonObject, JsonValue

_CALL = "function_call"
_ANSWERS = ("function", "tool")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has messages with a `function_call`, or results of the role function."""
    if not isinstance(document, dict):
        return False
    return any(
        isinstance(message.get(_CALL), dict) or message.get("role") == "function" for message in messages_of(document)
    )


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; what else it holds is kept."""
    messages = document.get("messages")
    if not isinstance(messages, list):
        return document
    turns = [_said(message) for message in messages]
    tools = document.get("tools", document.get("functions", []))
    rest = {key: value for key, value in document.items() if key == "metadata"}
    return {
        "messages": messages_of_turns(document, turns, "openai-functions"),
        "tools": read_foreign(parse_json(tools)),
        **rest,
    }


def _said(message: JsonValue) -> Said:
    if not isinstance(message, dict):
        return Said("", message)
    call = message.get(_CALL)
    role, content = message.get("role"), message.get("content")
    if isinstance(call, dict) and isinstance(call.get("name"), str):
        made = {"name": call["name"], "arguments": parse_json(call.get("arguments", {}))}
        return Said("assistant", content or "", (made,))
    if role in _ANSWERS:
        return Said("result", as_text(content))
    return Said(role if isinstance(role, str) else "", content)


FORMAT = Format(
    name="openai-functions",
    summary="OpenAI's older form: function_call in messages, results of the role function, functions",
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"function role"}),
    standing="certain",
    load_record=load_record,
    columns=frozenset({"messages", "functions", "tools", "metadata"}),
    recognised_by="`messages` with `function_call` or the role function",
)
