"""Calls that should not be, or that are missing."""

from __future__ import annotations

import copy
import re
from itertools import pairwise
from random import Random
from typing import Any

from jsonschema import Draft202012Validator

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.dates import day_of
from tests.benchmarks.corruptions.parts import (
    READING,
    WRITING,
    Call,
    answer_after,
    calls_of,
    fresh_identity,
    says,
    status_of,
    strings,
    texts,
    without_calls,
)

Json = Any  # parsed JSON
CONTRARY = {
    **dict.fromkeys(
        "get find list search check show read fetch calculate compute convert estimate look".split(), "delete"
    ),
    **dict.fromkeys("book reserve schedule order place buy open subscribe".split(), "cancel"),
    **dict.fromkeys("create add save send log set update file move change post block pay transfer".split(), "delete"),
    **dict.fromkeys("cancel delete remove return close stop unsubscribe".split(), "duplicate"),
}


def twin_of(record: Json, call: Call) -> Json | None:
    """Show a tool that takes the same arguments and does something contrary; return its definition."""
    verb = CONTRARY.get(call.verb)
    if verb is None or not call.name.lower().startswith(call.verb):
        return None
    shown = next(each for each in record["tools"] if each["function"]["name"] == call.name)
    twin = copy.deepcopy(shown)
    rest = call.name[len(call.verb) :]
    twin["function"]["name"] = verb + rest
    if any(each["function"]["name"] == verb + rest for each in record["tools"]):
        return None
    words = rest.strip("_").replace("_", " ").lower() or "entry"
    twin["function"]["description"] = f"{verb.capitalize()} the {words} that the arguments describe."
    record["tools"].append(twin)
    return twin["function"]


def unlike(record: Json, call: Call, rng: Random) -> Json | None:
    """Return a tool that is shown, takes the same arguments, and is about another thing or reads instead of writing."""
    mine = re.split(r"[^a-z]+", call.name.lower())
    found = []
    for each in record["tools"]:
        tool = each["function"]
        theirs = re.split(r"[^a-z]+", tool["name"].lower())
        turned = (
            {mine[0] in WRITING, theirs[0] in WRITING} == {mine[0] in READING, theirs[0] in READING} == {True, False}
        )
        accepts = call.arguments.keys() <= tool["parameters"].get("properties", {}).keys()
        if (
            (turned or not {*mine} & {*theirs})
            and accepts
            and Draft202012Validator(tool["parameters"]).is_valid(call.arguments)
        ):
            found.append(tool)
    return rng.choice(found) if found else None


def wrong_tool(record: Json, rng: Random) -> Json | None:
    found = [call for call in calls_of(record) if call.arguments]
    rng.shuffle(found)
    for call in found:
        tool = unlike(record, call, rng) or twin_of(record, call)
        if tool is not None:
            call.entry["function"]["name"] = tool["name"]
            if call.result is not None:
                call.result["name"] = tool["name"]
            return record
    return None


def needless_call(record: Json, rng: Random) -> Json | None:
    made = calls_of(record)
    called = {call.name for call in made}
    others = [each["function"] for each in record["tools"] if each["function"]["name"] not in called]
    found = [
        (call, tool, arguments)
        for call in made
        for tool in others
        for arguments in ({}, call.arguments)
        if call.result is not None and (arguments or not tool["parameters"].get("required"))
        if arguments.keys() <= tool["parameters"].get("properties", {}).keys()
        and Draft202012Validator(tool["parameters"]).is_valid(arguments)
    ]
    if not found:
        return None
    call, tool, arguments = rng.choice(found)
    identity = fresh_identity(rng)
    function = {"name": tool["name"], "arguments": copy.deepcopy(arguments)}
    turn = record["messages"][call.turn]["tool_calls"]
    turn.append({"id": identity, "type": "function", "function": function})
    result = {"role": "tool", "tool_call_id": identity, "name": tool["name"], "content": '{"status":"ok"}'}
    record["messages"].insert(call.turn + len(turn), result)
    status_of(record, identity, "SUCCESS")
    return record


def claimed_without_call(record: Json, rng: Random) -> Json | None:
    made = calls_of(record)
    answer = answer_after(record, made[-1].turn) if made else None
    if answer is None or len([each for each in record["messages"] if each["role"] == "user"]) > 1:
        return None
    told = [leaf for call in made for _, leaf in strings(call.returned) if says(answer["content"], leaf)]
    before = texts(record, made[0].turn)
    if not any(not says(before, leaf) for leaf in told) and not (made[-1].verb in WRITING and not made[-1].failed):
        return None
    return without_calls(record, {call.identity for call in made})


def used_before_known(record: Json, rng: Random) -> Json | None:
    made = calls_of(record)
    for first, second in pairwise(made):
        alone = second.turn == first.turn + 2 and len(record["messages"][second.turn]["tool_calls"]) == 1
        if not alone or first.result is None or second.result is None or len(record["messages"]) <= second.turn + 1:
            continue
        learnt = [leaf for _, leaf in strings(second.arguments) if says(first.result["content"], leaf) and _is_id(leaf)]
        if any(not says(texts(record, first.turn), leaf) for leaf in learnt):
            at = first.turn
            block = record["messages"][at : at + 4]
            record["messages"][at : at + 4] = [*block[2:], *block[:2]]
            return record
    return None


def _is_id(value: str) -> bool:
    return re.search(r"\d{3}", value) is not None and day_of(value) is None and " " not in value


def not_confirmed(record: Json, rng: Random) -> Json | None:
    if (record.get("metadata") or {}).get("kind") != "confirm_before_write":
        return None
    for at, message in enumerate(record["messages"][:-3]):
        asks = (
            message["role"] == "assistant"
            and not message.get("tool_calls")
            and message["content"].rstrip()[-1:] in "?？"
        )
        then = record["messages"][at + 2]
        if asks and record["messages"][at + 1]["role"] == "user" and then.get("tool_calls"):
            writes = all(call.verb in WRITING for call in calls_of(record) if call.turn == at + 2)
            known = texts(record, at)
            arguments = [
                leaf for call in calls_of(record) if call.turn == at + 2 for _, leaf in strings(call.arguments)
            ]
            if writes and arguments and all(says(known, leaf) or leaf[:4].isdigit() for leaf in arguments):
                del record["messages"][at : at + 2]
                return record
    return None


CLASSES = (
    Corruption("wrong_tool", "calls", "a tool is called that does the contrary with the same arguments", wrong_tool),
    Corruption("needless_call", "calls", "a tool is called besides, for which nobody asked", needless_call),
    Corruption(
        "claimed_without_call",
        "calls",
        "the answer tells results or deeds, and nothing was called",
        claimed_without_call,
    ),
    Corruption("used_before_known", "calls", "a call uses a value that only a later result tells", used_before_known),
    Corruption("not_confirmed", "calls", "what must be confirmed first is done at once", not_confirmed),
)
