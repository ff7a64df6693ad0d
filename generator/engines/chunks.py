"""Chunks: what travels to another process, what comes back, and the engine of whatever hands them out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import NamedTuple

from generator.domains.catalog import Catalog
from generator.engines.ahead import Ahead, Task
from generator.engines.engine import MakeProducer, Producer, Stopping, Work
from generator.errors import EngineError
from generator.garbage_collection import take_for_kept
from generator.job import Job
from generator.runs.outcome import Outcome


class Chunk(NamedTuple):
    """The outcomes of some tasks."""

    tasks: Sequence[Task]
    outcomes: list[Outcome]
    cpu_seconds: float


@dataclass(slots=True)
class Recipe:
    """What a process needs to take part in a job: it travels there, and makes its producer when it is first used."""

    job: bytes
    catalog: bytes
    make: MakeProducer
    _producer: Producer | None = field(default=None, init=False)

    def __call__(self, tasks: Sequence[Task]) -> Chunk:
        """Make the outcomes of some tasks."""
        began = process_time()
        producer = self._made() if self._producer is None else self._producer
        outcomes = [producer.produce(index, attempt) for index, attempt in tasks]
        return Chunk(tasks, outcomes, process_time() - began)

    def _made(self) -> Producer:
        producer = self.make(Job.model_validate_json(self.job), Catalog.model_validate_json(self.catalog))
        self._producer = producer
        take_for_kept()
        return producer


HandOut = Callable[[Recipe, Iterator[list[Task]], int, Stopping], Generator[Chunk, None, None]]
"""Has batches of tasks done elsewhere and yields what comes of them, in their order; it is told how many there will be
at least, and may end early when the run is to stop."""


class InChunks:
    """Has chunks of indices made elsewhere and hands their outcomes on in index order.

    Raises:
        EngineError: a process was lost. An error inside a process is raised as it is.
    """

    def __init__(self, work: Work, chunk: int, hand_out: HandOut) -> None:
        self._here = work.producer.produce
        self._is_taken = work.is_taken
        self._ahead: Ahead | None = None
        self.recipe = Recipe(work.job.model_dump_json().encode(), work.catalog.model_dump_json().encode(), work.make)
        self._chunk = chunk
        self._hand_out = hand_out
        self.cpu_seconds = 0.0

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Return what was made ahead, or have it made now."""
        made = None if self._ahead is None else self._ahead.made(index, first_attempt)
        return self.made_now(index, first_attempt) if made is None else made

    def made_now(self, index: int, first_attempt: int) -> Outcome:
        """Make what nobody has foreseen, and which the run waits for."""
        return self._here(index, first_attempt)

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order, with a bounded number of chunks ahead."""
        ahead = self._ahead = Ahead(indices, self._chunk, self._is_taken)
        count = -(-len(indices) // self._chunk)
        try:
            with (
                telling_what_is_kept(),
                closing(self._hand_out(self.recipe, ahead.batches(), count, stopping)) as chunks,
            ):
                for chunk in chunks:
                    self.cpu_seconds += chunk.cpu_seconds
                    ahead.take(chunk.tasks, chunk.outcomes)
                    yield from ahead.ready()
                    if stopping():
                        return
            yield from ahead.ready(is_last=True)
        finally:
            self._ahead = None


@contextmanager
def telling_what_is_kept() -> Iterator[None]:
    """Say in the message of a process that is lost in the block what becomes of the run."""
    try:
        yield
    except EngineError as lost:
        raise EngineError(f"{lost}; every record so far is kept, run the same command again to go on") from lost
