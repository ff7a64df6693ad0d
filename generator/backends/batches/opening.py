"""Opening the way to a server of batches, in the protocol that it speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from generator.backends.batches.files import FileBatches
from generator.backends.batches.messages import MessageBatches
from generator.backends.batches.service import BatchService, Exchange
from generator.backends.server import ServerOptions, protocol_of
from generator.backends.wire import open_wire


@asynccontextmanager
async def open_service(options: ServerOptions) -> AsyncIterator[BatchService]:
    """Open the way to the batches of a server, and close it at the end."""
    options.require_usable()
    async with open_wire(options, protocol_of(options).headers(options.address)) as wire:
        exchange = Exchange(wire, options)
        yield MessageBatches(exchange) if options.speaks == "anthropic" else FileBatches(exchange)
