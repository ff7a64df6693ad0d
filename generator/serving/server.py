"""The server: uvicorn's, which tells when it listens, ends late connections, and stops soon whatever is going on.

Its connections are counted, and so is how long a client may take over its headers, and how large those are.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

CLOSE = "toolgen.close"
"""The key of a request's scope under which there is what ends its connection at once."""
_GRACE = 0.3
"""Seconds that requests have to end when the server is stopped."""
_TICKS = 10
"""Ticks of a tenth of a second from one look for late connections to the next."""


@dataclass(frozen=True, slots=True)
class ConnectionBounds:
    """What clients may take of the server by their connections."""

    most: int = 512
    """Connections at a time: of more, those that have nothing asked for longest are closed."""
    head_bytes: int = 64 * 1024
    """Bytes of the headers of a request."""
    head_seconds: float = 15.0
    """Seconds that a connection may stay without a request whose headers are whole."""


_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
BOUNDS = ConnectionBounds()


class BoundedConnection(HttpToolsProtocol):
    """One connection of a client, within bounds."""

    bounds = BOUNDS

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.logger = logging.getLogger("generator.serving")
        self.since = self.loop.time()
        """When it was opened, began a request or ended one, whichever was last."""
        self._in_head = False
        self._head_bytes = 0

    def connection_made(self, transport: Any) -> None:
        """Begin; where there are too many connections, end the one that has asked for nothing longest."""
        super().connection_made(transport)
        if len(self.connections) > self.bounds.most:
            idle = [each for each in self.connections if isinstance(each, BoundedConnection) and each.is_idle()]
            min(idle, key=lambda each: each.since).abort()

    def is_idle(self) -> bool:
        """Say whether no request is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def is_late(self, now: float) -> bool:
        """Say whether a request is due: its headers, or one at all."""
        return self.is_idle() and now - self.since > self.bounds.head_seconds

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the headers stay within bounds."""
        was_in_head = self._in_head
        super().data_received(data)
        if was_in_head and self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > self.bounds.head_bytes and not self.transport.is_closing():
                self.transport.write(_TOO_LARGE)
                self.transport.close()

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio takes true for an answer still to come
        """Say whether a client that sends no more is still to be answered."""
        if self.is_idle() or self.cycle.more_body:
            return False
        self.cycle.keep_alive = False
        return True

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        self._in_head, self._head_bytes, self.since = True, 0, self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Answer the request."""
        self._in_head = False
        self.scope[CLOSE] = self.abort  # type: ignore[literal-required]  # servers may add keys of their own
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.since = self.loop.time()
        super().on_response_complete()


class Server(uvicorn.Server):
    """A server of one application; `ready` is set when it listens."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedConnection,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
            )
        )
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self.ready.set()

    async def on_tick(self, counter: int) -> bool:
        """End the connections whose requests are due; say whether to stop."""
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            for each in [each for each in self._connections() if each.is_late(now)]:
                each.abort()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: requests have a moment to end, then their connections do."""
        for listener in [*self.servers, *(sockets or ())]:
            listener.close()
        for each in self._connections():
            each.shutdown()
        await self._end_requests()
        for each in self._connections():
            each.abort()
        await self._end_requests()
        for task in self.server_state.tasks:
            task.cancel()

    async def _end_requests(self) -> None:
        """Wait a little for the requests that are being answered."""
        if self.server_state.tasks:
            await asyncio.wait(list(self.server_state.tasks), timeout=_GRACE)

    def _connections(self) -> list[BoundedConnection]:
        return [each for each in self.server_state.connections if isinstance(each, BoundedConnection)]
