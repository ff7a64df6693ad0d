"""An event loop with the producer that is open in it, which engines run as long as something is asked of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from types import TracebackType
from typing import Generic, Self, TypeVar

from generator.engines.engine import WaitingProducer

P = TypeVar("P", bound=WaitingProducer)


class ProducerLoop(Generic[P]):
    """Opens the producer when its block begins, and closes it with its connections when the block ends."""

    def __init__(self, opening: Callable[[], AbstractAsyncContextManager[P]]) -> None:
        self._opening = opening
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()

    def __enter__(self) -> Self:
        self._runner.__enter__()
        try:
            self._producer = self._runner.run(self._stack.enter_async_context(self._opening()))
        except BaseException:
            self._runner.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self._end()
            self._runner.run(self._stack.__aexit__(kind, error, at))
        finally:
            self._runner.close()

    @property
    def cpu_seconds(self) -> float:
        """CPU time used in other processes so far."""
        return self._producer.cpu_seconds

    def _end(self) -> None:
        """Do what remains when the block ends well."""
