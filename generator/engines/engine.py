"""Engines: where outcomes are made. Whatever the engine, they come in index order and are the same."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from generator.engines.processes import signals_held
from generator.engines.worker import Chunk, Failure, Producer, Work, serve
from generator.errors import EngineError
from generator.runs.outcome import Outcome

CHUNK = 16
"""Indices that travel together."""
_CHUNKS_AT_WORK = 2
"""Chunks a worker holds: one it makes and one that waits, so that it never idles."""
_LOOK_AHEAD = 4
"""Chunks per worker that may be finished or under way before the next in order has come."""
_PATIENCE = 0.1
"""Seconds between looks at whether the run is to stop."""
_FAREWELL = 0.5
"""Seconds a worker may take to end by itself."""

_KILLED = -9
"""How a process ends that the system kills."""

Stopping = Callable[[], bool]


class Stopped(Exception):
    """The run was asked to stop while an outcome was waited for."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How a run uses the machine; nothing here changes a byte of it."""

    jobs: int = 1
    """Processes that make records."""
    concurrency: int = 16
    """Indices under way, for authors that wait for a server."""


class Engine(Protocol):
    """Makes the outcomes of a stretch of indices."""

    cpu_seconds: float
    """CPU time used in other processes so far."""

    def outcomes(self, start: int, stop: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of [start, stop) in order; end early when `stopping()` turns true."""
        ...


class InProcess:
    """Makes everything here, one index after the other."""

    cpu_seconds = 0.0

    def __init__(self, producer: Producer) -> None:
        self._producer = producer

    def outcomes(self, start: int, stop: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of [start, stop) in order."""
        for index in range(start, stop):
            if stopping():
                return
            yield self._producer.produce(index)


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    at_work: list[int] = field(default_factory=list)
    """Starts of the chunks it holds."""


class Workers:
    """Makes chunks of indices in several processes and hands their outcomes on in index order.

    Raises:
        EngineError: a worker was lost. An error inside a worker is raised as it is.
    """

    def __init__(self, work: Work, jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self.cpu_seconds = 0.0

    def outcomes(self, start: int, stop: int, stopping: Stopping) -> Generator[Outcome, None, None]:
        """Yield the outcomes of [start, stop) in order, with a bounded number of chunks ahead."""
        chunks = range(start, stop, CHUNK)
        with _crew(self._work, min(self._jobs, len(chunks))) as crew:
            done: dict[int, tuple[Outcome, ...]] = {}
            waiting = iter(chunks)
            given = 0
            for number, wanted in enumerate(chunks):
                while wanted not in done:
                    if stopping():
                        return
                    given += _hand_out(crew, waiting, number + _LOOK_AHEAD * len(crew) - given, stop)
                    done |= self._collect(crew)
                yield from done.pop(wanted)

    def _collect(self, crew: list[_Worker]) -> dict[int, tuple[Outcome, ...]]:
        """Wait a little for chunks and return those that came, by their start."""
        by_connection = {worker.connection: worker for worker in crew}
        ready = [end for end in wait(by_connection, _PATIENCE) if isinstance(end, Connection)]
        chunks = [_receive(by_connection[end]) for end in ready]
        self.cpu_seconds += sum(chunk.cpu_seconds for chunk in chunks)
        return {chunk.start: chunk.outcomes for chunk in chunks}


def _hand_out(crew: list[_Worker], waiting: Iterator[int], room: int, stop: int) -> int:
    """Give chunks to workers that have room and return how many were given, at most `room`."""
    given = 0
    for worker in crew:
        while len(worker.at_work) < _CHUNKS_AT_WORK and given < room and (start := next(waiting, None)) is not None:
            _send(worker, (start, min(start + CHUNK, stop)))
            worker.at_work.append(start)
            given += 1
    return given


def _send(worker: _Worker, message: Work | tuple[int, int]) -> None:
    try:
        worker.connection.send(message)
    except OSError as error:
        raise _lost(worker) from error


def _receive(worker: _Worker) -> Chunk:
    try:
        answer = worker.connection.recv()
    except (EOFError, OSError) as error:
        raise _lost(worker) from error
    if isinstance(answer, Failure):
        raise answer.error from EngineError(f"in worker process {worker.process.pid}:\n{answer.trace}")
    chunk: Chunk = answer
    worker.at_work.remove(chunk.start)
    return chunk


def _lost(worker: _Worker) -> EngineError:
    worker.process.join(_FAREWELL)
    code = worker.process.exitcode
    how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with code {code}"
    hint = ", perhaps for want of memory: try fewer --jobs" if code == _KILLED else ""
    return EngineError(
        f"worker process {worker.process.pid} {how}{hint}; every record so far is kept, "
        "run the same command again to go on"
    )


@contextmanager
def _crew(work: Work, size: int) -> Iterator[list[_Worker]]:
    """Start the workers, and see to it that none outlives the block."""
    crew: list[_Worker] = []
    try:
        with signals_held():
            crew.extend(_start() for _ in range(size))
        for worker in crew:
            _send(worker, work)
        yield crew
    finally:
        for worker in crew:
            worker.connection.close()
        for worker in crew:
            _dismiss(worker.process)


def _start() -> _Worker:
    """Start a worker without its work, which may be large: a process whose parent dies meanwhile ends in silence."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _dismiss(process: BaseProcess) -> None:
    process.join(_FAREWELL)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()
