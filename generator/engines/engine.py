"""Engines: what makes the outcomes of a run and what it is given, and the one in this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from generator.domains.catalog import Catalog
from generator.job import Job
from generator.runs.made import Examined
from generator.runs.outcome import Outcome
from generator.runs.settling import Maker
from generator.scenarios.planner import Planner
from generator.validation.verdict import Rejection

Stopping = Callable[[], bool]
"""Says whether the run is to stop."""


class Stopped(Exception):
    """The run was asked to stop while an outcome was waited for."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How a run uses the machine; nothing here changes a byte of it."""

    jobs: int = 1
    """Processes that make records."""
    concurrency: int = 16
    """Indices under way, for authors that wait for a server."""
    round: Literal["", "settle", "ask"] = ""
    """Where a model is asked in batches: go as far as answers are there; or on behind that, for what is to be asked."""
    made: Path | None = None
    """The file in which a round keeps what it has made ahead; it is kept for the session alone where there is none."""
    examined: Examined | None = None
    """What an earlier session in this process has examined; None where nothing is known to be the same since."""
    engine: str = "local"
    """Where records are made: one of `ENGINE_CHOICES`."""
    address: str = ""
    """The Ray cluster; "" for the one that `RAY_ADDRESS` names, else one that is begun on this machine."""


class Producer(Maker, Protocol):
    """A maker that knows what was made again."""

    def read_record(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is; `ForeignRecord` is raised where it is none of this job."""
        ...

    def planned(self, index: int, attempt: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the tools that an attempt plans, and the parts of domain files that it is made of."""
        ...

    def recognise(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a line is which was examined before; `ForeignRecord` as above."""
        ...


class WaitingProducer(Protocol):
    """Makes the outcome of any index, waiting for an author."""

    @property
    def cpu_seconds(self) -> float:
        """CPU time used in other processes so far."""
        ...

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, beginning with this attempt number."""
        ...


class AskingProducer(WaitingProducer, Protocol):
    """One whose author may be asked in rounds, where nothing is waited for."""

    def recall(self, index: int, rejections: Sequence[Rejection], attempt: int | None) -> None:
        """Take note of attempts that were made in an earlier round; `attempt` is the one that made a record."""
        ...

    async def ask_ahead(self) -> None:
        """Go through the attempts that decide whether a kind is given up, for what they will ask."""
        ...


IsTaken = Callable[[bytes], Awaitable[bool]]
"""Says whether an earlier record of the run has the request with this key, as far as is known."""


class MakeProducer(Protocol):
    """Makes the producer of a job: something that a module holds by its name, so that it travels to other processes."""

    def __call__(
        self, job: Job, catalog: Catalog, *, planner: Planner | None = None, is_taken: IsTaken | None = None
    ) -> Producer:
        """Make it; without a planner it makes its own. What `is_taken` knows may be left off at its request."""
        ...


OpenProducer = Callable[[], AbstractAsyncContextManager[AskingProducer]]
"""Opens a producer that waits, with its connections, which close when its block ends."""


@dataclass(frozen=True, slots=True)
class Work:
    """What an engine is given."""

    job: Job
    catalog: Catalog
    producer: Producer
    """Makes outcomes in this process."""
    make: MakeProducer
    """Makes such a producer in another one."""
    options: EngineOptions = EngineOptions()
    opening: OpenProducer | None = None
    """Opens the producer of a run whose author waits for a server."""
    stopping: Stopping = lambda: False
    is_taken: Callable[[bytes], bool] = lambda key: False
    """Says whether a record of the run has the request with this key: what repeats it will be made again."""
    is_taken_elsewhere: IsTaken | None = None
    """Says the same in another process of this machine, to which it travels."""


class Engine(Maker, Protocol):
    """Makes the outcomes of some indices, or one of them again."""

    @property
    def cpu_seconds(self) -> float:
        """CPU time used in other processes so far."""
        ...

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order; end early when `stopping()` turns true."""
        ...


class InProcess:
    """Makes everything here."""

    cpu_seconds = 0.0

    def __init__(self, work: Work) -> None:
        self.produce = work.producer.produce

    def outcomes(self, indices: Sequence[int], stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of these indices in order."""
        for index in indices:
            if stopping():
                return
            yield self.produce(index)
