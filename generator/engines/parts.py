"""The engine of parts: outcomes that were made before come from where they lie, the others from another engine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import groupby

from generator.engines.chunks import InChunks
from generator.engines.engine import Engine, Producer, Stopped, Stopping
from generator.errors import StorageError
from generator.runs.outcome import Outcome
from generator.runs.parts import Part, Parts
from generator.runs.ranges import Stretches, range_text
from generator.runs.read_back import ForeignRecord
from generator.runs.settling import SettlingOfParts
from generator.runs.store import RunStore

_Held = tuple[Part | None, Stretches]
"""A part, or nobody, and the indices that it has."""


def _is_hole(held: _Held) -> bool:
    return held[0] is None


class EngineOfParts:
    """Takes outcomes from parts, as each was settled there; what no part has is made by an engine."""

    def __init__(self, parts: Parts, engine: Engine, producer: Producer, store: RunStore) -> None:
        self.produce = engine.produce
        self._parts = parts
        self._engine = engine
        self._recognise = producer.recognise
        self._store = store

    @property
    def cpu_seconds(self) -> float:
        """CPU time used in other processes so far."""
        return self._engine.cpu_seconds

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order."""
        for is_hole, stretches in groupby(self._held(indices), _is_hole):
            held_by = list(stretches)
            left = sum(len(wanted) for _, wanted in held_by)
            with closing(
                self._made(held_by, stopping) if is_hole else self._known(held_by, left, stopping)
            ) as outcomes:
                for outcome in outcomes:
                    yield outcome
                    left -= 1
            if left:  # it was stopped, or lacks an answer
                return

    def _held(self, indices: Sequence[int]) -> Iterator[_Held]:
        """Yield who has which of these indices, in order."""
        asked = indices if isinstance(indices, Stretches) else Stretches(range(each, each + 1) for each in indices)
        for bounds, part in self._parts.stretches:
            if wanted := asked.within(bounds):
                yield part, wanted

    def _made(self, holes: Sequence[_Held], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes that no part has, up to the first that lacks an answer."""
        for _, wanted in holes:
            left = len(wanted)
            for outcome in self._engine.outcomes(wanted, stopping):
                yield outcome
                left -= 1
            if left:
                return

    def _known(self, held: Sequence[_Held], count: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of parts; an engine of chunks makes ahead what is to be made again of them."""
        outcomes = self._taken(held, stopping)
        return self._engine.known(outcomes, count, stopping) if isinstance(self._engine, InChunks) else outcomes

    def _taken(self, held: Sequence[_Held], stopping: Stopping) -> Generator[Outcome, None, None]:
        for part, wanted in held:
            if part is not None:
                self._count(part)
            for index in wanted:
                if stopping():
                    return
                try:
                    outcome = self._outcome(index)
                except Stopped:
                    return
                yield outcome

    def _outcome(self, index: int) -> Outcome:
        row = self._parts.row(index)
        if row is None:  # the part came to nothing before it, and stopped
            return self._engine.produce(index)
        if row.line is None:
            kept = Outcome(row.index, row.attempt, row.kind, None, b"", (), ())
        else:
            kept = self._recognised(row.index, row.line, row.metadata)
        return replace(kept, rejections=row.rejections, requests=row.requests, spent=row.spent)

    def _recognised(self, index: int, line: bytes, metadata: bytes) -> Outcome:
        try:
            outcome = self._recognise(line, metadata)
        except ForeignRecord as foreign:
            raise StorageError(f"{self._parts.damage(index)} ({foreign})") from foreign
        if outcome.index != index:
            raise StorageError(f"{self._parts.damage(index)} (record {outcome.index} lies in its place)")
        return outcome

    def _count(self, part: Part) -> None:
        """Count once what a part took."""
        name = f"part {range_text(part.indices)}"
        if self._store.note(name) is None:
            self._store.settle_note(name, str(part.path), self._parts.seconds(part))


def look_ahead(outcomes: Iterator[Outcome], settling: SettlingOfParts, most_repeats: Callable[[str], int]) -> None:
    """Settle what lies behind an outcome that lacks an answer, for what it asks: nothing of it is kept."""
    for found in outcomes:
        with suppress(Stopped):
            settling.remember(settling.settled(found, most_repeats))
