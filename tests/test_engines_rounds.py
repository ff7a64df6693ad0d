"""A round goes through every index for what it will ask, and makes only what has got further."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from generator.backends.batches.wanted import Outstanding
from generator.engines.rounds import Rounds
from generator.runs.made import MadeAhead
from generator.runs.outcome import Outcome
from generator.scenarios.planner import after_repeat
from generator.validation.verdict import Rejection

ATTEMPTS, FOLLOWING = 48, after_repeat(0, 48)


class Answered:
    """A producer with some answers; the indices of one kind have requests in common."""

    def __init__(self, answers: set[tuple[int, int]], same: Sequence[int] = ()) -> None:
        self.answers, self.same = answers, same
        self.made: list[tuple[int, int]] = []
        self.recalled: list[int] = []
        self.lacking: list[tuple[int, int]] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Answered]:
        yield self

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Outcome:
        if (index, first_attempt) not in self.answers:
            self.lacking.append((index, first_attempt))
            raise Outstanding
        self.made.append((index, first_attempt))
        key = b"the same" if index in self.same and not first_attempt else b"%08d" % index
        return Outcome(index, first_attempt, "simple", b"%d\n" % index, key, (), ())

    def recall(self, index: int, rejections: Sequence[Rejection], attempt: int | None) -> None:
        self.recalled.append(index)

    async def ask_ahead(self) -> None:
        return None


def read(line: bytes, metadata: bytes = b"") -> Outcome:
    index = int(line)
    return Outcome(index, 0, "simple", line, b"%08d" % index, (), ())


def go(producer: Answered, made: MadeAhead, indices: range, *, asks: bool = True) -> list[int]:
    """One session: the indices whose outcomes were handed on."""
    with Rounds(producer.open, made, ATTEMPTS, asks=asks) as rounds:
        return [outcome.index for outcome in rounds.outcomes(indices, lambda: False)]


def test_what_was_made_ahead_is_not_made_again() -> None:
    with MadeAhead(None, "mine", read) as made:
        first = Answered({(0, 0), (2, 0), (3, 0)})
        assert go(first, made, range(5)) == [0]
        assert (first.made, first.lacking) == ([(0, 0), (2, 0), (3, 0)], [(1, 0), (4, 0)])
        second = Answered({(1, 0), (2, 0), (3, 0)})
        assert go(second, made, range(1, 5)) == [1, 2, 3]
        assert (second.made, second.lacking) == ([(1, 0)], [(4, 0)])


def test_what_waits_behind_an_index_without_an_answer_is_recalled_and_not_made() -> None:
    with MadeAhead(None, "mine", read) as made:
        go(Answered({(2, 0)}), made, range(4))
        second = Answered({(2, 0), (3, 0)})
        assert go(second, made, range(4)) == []
        assert (second.made, second.recalled, second.lacking) == ([(3, 0)], [2], [(0, 0), (1, 0)])


def test_a_repeat_is_foreseen_and_its_next_attempt_is_asked_for() -> None:
    with MadeAhead(None, "mine", read) as made:
        producer = Answered({(1, 0), (2, 0)}, same=(1, 2))
        go(producer, made, range(3))
        assert producer.lacking == [(0, 0), (2, FOLLOWING)]
        again = Answered({(2, FOLLOWING)}, same=(1, 2))
        go(again, made, range(3))
        assert (again.made, again.lacking) == ([(2, FOLLOWING)], [(0, 0)])


def test_a_session_that_only_settles_goes_no_further() -> None:
    with MadeAhead(None, "mine", read) as made:
        producer = Answered({(0, 0), (2, 0)})
        assert go(producer, made, range(3), asks=False) == [0]
        assert (producer.made, producer.lacking) == ([(0, 0)], [(1, 0)])
