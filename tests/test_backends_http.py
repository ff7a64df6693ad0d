"""Every way a server can fail, and what it becomes: one table."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from aiohttp import web

from generator.backends.backend import Completion, CompletionRequest, ModelOptions, RequestRefused, Unavailable
from generator.backends.budget import Budget, Limits
from generator.backends.http import open_backend
from generator.backends.server import ServerOptions
from generator.errors import BackendError, LimitError
from tests.tables import each_row

REQUEST = CompletionRequest(ModelOptions("m", 100), ({"role": "user", "content": "Grüße"},))
USAGE = {"prompt_tokens": 7, "completion_tokens": 3}
Reply = Callable[[web.Request], Any]
T = TypeVar("T")


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def completion(content: Any = "yes", usage: Any = USAGE, **message: Any) -> web.Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    return web.json_response({"choices": [choice], "usage": usage})


def blaming(message: str, parameter: str | None = None) -> web.Response:
    return web.json_response({"error": {"message": message, "param": parameter}}, status=400)


def failure(status: int, message: str = "no", **headers: str) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status, headers=headers)


def quota(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"error": {"message": message, "type": code, "code": code}}, status=status)


def ask(
    *replies: Reply,
    tries: int = 2,
    timeout: float = 240,
    user: str = "",
    path: str = "/v1",
    asked: CompletionRequest = REQUEST,
) -> tuple[Completion, list[web.Request]]:
    """Ask a server that gives these replies in order, the last one for ever."""
    seen: list[web.Request] = []

    def reply(request: web.Request) -> Any:
        seen.append(request)
        return replies[min(len(seen), len(replies)) - 1](request)

    async def run(url: str) -> Completion:
        options = ServerOptions(base_url=url, tries=tries, timeout=timeout, shortest_wait=0.01)
        async with open_backend(options) as backend:
            return await backend.complete(asked)

    return asyncio.run(serving(reply, run, user=user, path=path)), seen


async def serving(reply: Reply, run: Callable[[str], Awaitable[T]], *, user: str = "", path: str = "/v1") -> T:
    """Run something against a server whose replies a function makes."""

    async def answer(request: web.Request) -> web.StreamResponse:
        await request.read()
        made = reply(request)
        return await made if asyncio.iscoroutine(made) else made

    application = web.Application()
    application.router.add_route("*", "/{any:.*}", answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return await run(f"http://{user}127.0.0.1:{runner.addresses[0][1]}{path}")
    finally:
        await runner.cleanup()


async def hang(request: web.Request) -> web.Response:
    await asyncio.sleep(60)
    return web.Response()


def reset(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


@each_row(
    ("reply", "error", "reason"),
    [
        (lambda _: failure(429), Unavailable, "http_429"),
        (lambda _: failure(408), Unavailable, "http_408"),
        (lambda _: failure(500), Unavailable, "http_500"),
        (lambda _: failure(503), Unavailable, "http_503"),
        (lambda _: web.json_response({"choices": []}), Unavailable, "no_choice"),
        (lambda _: web.json_response([1]), Unavailable, "no_choice"),
        (lambda _: web.Response(text="<html>", content_type="text/html"), Unavailable, "not_json"),
        (lambda _: web.Response(body=b'{"a": "\xff"}', content_type="application/json"), Unavailable, "not_json"),
        (lambda _: web.Response(body=b"[" * 9_000_000), Unavailable, "oversized"),
        (lambda _: failure(400, "maximum context length is 8192 tokens"), Unavailable, "http_400"),
        (lambda _: failure(413), Unavailable, "http_413"),
        (lambda _: quota(400, "content_filter", "The response was filtered by the policy"), Unavailable, "http_400"),
        (lambda _: quota(400, "context_length_exceeded", "Too many"), Unavailable, "http_400"),
        (reset, Unavailable, "connection"),
        (hang, Unavailable, "timeout"),
        (lambda _: failure(400, "response_format is not supported"), RequestRefused, "refused_400"),
        (lambda _: failure(422, "json_schema"), RequestRefused, "refused_422"),
        (lambda _: failure(501), RequestRefused, "refused_501"),
        (lambda _: failure(404, "tools are not supported"), RequestRefused, "refused_404"),
        (lambda _: failure(401), BackendError, ""),
        (lambda _: failure(403), BackendError, ""),
        (lambda _: failure(404, "no such model"), BackendError, ""),
        (lambda _: failure(405), BackendError, ""),
        (lambda _: web.Response(status=302, headers={"Location": "http://127.0.0.1:9/"}), BackendError, ""),
        (lambda _: failure(429, **{"Retry-After": "86400"}), BackendError, ""),
        (lambda _: failure(429, **{"Retry-After": "31536000"}), BackendError, ""),
        (lambda _: failure(503, **{"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}), BackendError, ""),
        (
            lambda _: failure(429, **{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2h"}),
            BackendError,
            "",
        ),
        (lambda _: failure(429, **{"Retry-After": "-5"}), Unavailable, "http_429"),
        (lambda _: failure(429, **{"Retry-After": "soon, I hope"}), Unavailable, "http_429"),
        (lambda _: quota(429, "insufficient_quota", "You exceeded your current quota"), BackendError, ""),
        (lambda _: quota(429, "insufficient_quota", "no"), BackendError, ""),
        (lambda _: quota(403, "billing_not_active", "no"), BackendError, ""),
        (lambda _: failure(402, "Payment Required"), BackendError, ""),
        (lambda _: failure(429, "You exceeded your current quota. Please retry in 0.1s."), Unavailable, "http_429"),
        (lambda _: failure(429, "You exceeded your current quota. Please retry in 2h."), BackendError, ""),
        (lambda _: failure(500, "you exceeded your current quota, check your plan"), BackendError, ""),
    ],
)
def test_what_a_failure_becomes(reply: Reply, error: type[Exception], reason: str) -> None:
    with pytest.raises(error) as caught:
        ask(reply, timeout=0.4 if reply is hang else 240)
    assert getattr(caught.value, "reason", "") == reason


def test_an_answer_after_failures_says_why_they_failed() -> None:
    answer, seen = ask(lambda _: failure(500), reset, lambda _: completion(), tries=3)
    assert (answer.text, answer.failed) == ("yes", ("http_500", "connection"))
    assert len(seen) == 3


@pytest.mark.parametrize(("header", "seconds"), [({"Retry-After": "1"}, 1), ({"retry-after-ms": "300"}, 0.3)])
def test_a_told_wait_is_kept(header: dict[str, str], seconds: float) -> None:
    times: list[float] = []

    def note(request: web.Request) -> web.Response:
        times.append(asyncio.get_running_loop().time())
        return failure(429, **header) if len(times) == 1 else completion()

    ask(note)
    assert 0.95 * seconds <= times[1] - times[0] < 5


def test_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-key-1")
    _, (request,) = ask(lambda _: completion())
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["Authorization"] == "Bearer sk-key-1"
    assert request.headers["Content-Type"] == "application/json"
    assert json.loads(request._read_bytes or b"")["messages"] == [{"role": "user", "content": "Grüße"}]
    _, (request,) = ask(lambda _: completion(), user="bob:pass@", path="/base/v1?version=3")
    assert request.path_qs == "/base/v1/chat/completions?version=3"
    assert request.headers["Authorization"] == "Basic Ym9iOnBhc3M="


def test_answers_of_every_shape_are_read() -> None:
    answer, _ = ask(lambda _: completion([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens, answer.estimated) == ("ab", 7, 3, False)
    call = {"id": "x", "type": "function", "function": {"name": "submit", "arguments": {"a": 1}}}
    answer, _ = ask(lambda _: completion(None, None, tool_calls=[call, {"function": None}, 3]))
    assert [(each.name, each.arguments) for each in answer.calls] == [("submit", '{"a":1}')]
    assert answer.estimated
    assert answer.prompt_tokens > 5
    answer, _ = ask(lambda _: completion(None, {"prompt_tokens": -1, "completion_tokens": True}, refusal="No."))
    assert (answer.text, answer.refusal, answer.estimated) == ("", "No.", True)


def test_a_quota_that_is_used_up_is_asked_for_once() -> None:
    seen = 0

    def count(request: web.Request) -> web.Response:
        nonlocal seen
        seen += 1
        return quota(429, "insufficient_quota", "You exceeded your current quota")

    with pytest.raises(BackendError, match="quota is used up: HTTP 429: You exceeded your current quota"):
        ask(count, tries=6)
    assert seen == 1


def test_a_rate_limit_that_is_used_up_is_waited_for() -> None:
    times: list[float] = []

    def note(request: web.Request) -> web.Response:
        times.append(asyncio.get_running_loop().time())
        used_up = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "800ms"}
        return failure(429, **used_up) if len(times) == 1 else completion()

    ask(note)
    assert 0.75 <= times[1] - times[0] < 3


def test_a_limit_ends_the_tries_and_counts_each() -> None:
    seen = 0

    def count(request: web.Request) -> web.Response:
        nonlocal seen
        seen += 1
        return failure(500)

    async def run(url: str) -> None:
        options = ServerOptions(base_url=url, tries=6, shortest_wait=0.001)
        async with open_backend(options, budget=Budget(Limits(requests=3))) as backend:
            await backend.complete(REQUEST)

    with pytest.raises(LimitError, match="--max-requests 3"):
        asyncio.run(serving(count, run))
    assert seen == 3


@pytest.mark.parametrize(
    ("reply", "spent"),
    [
        (lambda _: completion(), 10),
        (lambda _: failure(400, "no"), 0),
        (lambda _: failure(500), 0),
        (reset, 0),
        (lambda _: web.Response(text="<html>"), 120),
        (hang, 120),
    ],
)
def test_an_answer_that_was_lost_is_counted_as_the_longest(reply: Reply, spent: int) -> None:
    budget = Budget(Limits(tokens=10_000))

    async def run(url: str) -> None:
        options = ServerOptions(base_url=url, tries=1, timeout=0.3 if reply is hang else 240)
        async with open_backend(options, budget=budget) as backend:
            with suppress(Unavailable, RequestRefused):
                await backend.complete(REQUEST)

    asyncio.run(serving(reply, run))
    assert spent <= budget.spent.total < spent + 20


def test_a_key_that_an_answer_says_back_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    call = {"function": {"name": "submit", "arguments": {"request": "use sk-secret-0123456789"}}}
    answer, _ = ask(lambda request: completion(request.headers["Authorization"], tool_calls=[call]))
    assert "sk-secret" not in answer.model_dump_json()
    assert (answer.text, answer.calls[0].arguments) == ("Bearer ***", '{"request":"use ***"}')


def test_a_key_that_a_thought_says_back_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    answer, _ = ask(lambda request: completion(reasoning=request.headers["Authorization"]))
    assert answer.thoughts == "Bearer ***"


def test_a_local_server_is_sent_no_key() -> None:
    _, (request,) = ask(lambda _: completion())
    assert "Authorization" not in request.headers


def test_an_error_in_an_answer_that_calls_itself_good_is_told() -> None:
    with pytest.raises(Unavailable, match="no choice: upstream is overloaded"):
        ask(lambda _: web.json_response({"error": {"message": "upstream is overloaded", "code": 502}}))


@pytest.mark.parametrize(
    "document",
    [
        {"error": {"message": "use v2"}},
        [{"error": {"message": "use v2"}}],
        {"error": "use v2"},
        {"message": "use v2"},
        {"detail": "use v2"},
        "use v2",
    ],
)
def test_the_message_of_an_error_is_found_in_every_shape(document: Any) -> None:
    with pytest.raises(BackendError, match=r"HTTP 405: use v2 \("):
        ask(lambda _: web.json_response(document, status=405))


def test_an_error_cannot_steer_a_terminal() -> None:
    with pytest.raises(BackendError) as caught:
        ask(lambda _: failure(403, "\x1b[2J\u202eno\n::error::\x00\x9b1m" + "x" * 5000))
    message = str(caught.value)
    assert "\\x1b[2J\\u202eno ::error::\\x00\\x9b1m" in message
    assert message.isprintable()
    assert len(message) < 600


SET = ModelOptions("m", 100, 0.8, 0.9, "low", {"top_k": 20, "x": {"temperature": 1}})
ASKED = replace(REQUEST, model=SET)
WANTS_ANOTHER = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)


def sent(request: web.Request) -> dict[str, Any]:
    return dict(json.loads(request._read_bytes or b""))


def test_what_is_not_given_is_not_sent_and_the_extra_body_is_sent_as_it_is() -> None:
    _, (request,) = ask(lambda _: completion())
    assert set(sent(request)) == {"model", "messages", "max_tokens"}
    _, (request,) = ask(lambda _: completion(), asked=ASKED)
    options = {"max_tokens": 100, "temperature": 0.8, "top_p": 0.9, "reasoning_effort": "low", **SET.extra_body}
    assert {key: value for key, value in sent(request).items() if key not in ("model", "messages")} == options


@pytest.mark.parametrize("parameter", [None, "max_tokens"])
def test_a_server_that_wants_the_limit_by_its_new_name_gets_it(parameter: str | None) -> None:
    limits: list[set[str]] = []

    def reply(request: web.Request) -> web.Response:
        limits.append({"max_tokens", "max_completion_tokens"} & set(sent(request)))
        return blaming(WANTS_ANOTHER, parameter) if "max_tokens" in limits[-1] else completion()

    async def run(url: str) -> None:
        async with open_backend(ServerOptions(base_url=url, tries=1)) as backend:
            await asyncio.gather(*(backend.complete(replace(REQUEST, salt=str(at))) for at in range(4)))
            await backend.complete(REQUEST)

    asyncio.run(serving(reply, run))
    assert limits.count({"max_completion_tokens"}) == 5
    assert limits[-1] == {"max_completion_tokens"}
    assert len(limits) <= 9


def test_a_server_that_wants_neither_name_is_believed_after_two_requests() -> None:
    seen: list[web.Request] = []

    def reply(request: web.Request) -> web.Response:
        seen.append(request)
        return blaming(WANTS_ANOTHER, "max_completion_tokens")

    with pytest.raises(BackendError, match="refuses an option"):
        ask(reply)
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("reply", "remedy"),
    [
        (lambda _: blaming("Unsupported value: 'temperature' does not support 0.8", "temperature"), "--temperature"),
        (lambda _: failure(400, "`top_p` must be 1 here"), "--top-p"),
        (lambda _: failure(422, "Unrecognized request argument supplied: reasoning_effort"), "--reasoning-effort"),
        (lambda _: failure(400, "for more information: top_k is unknown"), "'top_k' of --extra-body"),
        (lambda _: blaming("Function tools with it are not supported", "reasoning_effort"), "--reasoning-effort"),
        (
            lambda _: web.json_response({"detail": [{"loc": ["body", "top_p"], "msg": "extra"}]}, status=422),
            "--top-p",
        ),
        (
            lambda _: web.json_response({"message": {"detail": [{"loc": ["top_k"], "input": 20}]}}, status=422),
            "'top_k' of --extra-body",
        ),
    ],
)
def test_an_option_that_the_server_refuses_is_named(reply: Reply, remedy: str) -> None:
    with pytest.raises(BackendError, match=re.escape(f"(leave {remedy} out, or give what it takes)")):
        ask(reply, asked=ASKED)


def test_a_limit_that_the_server_does_not_take_is_to_be_another() -> None:
    with pytest.raises(BackendError, match="give another --max-output-tokens"):
        ask(lambda _: blaming("max_tokens is too large: 100. This model takes at most 64", "max_tokens"))


@pytest.mark.parametrize(
    "reply",
    [
        lambda _: failure(400, "json_schema: a property named temperature is not supported"),
        lambda _: blaming("the schema has a property temperature", "response_format"),
        lambda _: failure(400, "body.temperature_unit"),
        lambda _: failure(400, "no"),
    ],
)
def test_a_word_that_only_looks_like_an_option_is_none(reply: Reply) -> None:
    with pytest.raises(RequestRefused):
        ask(reply, asked=ASKED)


def test_an_option_that_was_not_given_is_not_blamed() -> None:
    with pytest.raises(RequestRefused):
        ask(lambda _: failure(400, "temperature is missing"))


def test_a_limit_of_the_context_is_no_matter_of_options() -> None:
    said = "'max_tokens' or 'max_completion_tokens' is too large: 100. Maximum context length is 64 tokens"
    with pytest.raises(Unavailable):
        ask(lambda _: blaming(said, "max_tokens"))


def test_who_has_answered_refuses_no_option() -> None:
    replies = [lambda: completion(), lambda: failure(400, "temperature: no")]

    async def run(url: str) -> None:
        async with open_backend(ServerOptions(base_url=url, tries=1)) as backend:
            await backend.complete(ASKED)
            await backend.complete(ASKED)

    with pytest.raises(RequestRefused):
        asyncio.run(serving(lambda _: replies.pop(0)(), run))
