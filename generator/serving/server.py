"""The server: uvicorn's, which tells when it listens, ends late connections, and stops soon whatever is going on."""

from __future__ import annotations

import asyncio
import socket
import threading

import uvicorn
from starlette.types import ASGIApp

from generator.serving.connections import BoundedConnection

_GRACE = 0.3
"""Seconds that requests have to end when the server is stopped."""
_TICKS = 10
"""Ticks of a tenth of a second from one look for late connections to the next."""


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
