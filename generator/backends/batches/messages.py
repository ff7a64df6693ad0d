"""Anthropic's message batches: the lines of a file are sent in one request, and come back as one stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import ClassVar
from urllib.parse import quote

from generator.backends.batches.lines import LINES, id_of, opening_of
from generator.backends.batches.service import Batch, BatchState, Exchange, RequestLines
from generator.backends.wire import Parcel, Reply
from generator.errors import BackendError
from generator.jsontext import JsonObject

_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
_OPENING, _CLOSING = b'{"requests":[', b"]}"
_CHUNK = 1 << 20


class MessageBatches:
    """`/v1/messages/batches` of one server."""

    marked: ClassVar[bool] = False
    earlier: ClassVar[float] = 60.0
    """Seconds by which the server's clock may be behind ours."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        ends = exchange.options.address.plain_url.rstrip("/").endswith("/v1")
        self._path = "/messages/batches" if ends else "/v1/messages/batches"

    async def hand_in(self, lines: RequestLines) -> Batch:
        """Send all lines of the file at once."""
        size = lines.size - 1 + len(_OPENING) + len(_CLOSING)  # each line end but the last is a comma
        parcel = Parcel(self._path, _body(lines), {"Content-Length": str(size)})
        return _batch(self._exchange.document(await self._exchange.wire.send(parcel)))

    async def find(self, lines: RequestLines, known: frozenset[str]) -> Batch | None:
        """Return the batch that was made since, holds as many lines and is not known: these carry no mark.

        What has ended is of the file if its results are; of what is under way that is found out when it has ended.
        """
        async for each in self._exchange.listed(self._path, "after_id"):
            found = _batch(each)
            is_young = _created(each) >= lines.begun - self.earlier
            may_be = is_young and _size(each) == lines.requests and found.id not in known
            if may_be and (found.state == "waiting" or await self._is_of(found, lines)):
                return found
        return None

    async def _is_of(self, batch: Batch, lines: RequestLines) -> bool:
        """Say whether the results of a batch that has ended are those of a file."""
        async for result in self.results(batch):
            answer = LINES["anthropic"].read(result)
            if answer is not None:
                return await asyncio.to_thread(_asks, lines, id_of(answer.key, answer.tries))
        return False

    async def look(self, batch_id: str) -> Batch:
        """Return how a batch is."""
        reply = await self._exchange.wire.get(f"{self._path}/{quote(batch_id, safe='')}")
        return _batch(self._exchange.document(reply))

    async def results(self, batch: Batch) -> AsyncIterator[bytes]:
        """Yield the lines of the results."""
        async for line in self._exchange.wire.lines(f"{self._path}/{quote(batch.id, safe='')}/results"):
            if isinstance(line, Reply):
                raise self._exchange.refusal(line)
            yield line


def _asks(lines: RequestLines, line_id: str) -> bool:
    """Say whether a file asks a line with this id."""
    with lines.path.open("rb") as file:
        return any(line.startswith(opening_of(line_id)) for line in file)


async def _body(lines: RequestLines) -> AsyncIterator[bytes]:
    """Yield the object that holds the lines of a file, in pieces."""
    yield _OPENING
    with await asyncio.to_thread(lines.path.open, "rb") as file:
        left = lines.size - 1
        while left > 0 and (piece := await asyncio.to_thread(file.read, min(_CHUNK, left))):
            left -= len(piece)
            yield piece.replace(b"\n", b",")
    yield _CLOSING


def _batch(document: JsonObject) -> Batch:
    name, said = document.get("id"), document.get("processing_status")
    if not isinstance(name, str) or not name or not isinstance(said, str):
        raise BackendError("the server's reply tells of no batch: is it a server of message batches?")
    state: BatchState = "ended" if said == "ended" else "waiting"
    return Batch(name, state, said, _size(document) - _count(document, "processing"))


def _count(document: JsonObject, name: str) -> int:
    counts = document.get("request_counts")
    count = counts.get(name) if isinstance(counts, dict) else None
    return count if isinstance(count, int) else 0


def _size(document: JsonObject) -> int:
    return sum(_count(document, name) for name in _COUNTS)


def _created(document: JsonObject) -> float:
    try:
        return datetime.fromisoformat(str(document.get("created_at"))).timestamp()
    except ValueError:
        return 0.0
