"""The engine of several processes on this machine: chunks of indices, whose outcomes come in index order.

An executor of the standard library runs them, the same that checks data sets: measured against pipes by hand, the same
wall time, and 20 microseconds of CPU a record more, of the 8 milliseconds that one takes, for 230 lines less.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from generator.engines.ahead import Task
from generator.engines.chunks import Chunk, InChunks, Recipe
from generator.engines.engine import Stopping, Work
from generator.engines.pool import in_processes

CHUNK = 16
"""Indices that travel together."""


class LocalProcesses(InChunks):
    """Makes chunks of indices in several processes of this machine (see `InChunks`)."""

    def __init__(self, work: Work) -> None:
        super().__init__(work, CHUNK, self._in_processes)
        self._jobs = work.options.jobs

    def _in_processes(
        self, recipe: Recipe, batches: Iterator[list[Task]], count: int, stopping: Stopping
    ) -> Generator[Chunk, None, None]:
        return in_processes(recipe, batches, min(self._jobs, count))
