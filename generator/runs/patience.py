"""Patience: how long a run goes on trying, once its catalog gives no more different requests.

A function of the outcomes so far in index order, so that a run that was interrupted goes on as if it had not been.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Self

BARREN_LIMIT = 500
"""Indices in a row, of whatever kinds, that may end without a record before the run stops."""
_MOST_HALVINGS = 30


class Patience:
    """Halves what is tried at an index with each index in a row of its kind that ended without a record.

    Such a run lacks records already; the full number of attempts at every further index would only cost time.
    """

    def __init__(self, attempts: int) -> None:
        self._attempts = attempts
        self._misses: Counter[str] = Counter()
        self.barren = 0
        """Indices in a row that ended without a record, up to the last one."""

    @classmethod
    def after(cls, ends: Iterable[tuple[str, bool]], attempts: int) -> Self:
        """Return what is left after these outcomes: the kind of each index in order, and whether it has a record."""
        patience = cls(attempts)
        for kind, kept in ends:
            patience.note(kind, kept=kept)
        return patience

    def note(self, kind: str, *, kept: bool) -> None:
        """Take note of how the next index ended."""
        self._misses[kind] = 0 if kept else self._misses[kind] + 1
        self.barren = 0 if kept else self.barren + 1

    def repeats(self, kind: str) -> int:
        """Return how many requests of earlier records the next index of this kind may come upon, at least one."""
        return max(1, self._attempts >> min(self._misses[kind], _MOST_HALVINGS))

    @property
    def spent(self) -> bool:
        """Whether the run is to stop, since nothing has come of it for long."""
        return self.barren >= BARREN_LIMIT
