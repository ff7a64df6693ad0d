"""Fixes of the order of a conversation; each may lose something, if only when it was said."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue, digest
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.parts import all_calls, calls_of, function_of, messages_of, turns_of

_BETWEEN = "\n\n"


def _late_results_moved(record: JsonObject) -> None:
    """Put every result right behind the turn that calls, in the order of the calls."""
    messages = record.get("messages")
    made = list(all_calls(record))
    answers: dict[str, list[JsonObject]] = {call["id"]: [] for call in made if isinstance(call.get("id"), str)}
    if not isinstance(messages, list) or len(answers) < len(made):
        return
    for message in messages_of(record):
        if _link(message) in answers:
            answers[_link(message)].append(message)
    ordered: list[JsonValue] = []
    for message in messages:
        if not (isinstance(message, dict) and _link(message) in answers):
            ordered.append(message)
            if isinstance(message, dict) and message.get("role") == "assistant":
                ordered += [answer for call in calls_of(message) for answer in answers[call["id"]]]
    if len(ordered) == len(messages):
        record["messages"] = ordered


def _link(message: JsonObject) -> str:
    link = message.get("tool_call_id")
    return link if message.get("role") == "tool" and isinstance(link, str) else ""


def _open_ends_cut(record: JsonObject) -> None:
    messages = record.get("messages")
    if isinstance(messages, list):
        answers = [index for index, message in enumerate(messages) if _is_answer(message)]
        del messages[answers[-1] + 1 if answers else len(messages) :]


def _is_answer(message: JsonValue) -> bool:
    return isinstance(message, dict) and message.get("role") == "assistant" and not message.get("tool_calls")


def _instructions_joined(record: JsonObject) -> None:
    messages = record.get("messages")
    told = [message for message in messages_of(record) if message.get("role") == "system"]
    texts = [message["content"] for message in told if isinstance(message.get("content"), str)]
    if isinstance(messages, list) and told and len(texts) == len(told):
        rest = [message for message in messages if not (isinstance(message, dict) and message.get("role") == "system")]
        record["messages"] = [{**told[0], "content": _BETWEEN.join(texts)}, *rest]


def _turns_joined(record: JsonObject) -> None:
    messages = record.get("messages")
    if not isinstance(messages, list):
        return
    joined: list[JsonValue] = []
    parts: list[list[str]] = []
    for message in messages:
        if joined and _speaks(joined[-1]) and _speaks(message) and joined[-1]["role"] == message["role"]:
            parts[-1].append(message["content"])
        else:
            joined.append(message)
            parts.append([message["content"]] if _speaks(message) else [])
    for message, texts in zip(joined, parts, strict=True):
        if len(texts) > 1:
            message["content"] = _BETWEEN.join(texts)
    record["messages"] = joined


def _speaks(message: JsonValue) -> bool:
    if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
        return False
    return isinstance(message.get("content"), str) and not message.get("tool_calls")


def _repeated_calls_left_out(record: JsonObject) -> None:
    """Leave out a call that an earlier one of its turn makes with the same arguments, and what answers it."""
    gone: set[str] = set()
    for turn in turns_of(record):
        seen: set[str] = set()
        for call in turn.calls:
            function = function_of(call)
            key = digest([function.get("name"), function.get("arguments")])
            if key in seen and isinstance(call.get("id"), str):
                gone.add(call["id"])
            seen.add(key)
    messages = record.get("messages")
    if not gone or not isinstance(messages, list):
        return
    record["messages"] = [message for message in messages if not (isinstance(message, dict) and _link(message) in gone)]
    for message in messages_of(record):
        if isinstance(message.get("tool_calls"), list):
            kept = [call for call in message["tool_calls"] if not (isinstance(call, dict) and call.get("id") in gone)]
            message["tool_calls"] = kept


FIXES = (
    Fix(
        "late-results-moved",
        "Moves results right behind the turn that calls.",
        ("OA009", "OA010"),
        _late_results_moved,
        loses="the order in which it was said",
    ),
    Fix(
        "instructions-joined",
        "Joins the system messages into one, the first.",
        ("TC007",),
        _instructions_joined,
        loses="where in the conversation an instruction was given",
    ),
    Fix(
        "turns-joined",
        "Joins messages of one speaker that follow each other.",
        ("TC008",),
        _turns_joined,
        loses="where one message ended",
    ),
    Fix(
        "repeated-calls-left-out",
        "Leaves out a call that its turn makes twice, with its result.",
        ("TC013",),
        _repeated_calls_left_out,
        loses="a call that may have been meant twice",
    ),
    Fix(
        "open-ends-cut",
        "Cuts what follows the last answer.",
        ("TC010",),
        _open_ends_cut,
        loses="the messages behind it",
    ),
)
"""Fixes of the order of a conversation."""
