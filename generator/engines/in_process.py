"""The engine in this process: one index after the other."""

from __future__ import annotations

from collections.abc import Generator

from generator.engines.engine import Stopping, Work
from generator.runs.outcome import Outcome


class InProcess:
    """Makes everything here."""

    cpu_seconds = 0.0

    def __init__(self, work: Work) -> None:
        self.produce = work.producer.produce

    def outcomes(self, start: int, stop: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of [start, stop) in order."""
        for index in range(start, stop):
            if stopping():
                return
            yield self.produce(index)
