"""The service: records are replayed whatever shape a conversation comes in, and every answer keeps the rules."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.serving.refusals import Refusal
from generator.serving.replay import Replay
from generator.serving.service import Reply, Service
from generator.validation.entities import ENTITIES
from tests.bundled import bundled
from tests.served_records import Json, records, said, turns
from tests.tables import each_row


@cache
def service() -> Service:
    replay = Replay()
    assert all(replay.add(record) for record in records())
    return Service(replay)


def events(reply: Reply) -> list[Any]:
    lines = b"".join(reply.events or ()).decode().split("\n\n")
    return [json.loads(line.rpartition("data: ")[2]) if "[DONE]" not in line else "[DONE]" for line in lines if line]


def errors(entity: str, request: Json, response: Json) -> list[str]:
    found = ENTITIES[entity]({"request": request, "response": response})
    return [f"{each.rule} {each.pointer} {each.message}" for each in found if each.severity == "error"]


def test_each_turn_of_each_kind_is_answered_by_the_rules() -> None:
    for request, expected in turns():
        reply = service().chat(request)
        response = orjson.loads(reply.body)
        assert said(response["choices"][0]["message"]) == said(expected)
        assert reply.headers["x-toolgen-match"] == "whole"
        assert errors("openai-response", request, response) == []


def test_streams_fold_to_the_same_answers() -> None:
    for request, _ in turns():
        for options in ({}, {"stream_options": {"include_usage": True}}):
            asked = {**request, "stream": True, **options}
            chunks = events(service().chat(asked))
            assert chunks[-1] == "[DONE]" and chunks[0]["choices"][0]["delta"]["role"] == "assistant"
            assert errors("openai-stream", asked, chunks) == []


def respaced(messages: list[Json]) -> list[Json]:
    return [
        {**message, "tool_calls": [{**call, "function": {**call["function"], "arguments": json.dumps(
            dict(reversed(json.loads(call["function"]["arguments"]).items())), indent=1)}}
            for call in message["tool_calls"]]} if message.get("tool_calls") else message
        for message in messages
    ]  # fmt: skip


def renamed(messages: list[Json]) -> list[Json]:
    text = json.dumps(messages)
    ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    for number, identity in enumerate(ids):
        text = text.replace(identity, f"call_other{number}")
    return json.loads(text)  # type: ignore[no-any-return]  # a list it is


def with_results(messages: list[Json], write: Any) -> list[Json]:
    def written(content: str) -> str:
        try:
            return str(write(json.loads(content)))
        except ValueError:
            return content

    return [{**each, "content": written(each["content"])} if each["role"] == "tool" else each for each in messages]


def results_turned(messages: list[Json]) -> list[Json]:
    turned: list[Json] = []
    waiting: list[Json] = []
    for message in [*messages, None]:
        if message is not None and message["role"] == "tool":
            waiting.append(message)
        else:
            turned += [*reversed(waiting), *([message] if message is not None else [])]
            waiting = []
    return turned


def in_parts(messages: list[Json]) -> list[Json]:
    return [{**each, "content": [{"type": "text", "text": each["content"]}]} if each["content"] else each
            for each in messages]  # fmt: skip


SHAPES = {
    "null content": lambda ms: [{**m, "content": m["content"] or None} if m.get("tool_calls") else m for m in ms],
    "no content": lambda ms: [{k: v for k, v in m.items() if k != "content" or v} for m in ms],
    "content in parts": in_parts,
    "arguments written otherwise": respaced,
    "other ids": renamed,
    "results indented": lambda ms: with_results(ms, lambda value: json.dumps(value, indent=2, sort_keys=True)),
    "results as Python writes them": lambda ms: with_results(ms, lambda v: repr(v) if isinstance(v, dict) else v),
    "results in another order": results_turned,
    "without system": lambda ms: [m for m in ms if m["role"] != "system"],
    "with another system": lambda ms: [{"role": "system", "content": "Be kind."}, *ms[ms[0]["role"] == "system" :]],
    "a developer": lambda ms: [{"role": "developer", "content": "Be kind."}, *ms[ms[0]["role"] == "system" :]],
    "without names": lambda ms: [{k: v for k, v in m.items() if k != "name"} for m in ms],
}


@each_row("shape", list(SHAPES))
def test_a_conversation_is_known_in_any_shape(shape: str) -> None:
    for request, expected in turns():
        messages = SHAPES[shape](json.loads(json.dumps(request["messages"])))
        reply = service().chat({**request, "messages": messages})
        assert said(orjson.loads(reply.body)["choices"][0]["message"]) == said(expected)


def test_other_results_are_answered_with_the_next_turn_and_say_so() -> None:
    seen = 0
    for request, expected in turns():
        if any(message["role"] == "tool" for message in request["messages"]):
            messages = with_results(request["messages"], lambda value: json.dumps({"mine": value}))
            reply = service().chat({**request, "messages": messages})
            assert reply.headers["x-toolgen-match"] == "calls"
            assert said(orjson.loads(reply.body)["choices"][0]["message"]) == said(expected)
            seen += 1
    assert seen > 10


def test_several_calls_are_given_one_by_one_where_no_more_are_allowed() -> None:
    request, expected = next(
        (request, message)
        for request, message in turns()
        if len(message.get("tool_calls") or ()) > 1 and len(request["messages"]) < 3
    )
    record = next(each for each in records() if each["messages"][0]["content"] == request["messages"][0]["content"])
    results = {each["tool_call_id"]: each["content"] for each in record["messages"] if each["role"] == "tool"}
    messages, made = list(request["messages"]), []
    for _ in expected["tool_calls"]:
        reply = service().chat({**request, "parallel_tool_calls": False, "messages": messages})
        message = orjson.loads(reply.body)["choices"][0]["message"]
        (call,) = message["tool_calls"]
        made.append((call["function"]["name"], call["function"]["arguments"]))
        content = results[call["id"].removeprefix("call_")]
        messages += [message, {"role": "tool", "tool_call_id": call["id"], "content": content}]
    assert made == said(expected)[1]


TOOLS = [tool.shown for tool in bundled().tools]
CHOICES: list[Any] = ["none", "auto", "required", None, "named"]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(TOOLS), max_size=6, unique_by=lambda tool: tool["function"]["name"]),
    st.sampled_from(CHOICES),
    st.sampled_from(["What's the weather in Porto?", "Send 20 euros to Ann tomorrow", "hm", "book a table for two"]),
    st.booleans(),
    st.booleans(),
)
def test_what_no_record_has_is_answered_by_the_rules_too(
    tools: list[Json], choice: Any, text: str, stream: bool, parallel: bool
) -> None:
    if not tools:
        choice = None
    request: Json = {"model": "m", "messages": [{"role": "user", "content": text}], "stream": stream}
    parallel = parallel and not any(tool["function"].get("strict") for tool in tools)  # both are refused
    request |= {"tools": tools, "parallel_tool_calls": parallel} if tools else {}
    if choice is not None:
        named = {"type": "function", "function": {"name": tools[0]["function"]["name"]}}
        request["tool_choice"] = named if choice == "named" else choice
    reply = service().chat(request)
    if stream:
        assert errors("openai-stream", request, events(reply)) == []
        return
    response = orjson.loads(reply.body)
    assert errors("openai-response", request, response) == []
    assert bool(response["choices"][0]["message"].get("tool_calls")) >= (choice in ("required", "named"))
    assert service().chat(request).body == reply.body
    assert Service(Replay()).chat(request).body == reply.body  # in any order, by any server


def test_the_answer_takes_what_the_request_says() -> None:
    (tool,) = (tool for tool in TOOLS if tool["function"]["name"] == "reserve_table")
    text = "Book a table for 4 people tomorrow at Luigi"
    request = {"model": "m", "messages": [{"role": "user", "content": text}], "tools": [tool]}
    message = orjson.loads(service().chat(request).body)["choices"][0]["message"]
    arguments = json.loads(message["tool_calls"][0]["function"]["arguments"])
    assert (arguments["party_size"], arguments["date"]) == (4, "2026-01-16")
    assert arguments["restaurant_name"] == "Luigi"


def test_after_results_the_assistant_speaks() -> None:
    (tool,) = (tool for tool in TOOLS if tool["function"]["name"] == "reserve_table")
    call = {"id": "call_1", "type": "function", "function": {"name": "reserve_table", "arguments": json.dumps(
        {"restaurant_name": "Luigi", "date": "2026-01-16", "time": "18:00", "party_size": 4})}}  # fmt: skip
    for content, told in ((json.dumps({"error": {"type": "NOT_FOUND", "message": "No table."}}), "No table."),
                          ("42 things", "42 things")):  # fmt: skip
        result = {"role": "tool", "tool_call_id": "call_1", "content": content}
        messages = [{"role": "user", "content": "A table?"}, {"role": "assistant", "tool_calls": [call]}, result]
        message = orjson.loads(service().chat({"model": "m", "messages": messages, "tools": [tool]}).body)
        assert told in message["choices"][0]["message"]["content"]


HELLO: Json = {"model": "m", "messages": [{"role": "user", "content": "Hello, how are you?"}]}


def test_answers_are_cut_where_the_request_says() -> None:
    whole = orjson.loads(service().chat(HELLO).body)["choices"][0]["message"]["content"]
    cut = orjson.loads(service().chat({**HELLO, "max_tokens": 2}).body)
    assert cut["choices"][0]["finish_reason"] == "length" and cut["usage"]["completion_tokens"] <= 2
    assert whole.startswith(cut["choices"][0]["message"]["content"])
    stopped = orjson.loads(service().chat({**HELLO, "stop": whole[5:9]}).body)["choices"][0]
    assert stopped["message"]["content"] == whole[:5] and stopped["finish_reason"] == "stop"
    assert len(orjson.loads(service().chat({**HELLO, "n": 3}).body)["choices"]) == 3
    called = {**HELLO, "tools": TOOLS[:1], "tool_choice": "required", "max_tokens": 1}
    with pytest.raises(Refusal, match="max_tokens"):
        service().chat(called)


def test_a_text_of_a_schema_is_one() -> None:
    schema = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
    form = {"type": "json_schema", "json_schema": {"name": "place", "schema": schema}}
    text = orjson.loads(service().chat({**HELLO, "response_format": form}).body)["choices"][0]["message"]["content"]
    assert isinstance(json.loads(text)["city"], str)


def called(name: str, arguments: Any, **more: Any) -> Json:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    schema = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
    schema |= {"additionalProperties": False}
    messages = [*HELLO["messages"], {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "call_1", "content": "1"}]  # fmt: skip
    tool = {"type": "function", "function": {"name": "f", "parameters": schema, **more}}
    return {"model": "m", "messages": messages, "tools": [tool]}


WRONG: dict[str, tuple[Json, str | None, str | None]] = {
    "no model": ({"messages": HELLO["messages"]}, None, "model"),
    "no messages": ({"model": "m"}, None, "messages"),
    "unknown role": ({"model": "m", "messages": [{"role": "king", "content": "x"}]}, None, "messages[0].role"),
    "unknown tool": (called("g", '{"a": 1}'), "unknown_tool_call", "messages[1].tool_calls[0].function.name"),
    "broken arguments": (
        called("f", '{"a": '),
        "malformed_tool_arguments",
        "messages[1].tool_calls[0].function.arguments",
    ),
    "wrong arguments": (called("f", '{"a": "x"}'), "invalid_tool_arguments", None),
    "missing argument": (called("f", "{}"), "invalid_tool_arguments", None),
    "a choice of no tool": ({**HELLO, "tool_choice": "required"}, None, "tool_choice"),
    "strict and parallel": (
        {**called("f", '{"a": 1}', strict=True), "parallel_tool_calls": True},
        None,
        "parallel_tool_calls",
    ),
    "n": ({**HELLO, "n": 0}, None, "n"),
    "max_completion_tokens": ({**HELLO, "max_completion_tokens": -1}, None, "max_completion_tokens"),
    "response_format": ({**HELLO, "response_format": {"type": "xml"}}, None, "response_format"),
}


@each_row("wrong", list(WRONG))
def test_wrong_requests_are_refused(wrong: str) -> None:
    request, code, param = WRONG[wrong]
    with pytest.raises(Refusal) as refused:
        service().chat(request)
    error = json.loads(refused.value.body())["error"]
    assert refused.value.status == 400 and error["type"] == "invalid_request_error" and error["message"]
    assert error["code"] == code
    assert param is None or error["param"] == param


def test_a_model_that_is_not_served_is_not_found() -> None:
    with pytest.raises(Refusal) as refused:
        Service(Replay(), models=("mine",)).chat(HELLO)
    assert (refused.value.status, refused.value.code) == (404, "model_not_found")
