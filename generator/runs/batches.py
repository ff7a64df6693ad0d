"""Batches: what a session settles is committed a stretch at a time, and with it the time it took."""

from __future__ import annotations

from time import monotonic, process_time

from generator.runs import tally
from generator.runs.engines import Engine
from generator.runs.store import RunStore

_BATCH = 100
"""Outcomes per commit: what a kill can cost."""
_BATCH_SECONDS = 1.0
"""The same for slow authors."""
_MICRO = 1_000_000


class Batches:
    """Commits what waits in the store, and with it the time it took."""

    def __init__(self, store: RunStore, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._cpu = self._cpu_now()
        self._at = monotonic()

    def commit_when_due(self) -> None:
        """Commit a full batch, or a smaller one whose time has come."""
        if self._store.waiting >= _BATCH or monotonic() - self._at > _BATCH_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Commit whatever waits."""
        cpu, now = self._cpu_now(), monotonic()
        self._store.count(tally.CPU_MICROSECONDS, "", round((cpu - self._cpu) * _MICRO))
        self._store.count(tally.WALL_MICROSECONDS, "", round((now - self._at) * _MICRO))
        self._cpu, self._at = cpu, now
        self._store.commit()

    def _cpu_now(self) -> float:
        return process_time() + self._engine.cpu_seconds
