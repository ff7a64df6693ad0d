"""Bodies: what comes too late, too large or in drips is refused in words, and the next client is answered."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest
from starlette.types import Message

from generator.serving.app import app_of
from generator.serving.bodies import Body, Bounds
from generator.serving.refusals import Refusal
from generator.serving.replay import Replay
from generator.serving.running import Serving, serve_app
from generator.serving.service import Service

HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
HELLO = b'{"model": "m", "messages": [{"role": "user", "content": "hi"}]}'


@pytest.fixture(scope="module")
def hasty() -> Iterator[Serving]:
    bounds = Bounds(largest=500, seconds=0.2, most_drained=2000)
    with serve_app(app_of(Service(Replay()), bounds=bounds)) as serving:
        yield serving


def answer(serving: Serving, sent: bytes) -> bytes:
    """The first that is answered; the client says no more, and does not leave."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as connection:
        connection.sendall(sent)
        return connection.recv(65536)


def test_a_client_that_stops_in_its_body_is_told_so(hasty: Serving) -> None:
    told = answer(hasty, HEAD % len(HELLO) + HELLO[:20])
    assert told.startswith(b"HTTP/1.1 408") and b"connection: close" in told
    assert answer(hasty, HEAD % len(HELLO) + HELLO).startswith(b"HTTP/1.1 200")


def test_many_slow_clients_keep_nobody_out(hasty: Serving) -> None:
    slow = [socket.create_connection(("127.0.0.1", hasty.port), timeout=20) for _ in range(60)]
    try:
        for each in slow:
            each.sendall(HEAD % len(HELLO) + HELLO[:5])
        assert answer(hasty, HEAD % len(HELLO) + HELLO).startswith(b"HTTP/1.1 200")
        assert {each.recv(12) for each in slow} == {b"HTTP/1.1 408"}
    finally:
        for each in slow:
            each.close()


def test_a_body_that_never_ends_is_too_large_within_bounds(hasty: Serving) -> None:
    assert answer(hasty, HEAD % 10**9 + b"[" * 5000).startswith(b"HTTP/1.1 413")


def test_drips_count_by_the_whole_time() -> None:
    async def drip() -> Message:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b" ", "more_body": True}

    with pytest.raises(Refusal) as refused:
        asyncio.run(Body(drip, Bounds(seconds=0.1)).read(100))
    assert refused.value.status == 408


def test_who_leaves_is_not_waited_for() -> None:
    async def leave() -> Message:
        return {"type": "http.disconnect"}

    with pytest.raises(Refusal, match="left"):
        asyncio.run(Body(leave, Bounds()).read(100))
