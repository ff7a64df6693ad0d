"""Wrong calls: classes that were set aside while the rules were written."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from tests.benchmarks.corruptions.calls import twin_of
from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.parts import (
    asked,
    calls_of,
    fresh_identity,
    language,
    leaves,
    says,
    status_of,
    texts,
    without_calls,
)

Json = Any  # parsed JSON


CANNOT = {
    "en": (
        "I'm sorry, but I can't do that with the tools I have.",
        "Unfortunately, I have no function for that.",
        "That's beyond what I can do here, sorry.",
    ),
    "de": ("Das kann ich mit meinen Werkzeugen leider nicht.", "Dafür habe ich leider keine Funktion."),
    "es": ("Lo siento, no tengo ninguna herramienta para eso.", "Eso no puedo hacerlo desde aquí."),
    "fr": ("Désolé, je n'ai aucun outil pour cela.",),
    "zh": ("抱歉，我没有能做这件事的工具。", "这个我在这里做不了。"),
}


def _lone(record):
    """The calls of a record with one request, all successful."""
    made = calls_of(record)
    users = [m for m in record["messages"] if m["role"] == "user"]
    good = made and len(users) == 1 and all(call.returned is not None and not call.failed for call in made)
    return made if good and record["messages"][-1].get("content") else []


def refused_though_possible(record: Json, rng: Random) -> Json | None:
    made = _lone(record)
    if not made or (record.get("metadata") or {}).get("kind") == "empty_result":
        return None
    without_calls(record, {call.identity for call in made})
    record["messages"][-1]["content"] = rng.choice(CANNOT[language(record)])
    return record


def unasked_deed(record: Json, rng: Random) -> Json | None:
    found = [call for call in calls_of(record) if call.arguments and call.result is not None and not call.failed]
    rng.shuffle(found)
    for call in found:
        tool = twin_of(record, call)
        if tool is None:
            continue
        identity = fresh_identity(rng)
        turn = record["messages"][call.turn]["tool_calls"]
        entry = {
            "id": identity,
            "type": "function",
            "function": {"name": tool["name"], "arguments": copy.deepcopy(call.arguments)},
        }
        at = call.turn + len(turn) + 1
        block = [
            {"role": "assistant", "content": "", "tool_calls": [entry]},
            {"role": "tool", "tool_call_id": identity, "name": tool["name"], "content": '{"status":"ok"}'},
        ]
        record["messages"][at:at] = block
        status_of(record, identity, "SUCCESS")
        return record
    return None


def not_asked_back(record: Json, rng: Random) -> Json | None:
    messages = record["messages"]
    for at, message in enumerate(messages[:-3]):
        asks = (
            message["role"] == "assistant"
            and not message.get("tool_calls")
            and message["content"].rstrip()[-1:] in ("?", "？")
        )
        if not asks or messages[at + 1]["role"] != "user" or not messages[at + 2].get("tool_calls"):
            continue
        before = texts(record, at)
        learnt = [
            leaf
            for call in calls_of(record)
            if call.turn == at + 2
            for _, leaf in leaves(call.arguments)
            if not isinstance(leaf, bool) and says(messages[at + 1]["content"], leaf) and not says(before, leaf)
        ]
        if learnt:
            del messages[at : at + 2]
            return record
    return None


def repeated_call(record: Json, rng: Random) -> Json | None:
    found = [call for call in calls_of(record) if call.result is not None and not call.failed]
    if not found:
        return None
    call = rng.choice(found)
    identity = fresh_identity(rng)
    entry = {**copy.deepcopy(call.entry), "id": identity}
    at = call.turn + len(record["messages"][call.turn]["tool_calls"]) + 1
    record["messages"][at:at] = [
        {"role": "assistant", "content": "", "tool_calls": [entry]},
        {**copy.deepcopy(call.result), "tool_call_id": identity},
    ]
    status_of(record, identity, "SUCCESS")
    return record


WHICH = {
    "en": ("Could you tell me the {} first?", "What {} should I use?", "Which {} is it about?"),
    "de": ("Welchen Wert soll ich für „{}“ nehmen?",),
    "es": ("¿Qué valor pongo en «{}»?",),
    "fr": ("Quelle valeur dois-je prendre pour « {} » ?",),
    "zh": ("请问“{}”是什么？",),
}


def asked_what_was_said(record: Json, rng: Random) -> Json | None:
    made = _lone(record)
    first = [call for call in made if call.turn == made[0].turn] if made else []
    kinds = ("confirm_before_write", "ambiguous")
    if len(first) != 1 or (record.get("metadata") or {}).get("kind") in kinds:
        return None
    call = first[0]
    required = call.tool.get("parameters", {}).get("required", ())
    said = [
        key
        for key, value in call.arguments.items()
        if key in required
        and isinstance(value, str | int | float)
        and not isinstance(value, bool)
        and len(str(value)) > 1
        and says(asked(record), value)
    ]
    if not said:
        return None
    key = rng.choice(said)
    without_calls(record, {each.identity for each in made})
    record["messages"][-1]["content"] = rng.choice(WHICH[language(record)]).format(key.replace("_", " "))
    return record


CLASSES = (
    Corruption(
        "refused_though_possible", "calls", "the assistant declines what a shown tool does", refused_though_possible
    ),
    Corruption("unasked_deed", "calls", "a contrary deed is done besides, for which nobody asked", unasked_deed),
    Corruption("not_asked_back", "calls", "a call is made with a value that nobody has told", not_asked_back),
    Corruption("repeated_call", "calls", "a successful call is made once more", repeated_call),
    Corruption("asked_what_was_said", "calls", "the assistant asks back for what was said", asked_what_was_said),
)
