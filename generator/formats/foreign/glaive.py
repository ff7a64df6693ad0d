"""The `glaive` format, for reading: `system` with the tools after it, and a `chat` of USER, ASSISTANT and responses.

A call is `<functioncall> {"name": ..., "arguments": '...'}`, its arguments JSON text between single quotes.
"""

from __future__ import annotations

import re

from generator.formats.conversation import Ids, call_turn, results_by_position
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import parse_json, parse_literal, read_several
from generator.jsontext import JsonObject, JsonValue

_CHATS = ("chat", "sample")
_CALL, _END = "<functioncall>", "<|endoftext|>"
_SPEAKER = re.compile(r"(?:\A|\n)[ \t]*(USER|ASSISTANT|FUNCTION RESPONSE):[ \t]?")
_CALLED = re.compile(r"""\{\s*"name"\s*:\s*"([^"\\]*)"\s*,\s*"arguments"\s*:\s*'(.*)'\s*\}\s*\Z""", re.DOTALL)
_ROLES = {"USER": "user", "ASSISTANT": "assistant"}


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a `chat` in which USER and ASSISTANT speak."""
    chat = _chat(document) if isinstance(document, dict) else None
    return isinstance(chat, str) and _SPEAKER.search(chat) is not None


def _chat(document: JsonObject) -> JsonValue:
    return next((document[name] for name in _CHATS if name in document), None)


def load_record(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document; a call that cannot be read stays text, for the rules to find."""
    chat = _chat(document)
    if not isinstance(chat, str):
        return document
    begin = _SPEAKER.search(chat)
    before = chat[: begin.start()] if begin is not None else ""
    system, tools = _load_system(document.get("system") or before)
    ids = Ids(document, chat.count(_CALL), "glaive")
    messages: list[JsonValue] = [{"role": "system", "content": system}] if system else []
    waiting: list[JsonObject] = []
    for speaker, text in _said(chat):
        call = _read_call(text, ids) if speaker == "ASSISTANT" and _CALL in text else None
        if call is not None:
            waiting = [call]
            messages.append(call_turn(text.partition(_CALL)[0].strip(), [call]))
        elif speaker == "FUNCTION RESPONSE":
            messages.extend(results_by_position(waiting, [text]))
            waiting = []
        else:
            messages.append({"role": _ROLES[speaker], "content": text})
    return {"messages": messages, "tools": read_foreign(tools)}


def _said(chat: str) -> list[tuple[str, str]]:
    """Return who says what, in order."""
    parts = _SPEAKER.split(chat)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return [(speaker, text.replace(_END, "").strip()) for speaker, text in pairs]


def _read_call(text: str, ids: Ids) -> JsonObject | None:
    said = text.partition(_CALL)[2].strip()
    quoted = _CALLED.match(said)
    if quoted is not None:
        arguments = parse_json(quoted[2].replace("\\'", "'"))
        return ids.call(quoted[1], arguments) if isinstance(arguments, dict) else None
    call = parse_json(said)
    if not isinstance(call, dict):
        call = parse_literal(said)
    if not isinstance(call, dict) or "name" not in call:
        return None
    return ids.call(call["name"], parse_json(call.get("arguments", {})))


def _load_system(text: JsonValue) -> tuple[str, list[JsonValue]]:
    """Return the system text, and the tools that follow it; what introduces them is left out with them."""
    if not isinstance(text, str):
        return "", []
    text = text.removeprefix("SYSTEM:").strip()
    start = text.find("{")
    tools = read_several(text[start:]) if start >= 0 else None
    if tools is None:
        return text, []
    return text[:start].rstrip().rpartition("\n\n")[0].strip(), tools


FORMAT = Format(
    name="glaive",
    summary="Glaive: a system text with the tools, and a chat with calls as tagged text",
    matches_record=matches_record,
    keys=("chat", "sample"),
    load_record=load_record,
    columns=frozenset({"system", *_CHATS}),
    recognised_by="`chat` or `sample` with `USER:` and `ASSISTANT:`",
)
