"""The `toolace` format, for reading: a system text that ends in a list of tools, calls as `[find(city="Rome")]`.

Results are a JSON list of `{"name", "results"}`, one for each call.
"""

from __future__ import annotations

from generator.formats.conversation import Ids, call_turn, function_of, results_by_position
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json, read_bracketed_calls, read_json_at, skip_space
from generator.formats.speakers import (
    CONVERSATIONS,
    as_message,
    entries_after_system,
    entries_of,
    said,
    system_messages,
    system_of,
    without_own,
)
from generator.jsontext import JsonObject, JsonValue

_MOST_OPENINGS = 200


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a conversation with bracketed calls or tools listed in its system text."""
    if not entries_of(document):
        return False
    if any(_calls_in(*said(entry)) for entry in entries_of(document)):
        return True
    system = system_of(document)
    return '"parameters"' in system and split_system(system) is not None


def _calls_in(speaker: str, value: JsonValue) -> list[JsonObject] | None:
    if speaker != "assistant" or not isinstance(value, str):
        return None
    return read_bracketed_calls(value.strip())


def load_record(document: JsonObject) -> JsonObject:
    """Bring a conversation to the canonical document; calls that cannot be read stay text, for the rules to find."""
    system = system_of(document)
    split = split_system(system)
    instruction, tools = split if split is not None else (system, read_foreign(document.get("tools", [])))
    entries = [(entry, *said(entry)) for entry in entries_after_system(document)]
    made = [_calls_in(speaker, value) for _, speaker, value in entries]
    ids = Ids(document, sum(len(calls) for calls in made if calls), "toolace")
    messages = system_messages(instruction)
    waiting: list[JsonObject] = []
    for (entry, speaker, value), calls in zip(entries, made, strict=True):
        if calls:
            waiting = [ids.call(call["name"], call["arguments"]) for call in calls]
            messages.append(call_turn("", waiting))
        elif speaker == "results":
            messages.extend(results_by_position(waiting, _results(value, waiting)))
            waiting = []
        else:
            messages.append(as_message(entry, speaker, value))
    return {"messages": messages, "tools": tools, **without_own(document)}


def _results(value: JsonValue, calls: list[JsonObject]) -> list[JsonValue]:
    """Return the text of each call's result; one text where the results cannot be told apart."""
    listed = parse_json(value)
    if not isinstance(listed, list) or len(listed) != len(calls):
        return [as_text(value)]
    return [_result(result, call) for result, call in zip(listed, calls, strict=True)]


def _result(result: JsonValue, call: JsonObject) -> JsonValue:
    is_named = isinstance(result, dict) and result.keys() == {"name", "results"}
    if is_named and result["name"] == function_of(call).get("name"):
        return as_text(result["results"])
    return as_text(result)


def split_system(text: str) -> tuple[str, JsonValue] | None:
    """Return the text before the list of tools, and the tools; None where the text lists none.

    Of the instructions around the list the paragraph that introduces it is left out with it.
    """
    position = -1
    for _ in range(_MOST_OPENINGS):
        position = text.find("[", position + 1)
        if position < 0:
            return None
        tools = _list_at(text, position)
        if tools:
            paragraph = max(text.rfind("\n\n", 0, position), 0)
            return text[:paragraph].strip(), read_foreign(tools)
    return None


def _list_at(text: str, position: int) -> list[JsonValue] | None:
    """Read a list of definitions at a position, or None."""
    if not text.startswith("{", skip_space(text, position + 1)):
        return None
    value, _ = read_json_at(text, position) or (None, position)
    are_tools = isinstance(value, list) and all(isinstance(tool, dict) and "name" in tool for tool in value)
    return value if are_tools else None


FORMAT = Format(
    name="toolace",
    summary="ToolACE: tools listed in the system text, calls as [f(a=1)]",
    matches_record=matches_record,
    keys=("messages", *CONVERSATIONS),
    signs=frozenset({"listed tools"}),
    load_record=load_record,
    columns=frozenset({"conversations", "conversation", "messages", "tools", "metadata", "system"}),
    recognised_by="`conversations` with calls as `[f(a=1)]`, or tools listed in the system text",
)
