"""The `xlam` format, for reading: `query`, and `tools` and `answers` as JSON text or lists (xLAM, APIGen)."""

from __future__ import annotations

from generator.formats.call_notations import as_call
from generator.formats.conversation import Ids, call_turn
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import parse_json
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a `query`, `tools` and `answers`."""
    return isinstance(document, dict) and {"query", "tools", "answers"} <= document.keys()


def load_record(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document, which ends with the calls; without calls it is the question alone."""
    answers = parse_json(document.get("answers"))
    messages: list[JsonValue] = [{"role": "user", "content": document.get("query")}]
    if isinstance(answers, list) and answers:
        ids = Ids(document, len(answers), "xlam")
        messages.append(call_turn("", [_call(answer, ids) for answer in answers]))
    elif answers:
        messages.append({"role": "assistant", "content": answers})
    return {"messages": messages, "tools": read_foreign(document.get("tools"))}


def _call(answer: JsonValue, ids: Ids) -> JsonValue:
    answer = parse_json(answer)
    if not isinstance(answer, dict):
        return answer
    call = as_call(answer)
    if call is not None:
        return ids.call(call["name"], call["arguments"])
    return ids.call(answer.get("name"), parse_json(answer.get("arguments", {})))


FORMAT = Format(
    name="xlam",
    summary="xLAM and APIGen: query, tools and answers",
    matches_record=matches_record,
    keys=("query",),
    load_record=load_record,
    columns=frozenset({"query", "tools", "answers"}),
    recognised_by="`query`, `tools` and `answers`",
)
