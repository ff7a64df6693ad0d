"""Sending replies: whole ones, streams, and what a fault leaves of either."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

from starlette.types import Message, Receive, Scope, Send

from generator.serving.connections import CLOSE
from generator.serving.faults import CUT, HANG, SLOW, Fault, broken, broken_events, first_half
from generator.serving.refusals import Refusal
from generator.serving.service import Reply

_LONGEST_STREAM = 120.0
_LINGER = 0.02
"""Seconds for what was written to leave, before a connection is cut."""


async def send_reply(reply: Reply, send: Send) -> None:
    """Send a reply: its body at once, or its events one after the other."""
    if reply.events is None:
        await send(_start(reply, len(reply.body)))
        await send({"type": "http.response.body", "body": reply.body})
        return
    await send(_start(reply))
    async with asyncio.timeout(_LONGEST_STREAM):  # a client that does not read holds nothing for ever
        for event in reply.events:
            await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


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
        await send_reply(refused(refusal), send)
    elif fault.kind == HANG:
        await _hang(fault.seconds, receive)
        await _close(scope)
    elif fault.kind == CUT:
        await _send_half(reply, send)
        await _close(scope)
    elif fault.kind == SLOW:
        await asyncio.sleep(fault.seconds)
        await send_reply(reply, send)
    elif reply.events is None:
        await send_reply(replace(reply, body=broken(reply.body)), send)
    else:
        await send_reply(replace(reply, events=broken_events(list(reply.events))), send)


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
