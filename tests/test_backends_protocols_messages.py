"""Anthropic's messages API on loopback: what is asked, how answers are read, and what each failure becomes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

from generator.backends.backend import Completion, CompletionRequest, ModelOptions, RequestRefused, Unavailable
from generator.backends.budget import Budget, Limits
from generator.backends.http import open_backend
from generator.backends.protocols.messages import Messages
from generator.backends.server import ServerOptions
from generator.errors import BackendError, LimitError
from generator.jsontext import JsonObject
from tests.tables import each_row

SCHEMA: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
TURNS: tuple[JsonObject, ...] = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Say it."},
    {"role": "assistant", "content": "What?"},
    {"role": "user", "content": "It."},
)
REQUEST = CompletionRequest(ModelOptions("m", 100), TURNS, SCHEMA, True, "tools")
USAGE = {"input_tokens": 7, "output_tokens": 3}
Reply = Callable[[web.Request], Any]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")


def message(*content: JsonObject, stop: str = "end_turn", usage: Any = USAGE) -> web.Response:
    return web.json_response({"type": "message", "content": list(content), "stop_reason": stop, "usage": usage})


def failure(status: int, kind: str, text: str, **headers: str) -> web.Response:
    error = {"type": "error", "error": {"type": kind, "message": text}}
    return web.json_response(error, status=status, headers=headers)


def text(said: str) -> JsonObject:
    return {"type": "text", "text": said}


def thinking(thought: str) -> JsonObject:
    return {"type": "thinking", "thinking": thought, "signature": "x"}


def submitted(arguments: Any) -> JsonObject:
    return {"type": "tool_use", "id": "t", "name": "submit", "input": arguments}


def ask(
    *replies: Reply, tries: int = 2, budget: Budget | None = None, asked: CompletionRequest = REQUEST
) -> tuple[Completion, list[web.Request]]:
    """Ask a server that gives these replies in order, the last one for ever."""
    seen: list[web.Request] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        await request.read()
        seen.append(request)
        made: web.StreamResponse = replies[min(len(seen), len(replies)) - 1](request)
        return made

    async def run() -> Completion:
        application = web.Application(client_max_size=2**25)
        application.router.add_post("/v1/messages", answer)
        runner = web.AppRunner(application, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}"
            options = ServerOptions(base_url=url, protocol="anthropic", tries=tries, timeout=240, shortest_wait=0.01)
            async with open_backend(options, budget=budget) as backend:
                return await backend.complete(asked)
        finally:
            await runner.cleanup()

    return asyncio.run(run()), seen


def test_what_is_sent() -> None:
    _, (request,) = ask(lambda _: message(submitted({})))
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == ("sk-ant-0123456789", "2023-06-01")
    assert "Authorization" not in request.headers
    assert json.loads(request._read_bytes or b"") == {
        "model": "m",
        "max_tokens": 100,
        "system": "Be brief.",
        "messages": list(TURNS[1:]),
        "tools": [{"name": "submit", "description": "Submit the answer.", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "submit"},
    }


def test_the_body_of_the_last_mode_and_of_options() -> None:
    model = ModelOptions("m", 100, 0.5, 0.9, "low", {"top_k": 20})
    request = CompletionRequest(model, TURNS[1:2], SCHEMA, True, "text")
    assert Messages().body(request) == {
        "model": "m",
        "max_tokens": 100,
        "messages": [TURNS[1]],
        "temperature": 0.5,
        "top_p": 0.9,
        "output_config": {"effort": "low"},
        "top_k": 20,
    }


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://api.anthropic.com", "/v1/messages"),
        ("https://api.anthropic.com/v1", "/messages"),
        ("https://api.anthropic.com/v1/", "/messages"),
        ("https://x.services.ai.azure.com/anthropic", "/v1/messages"),
    ],
)
def test_the_base_url_may_end_in_v1_or_before_it(url: str, path: str) -> None:
    assert Messages().path(ServerOptions(base_url=url).address) == path


@each_row(
    ("reply", "expected"),
    [
        (
            message(submitted({"reply": "hi"}), stop="tool_use"),
            {"said": '{"reply":"hi"}', "finish_reason": "tool_calls", "text": "", "refusal": ""},
        ),
        (message(text("a"), text("b")), {"said": "ab", "finish_reason": "stop"}),
        (message(text("cut"), stop="max_tokens"), {"finish_reason": "length"}),
        (message(text("cut"), stop="model_context_window_exceeded"), {"finish_reason": "length"}),
        (message(stop="refusal"), {"refusal": "the model refused", "finish_reason": "refusal"}),
        (message(text("No."), stop="refusal"), {"refusal": "No."}),
        (message(thinking("Well."), submitted({"reply": "hi"})), {"said": '{"reply":"hi"}', "thoughts": "Well."}),
        (message(thinking("a"), thinking("b"), text("{}")), {"said": "{}", "thoughts": "a\nb"}),
        (message(thinking('{"reply": "a draft"}')), {"said": "", "thoughts": '{"reply": "a draft"}'}),
        (message({"type": "redacted_thinking", "data": "x"}, text("{}")), {"said": "{}", "thoughts": ""}),
        (message(text("<think>Well.</think>{}")), {"said": "{}", "thoughts": "Well."}),
        (message(text("{}")), {"prompt_tokens": 7, "completion_tokens": 3, "estimated": False}),
        (
            message(text("{}"), usage={**USAGE, "cache_read_input_tokens": 5, "cache_creation_input_tokens": None}),
            {"prompt_tokens": 12, "estimated": False},
        ),
        (message(text("{}"), usage=None), {"estimated": True}),
        (message(text("{}"), usage={"input_tokens": -1, "output_tokens": 3}), {"estimated": True}),
        (message({"type": "text"}, {"type": "tool_use"}, 3), {"said": "", "calls": ()}),  # type: ignore[arg-type] - what no server should send
    ],
)
def test_answers_are_read(reply: web.Response, expected: dict[str, Any]) -> None:
    assert isinstance(reply.body, bytes)
    body = {"messages": [], "tools": []}
    found = Messages().read(json.loads(reply.body), body, 100)
    assert {name: getattr(found, name) for name in expected} == expected


@each_row(
    ("reply", "error", "reason"),
    [
        (lambda _: failure(429, "rate_limit_error", "slow down"), Unavailable, "http_429"),
        (lambda _: failure(529, "overloaded_error", "Overloaded"), Unavailable, "http_529"),
        (lambda _: failure(500, "api_error", "Internal server error"), Unavailable, "http_500"),
        (lambda _: failure(413, "request_too_large", "Request exceeds"), Unavailable, "http_413"),
        (lambda _: failure(400, "invalid_request_error", "prompt is too long: 9 > 8"), Unavailable, "http_400"),
        (lambda _: failure(400, "invalid_request_error", "Your credit balance is too low"), BackendError, ""),
        (lambda _: failure(400, "invalid_request_error", "tools.0.custom: no"), RequestRefused, "refused_400"),
        (
            lambda _: failure(400, "invalid_request_error", "Thinking may not be enabled when tool_choice forces use"),
            RequestRefused,
            "refused_400",
        ),
        (lambda _: failure(401, "authentication_error", "invalid x-api-key"), BackendError, ""),
        (lambda _: failure(403, "permission_error", "no"), BackendError, ""),
        (lambda _: failure(404, "not_found_error", "model: m"), BackendError, ""),
        (lambda _: failure(529, "overloaded_error", "no", **{"retry-after": "86400"}), BackendError, ""),
        (lambda _: web.json_response({"type": "error", "error": {"message": "no"}}), Unavailable, "no_choice"),
        (lambda _: web.json_response([1]), Unavailable, "no_choice"),
        (lambda _: web.Response(text="<html>"), Unavailable, "not_json"),
        (lambda _: web.Response(body=b"[" * 9_000_000), Unavailable, "oversized"),
        (
            lambda _: web.Response(body=b'{"content": [{"type": "tool_use", "name": "a", "input": %s}]}' % DEEP),
            Unavailable,
            "too_deep",
        ),
    ],
)
def test_what_a_failure_becomes(reply: Reply, error: type[Exception], reason: str) -> None:
    with pytest.raises(error) as caught:
        ask(reply)
    assert getattr(caught.value, "reason", "") == reason


DEEP = b"[" * 600 + b"]" * 600


def test_an_overloaded_server_is_waited_for_as_it_asks() -> None:
    times: list[float] = []

    def note(request: web.Request) -> web.Response:
        times.append(asyncio.get_running_loop().time())
        overloaded = failure(529, "overloaded_error", "Overloaded", **{"retry-after": "1"})
        return overloaded if len(times) == 1 else message(text("{}"))

    answer, _ = ask(note)
    assert answer.failed == ("http_529",)
    assert 0.95 <= times[1] - times[0] < 5


@pytest.mark.parametrize(
    ("model", "said", "remedy"),
    [
        (ModelOptions("m", 100, 1.5), "temperature: range: 0..1", "leave --temperature out"),
        (ModelOptions("m", 100, 0.5, 0.5), "`temperature` and `top_p` cannot both be specified", "leave --t"),
        (ModelOptions("m", 100, None, None, "low"), "This model does not support the effort parameter.", "--reasoning"),
        (ModelOptions("m", 100, extra_body={"top_k": 1}), "top_k: Extra inputs are not permitted", "'top_k'"),
        (ModelOptions("m", 100), "max_tokens: 100 > 64, which is the maximum", "give another --max-output-tokens"),
    ],
)
def test_an_option_that_is_refused_is_named(model: ModelOptions, said: str, remedy: str) -> None:
    with pytest.raises(BackendError, match=remedy):
        ask(lambda _: failure(400, "invalid_request_error", said), asked=replace(REQUEST, model=model))


def test_limits_hold_as_for_every_server() -> None:
    budget = Budget(Limits(requests=3, tokens=10_000))
    with pytest.raises(LimitError, match="--max-requests 3"):
        ask(lambda _: failure(500, "api_error", "no"), tries=6, budget=budget)
    assert budget.sent == 3
    budget = Budget(Limits(tokens=10_000))
    ask(lambda _: message(text("{}")), budget=budget)
    assert budget.spent.total == 10
    with suppress(Unavailable):
        ask(lambda _: web.Response(text="<html>"), tries=1, budget=budget)
    assert budget.spent.completion == 3 + 100


def test_a_key_that_is_said_back_is_masked() -> None:
    answer, _ = ask(lambda request: message(text(request.headers["x-api-key"]), thinking("sk-ant-0123456789")))
    assert (answer.text, answer.thoughts) == ("***", "***")
    with pytest.raises(BackendError) as caught:
        ask(lambda request: failure(401, "authentication_error", f"no: {request.headers['x-api-key']}"))
    assert "sk-ant" not in str(caught.value)
    assert "the key in ANTHROPIC_API_KEY" in str(caught.value)


def test_a_conversation_with_tools_is_worded_in_blocks() -> None:
    calls = [
        {"id": each, "type": "function", "function": {"name": "rain", "arguments": {"in": city}}}
        for each, city in (("aaaaaaaaa", "Oslo"), ("bbbbbbbbb", "Rome"))
    ]
    results = [{"role": "tool", "tool_call_id": call["id"], "name": "rain", "content": "[]"} for call in calls]
    said = ({"role": "user", "content": "Rain?"}, {"role": "assistant", "content": "", "tool_calls": calls}, *results)
    tool = {"type": "function", "function": {"name": "rain", "description": "Rain.", "parameters": {"type": "object"}}}
    body = Messages().body(CompletionRequest(ModelOptions("m", 9), said, tools=(tool,)))
    assert body["tools"] == [{"name": "rain", "description": "Rain.", "input_schema": {"type": "object"}}]
    assert body["tool_choice"] == {"type": "auto"}
    asked, called, answered = body["messages"]
    assert asked == {"role": "user", "content": "Rain?"}
    assert called["content"][1] == {"type": "tool_use", "id": "bbbbbbbbb", "name": "rain", "input": {"in": "Rome"}}
    assert [block["tool_use_id"] for block in answered["content"]] == ["aaaaaaaaa", "bbbbbbbbb"]
    assert answered["role"] == "user"
