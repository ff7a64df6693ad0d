"""A worker process: makes the outcomes of the chunks it is given until its parent is gone."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from time import process_time
from traceback import format_exc
from typing import Protocol, TypeVar

from generator.domains.catalog import Catalog
from generator.garbage import take_for_kept
from generator.job import Job
from generator.runs.outcome import Outcome

T = TypeVar("T")

PRODUCER = "generator.record:Producer"
"""Where the producer of outcomes is found, as `module:attribute`."""


class Maker(Protocol):
    """Makes the outcome of any index of one job; a function of its arguments alone."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, beginning with this attempt number."""
        ...


class Producer(Maker, Protocol):
    """A maker that knows what was made again."""

    def recall(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is; `Foreign` is raised where it is none of this job."""
        ...


@dataclass(frozen=True, slots=True)
class Work:
    """What a process needs to take part in a job: as bytes, since it travels to other processes."""

    job: bytes
    catalog: bytes
    producer: str = PRODUCER

    def hire(self) -> Producer:
        """Make the producer."""
        return hire(self.producer, Job.model_validate_json(self.job), Catalog.model_validate_json(self.catalog))


def hire(producer: str, job: Job, catalog: Catalog) -> Producer:
    """Make a producer, which is named as `module:attribute`."""
    module, _, attribute = producer.partition(":")
    make: Callable[[Job, Catalog], Producer] = getattr(import_module(module), attribute)
    return make(job, catalog)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The outcomes of the indices `start` and following."""

    start: int
    outcomes: tuple[Outcome, ...]
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """An error in the worker, which the parent raises."""

    error: Exception
    trace: str


def serve(connection: Connection) -> None:
    """Take the `Work`, then answer every (start, stop) with a `Chunk`, or with one `Failure`; end with the parent.

    The parent alone decides about signals: it also hears those that the terminal sends to the whole group.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        _answer_all(connection)
    except (EOFError, OSError):
        return  # the parent is gone, and with it whoever would want an answer


def _answer_all(connection: Connection) -> None:
    work: Work = connection.recv()
    producer = _attempt(work.hire)
    take_for_kept()
    while not isinstance(producer, Failure):
        start, stop = connection.recv()
        chunk = _attempt(partial(_make, producer, start, stop))
        connection.send(chunk)
        if isinstance(chunk, Failure):
            return
    connection.send(producer)


def _attempt(make: Callable[[], T]) -> T | Failure:
    try:
        return make()
    except Exception as error:  # noqa: BLE001 - the parent raises it, whatever it is
        return Failure(_portable(error), format_exc())


def _make(producer: Producer, start: int, stop: int) -> Chunk:
    began = process_time()
    outcomes = tuple(producer.produce(index) for index in range(start, stop))
    return Chunk(start, outcomes, process_time() - began)


def _portable(error: Exception) -> Exception:
    """Return the error, or its text where it cannot travel between processes."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes, to see whether they can be read
    except Exception:  # noqa: BLE001 - any failure means that it cannot travel
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
