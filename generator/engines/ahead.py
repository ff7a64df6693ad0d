"""Making ahead: what will be made again is foreseen while it is made for the first time, and sent to the workers too.

A repeat is found out when its index is settled, after all before it; to make it again only then would be work for the
one process that settles. An outcome that has come, and whose request an earlier one has, will be a repeat: whatever
becomes of the earlier one, the run has its request by then. So nothing is decided here, and where more was made than is
asked for, it is forgotten.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from generator.runs.outcome import Outcome
from generator.scenarios.planner import after_repeat

Task = tuple[int, int]
"""An index, and the attempt to begin with."""
_MOST_WAITING = 1024
"""Outcomes that may wait for an earlier one to be made again: this bounds the memory."""
_FIRST_DEPTH = 4
"""Attempts that are made ahead of an index of a kind before it is known how many are asked for."""


@dataclass(slots=True)
class _Place:
    """An index whose outcome has come."""

    outcome: Outcome
    further: dict[int, Outcome] = field(default_factory=dict)
    """What was made ahead, by the attempt that it begins with."""
    under_way: set[int] = field(default_factory=set)
    """The attempts that were asked for and have not come."""
    made: int = 0
    asked: int = 0


class Ahead:
    """Hands out the tasks of a run, and gathers what comes of them."""

    def __init__(self, indices: Sequence[int], chunk: int, attempts: int, is_taken: Callable[[bytes], bool]) -> None:
        self._indices = indices
        self._chunk = chunk
        self._attempts = attempts
        self._is_taken = is_taken
        self._waiting: deque[_Place] = deque()
        self._places: dict[int, _Place] = {}
        self._keys: dict[bytes, int] = {}
        """The requests of what waits, and the first index of each."""
        self._wanted: deque[Task] = deque()
        self._depths: Counter[str] = Counter()
        self._given: _Place | None = None

    def batches(self) -> Iterator[list[Task]]:
        """Yield batches of tasks: new indices in their order, with whatever is to be made again by then."""
        for first in range(0, len(self._indices), self._chunk):
            yield [*self._again(), *((index, 0) for index in self._indices[first : first + self._chunk])]
        while self._wanted:
            yield self._again()

    def batches_beside(self, known: Iterable[Outcome]) -> Iterator[list[Task]]:
        """Take outcomes that were made before, in their order, and yield batches of what is to be made again of them.

        Many of these batches are empty: they are what keeps the two in step.
        """
        rest = iter(known)
        while outcomes := list(islice(rest, self._chunk)):
            self.take([(outcome.index, 0) for outcome in outcomes], outcomes)
            yield self._again()
        while self._wanted:
            yield self._again()

    def _again(self) -> list[Task]:
        """Return what is to be made again first, no more than travels together."""
        return [self._wanted.popleft() for _ in range(min(self._chunk, len(self._wanted)))]

    def take(self, tasks: Sequence[Task], outcomes: Sequence[Outcome]) -> None:
        """Take what has come of a batch, and with it what its worker knew that would be made again."""
        for (index, attempt), outcome in zip(tasks, outcomes, strict=True):
            if attempt == 0:
                place = self._places[index] = _Place(outcome)
                self._waiting.append(place)
            elif (found := self._places.get(index)) is not None:
                found.further[attempt] = outcome
                found.under_way.discard(attempt)
        for outcome in outcomes:
            if (found := self._places.get(outcome.index)) is not None:  # else it was asked for before it had come
                self._foresee(found, outcome)

    def _foresee(self, place: _Place, outcome: Outcome) -> None:
        """Have an outcome made again that will be a repeat."""
        if not outcome.key:
            return
        first = self._keys.setdefault(outcome.key, outcome.index)
        if first == outcome.index and not self._is_taken(outcome.key):
            return
        following = after_repeat(outcome.attempt, self._attempts)
        if following in place.further or following in place.under_way:
            return
        kind = place.outcome.kind
        if place.made < self._depths.get(kind, _FIRST_DEPTH):
            place.made += 1
            place.under_way.add(following)
            self._wanted.append((outcome.index, following))

    def ready(self, *, is_last: bool = False) -> Iterator[Outcome]:
        """Yield the outcomes, in the order of their indices, for which nothing is to be waited for."""
        while self._waiting and (is_last or not self._waiting[0].under_way or len(self._waiting) > _MOST_WAITING):
            self._retire()
            self._given = self._waiting.popleft()
            yield self._given.outcome
        if is_last:
            self._retire()

    def _retire(self) -> None:
        """Forget the index that was given last, and learn how much of what is made ahead is asked for."""
        place = self._given
        if place is None:
            return
        if place.made or place.asked:
            self._depths[place.outcome.kind] = 2 * place.asked
        index = place.outcome.index
        del self._places[index]
        for outcome in (place.outcome, *place.further.values()):
            if self._keys.get(outcome.key) == index:
                del self._keys[outcome.key]
        self._given = None

    def made(self, index: int, attempt: int) -> Outcome | None:
        """Return what was made ahead, None where nothing was, or it has not come."""
        place = self._places.get(index)
        if place is None:
            return None
        place.asked += 1
        return place.further.get(attempt)
