"""Making ahead: repeats are made again by the workers, the outcomes stay in order, and no byte depends on it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import pytest

from generator.engines.ahead import Ahead, Task
from generator.job import Job
from generator.runs.outcome import Outcome
from generator.runs.settling import Settling
from tests.run_fakes import CATALOG, FAKE, POOR, SCARCE, FakeProducer

CHUNK, ROOM, ATTEMPTS = 16, 8, 8


class OftenRepeating(FakeProducer):
    """Has four thousand requests, so that one record in six repeats one of 1,500."""

    def request(self, index: int, attempt: int) -> int:
        return super().request(index, attempt) % 4000

    def kind(self, index: int, attempt: int) -> str:
        return "simple"


class Requests(dict[bytes, int]):
    def with_request(self, key: bytes) -> int | None:
        return self.get(key)


class Run:
    """A run whose workers are this process, with as many batches under way as two of them have."""

    def __init__(self, make: type[FakeProducer], count: int, *, ahead: bool = True) -> None:
        self.producer = make(Job(count=count, attempts=ATTEMPTS), CATALOG)
        self.taken = Requests()
        self.made_here = 0
        self.ahead = Ahead(range(count), CHUNK, ATTEMPTS, self.taken.__contains__ if ahead else lambda key: False)
        self.is_ahead = ahead
        self.most_waiting = 0

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        made = self.ahead.made(index, first_attempt) if self.is_ahead else None
        self.made_here += made is None
        return self.producer.produce(index, first_attempt) if made is None else made

    def worked(self) -> Iterator[list[Task]]:
        under_way: deque[list[Task]] = deque()
        for batch in self.ahead.batches():
            under_way.append(batch)
            if len(under_way) >= ROOM:
                yield under_way.popleft()
        yield from under_way

    def outcomes(self) -> Iterator[Outcome]:
        for tasks in self.worked():
            self.ahead.take(tasks, [self.producer.produce(*task) for task in tasks])
            self.most_waiting = max(self.most_waiting, len(self.ahead._waiting))
            yield from self.ahead.ready()
        yield from self.ahead.ready(is_last=True)

    def settled(self) -> list[Outcome]:
        settling, found = Settling(self.taken, self, ATTEMPTS), []
        for outcome in self.outcomes():
            found.append(settling.settled(outcome, lambda kind: 8))
            if found[-1].line is not None:
                self.taken[found[-1].key] = found[-1].index
        return found


def in_order(make: type[FakeProducer], count: int) -> tuple[list[Outcome], int]:
    """What one process settles, and how often it made something again."""
    producer, taken, found, again = make(Job(count=count, attempts=ATTEMPTS), CATALOG), Requests(), [], []

    class Making:
        def produce(self, index: int, first_attempt: int = 0) -> Outcome:
            again.append(index)
            return producer.produce(index, first_attempt)

    settling = Settling(taken, Making(), ATTEMPTS)
    for index in range(count):
        found.append(settling.settled(producer.produce(index), lambda kind: 8))
        if found[-1].line is not None:
            taken[found[-1].key] = index
    return found, len(again)


@pytest.mark.parametrize("make", [FAKE, POOR, SCARCE])
def test_what_is_made_ahead_changes_nothing(make: type[FakeProducer]) -> None:
    run = Run(make, 700)
    assert run.settled() == in_order(make, 700)[0]


def test_nearly_all_repeats_are_made_by_the_workers() -> None:
    run = Run(OftenRepeating, 1500)
    run.settled()
    again = in_order(OftenRepeating, 1500)[1]
    assert again > 200
    assert run.made_here < again / 5


def test_what_waits_is_bounded() -> None:
    run = Run(SCARCE, 3000)
    assert [outcome.index for outcome in run.settled()] == list(range(3000))
    assert run.most_waiting <= 1024 + CHUNK
    assert not run.ahead._places and not run.ahead._keys, "nothing is kept of what was settled"
