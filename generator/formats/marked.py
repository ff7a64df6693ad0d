"""The `marked` format, for reading: messages or conversations whose calls stand as text between marks.

`<TOOLCALL>[...]</TOOLCALL>`, `[TOOL_CALLS] [...]`, `<|python_tag|>{...}`, `<function=NAME>{...}</function>`, `<invoke
name="NAME">` and their like; results have a speaker of their own.
"""

from __future__ import annotations

from generator.formats.call_notations import Spoken, is_marked, read_marked, read_plain
from generator.formats.embedded_json import parse_json
from generator.formats.format import Format
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
from generator.formats.speakers import CONVERSATIONS, entries_of, said
from generator.formats.toolace import split_system
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether the assistant's texts hold marks of calls, and calls between them that can be read."""
    entries = _entries(document)
    return any(_is_call(*said(entry)) for entry in entries)


def _entries(document: JsonValue) -> list[JsonValue]:
    entries = entries_of(document)
    messages = document.get("messages") if isinstance(document, dict) and not entries else None
    return entries or (messages if isinstance(messages, list) else [])


def _is_call(speaker: str, value: JsonValue) -> bool:
    if speaker != "assistant" or not isinstance(value, str) or not is_marked(value):
        return False
    return read_marked(value) is not None


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; marks that nothing can be read between stay text."""
    turns: list[Said] = []
    for entry in _entries(document):
        turns.append(_said(entry, answers=bool(turns) and bool(turns[-1].calls)))
    tools = document.get("tools") or document.get("functions")
    if tools is None and turns and turns[0].role == "system" and isinstance(turns[0].text, str):
        split = split_system(turns[0].text)
        if split is not None:
            own, tools = split
            turns[:1] = [Said("system", own)] if own else []
    beside = document.get("system")
    if isinstance(beside, str) and beside and not any(turn.role == "system" for turn in turns):
        turns.insert(0, Said("system", beside))
    return {"messages": messages_of_turns(document, turns, "marked"), "tools": read_foreign(tools or [])}


def _said(entry: JsonValue, *, answers: bool) -> Said:
    """Return a turn; what a function says after a call, and is no call itself, answers it."""
    speaker, value = said(entry)
    if not speaker:
        return Said("", entry)
    if speaker == "results":
        return Said("result", parse_json(value) if not isinstance(value, str) else value)
    spoken = read_marked(value) if speaker in ("assistant", "calls") and isinstance(value, str) else None
    if speaker == "calls" and spoken is None and (plain := read_plain(value if isinstance(value, str) else "")):
        spoken = Spoken("", plain)
    if speaker == "calls" and spoken is None and answers:
        return Said("result", value)
    if spoken is None:
        return Said("assistant" if speaker == "calls" else speaker, value)
    return Said("assistant", spoken.text, tuple(spoken.calls))


FORMAT = Format(
    name="marked",
    summary="Marked text: calls between marks such as <TOOLCALL>, [TOOL_CALLS], <function=NAME>, <invoke>",
    matches_record=matches_record,
    keys=("messages", *CONVERSATIONS),
    signs=frozenset({"tags", "marks"}),
    standing="modest",
    load_record=load_record,
    columns=frozenset({"messages", "conversations", "conversation", "tools", "functions", "system"}),
    recognised_by="the assistant's texts with such marks",
)
