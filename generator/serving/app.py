"""The ASGI application: routes, the key, every error in OpenAI's shape, and replies whole, as streams or broken."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.jsontext import JsonObject
from generator.serving.asking import parsed
from generator.serving.bodies import BOUNDS, Body, Bounds, header, refuse_other_types
from generator.serving.faults import CUT, HANG, SLOW, Fault, Faults, broken, broken_events, first_half
from generator.serving.refusals import Refusal
from generator.serving.server import CLOSE
from generator.serving.service import Reply, Service

_LONGEST_STREAM = 120.0
_LINGER = 0.02
"""Seconds for what was written to leave, before a connection is cut."""


async def send_reply(reply: Reply, scope: Scope, send: Send) -> None:
    """Send a reply: its body at once, or its events one after the other."""
    if reply.events is None:
        await send(_start(reply, len(reply.body)))
        await send({"type": "http.response.body", "body": reply.body})
        return
    await send(_start(reply))
    try:
        async with asyncio.timeout(_LONGEST_STREAM):
            for event in reply.events:
                await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    except TimeoutError:  # a client that does not read holds nothing for ever
        await _close(scope)


def _start(reply: Reply, length: int | None = None) -> Message:
    """Return the message that begins a response."""
    headers = [(b"content-type", reply.content_type.encode())]
    headers += [(name.encode(), value.encode("latin-1", "replace")) for name, value in reply.headers.items()]
    headers.append((b"cache-control", b"no-cache") if length is None else (b"content-length", b"%d" % length))
    return {"type": "http.response.start", "status": reply.status, "headers": headers}


async def send_faulty(reply: Reply, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
    """Send what is left of a reply by a fault."""
    refusal = fault.refusal
    if refusal is not None:
        await send_reply(refused(refusal), scope, send)
    elif fault.kind == HANG:
        await _hang(fault.seconds, receive)
        await _close(scope)
    elif fault.kind == CUT:
        await _send_half(reply, send)
        await _close(scope)
    elif fault.kind == SLOW:
        await asyncio.sleep(fault.seconds)
        await send_reply(reply, scope, send)
    elif reply.events is None:
        await send_reply(replace(reply, body=broken(reply.body)), scope, send)
    else:
        await send_reply(replace(reply, events=broken_events(list(reply.events))), scope, send)


async def _hang(seconds: float, receive: Receive) -> None:
    """Say nothing until the client leaves, or so long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _left(receive)


async def _left(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        continue


async def _send_half(reply: Reply, send: Send) -> None:
    if reply.events is None:
        await send(_start(reply, len(reply.body)))
        await send({"type": "http.response.body", "body": broken(reply.body), "more_body": True})
        return
    await send(_start(reply))
    for event in first_half(reply.events):
        await send({"type": "http.response.body", "body": event, "more_body": True})


async def _close(scope: Scope) -> None:
    """End the connection without another word.

    Raises:
        ConnectionAbortedError: the server gives no way to; it ends the connection itself then.
    """
    close = scope.get(CLOSE)
    if close is None:
        raise ConnectionAbortedError("the connection was to end here")
    await asyncio.sleep(_LINGER)  # what was written is sent before
    close()
    await asyncio.sleep(0)


def refused(refusal: Refusal) -> Reply:
    """Return the reply that tells a refusal."""
    return Reply(refusal.body(), headers=refusal.headers, status=refusal.status)


def app_of(
    service: Service,
    *,
    api_key: str = "",
    bounds: Bounds = BOUNDS,
    faults: Faults | None = None,
    routes: Sequence[BaseRoute] = (),
) -> Starlette:
    """Return the application that serves a service.

    `api_key` is what every request must bear; "" asks for none. `routes` are served beside its own, with the same key
    and the same errors.
    """
    faulty = faults or Faults()
    own = [
        Route("/v1/chat/completions", _Post(service.chat, bounds, faulty), methods=["POST"]),
        Route("/v1/responses", _Post(service.responses, bounds, faulty), methods=["POST"]),
        Route("/v1/models", _models_of(service)),
        Route("/v1/models/{name:path}", _model_of(service)),
    ]
    app = Starlette(
        routes=[*own, *routes],
        exception_handlers={Refusal: _tell_refusal, HTTPException: _tell_http_error, Exception: _tell_bug},
    )
    app.add_middleware(_Gate, api_key=api_key)
    return app


def _models_of(service: Service) -> Callable[[Request], Response]:
    return lambda request: _whole(service.model_list())


def _model_of(service: Service) -> Callable[[Request], Response]:
    return lambda request: _whole(service.model(request.path_params["name"]))


def _whole(reply: Reply) -> Response:
    return Response(reply.body, reply.status, dict(reply.headers), reply.content_type)


class _Gate:
    """Lets in who bears the key."""

    def __init__(self, app: ASGIApp, api_key: str) -> None:
        self._app = app
        self._key = f"Bearer {api_key}".encode() if api_key else b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._key and scope["type"] == "http":
            given = header(scope, b"authorization")
            if not secrets.compare_digest(given, self._key):
                what = (
                    "Incorrect API key provided."
                    if given
                    else "You didn't provide an API key: send it as a bearer token."
                )
                await send_reply(refused(Refusal(401, what, "invalid_api_key")), scope, send)
                return
        await self._app(scope, receive, send)


class _Post:
    """An endpoint that takes a JSON object and gives a reply."""

    def __init__(self, answer: Callable[[JsonObject, str], Reply], bounds: Bounds, faults: Faults) -> None:
        self._answer = answer
        self._bounds = bounds
        self._faults = faults
        self._room = asyncio.Semaphore(bounds.most_long)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault: Fault | None = None
        try:
            refuse_other_types(scope)
            wished = header(scope, b"x-toolgen-fault")
            body = Body(receive, self._bounds)
            await body.read(self._bounds.long)
            if body.is_whole:
                fault = self._faults.of(body.whole, wished)
                reply = self._reply(body.whole, fault)
            else:
                async with self._room:
                    await body.read(self._bounds.largest)
                    fault = self._faults.of(body.whole, wished)
                    reply = await to_thread.run_sync(self._reply, body.whole, fault)
        except Refusal as refusal:
            reply = refused(refusal)
        if fault is None or fault.mistake:
            await send_reply(reply, scope, send)
        else:
            await send_faulty(reply, fault, scope, receive, send)

    def _reply(self, body: bytes, fault: Fault | None) -> Reply:
        return self._answer(parsed(body), fault.mistake if fault is not None else "")


def _refused(refusal: Refusal) -> Response:
    return _whole(refused(refusal))


def _tell_refusal(request: Request, error: Exception) -> Response:
    return _refused(error if isinstance(error, Refusal) else Refusal(500, str(error)))


def _tell_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    told = f"{request.method} {request.url.path}"
    if status == 404:
        return _refused(Refusal(404, f"Unknown request URL: {told}.", "unknown_url", headers=headers))
    if status == 405:
        return _refused(Refusal(405, f"Not allowed: {told}.", "method_not_allowed", headers=headers))
    return _refused(Refusal(status, str(error), headers=headers))


def _tell_bug(request: Request, error: Exception) -> Response:
    return _refused(Refusal(500, f"The server failed: {type(error).__name__}: {error}", "internal_error"))
