"""The `acebench` format, for reading: a dialogue in `question`, the functions shown, and the calls that are right.

The dialogue's lines begin with `user:` and `system:`, the latter being the side that answers and calls. What is right
is `{name: {argument: value}}`, or a list of such, or calls as `[f(a=1)]`; for incomplete requests it says what lacks.
"""

from __future__ import annotations

from generator.formats.embedded_json import as_text, parse_json
from generator.formats.format import Format
from generator.formats.literals import read_bracketed_calls
from generator.formats.role_lines import read_dialogue
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a dialogue as its `question`, and functions."""
    if not isinstance(document, dict) or "function" not in document:
        return False
    question = document.get("question")
    return isinstance(question, str) and bool(read_dialogue(question))


def load_record(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document, which ends with what is right, where that is told."""
    question = document.get("question")
    if not isinstance(question, str):
        return document
    turns: list[Said] = []
    told = [document.get(name) for name in ("time", "profile")]
    context = "\n".join(str(as_text(text)) for text in told if text)
    if context:
        turns.append(Said("system", context))
    for saying in read_dialogue(question):
        calls = read_bracketed_calls(saying.text) if saying.role == "assistant" else None
        answers_call = bool(turns) and bool(turns[-1].calls) and saying.role == "assistant"
        if calls is not None:
            turns.append(Said("assistant", "", tuple(calls)))
        elif answers_call and saying.text.startswith(("{", "[")):
            turns.append(Said("result", saying.text))
        else:
            turns.append(Said(saying.role, saying.text))
    tools = read_foreign(document.get("function"))
    turns += _right(document.get("ground_truth"), _names(tools))
    return {"messages": messages_of_turns(document, turns, "acebench"), "tools": tools}


def _names(tools: JsonValue) -> set[JsonValue]:
    functions = [tool.get("function") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    names = [function.get("name") for function in functions if isinstance(function, dict)]
    return {name for name in names if isinstance(name, str)}


def _right(truth: JsonValue, names: set[JsonValue]) -> list[Said]:
    truth = parse_json(truth)
    calls = [{**call, "name": _unnumbered(call["name"], names)} for call in _calls(truth)]
    if calls:
        return [Said("assistant", "", tuple(calls))]
    return [Said("assistant", as_text(truth))] if truth else []


def _calls(truth: JsonValue) -> list[JsonObject]:
    """Return the calls of a truth; none where it says anything else."""
    if isinstance(truth, str):
        return read_bracketed_calls(truth.strip()) or []
    if isinstance(truth, list):
        each = [_calls(said) for said in truth]
        return [call for calls in each for call in calls] if all(each) else []
    if not isinstance(truth, dict) or not all(isinstance(arguments, dict) for arguments in truth.values()):
        return []
    return [{"name": name, "arguments": arguments} for name, arguments in truth.items()]


def _unnumbered(name: str, names: set[JsonValue]) -> str:
    """Return the name of a function without the number that tells it from another call of the same."""
    stem, _, number = name.rpartition("_")
    return stem if name not in names and stem in names and number.isdecimal() else name


FORMAT = Format(
    name="acebench",
    summary="ACEBench: a dialogue of user and system as the question, function, ground_truth",
    matches_record=matches_record,
    keys=("question",),
    load_record=load_record,
    columns=frozenset({"question", "function", "ground_truth", "time", "profile"}),
    recognised_by="`question` as lines of `user:` and `system:`, and `function`",
)
