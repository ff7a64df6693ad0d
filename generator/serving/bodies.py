"""Bodies of requests: read within bounds of size and time, and of how many long ones there are at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.types import Receive, Scope

from generator.serving.refusals import Refusal

CLOSED = {"connection": "close"}
"""Says that the connection ends with the answer."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the bodies of requests may take."""

    largest: int = 8 * 1024 * 1024
    """Bytes of one."""
    seconds: float = 20.0
    """How long a client may take to send one."""
    long: int = 64 * 1024
    """Bytes from which on one is long: it waits for its turn, and is answered in a thread beside the others."""
    most_long: int = 4
    """Long ones at a time."""
    most_drained: int = 64 * 1024 * 1024
    """Bytes that are read of one that is too large."""

    @property
    def too_large(self) -> Refusal:
        """What is answered to a body that is too large."""
        message = f"The body of a request has at most {self.largest:,} bytes."
        return Refusal(413, message, "request_too_large", headers=CLOSED)


BOUNDS = Bounds()


def header(scope: Scope, name: bytes) -> bytes:
    """Return the value of a header, b"" where it is not there."""
    return next((value for key, value in scope["headers"] if key == name), b"")


def refuse_other_types(scope: Scope) -> None:
    """Refuse a body that is not JSON, or is packed.

    Raises:
        Refusal: it is told to be of another type.
    """
    kind = header(scope, b"content-type").partition(b";")[0].strip().lower()
    if kind not in (b"", b"application/json"):
        told = kind.decode("latin-1")
        raise Refusal(415, f"The body of a request is application/json, not {told}.", "unsupported_media_type")
    if header(scope, b"content-encoding").strip().lower() not in (b"", b"identity"):
        raise Refusal(415, "The body of a request is not packed.", "unsupported_media_type")


class Body:
    """The body of one request, as far as it was read."""

    def __init__(self, receive: Receive, bounds: Bounds) -> None:
        self._parts = _parts_of(receive)
        self._bounds = bounds
        self._read: list[bytes] = []
        self._size = 0
        self.is_whole = False

    @property
    def whole(self) -> bytes:
        """All that was read."""
        return self._read[0] if len(self._read) == 1 else b"".join(self._read)

    async def read(self, most: int) -> None:
        """Read on until the body ends, or has more than so many bytes.

        Raises:
            Refusal: it is larger or takes longer than is allowed, or the client left.
        """
        try:
            async with asyncio.timeout(self._bounds.seconds):
                async for part in self._parts:
                    self._read.append(part)
                    self._size += len(part)
                    if self._size > self._bounds.largest:
                        await self._drain()
                        raise self._bounds.too_large
                    if self._size > most:
                        return
                self.is_whole = True
        except TimeoutError as error:
            if self._size > self._bounds.largest:  # known before it was late
                raise self._bounds.too_large from error
            late = f"The body of the request did not arrive within {self._bounds.seconds:g} s."
            raise Refusal(408, late, "request_timeout", headers=CLOSED) from error

    async def _drain(self) -> None:
        """Let the client say more, within bounds: one that is cut off while it sends never reads why."""
        self._read, left = [], self._bounds.most_drained
        async for part in self._parts:
            left -= len(part)
            if left < 0:
                return


async def _parts_of(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive.

    Raises:
        Refusal: the client left.
    """
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "The client left before its request ended.", headers=CLOSED)
        more = message.get("more_body", False)
        yield message.get("body", b"")
