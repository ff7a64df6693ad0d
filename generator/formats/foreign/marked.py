"""Conversations with calls in the assistant's text, for reading: `marked`, between marks; `react`, after `Action:`.

`<TOOLCALL>[...]</TOOLCALL>`, `[TOOL_CALLS] [...]`, `<|python_tag|>{...}`, `<function=NAME>{...}</function>`, `<invoke
name="NAME">` and their like; results have a speaker of their own.
"""

from __future__ import annotations

import re

from generator.formats.call_notations import Spoken, is_marked, read_marked, read_plain
from generator.formats.conversation import Said, messages_of_turns
from generator.formats.definitions import read_foreign
from generator.formats.foreign.toolace import split_system
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json, read_json_at, read_literal
from generator.formats.speakers import CONVERSATIONS, entries_of, said, system_of
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
    if tools is None:
        turns, tools = _without_tools(turns)
    beside = document.get("system")
    if isinstance(beside, str) and beside and not any(turn.role == "system" for turn in turns):
        turns.insert(0, Said("system", beside))
    return {"messages": messages_of_turns(document, turns, "marked"), "tools": read_foreign(tools or [])}


def _without_tools(turns: list[Said]) -> tuple[list[Said], JsonValue]:
    """Return the turns without the tools that the system text lists, and these; None where it lists none."""
    system = turns[0].text if turns and turns[0].role == "system" else None
    split = split_system(system) if isinstance(system, str) else None
    if split is None:
        return turns, None
    own, tools = split
    return [*([Said("system", own)] if own else []), *turns[1:]], tools


def _said(entry: JsonValue, *, answers: bool) -> Said:
    """Return a turn; what a function says after a call, and is no call itself, answers it."""
    speaker, value = said(entry)
    if not speaker:
        return Said("", entry)
    if speaker == "results":
        return Said("result", value)
    spoken = _spoken(speaker, value)
    if spoken is not None:
        return Said("assistant", spoken.text, tuple(spoken.calls))
    if speaker == "calls":
        return Said("result" if answers else "assistant", value)
    return Said(speaker, value)


def _spoken(speaker: str, value: JsonValue) -> Spoken | None:
    """Return what a text says and calls, which a function may do without marks; None where it calls nothing."""
    if speaker not in ("assistant", "calls") or not isinstance(value, str):
        return None
    spoken = read_marked(value)
    if spoken is None and speaker == "calls" and (plain := read_plain(value)):
        return Spoken("", plain)
    return spoken


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


_ACTION = re.compile(r"(?:\A|\n)[ \t]*Action:[ \t]*(\S[^\n]{0,200})")
_INPUT = re.compile(r"(?:\A|\n)[ \t]*Action Input:")
_THOUGHT = re.compile(r"\A\s*Thought:")
_OBSERVATION = re.compile(r"\A\s*Observation:")
_MOST_OPENINGS = 200


def matches_react(document: JsonValue) -> bool:
    """Say whether a parsed document is a conversation in which the assistant acts."""
    return any(_holds_action(*said(entry)) for entry in entries_of(document))


def _holds_action(speaker: str, value: JsonValue) -> bool:
    return speaker == "assistant" and isinstance(value, str) and "Action:" in value and _INPUT.search(value) is not None


def load_react(document: JsonObject) -> JsonObject:
    """Bring a conversation to the canonical document; an action that cannot be read stays text."""
    turns = [_with_action(entry) for entry in entries_of(document)]
    tools = document.get("tools") or document.get("functions") or _tools_in(system_of(document))
    return {"messages": messages_of_turns(document, turns, "react"), "tools": read_foreign(tools or [])}


def _with_action(entry: JsonValue) -> Said:
    speaker, value = said(entry)
    if not speaker:
        return Said("", entry)
    if speaker in ("calls", "results"):
        text = as_text(value)
        return Said("result", _OBSERVATION.sub("", text).strip() if isinstance(text, str) else text)
    action = _ACTION.search(value) if speaker == "assistant" and isinstance(value, str) else None
    if action is None:
        return Said(speaker, value)
    found = _INPUT.search(value, action.end() - 1)
    arguments = _arguments(value[found.end() :].strip()) if found is not None else None
    if arguments is None:
        return Said(speaker, value)
    thought = _THOUGHT.sub("", value[: action.start()]).strip()
    return Said(speaker, thought, ({"name": action[1].strip(), "arguments": arguments},))


def _arguments(text: str) -> JsonValue:
    """Read the object that an input is, and nothing after it; nothing at all is an object without members."""
    if not text:
        return {}
    read = read_json_at(text, 0) or read_literal(text)
    return read[0] if read is not None and isinstance(read[0], dict) and not text[read[1] :].strip() else None


def _tools_in(system: str) -> JsonValue:
    """Return the list of functions that the system text holds, as JSON or as Python writes it; None without one."""
    position = -1
    for _ in range(_MOST_OPENINGS):
        position = system.find("[{", position + 1)
        if position < 0:
            return None
        read = read_json_at(system, position) or read_literal(system, position)
        listed = parse_json(read[0]) if read is not None else None
        if isinstance(listed, list) and all(isinstance(tool, dict) and "name" in tool for tool in listed):
            return listed
    return None


REACT = Format(
    name="react",
    summary="ToolBench and other ReAct sets: conversations with Thought, Action and Action Input",
    matches_record=matches_react,
    keys=("messages", *CONVERSATIONS),
    signs=frozenset({"action input"}),
    standing="modest",
    load_record=load_react,
    columns=frozenset({"conversations", "conversation", "messages", "tools", "functions", "system"}),
    recognised_by="`conversations` with `Action:` and `Action Input:`",
)
