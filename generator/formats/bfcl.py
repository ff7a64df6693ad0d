"""The `bfcl` format: the Berkeley leaderboard's questions, with the functions shown and the accepted answers.

`question` is a list of turns, each a list of messages; `ground_truth` is a list of calls, each
`{name: {argument: [accepted values]}}`, or a list of such lists where there are several turns. "" among the accepted
values says that the argument may be left out. Results and the assistant's texts have no place.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import calls_of, rewrite_calls, rewrite_messages
from generator.formats.embedded_json import parse_json
from generator.formats.format import Format
from generator.formats.record_losses import IDS, METADATA, Loss
from generator.formats.shown_tools import bare, read_foreign
from generator.formats.turns import Ids, call_turn
from generator.jsontext import JsonObject, JsonValue

_DEEPEST = 100


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has a `question` and the `function` definitions it shows."""
    return isinstance(document, dict) and "question" in document and "function" in document


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

    Of several accepted values the first is taken. A record without an answer is the question alone.
    """
    turns = _turns(document.get("question"))
    answers = _answers(document.get("ground_truth"), len(turns))
    ids = Ids(document, sum(map(len, answers)), "bfcl")
    messages: list[JsonValue] = []
    for turn, calls in zip(turns, answers, strict=True):
        messages.extend(turn)
        if calls:
            messages.append(call_turn("", [ids.call(name, arguments) for name, arguments in calls]))
    return {"messages": messages, "tools": read_foreign(document.get("function"))}


def _turns(question: JsonValue) -> list[list[JsonValue]]:
    question = parse_json(question)
    if isinstance(question, str):
        return [[{"role": "user", "content": question}]]
    if not isinstance(question, list):
        return [[question]]
    if all(isinstance(turn, list) for turn in question):
        return question
    return [question]


def _answers(truth: JsonValue, turns: int) -> list[list[tuple[str, JsonValue]]]:
    """Return the calls of each turn; what is no call is left out of a question's answer as a whole."""
    truth = parse_json(truth)
    listed = truth if isinstance(truth, list) else []
    by_turn = listed if turns > 1 and all(isinstance(calls, list) for calls in listed) else [listed]
    read = [[call for said in calls for call in _calls(said)] for calls in by_turn[:turns]]
    return [*read, *([] for _ in range(turns - len(read)))]


def _calls(said: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    for name, arguments in said.items() if isinstance(said, dict) else ():
        if isinstance(arguments, dict):
            accepted = {key: _accepted(values, 0) for key, values in arguments.items()}
            yield name, {key: found[0] for key, found in accepted.items() if found}
        else:
            yield name, arguments


def _accepted(values: JsonValue, depth: int) -> list[JsonValue]:
    """Return the accepted value to take, in a list; an empty list where the argument is left out."""
    if not isinstance(values, list):
        return [values]
    if "" in values and all(value in ("", None) for value in values) and len(values) > 1:
        return []
    return [_load_value(value, depth) for value in values if value != ""][:1]


def _load_value(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, dict) and depth < _DEEPEST:
        accepted = {key: _accepted(inner, depth + 1) for key, inner in value.items()}
        return {key: found[0] for key, found in accepted.items() if found}
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
)
EMPTY_TEXTS = Loss("empty texts", "arguments that are empty texts", _without_empty_texts)

FORMAT = Format(
    name="bfcl",
    summary="BFCL: question, function, ground_truth",
    matches_record=matches_record,
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"question", "function", "ground_truth"}),
    recognised_by="`question` and `function`, with or without `ground_truth`",
    losses=(METADATA, CALLS_ALONE, IDS, EMPTY_TEXTS),
    tools_column="function",
)
