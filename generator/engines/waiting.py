"""The engine for authors that wait: a sliding window of workers over one shared iterator of indices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager

from generator.engines.engine import Stopped, Stopping, WaitingProducer
from generator.engines.producer_loop import ProducerLoop
from generator.runs.outcome import Outcome

_LOOK_AHEAD = 8
"""Indices per worker that may be settled before the next in order has come: bounds memory, not speed."""
_POLL_SECONDS = 0.1
"""Seconds between looks at whether the run is to stop."""


class Window(ProducerLoop[WaitingProducer]):
    """Keeps `concurrency` indices under way, and hands their outcomes on in index order.

    The event loop runs only while an outcome is waited for: what reads the outcomes is synchronous.
    """

    def __init__(
        self,
        opening: Callable[[], AbstractAsyncContextManager[WaitingProducer]],
        concurrency: int,
        stopping: Stopping = lambda: False,
    ) -> None:
        super().__init__(opening)
        self._concurrency = concurrency
        self._stopping = stopping

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Make one outcome and wait for it.

        Raises:
            Stopped: the run is to stop, and the outcome has not come.
        """
        return self._runner.run(self._produce(index, first_attempt))

    async def _produce(self, index: int, first_attempt: int) -> Outcome:
        making = asyncio.ensure_future(self._producer.produce_waiting(index, first_attempt))
        while not making.done():
            if self._stopping():
                making.cancel()
                await asyncio.gather(making, return_exceptions=True)
                raise Stopped
            await asyncio.wait({making}, timeout=_POLL_SECONDS)
        return making.result()

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order; end early, leaving what is under way, when asked to."""
        crew = _Crew(self._producer, indices, self._concurrency)
        self._runner.run(crew.start())
        try:
            for index in indices:
                outcome = self._runner.run(crew.wait_for(index, stopping))
                if outcome is None:
                    return
                yield outcome
        finally:
            self._runner.run(crew.dismiss())


class _Crew:
    """The workers of some indices."""

    def __init__(self, producer: WaitingProducer, indices: Sequence[int], size: int) -> None:
        self._producer = producer
        self._indices: Iterator[int] = iter(indices)
        self._size = min(size, len(indices))
        self._room = asyncio.Semaphore(self._size * _LOOK_AHEAD)
        self._done: dict[int, Outcome] = {}
        self._progress = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._size)]

    async def _work(self) -> None:
        try:
            while True:
                await self._room.acquire()
                index = next(self._indices, None)
                if index is None:
                    return
                self._done[index] = await self._producer.produce_waiting(index)
                self._progress.set()
        finally:
            self._progress.set()  # also when it fails: whoever waits must look

    async def wait_for(self, index: int, stopping: Stopping) -> Outcome | None:
        """Return the outcome of an index; None when the run is to stop. A worker's error is raised here."""
        while not stopping():
            if (outcome := self._done.pop(index, None)) is not None:
                self._room.release()
                return outcome
            self._raise_failure()
            self._progress.clear()
            try:
                await asyncio.wait_for(self._progress.wait(), _POLL_SECONDS)
            except TimeoutError:
                continue
        return None

    def _raise_failure(self) -> None:
        for worker in self._workers:
            if worker.done() and not worker.cancelled() and (error := worker.exception()) is not None:
                raise error

    async def dismiss(self) -> None:
        """Cancel what is under way; what was asked for goes on behind the log of answers, until the window closes."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
