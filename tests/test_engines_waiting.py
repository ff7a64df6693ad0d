"""The window keeps a number of indices under way, hands them on in order, and stops when asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import pytest

from generator.engines.engine import Stopped
from generator.engines.waiting import Window
from generator.errors import BackendError
from generator.runs.outcome import Outcome
from tests.bounded import Stopwatch


class Waiting:
    """A producer that waits; index 7 fails where it is told to, odd ones take longer."""

    cpu_seconds = 0.0

    def __init__(self, *, fails: bool = False, hangs: bool = False) -> None:
        self.under_way = self.most = self.made = 0
        self.closed = False
        self._fails, self._hangs = fails, hangs

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Waiting]:
        yield self
        self.closed = True

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Outcome:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            if self._fails and index == 7:
                raise BackendError("refused for good")
            await asyncio.sleep(3600 if self._hangs and index >= 3 else 0.002 * (index % 2))
            self.made += 1
            return Outcome(index, first_attempt, "simple", b"{}", b"", (), ())
        finally:
            self.under_way -= 1


def never() -> bool:
    return False


@pytest.mark.parametrize("concurrency", [1, 4, 100])
def test_outcomes_come_in_order_with_a_bounded_number_under_way(concurrency: int) -> None:
    producer = Waiting()
    with Window(producer.open, concurrency) as window:
        found = [outcome.index for outcome in window.outcomes(range(5, 45), never)]
    assert found == list(range(5, 45))
    assert producer.most == min(concurrency, 40)
    assert producer.closed


def test_whoever_reads_slowly_bounds_what_is_made_ahead() -> None:
    producer = Waiting()
    with Window(producer.open, 2) as window:
        outcomes = window.outcomes(range(1000), never)
        for _ in range(10):
            next(outcomes)
        assert producer.made <= 10 + 2 * 8 + 2
        outcomes.close()
    assert producer.under_way == 0


def test_a_failure_is_raised_and_the_rest_is_left() -> None:
    producer = Waiting(fails=True)
    with pytest.raises(BackendError, match="refused for good"), Window(producer.open, 4) as window:
        list(window.outcomes(range(100), never))
    assert producer.under_way == 0
    assert producer.closed or producer.made < 100


def test_a_wish_to_stop_cancels_what_hangs() -> None:
    producer, looks, began = Waiting(hangs=True), count(), Stopwatch()
    found: list[int] = []
    with Window(producer.open, 4) as window:
        for outcome in window.outcomes(range(100), lambda: len(found) == 3 and next(looks) > 2):
            found.append(outcome.index)  # noqa: PERF401 - the wish looks at it while it grows
    assert found == [0, 1, 2]
    assert producer.under_way == 0
    assert began.quiet_seconds < 5


def test_one_outcome_is_made_again_or_stopped() -> None:
    producer, wish = Waiting(hangs=True), [False]
    with Window(producer.open, 4, lambda: wish[0]) as window:
        assert window.produce(2, 5).attempt == 5
        wish[0] = True
        with pytest.raises(Stopped):
            window.produce(3)
    assert producer.under_way == 0
