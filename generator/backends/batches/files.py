"""OpenAI's batches, and Azure's: a file is uploaded, a batch is made of it, and its answers are two files more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import ClassVar
from urllib.parse import quote

import aiohttp
import orjson

from generator.backends.backend import Transient, TransientFailure
from generator.backends.batches.lines import LINES, ChatLines, batches_url
from generator.backends.batches.service import Batch, BatchState, Exchange, RequestLines, texts_of
from generator.backends.wire import Parcel, Reply
from generator.errors import BackendError
from generator.jsontext import JsonObject, JsonValue

_WAITING = frozenset({"validating", "in_progress", "finalizing", "cancelling"})
_MARK = "toolgen"
"""The key under which the mark of a file stands among the metadata of its batch."""
_PROCESSING = 2.0
"""Seconds between looks at whether an uploaded file may be used; only some servers let one wait."""
_LOOKS = 150


class FileBatches:
    """`/files` and `/batches` of one server."""

    window: ClassVar[str] = "24h"
    marked: ClassVar[bool] = True

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._base = batches_url(exchange.options.address)
        lines = LINES[exchange.options.speaks]
        self._endpoint = lines.url if isinstance(lines, ChatLines) else ChatLines.url

    async def hand_in(self, lines: RequestLines) -> Batch:
        """Upload the file and make a batch of it."""
        uploaded = await self._uploaded(lines)
        asked = {
            "input_file_id": uploaded,
            "endpoint": self._endpoint,
            "completion_window": self.window,
            "metadata": {_MARK: lines.mark},
        }
        parcel = Parcel("/batches", orjson.dumps(asked), below=self._base)
        return _batch(self._exchange.document(await self._exchange.wire.send(parcel)))

    async def _uploaded(self, lines: RequestLines) -> str:
        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        file = await asyncio.to_thread(lines.path.open, "rb")  # closed by the client, whatever becomes of the request
        form.add_field("file", file, filename=f"toolgen-{lines.mark}.jsonl", content_type="application/jsonl")
        body = form()
        headers = {"Content-Type": body.headers["Content-Type"]}
        with file:
            reply = await self._exchange.wire.send(Parcel("/files", body, headers, below=self._base))
        document = self._exchange.document(reply)
        name = _text(document, "id")
        for _ in range(_LOOKS):
            if document.get("status") in (None, "processed", "uploaded"):
                return name
            if document.get("status") == "error":
                why = document.get("status_details") or "no reason given"
                raise BackendError(f"{self._exchange.options.masked_url} cannot use the uploaded file: {why}")
            await asyncio.sleep(_PROCESSING)
            document = await self._get(f"/files/{quote(name, safe='')}")
        message = f"the uploaded file {name} is not ready for use"
        raise TransientFailure(Transient("timeout", message))

    async def find(self, lines: RequestLines, known: frozenset[str]) -> Batch | None:
        """Return the batch that carries the mark of a file."""
        async for each in self._exchange.listed("/batches", "after", below=self._base):
            if _object(each, "metadata").get(_MARK) == lines.mark:
                found = _batch(each)
                if found.id not in known:
                    return found
        return None

    async def look(self, batch_id: str) -> Batch:
        """Return how a batch is."""
        return _batch(await self._get(f"/batches/{quote(batch_id, safe='')}"))

    async def results(self, batch: Batch) -> AsyncIterator[bytes]:
        """Yield the lines of the output file and of the error file."""
        for name in batch.results:
            path = f"/files/{quote(name, safe='')}/content"
            async for line in self._exchange.wire.lines(path, below=self._base):
                if isinstance(line, Reply):
                    raise self._exchange.refusal(line)
                yield line

    async def _get(self, path: str) -> JsonObject:
        return self._exchange.document(await self._exchange.wire.get(path, below=self._base))


def _batch(document: JsonObject) -> Batch:
    said = _text(document, "status")
    counted = _object(document, "request_counts")
    told = list(texts_of(_object(document, "errors").get("data")))
    files = (document.get("output_file_id"), document.get("error_file_id"))
    state: BatchState = "waiting" if said in _WAITING else "failed" if said == "failed" else "ended"
    return Batch(
        _text(document, "id"),
        state,
        said,
        sum(count for name in ("completed", "failed") if isinstance(count := counted.get(name), int)),
        tuple(name for name in files if isinstance(name, str) and name),
        tuple(text for _, text in told),
        frozenset(code for code, _ in told),
    )


def _object(document: JsonObject, name: str) -> JsonObject:
    """Return an object in a reply; {} where there is none."""
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _text(document: JsonObject, name: str) -> str:
    """Return a text that every reply of such a server holds."""
    value: JsonValue = document.get(name)
    if not isinstance(value, str) or not value:
        raise BackendError(f"the server's reply about a batch has no {name}: is it a server of batches?")
    return value
