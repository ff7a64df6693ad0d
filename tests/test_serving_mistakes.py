"""Mistakes: a call is wrong as it was asked for, and an agent that lets the model try again goes on where it was."""

from __future__ import annotations

import json
from functools import cache

import openai
import orjson
import pytest

from generator.serving.answers import Answer, Call
from generator.serving.mistakes import MISTAKES, UNKNOWN_TOOL, WRONG_ARGUMENTS, mistaken, without_mistakes
from generator.serving.replay import Replay
from generator.serving.running import serve_records
from generator.serving.service import Service
from generator.validation.entities import ENTITIES
from tests.served_records import Json, records, said, turns
from tests.tables import each_row

EXPECTED = {UNKNOWN_TOOL: {"OA014"}, WRONG_ARGUMENTS: {"OA015", "OA016", "OA123", "OA124"}}
"""The rules that find each; OA015 where a schema accepts every object."""


@cache
def service() -> Service:
    replay = Replay()
    assert all(map(replay.add, records()))
    return Service(replay)


def message_of(request: Json, mistake: str) -> Json:
    return orjson.loads(service().chat(request, mistake).body)["choices"][0]["message"]


@each_row("kind", list(MISTAKES))
def test_the_last_call_is_wrong_and_nothing_else(kind: str) -> None:
    for request, expected in turns():
        message = message_of(request, kind)
        text, calls = said(message)
        if not expected.get("tool_calls"):
            assert (text, calls) == said(expected)
            continue
        assert calls[:-1] == said(expected)[1][:-1] and calls[-1] != said(expected)[1][-1]
        assert message == message_of(request, kind)
        response = orjson.loads(service().chat(request, kind).body)
        found = ENTITIES["openai-response"]({"request": request, "response": response})
        assert {each.rule for each in found if each.severity == "error"} & EXPECTED[kind]


@each_row("kind", list(MISTAKES))
def test_an_agent_that_tries_again_gets_the_turn(kind: str) -> None:
    for request, expected in turns():
        messages, made, identities = list(request["messages"]), [], set()
        for mistake in (kind, kind, "", "", "", "", ""):
            message = message_of({**request, "messages": messages}, mistake)
            calls = message.get("tool_calls") or []
            identities |= {call["id"] for call in calls}
            made += [call for call in said(message)[1] if call in said(expected)[1]]
            if len(made) >= len(said(expected)[1]):
                break
            results = [{"role": "tool", "tool_call_id": call["id"], "content": result_of(request, call)}
                       for call in calls]  # fmt: skip
            messages += [message, *results]
        assert made == said(expected)[1]


def result_of(request: Json, call: Json) -> str:
    """What the record's tool says to a call; an error where it makes no such call."""
    for record in records():
        contents = {each["tool_call_id"]: each["content"] for each in record["messages"] if each["role"] == "tool"}
        if call["id"].removeprefix("call_") in contents:
            return str(contents[call["id"].removeprefix("call_")])
    return '{"error": "There is no such call."}'


def test_where_all_arguments_are_right_the_text_is_broken() -> None:
    tool = {"function": {"name": "f", "parameters": {"type": "object"}}}
    (call,) = mistaken(Answer("", (Call("abcdefghi", "f", "{}"),)), WRONG_ARGUMENTS, [tool]).calls
    with pytest.raises(ValueError, match=r"\w"):
        json.loads(call.arguments)


ODD: dict[str, list[Json]] = {
    "no messages": [5, None, "x", []],
    "odd calls": [{"role": "assistant", "tool_calls": 5}, {"tool_calls": [5, {"id": 5}, {"id": "x", "function": 5}]}],
    "odd results": [{"role": "tool", "tool_call_id": ["x"]}],
}


@each_row("odd", list(ODD))
def test_what_is_no_conversation_stays(odd: str) -> None:
    assert without_mistakes(ODD[odd]) == ODD[odd]


def test_over_http_by_share_and_by_header() -> None:
    request, expected = next(turn for turn in turns() if turn[1].get("tool_calls"))
    with serve_records(records(), faults="unknown_tool=1") as serving:
        asking = openai.OpenAI(base_url=serving.base_url, api_key="any", max_retries=0).chat.completions
        for fault, equal in (("", False), ("none", True), ("wrong_arguments", False)):
            headers = {"x-toolgen-fault": fault} if fault else {}
            message = asking.create(**request, extra_headers=headers).choices[0].message
            assert (said(message.model_dump(mode="json", exclude_none=True)) == said(expected)) is equal
