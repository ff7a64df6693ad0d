"""The `react` format, for reading: conversations of Thought, Action and Action Input, as ToolBench has them."""

from __future__ import annotations

import re

from generator.formats.embedded_json import as_text, parse_json, read_json_at
from generator.formats.format import Format
from generator.formats.literals import read_literal
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
from generator.formats.speakers import CONVERSATIONS, entries_of, said, system_of
from generator.jsontext import JsonObject, JsonValue

_ACTION = re.compile(r"(?:\A|\n)[ \t]*Action:[ \t]*(\S[^\n]{0,200})")
_INPUT = re.compile(r"(?:\A|\n)[ \t]*Action Input:")
_THOUGHT = re.compile(r"\A\s*Thought:")
_OBSERVATION = re.compile(r"\A\s*Observation:")
_MOST_OPENINGS = 200


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a conversation in which the assistant acts."""
    return any(_holds_action(*said(entry)) for entry in entries_of(document))


def _holds_action(speaker: str, value: JsonValue) -> bool:
    return speaker == "assistant" and isinstance(value, str) and "Action:" in value and _INPUT.search(value) is not None


def load_record(document: JsonObject) -> JsonObject:
    """Bring a conversation to the canonical document; an action that cannot be read stays text."""
    turns = [_said(entry) for entry in entries_of(document)]
    tools = document.get("tools") or document.get("functions") or _tools_in(system_of(document))
    return {"messages": messages_of_turns(document, turns, "react"), "tools": read_foreign(tools or [])}


def _said(entry: JsonValue) -> Said:
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


FORMAT = Format(
    name="react",
    summary="ToolBench and other ReAct sets: conversations with Thought, Action and Action Input",
    matches_record=matches_record,
    keys=("messages", *CONVERSATIONS),
    signs=frozenset({"action input"}),
    standing="modest",
    load_record=load_record,
    columns=frozenset({"conversations", "conversation", "messages", "tools", "functions", "system"}),
    recognised_by="`conversations` with `Action:` and `Action Input:`",
)
