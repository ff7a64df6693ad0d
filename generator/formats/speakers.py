"""Dialogues by speaker: ShareGPT's columns of `{"from", "value"}`, under all their names, and lines of speakers."""

from __future__ import annotations

import re
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue

_SPEAKERS = {
    **dict.fromkeys(["system", "developer"], "system"),
    **dict.fromkeys(["human", "user"], "user"),
    **dict.fromkeys(["gpt", "assistant", "bot", "chatgpt", "model"], "assistant"),
    **dict.fromkeys(["function_call", "function", "tool_call", "tool_calls"], "calls"),
    **dict.fromkeys(["tool", "observation", "tool_response", "tool_result", "function_response", "ipython"], "results"),
}
CONVERSATIONS = ("conversations", "conversation")
_COLUMNS = (*CONVERSATIONS, "messages")
"""The columns that hold a conversation, the first that is there."""


def entries_of(document: JsonValue) -> list[JsonValue]:
    """Return the entries of a conversation; none where the document holds no conversation."""
    for name in _COLUMNS if isinstance(document, dict) else ():
        if isinstance(document.get(name), list):
            entries: list[JsonValue] = document[name]
            return entries
    return []


def said(entry: JsonValue) -> tuple[str, JsonValue]:
    """Return who speaks (system, user, assistant, calls, results, or "" for nobody known) and the value."""
    if not isinstance(entry, dict):
        return "", None
    name = entry.get("from", entry.get("role"))
    speaker = _SPEAKERS.get(name, "") if isinstance(name, str) else ""
    return speaker, entry.get("value", entry.get("content"))


def speakers_of(document: JsonObject) -> set[str]:
    """Return the names under which somebody speaks, as the document has them."""
    names = [entry.get("from", entry.get("role")) for entry in entries_of(document) if isinstance(entry, dict)]
    return {name for name in names if isinstance(name, str)}


def system_of(document: JsonObject) -> str:
    """Return the system text, beside the conversation or in its first entry; "" where there is none."""
    beside = document.get("system")
    if isinstance(beside, str) and beside:
        return beside
    entries = entries_of(document)
    speaker, value = said(entries[0]) if entries else ("", None)
    return value if speaker == "system" and isinstance(value, str) else ""


def system_messages(text: str) -> list[JsonValue]:
    """Return what the messages of a record begin with: the system text, if any."""
    return [{"role": "system", "content": text}] if text else []


def entries_after_system(document: JsonObject) -> list[JsonValue]:
    """Return the entries but for a system text in the first."""
    entries = entries_of(document)
    return entries[1:] if entries and said(entries[0])[0] == "system" else entries


def as_message(entry: JsonValue, speaker: str, value: JsonValue) -> JsonValue:
    """Return an entry as a message; one that nobody known says stays as it is."""
    return {"role": speaker, "content": value} if speaker in ("system", "user", "assistant") else entry


def without_own(document: JsonObject) -> JsonObject:
    """Return what a document holds beside the conversation, the system text and the tools."""
    return {key: value for key, value in document.items() if key not in (*_COLUMNS, "system", "tools")}


_ROLES = {
    "user": "user", "human": "user", "ai": "assistant", "assistant": "assistant", "agent": "assistant",
    "system": "assistant", "bot": "assistant", "api-request": "call", "tool": "result", "observation": "result",
    "用户": "user", "助手": "assistant", "系统": "assistant",
}  # fmt: skip
"""Who speaks under which name; in such dialogues "system" is the side that answers."""
_LINE = re.compile(r"(?m)^[ \t]*([A-Za-z\u4e00-\u9fff][A-Za-z\u4e00-\u9fff-]{0,19})[:：][ \t]*")


class Saying(NamedTuple):
    """What somebody says: user, assistant, call or result."""

    role: str
    text: str


def read_dialogue(text: str) -> list[Saying]:
    """Return who says what; nothing where the text does not begin with a speaker."""
    found = [line for line in _LINE.finditer(text) if line[1].lower() in _ROLES]
    if not found or text[: found[0].start()].strip():
        return []
    ends = [line.start() for line in found[1:]] + [len(text)]
    return [
        Saying(_ROLES[line[1].lower()], text[line.end() : end].strip()) for line, end in zip(found, ends, strict=True)
    ]
