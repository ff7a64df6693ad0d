"""Progress: how far a run is, counted outcome by outcome for whoever watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.backends.budget import Price, Usage
from generator.job import Job
from generator.runs import tally
from generator.runs.outcome import Outcome
from generator.runs.store import RunStore
from generator.scenarios.scenario import NOT_PLANNED


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    asked: int
    resumed: int
    """Indices that were settled before this session."""
    decided: int
    kept: int
    rejected: int
    tokens: int = 0
    estimated: bool = False
    """Whether some of these tokens are estimates."""
    unplanned: int = 0
    """Of the rejected attempts: those that could not be planned."""
    asks: bool = False
    """Whether an author is asked whose answers may be rejected, and cost tokens."""
    cost: float | None = None
    """What the tokens cost, None where nobody gave a price."""


OnProgress = Callable[[Progress], None]


class Meter:
    """Counts for the screen."""

    def __init__(self, job: Job, asked: int, store: RunStore, price: Price | None) -> None:
        counts = store.counts()
        self._asked = asked
        self._asks = job.author == "llm"
        self._price = price
        self._resumed = self._decided = len(store)
        self._kept = tally.total(counts, [tally.KEPT])
        self._rejected = tally.total(counts, [tally.REJECTED])
        self._unplanned = counts[tally.RULE, NOT_PLANNED]
        self._tokens = Usage(tally.total(counts, [tally.PROMPT]), tally.total(counts, [tally.COMPLETION]))
        self._estimated = tally.total(counts, [tally.ESTIMATED])

    def read(self, outcome: Outcome) -> Progress:
        """Count one more outcome and return where the run is."""
        self._decided += 1
        self._kept += outcome.line is not None
        self._rejected += len(outcome.rejections)
        self._unplanned += sum(each.violations[0].rule == NOT_PLANNED for each in outcome.rejections)
        self._tokens += Usage(outcome.spent.prompt, outcome.spent.completion)
        self._estimated += outcome.spent.estimated
        return Progress(
            self._asked,
            self._resumed,
            self._decided,
            self._kept,
            self._rejected,
            self._tokens.total,
            estimated=self._estimated > 0,
            unplanned=self._unplanned,
            asks=self._asks,
            cost=None if self._price is None else self._price.of(self._tokens),
        )
