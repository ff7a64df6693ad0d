"""The ASGI application: routes, the key, bodies of bounded size, and every error in OpenAI's shape."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from generator.jsontext import JsonObject
from generator.serving.asking import parsed
from generator.serving.refusals import Refusal
from generator.serving.service import JSON, Reply, Service

LARGEST_BODY = 8 * 1024 * 1024
"""Bytes of a request."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one request may take."""

    largest_body: int = LARGEST_BODY
    body_seconds: float = 20.0
    """How long a client may take to send its body."""


def app_of(
    service: Service, *, api_key: str = "", bounds: Bounds = Bounds(), routes: Sequence[BaseRoute] = ()
) -> Starlette:
    """Return the application that serves a service.

    `api_key` is what every request must bear; "" asks for none. `routes` are served beside its own, with the same key
    and the same errors.
    """
    own = [
        Route("/v1/chat/completions", _Post(service.chat, bounds), methods=["POST"]),
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
                await _send_refusal(Refusal(401, what, "invalid_api_key"), send)
                return
        await self._app(scope, receive, send)


def header(scope: Scope, name: bytes) -> bytes:
    """Return the value of a header, b"" where it is not there."""
    return next((value for key, value in scope["headers"] if key == name), b"")


class _Post:
    """An endpoint that takes a JSON object and gives a reply."""

    def __init__(self, answer: Callable[[JsonObject], Reply], bounds: Bounds) -> None:
        self._answer = answer
        self._bounds = bounds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            refuse_other_types(scope)
            body = await body_of(scope, receive, self._bounds)
            reply = self._answer(parsed(body))
        except Refusal as refusal:
            await _send_refusal(refusal, send)
            return
        await send_reply(reply, send)


def refuse_other_types(scope: Scope) -> None:
    """Refuse a body that is not JSON, or is packed.

    Raises:
        Refusal: it is told to be of another type.
    """
    kind = header(scope, b"content-type").partition(b";")[0].strip().lower()
    if kind not in (b"", b"application/json"):
        told = kind.decode("latin-1")
        raise Refusal(415, f"The body of a request is {JSON}, not {told}.", "unsupported_media_type")
    if header(scope, b"content-encoding").strip().lower() not in (b"", b"identity"):
        raise Refusal(415, "The body of a request is not packed.", "unsupported_media_type")


async def body_of(scope: Scope, receive: Receive, bounds: Bounds) -> bytes:
    """Return the body of a request.

    Raises:
        Refusal: it is larger or takes longer than is allowed, or the client left.
    """
    import asyncio

    length = header(scope, b"content-length")
    if length.isdigit() and int(length) > bounds.largest_body:
        raise _too_large(bounds)

    try:
        async with asyncio.timeout(bounds.body_seconds):
            parts: list[bytes] = []
            size = 0
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refusal(400, "The client left before its request ended.")
                part = message.get("body", b"")
                size += len(part)
                if size > bounds.largest_body:
                    raise _too_large(bounds)
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError as error:
        raise Refusal(408, f"The body did not arrive within {bounds.body_seconds:g} s.", headers=_CLOSE) from error


_CLOSE = {"connection": "close"}


def _too_large(bounds: Bounds) -> Refusal:
    message = f"The body of a request has at most {bounds.largest_body:,} bytes."
    return Refusal(413, message, "request_too_large", headers=_CLOSE)


async def send_reply(reply: Reply, send: Send) -> None:
    """Send a reply."""
    headers = [(b"content-type", reply.content_type.encode())]
    headers += [(name.encode(), value.encode("latin-1", "replace")) for name, value in reply.headers.items()]
    if reply.events is None:
        headers.append((b"content-length", str(len(reply.body)).encode()))
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})
        return
    headers.append((b"cache-control", b"no-cache"))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    for event in reply.events:
        await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _send_refusal(refusal: Refusal, send: Send) -> None:
    await send_reply(Reply(refusal.body(), headers=refusal.headers, status=refusal.status), send)


def _refused(refusal: Refusal) -> Response:
    return Response(refusal.body(), refusal.status, dict(refusal.headers), JSON)


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
