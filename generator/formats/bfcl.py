"""The `bfcl` format: the Berkeley leaderboard's questions, with the functions shown and the accepted answers.

`question` is a list of turns, each a list of messages; `ground_truth` is a list of calls, each
`{name: {argument: [accepted values]}}`, or a list of such lists where there are several turns. "" among the accepted
values says that the argument may be left out. Results and the assistant's texts have no place. Questions of several
turns have calls as texts, `find(city='Rome')`, and name classes in place of functions.

The `acebench` format, for reading: a dialogue in `question`, the functions shown, and the calls that are right.

The dialogue's lines begin with `user:` and `system:`, the latter being the side that answers and calls. What is right
is `{name: {argument: value}}`, or a list of such, or calls as `[f(a=1)]`; for incomplete requests it says what lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from generator.formats.conversation import (
    Ids,
    Said,
    call_turn,
    calls_of,
    function_of,
    messages_of_turns,
    rewrite_calls,
    rewrite_messages,
)
from generator.formats.definitions import bare, read_foreign
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json, read_bracketed_calls
from generator.formats.losses import IDS, METADATA, Loss
from generator.formats.speakers import Saying, read_dialogue
from generator.jsontext import JsonObject, JsonValue

_DEEPEST = 100
_Names = dict[str, tuple[str, ...]]
"""The names of the parameters of each function, in their order."""
_TRUTHS = ("ground_truth", "possible_answer")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a `question` and the `function` definitions it shows, or names classes."""
    if not isinstance(document, dict) or "question" not in document:
        return False
    return ("function" in document or "involved_classes" in document) and not _is_dialogue(document["question"])


def _is_dialogue(question: JsonValue) -> bool:
    """Say whether a question is the lines of a dialogue, as another benchmark has it."""
    return isinstance(question, str) and bool(read_dialogue(question))


def _truth(document: JsonObject) -> JsonValue:
    return next((document[name] for name in _TRUTHS if document.get(name) is not None), None)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record: what the user says, and the calls that answer each turn."""
    questions: list[list[JsonObject]] = [[]]
    answers: list[list[JsonObject]] = [[]]
    for message in document["messages"]:
        if message["role"] == "user" and any(said["role"] == "user" for said in questions[-1]):
            questions.append([])
            answers.append([])
        if message["role"] in ("system", "user"):
            questions[-1].append(message)
        answers[-1].extend(_dump_call(call["function"]) for call in calls_of(message))
    metadata = document.get("metadata")
    identity = metadata.get("id") if isinstance(metadata, dict) else None
    return {
        **({"id": identity} if isinstance(identity, str) else {}),
        "question": questions,
        "function": bare(document.get("tools", [])),
        "ground_truth": answers[0] if len(answers) == 1 else answers,
    }


def _dump_call(function: JsonObject) -> JsonObject:
    return {function["name"]: {key: [_dump_value(value, 0)] for key, value in function["arguments"].items()}}


def _dump_value(value: JsonValue, depth: int) -> JsonValue:
    """Write a value as an accepted one: inside an object each value is a list of accepted ones again."""
    if isinstance(value, dict) and depth < _DEEPEST:
        return {key: [_dump_value(inner, depth + 1)] for key, inner in value.items()}
    if isinstance(value, list) and depth < _DEEPEST:
        return [_dump_value(inner, depth + 1) for inner in value]
    return value


def load_record(document: JsonObject) -> JsonObject:
    """Bring a question, and its accepted answer if there is one, to the canonical document.

    Of several accepted values the first is taken. A record without an answer is the question alone; an answer that is
    no call stays text.
    """
    tools = read_foreign(_functions(document))
    turns = _turns(document.get("question"))
    answers = _answers(_truth(document), len(turns), _parameter_names(tools))
    ids = Ids(document, sum(len(answer.calls) for answer in answers), "bfcl")
    messages: list[JsonValue] = []
    for turn, answer in zip(turns, answers, strict=True):
        messages.extend(turn)
        if answer.calls:
            messages.append(call_turn("", [ids.call(name, arguments) for name, arguments in answer.calls]))
        messages.extend({"role": "assistant", "content": as_text(text)} for text in answer.texts)
    return {"messages": messages, "tools": tools}


def _parameter_names(tools: JsonValue) -> _Names:
    """Return the names of the parameters of each function, in their order."""
    names: _Names = {}
    for tool in tools if isinstance(tools, list) else ():
        function = function_of(tool) if isinstance(tool, dict) else {}
        parameters = function.get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, dict) else None
        if isinstance(function.get("name"), str) and isinstance(properties, dict):
            names[function["name"]] = tuple(properties)
    return names


def _named(arguments: JsonObject, names: tuple[str, ...]) -> JsonObject:
    """Return the arguments with those that were given by their places under their names."""
    return {
        names[int(key)] if key.isdecimal() and int(key) < len(names) and key not in names else key: value
        for key, value in arguments.items()
    }


def _functions(document: JsonObject) -> JsonValue:
    """Return the functions shown at some time; those that are held back until a later turn among them."""
    functions, missed = parse_json(document.get("function")), document.get("missed_function")
    held_back = [tool for tools in missed.values() for tool in tools] if isinstance(missed, dict) else []
    more = [tool for tool in held_back if isinstance(tool, dict)]
    return [*functions, *more] if isinstance(functions, list) and more else functions


def _turns(question: JsonValue) -> list[list[JsonValue]]:
    question = parse_json(question)
    if isinstance(question, str):
        return [[{"role": "user", "content": question}]]
    if not isinstance(question, list):
        return [[question]]
    if all(isinstance(turn, list) for turn in question):
        return question
    return [question]


class _Answer(NamedTuple):
    """What answers a turn: calls, and what is none."""

    calls: list[tuple[str, JsonValue]]
    texts: list[JsonValue]


def _answers(truth: JsonValue, turns: int, names: _Names) -> list[_Answer]:
    """Return what answers each turn; what there are no turns for stays text of the last one."""
    truth = parse_json(truth)
    listed = truth if isinstance(truth, list) else [] if truth in (None, "") else [truth]
    by_turn = listed if turns > 1 and all(isinstance(calls, list) for calls in listed) else [listed]
    answers = [_answer(calls, names) for calls in by_turn[:turns]]
    answers += [_Answer([], []) for _ in range(turns - len(answers))]
    if answers:
        answers[-1].texts.extend(by_turn[turns:])
    return answers


def _answer(said: list[JsonValue], names: _Names) -> _Answer:
    calls = [(each, list(_calls(each, names))) for each in said]
    return _Answer([call for _, read in calls for call in read], [each for each, read in calls if not read])


def _calls(said: JsonValue, names: _Names) -> Iterator[tuple[str, JsonValue]]:
    """Yield the calls that a text `f(a=1)` or an object of accepted answers holds."""
    if isinstance(said, str) and said.endswith(")"):
        for call in read_bracketed_calls(f"[{said}]", positions=True) or ():
            yield call["name"], _named(call["arguments"], names.get(call["name"], ()))
    for name, arguments in said.items() if isinstance(said, dict) else ():
        yield name, _accepted_parts(arguments, 0) if isinstance(arguments, dict) else arguments


def _accepted_parts(arguments: JsonObject, depth: int) -> JsonObject:
    accepted = {key: _accepted(values, depth) for key, values in arguments.items()}
    return {key: found[0] for key, found in accepted.items() if found}


def _accepted(values: JsonValue, depth: int) -> list[JsonValue]:
    """Return the accepted value to take, in a list; an empty list where the argument is left out."""
    if not isinstance(values, list):
        return [values]
    if "" in values and all(value in ("", None) for value in values) and len(values) > 1:
        return []
    return [_load_value(value, depth) for value in values if value != ""][:1]


def _load_value(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, dict) and depth < _DEEPEST:
        return _accepted_parts(value, depth + 1)
    if isinstance(value, list) and depth < _DEEPEST:
        return [_load_value(inner, depth + 1) for inner in value]
    return value


def _calls_of_each_turn(document: JsonObject) -> JsonObject:
    """Keep what the user says, and one turn of calls for each of the user's turns."""
    messages: list[JsonObject] = []
    for message in document["messages"]:
        if message["role"] in ("system", "user"):
            messages.append(message)
        elif calls_of(message):
            last = messages[-1] if messages else {}
            if calls_of(last):
                messages[-1] = call_turn("", [*calls_of(last), *calls_of(message)])
            else:
                messages.append(call_turn("", calls_of(message)))
    return {**document, "messages": messages}


def _without_empty_texts(document: JsonObject) -> JsonObject:
    def in_call(call: JsonObject) -> JsonObject:
        return {**call, "function": {**call["function"], "arguments": _not_empty(call["function"]["arguments"])}}

    return rewrite_messages(document, lambda message: rewrite_calls(message, in_call))


def _not_empty(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _not_empty(inner) for key, inner in value.items() if inner != ""}
    return [_not_empty(inner) for inner in value] if isinstance(value, list) else value


CALLS_ALONE = Loss(
    "all but requests and calls",
    "results, the assistant's texts, and which calls of a turn were made together",
    _calls_of_each_turn,
    ("results", "their order", "answers", "text beside calls"),
)
EMPTY_TEXTS = Loss("empty texts", "arguments that are empty texts", _without_empty_texts)

FORMAT = Format(
    name="bfcl",
    summary="BFCL: question, function, ground_truth",
    matches_record=matches_record,
    keys=("question",),
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"question", "function", "involved_classes", "missed_function", *_TRUTHS}),
    recognised_by="`question` and `function` or `involved_classes`, with or without `ground_truth`",
    losses=(METADATA, CALLS_ALONE, IDS, EMPTY_TEXTS),
    tools_column="function",
)


def matches_acebench(document: JsonValue) -> bool:
    """Say whether a parsed document has a dialogue as its `question`, and functions."""
    if not isinstance(document, dict) or "function" not in document:
        return False
    question = document.get("question")
    return isinstance(question, str) and bool(read_dialogue(question))


def load_acebench(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document, which ends with what is right, where that is told."""
    question = document.get("question")
    if not isinstance(question, str):
        return document
    told = [document.get(name) for name in ("time", "profile")]
    context = "\n".join(str(as_text(text)) for text in told if text)
    turns = [Said("system", context)] if context else []
    for saying in read_dialogue(question):
        turns.append(_said(saying, after_calls=bool(turns) and bool(turns[-1].calls)))
    tools = read_foreign(document.get("function"))
    turns += _right(document.get("ground_truth"), _names(tools))
    return {"messages": messages_of_turns(document, turns, "acebench"), "tools": tools}


def _said(saying: Saying, *, after_calls: bool) -> Said:
    """Return a turn; the assistant's side says the results of its calls, too, as JSON."""
    if saying.role != "assistant":
        return Said(saying.role, saying.text)
    calls = read_bracketed_calls(saying.text)
    if calls is not None:
        return Said("assistant", "", tuple(calls))
    return Said("result" if after_calls and saying.text.startswith(("{", "[")) else "assistant", saying.text)


def _names(tools: JsonValue) -> set[JsonValue]:
    functions = [tool.get("function") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    names = [function.get("name") for function in functions if isinstance(function, dict)]
    return {name for name in names if isinstance(name, str)}


def _right(truth: JsonValue, names: set[JsonValue]) -> list[Said]:
    truth = parse_json(truth)
    calls = [{**call, "name": _unnumbered(call["name"], names)} for call in _calls_of_truth(truth)]
    if calls:
        return [Said("assistant", "", tuple(calls))]
    return [Said("assistant", as_text(truth))] if truth else []


def _calls_of_truth(truth: JsonValue) -> list[JsonObject]:
    """Return the calls of a truth; none where it says anything else."""
    if isinstance(truth, str):
        return read_bracketed_calls(truth.strip()) or []
    if isinstance(truth, list):
        each = [_calls_of_truth(said) for said in truth]
        return list(chain.from_iterable(each)) if all(each) else []
    if not isinstance(truth, dict) or not all(isinstance(arguments, dict) for arguments in truth.values()):
        return []
    return [{"name": name, "arguments": arguments} for name, arguments in truth.items()]


def _unnumbered(name: str, names: set[JsonValue]) -> str:
    """Return the name of a function without the number that tells it from another call of the same."""
    stem, _, number = name.rpartition("_")
    return stem if name not in names and stem in names and number.isdecimal() else name


ACEBENCH = Format(
    name="acebench",
    summary="ACEBench: a dialogue of user and system as the question, function, ground_truth",
    matches_record=matches_acebench,
    keys=("question",),
    load_record=load_acebench,
    columns=frozenset({"question", "function", "ground_truth", "time", "profile"}),
    recognised_by="`question` as lines of `user:` and `system:`, and `function`",
)
