"""Chunks: what travels to another process, what comes back, and the engine of whatever hands them out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import NamedTuple

from generator.domains.catalog import Catalog
from generator.engines.ahead import Ahead, Task
from generator.engines.engine import IsTaken, MakeProducer, Producer, Stopping, Work
from generator.errors import EngineError
from generator.garbage_collection import take_for_kept
from generator.job import Job
from generator.runs.outcome import Outcome
from generator.scenarios.planner import after_repeat

_READ_TOGETHER = 64
"""Known outcomes that are looked at together for what is to be made again."""
_MADE_AGAIN = 4
"""How often a process goes on by itself where a request is taken: more may never be asked for."""


class Chunk(NamedTuple):
    """The outcomes of some tasks, and of those that follow from them."""

    tasks: Sequence[Task]
    outcomes: list[Outcome]
    cpu_seconds: float


@dataclass(slots=True)
class Recipe:
    """What a process needs to take part in a job: it travels there, and makes its producer when it is first used."""

    job: bytes
    catalog: bytes
    make: MakeProducer
    attempts: int
    is_taken: IsTaken | None = None
    _producer: Producer | None = field(default=None, init=False)

    def __call__(self, tasks: Sequence[Task]) -> Chunk:
        """Make the outcomes of some tasks."""
        began = process_time()
        producer = self._made() if self._producer is None else self._producer
        made = [each for task in tasks for each in self._made_of(producer, task)]
        return Chunk([task for task, _ in made], [outcome for _, outcome in made], process_time() - began)

    def _made_of(self, producer: Producer, task: Task) -> Iterator[tuple[Task, Outcome]]:
        """Yield the outcome of a task, and what is to be made in its place where its request is taken."""
        for _ in range(1 + _MADE_AGAIN):
            outcome = producer.produce(*task)
            yield task, outcome
            if outcome.line is not None or not outcome.key:
                return
            task = outcome.index, after_repeat(outcome.attempt, self.attempts)

    def _made(self) -> Producer:
        job, catalog = Job.model_validate_json(self.job), Catalog.model_validate_json(self.catalog)
        producer = self.make(job, catalog, is_taken=self.is_taken)
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

    def __init__(self, work: Work, chunk: int, hand_out: HandOut, is_taken: IsTaken | None = None) -> None:
        self._here = work.producer.produce
        self._is_taken = work.is_taken
        self._ahead: Ahead | None = None
        job, catalog = work.job.model_dump_json().encode(), work.catalog.model_dump_json().encode()
        self.recipe = Recipe(job, catalog, work.make, work.job.attempts, is_taken)
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
        ahead = Ahead(indices, self._chunk, self.recipe.attempts, self._is_taken)
        count = -(-len(indices) // self._chunk)
        yield from self._outcomes(ahead, ahead.batches(), count, stopping)

    def known(self, outcomes: Iterator[Outcome], count: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield so many outcomes that were made before, in their order; what they repeat is made again meanwhile."""
        ahead = Ahead((), _READ_TOGETHER, self.recipe.attempts, self._is_taken)
        yield from self._outcomes(ahead, ahead.batches_beside(outcomes), -(-count // _READ_TOGETHER), stopping)

    def _outcomes(
        self, ahead: Ahead, batches: Iterator[list[Task]], count: int, stopping: Stopping
    ) -> Generator[Outcome, None, None]:
        self._ahead = ahead
        try:
            with telling_what_is_kept(), closing(self._hand_out(self.recipe, batches, count, stopping)) as chunks:
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
