"""Faults of a server that means no good, or is beyond help: beside those of a good server on a bad day."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

Fault = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]


def _saying(text: str | None, usage: str = '{"prompt_tokens": 100, "completion_tokens": 50}') -> Fault:
    """A completion of this text, whatever was asked; `usage` is JSON as it is sent."""

    async def fault(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        message = json.dumps({"role": "assistant", "content": text})
        document = f'{{"choices": [{{"index": 0, "message": {message}, "finish_reason": "stop"}}], "usage": {usage}}}'
        return web.Response(body=document.encode(), content_type="application/json")

    return fault


def _refusing(status: int, error: dict[str, Any], **headers: str) -> Fault:
    async def fault(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return web.json_response({"error": error}, status=status, headers=headers)

    return fault


async def _endless(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" " * 65536)


async def _slow_loris(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.1)


def _bomb(layers: int) -> Fault:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(b" " * 2**20) for _ in range(512)) + packer.flush()
    for _ in range(layers - 1):
        packed = gzip.compress(packed)
    encoding = ", ".join(["gzip"] * layers)

    async def fault(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return web.Response(body=packed, headers={"Content-Encoding": encoding}, content_type="application/json")

    return fault


def _lazily(make: Callable[[], Fault]) -> Fault:
    made: list[Fault] = []

    async def fault(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        if not made:
            made.append(make())
        return await made[0](request, body)

    return fault


_QUOTA = {
    "message": "You exceeded your current quota, please check your plan and billing details.",
    "type": "insufficient_quota",
    "code": "insufficient_quota",
}

HOSTILE: dict[str, Fault] = {
    "constant": _saying('{"request": "Hello there.", "calls": [], "reply": ""}'),
    "empty_text": _saying(""),
    "prose_alone": _saying("Of course! I would be happy to help you with {this}. Which city do you mean?"),
    "braces": _saying("{" * 5000),
    "thoughts": _saying("<think>" * 5000),
    "quota": _refusing(429, _QUOTA),
    "429_for_long": _refusing(429, {"message": "slow down"}, **{"Retry-After": "30"}),
    "429_for_a_year": _refusing(429, {"message": "slow down"}, **{"Retry-After": "31536000"}),
    "429_at_once": _refusing(429, {"message": "slow down"}, **{"Retry-After": "0"}),
    "context_length": _refusing(400, {"message": "maximum context length is 16 tokens"}),
    "endless_body": _endless,
    "slow_loris": _slow_loris,
    "gzip_bomb": _lazily(lambda: _bomb(1)),
    "gzip_in_gzip": _lazily(lambda: _bomb(2)),
    "large_header": _refusing(200, {}, **{"X-Large": "y" * 2**20}),
    "nan_usage": _saying('{"request": "x"}', usage="NaN"),
}
