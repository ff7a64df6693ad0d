"""The `llamafactory` format: LLaMA-Factory's sharegpt flavour.

`conversations` in which human or observation and gpt or function_call take turns, `system`, and `tools` as JSON text.
The value of a function_call is JSON text of one call, or of a list of them; the results of several calls stand in one
observation, between the tags that LLaMA-Factory itself joins results with.

Its openai flavour is not written: LLaMA-Factory 0.9.5 reads with `datasets` 4.0, which makes one object of all
arguments of a file, and learns nulls in every call.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import Ids, Turn, call_turn, calls_of, results_by_position, turns_of
from generator.formats.definitions import bare, read_foreign, wrapped
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json
from generator.formats.losses import IDS, METADATA, ORDER_OF_RESULTS, TEXT_BESIDE_CALLS
from generator.formats.speakers import (
    CONVERSATIONS,
    as_message,
    entries_after_system,
    entries_of,
    said,
    speakers_of,
    system_messages,
    system_of,
)
from generator.jsontext import JsonObject, JsonValue, dump_compact

_BETWEEN_RESULTS = "\n</tool_response>\n<tool_response>\n"
_MARKS = {"function_call", "observation"}


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a conversation with function_call or observation, or with tools as text."""
    if not entries_of(document):
        return False
    return bool(speakers_of(document) & _MARKS) or isinstance(document.get("tools"), str)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    turns = turns_of(document)
    system = turns.pop(0).message["content"] if turns and turns[0].message["role"] == "system" else ""
    tools = document.get("tools", [])
    return {
        "conversations": [entry for turn in turns for entry in _dump_turn(turn)],
        "system": system,
        "tools": dump_compact(bare(tools)) if tools else "",
    }


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    calls = [_dump_call(call["function"]) for call in calls_of(turn.message)]
    if calls:
        yield {"from": "function_call", "value": dump_compact(calls[0] if len(calls) == 1 else calls)}
    else:
        speaker = "human" if turn.message["role"] == "user" else "gpt"
        yield {"from": speaker, "value": turn.message["content"]}
    if turn.results:
        yield {"from": "observation", "value": _BETWEEN_RESULTS.join(result["content"] for result in turn.results)}


def _dump_call(function: JsonObject) -> JsonObject:
    return {"name": function["name"], "arguments": function["arguments"]}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a conversation to the canonical document; what cannot be read stays, for the rules to find."""
    read = [_read(entry) for entry in entries_after_system(document)]
    ids = Ids(document, sum(len(called) for *_, called in read), "llamafactory")
    messages = system_messages(system_of(document))
    waiting: list[JsonObject] = []
    for entry, speaker, value, called in read:
        if called:
            waiting = [ids.call(call["name"], parse_json(call.get("arguments", {}))) for call in called]
            messages.append(call_turn("", waiting))
        elif speaker == "results" and isinstance(value, str):
            texts = _split_results(value, len(waiting))
            messages.extend(results_by_position(waiting, texts))
            waiting = waiting[len(texts) :]
        else:
            messages.append(as_message(entry, speaker, value))
    kept = {key: document[key] for key in ("metadata",) if key in document}
    return {"messages": messages, "tools": _load_tools(document.get("tools")), **kept}


def _read(entry: JsonValue) -> tuple[JsonValue, str, JsonValue, list[JsonObject]]:
    """Return an entry, who speaks, its value, and the calls where it is made of nothing else."""
    speaker, value = said(entry)
    listed = parse_json(value) if speaker == "calls" else None
    calls = listed if isinstance(listed, list) else [listed]
    called = [call for call in calls if isinstance(call, dict) and "name" in call]
    return entry, speaker, value, called if len(called) == len(calls) else []


def _split_results(text: str, count: int) -> list[str]:
    """Return the results of so many calls: between the tags, else the elements of a list in JSON, else the text."""
    parts = text.split(_BETWEEN_RESULTS)
    if count < 2 or len(parts) == count:
        return parts if count > 1 else [text]
    listed = parse_json(text)
    if isinstance(listed, list) and len(listed) == count:
        return [as_text(part) for part in listed]
    return [text]


def _load_tools(tools: JsonValue) -> JsonValue:
    if tools is None or tools == "":
        return []
    return read_foreign(tools) if _is_foreign(tools) else wrapped(tools)


def _is_foreign(tools: JsonValue) -> bool:
    shown = wrapped(tools)
    functions = [tool.get("function") for tool in shown if isinstance(tool, dict)] if isinstance(shown, list) else []
    return not all(
        isinstance(function, dict)
        and isinstance(function.get("parameters"), dict)
        and function["parameters"].get("type") == "object"
        for function in functions
    )


FORMAT = Format(
    name="llamafactory",
    summary="LLaMA-Factory, sharegpt flavour: function_call and observation, tools as JSON text",
    matches_record=matches_record,
    keys=CONVERSATIONS,
    in_text=CONVERSATIONS,
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"conversations", "conversation", "messages", "tools", "metadata", "system"}),
    recognised_by="`conversations` with function_call or observation, or with `tools` as text",
    losses=(METADATA, IDS, TEXT_BESIDE_CALLS, ORDER_OF_RESULTS),
)
