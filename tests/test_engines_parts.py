"""The engine of parts hands on what it has in order, and nothing from behind what lacks an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from generator.engines.parts import EngineOfParts
from generator.runs.outcome import Outcome
from generator.runs.ranges import Stretches


class Lacking:
    """An engine that has no answer from an index on, in whatever stretch it lies."""

    cpu_seconds = 0.0

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last = first, last

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        return Outcome(index, first_attempt, "simple", b"{}", b"%d" % index, (), ())

    def outcomes(self, indices: Sequence[int], stopping: object) -> Iterator[Outcome]:
        for index in indices:
            if self.first <= index < self.last:
                return
            yield self.produce(index)


def test_a_hole_that_lacks_an_answer_keeps_back_the_holes_behind_it() -> None:
    """The part between two holes is settled already, so that they follow each other."""
    stretches = [(range(3), None), (range(3, 6), object()), (range(6, 9), None)]
    parts: Any = SimpleNamespace(stretches=stretches)
    wanted = Stretches([range(3), range(6, 9)])
    for first, handed_on in ((1, [0]), (7, [0, 1, 2, 6]), (9, [0, 1, 2, 6, 7, 8])):
        engine: Any = Lacking(first, first + 1)
        of_parts = EngineOfParts(parts, engine, SimpleNamespace(recognise=None), SimpleNamespace())  # type: ignore[arg-type] # neither is asked
        assert [each.index for each in of_parts.outcomes(wanted, lambda: False)] == handed_on
