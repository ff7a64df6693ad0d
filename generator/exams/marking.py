"""One answer marked: what it says and calls, compared by meaning with the turn of the record that it stands for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from generator.backends.backend import Completion
from generator.exams.grades import Grade, GradedCall, Outcome
from generator.formats.call_notations import is_marked, read_marked, read_plain
from generator.formats.conversation import fresh_ids, function_of
from generator.grading.calls import Comparison, compare_read, read_calls
from generator.grading.completions import completion_of
from generator.grading.preparing import PreparedTurn
from generator.grading.reasons import Reward
from generator.grading.reward import graded
from generator.grading.turns import Turn
from generator.jsontext import JsonObject, read_exactly

_RIGHT = 1.0 - 1e-9
_DOUBTFUL = 0.9
"""From here on a reason says that nobody can tell whether it is right."""
_ASKS = re.compile(r"[?？؟]")
_CUT = {"length": "it was cut off at the token limit (--max-output-tokens)", "content_filter": "the server withheld it"}


class Answer(NamedTuple):
    """What a model answered, its calls where calls belong."""

    message: JsonObject
    """In OpenAI's shape, arguments as the model wrote them."""
    in_text: bool = False
    """Whether the calls stood in the text."""
    lacking: str = ""
    """Why it is no answer: empty, cut or refused; "" where it is one."""


def answer_of(completion: Completion, tools: Sequence[JsonObject]) -> Answer:
    """Return what a completion answers; calls that a server left in the text are read out of it."""
    said, calls = completion.text, [(call.name, call.arguments) for call in completion.calls]
    in_text = False
    if not calls and said.strip() and (spoken := _spoken(said, tools)) is not None:
        said, calls, in_text = *spoken, True
    lacking = _CUT.get(completion.finish_reason, "")
    if not calls:
        lacking = lacking or _why_no_answer(said, completion.refusal)
        said = said or completion.refusal
    message: JsonObject = {"role": "assistant", "content": said}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(calls)
        ]
    return Answer(message, in_text, lacking)


def _why_no_answer(said: str, refusal: str) -> str:
    """Return why a text is no answer; "" where it is one."""
    if refusal:
        return "the model refused"
    return "" if said.strip() else "the answer is empty"


def _spoken(text: str, tools: Sequence[JsonObject]) -> tuple[str, list[tuple[str, str]]] | None:
    """Read the calls in a text: between their marks, or, bare, where every one is of a tool that is shown."""
    if is_marked(text) and (found := read_marked(text)) is not None:
        return found.text, [_written(call) for call in found.calls]
    calls = read_plain(text) if text.lstrip()[:1] in ("{", "[", "`") else None
    names = {function_of(tool).get("name") for tool in tools}
    if calls and all(call["name"] in names for call in calls):
        return "", [_written(call) for call in calls]
    return None


def _written(call: JsonObject) -> tuple[str, str]:
    arguments = call["arguments"]
    try:
        return str(call["name"]), arguments if isinstance(arguments, str) else orjson.dumps(arguments).decode()
    except (TypeError, ValueError):
        return str(call["name"]), "null"  # what JSON cannot say is no object of arguments


def must_ask(document: JsonObject, turn: Turn) -> bool:
    """Say whether the assistant must ask back: it asks a user in this turn, calls nothing, and the user answers."""
    messages = document["messages"]
    follows = messages[turn.place + 1]["role"] if turn.place + 1 < len(messages) else ""
    asked_by_user = bool(turn.prefix) and turn.prefix[-1]["role"] == "user"
    return asked_by_user and follows == "user" and not turn.calls and _asks(turn.expected.get("content"))


def _asks(text: object) -> bool:
    return isinstance(text, str) and _ASKS.search(text) is not None


def mark(place: int, document: JsonObject, turn: Turn, answer: Answer) -> Grade:
    """Grade the answer to one turn of a record."""
    prepared = PreparedTurn(document, turn)
    given = completion_of({"role": "assistant", "content": ""} if answer.lacking else answer.message)
    compared = compare_read(prepared.expected, read_calls(given.calls, prepared.readers))
    valued = None if answer.lacking else graded(prepared, given)
    value = 0.0 if valued is None else valued.value
    outcomes = {"right": _is_right(value), **_of_calls(turn, compared)}
    if must_ask(document, turn):
        outcomes["asks"] = not given.calls and _asks(given.text)
    if valued is not None and not turn.calls and not given.calls:
        outcomes |= _of_text(valued, after_results=prepared.after_results)
    outcomes["no_answer"] = bool(answer.lacking)
    return Grade(place, turn.number, value, outcomes, tuple(_graded(compared)), _reasons(answer, valued))


def _is_right(value: float) -> bool:
    return value >= _RIGHT


def _of_text(valued: Reward, *, after_results: bool) -> dict[str, bool]:
    is_wrong = _is_wrong(valued)
    outcomes = {"contradicts": is_wrong} if after_results else {}
    return outcomes | {"doubtful": not _is_right(valued.value) and not is_wrong}


def _is_wrong(valued: Reward) -> bool:
    """Say whether something in a text is told to be wrong, and not only not to be the record's own words."""
    return any(reason.score < _DOUBTFUL for reason in valued.reasons)


def _of_calls(turn: Turn, compared: Comparison) -> dict[str, bool]:
    outcomes = {"needless_call": bool(compared.needless)}
    if turn.calls:
        outcomes["right_call"] = not compared.missing and not compared.needless
        outcomes["missing_call"] = bool(compared.missing)
        if outcomes["right_call"]:
            outcomes["right_arguments"] = all(pair.equal for pair in compared.pairs)
    return outcomes


def _graded(compared: Comparison) -> list[GradedCall]:
    found = []
    for pair in compared.pairs:
        wanted = compared.expected[pair.expected]
        differing = {difference.argument for difference in pair.differing}
        names = dict.fromkeys([*(wanted.arguments or {}), *differing])
        right: Outcome = "right" if pair.equal else "wrong"
        parameters = {name: not pair.problem and name not in differing for name in names}
        found.append(GradedCall(wanted.name, right, parameters))
    found += [GradedCall(compared.expected[at].name, "missing") for at in compared.missing]
    return [*found, *(GradedCall(compared.actual[at].name or "?", "needless") for at in compared.needless)]


def _reasons(answer: Answer, valued: Reward | None) -> tuple[str, ...]:
    if valued is None:
        return (answer.lacking,)
    return tuple(dict.fromkeys(reason.message for reason in valued.wrong if reason.message))


def as_canonical(message: JsonObject, *label: int | str) -> JsonObject:
    """Return an answer as a message of a record; calls whose arguments are no objects are told as text."""
    calls = message.get("tool_calls", [])
    read = [(call["function"]["name"], _object(call["function"]["arguments"])) for call in calls]
    if any(arguments is None for _, arguments in read):
        told = [f"{call['function']['name']} {call['function']['arguments']}" for call in calls]
        return {"role": "assistant", "content": "\n".join(filter(None, [message["content"], *told]))}
    if not read:
        return {"role": "assistant", "content": message["content"]}
    ids = fresh_ids(len(read), (), "exam", *label)
    return {
        "role": "assistant",
        "content": message["content"],
        "tool_calls": [
            {"id": each, "type": "function", "function": {"name": name, "arguments": arguments}}
            for each, (name, arguments) in zip(ids, read, strict=True)
        ],
    }


def _object(text: str) -> JsonObject | None:
    if not text.strip():
        return {}
    try:
        value = read_exactly(text)
    except (ValueError, TypeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
