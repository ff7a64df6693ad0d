"""Opening an engine: one mapping from the name of each to what opens it for the time of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from generator.engines.engine import Engine, InProcess, Work


@contextmanager
def _in_process(work: Work) -> Iterator[Engine]:
    yield InProcess(work)


@contextmanager
def _local_processes(work: Work) -> Iterator[Engine]:
    from generator.engines.processes import LocalProcesses  # it imports multiprocessing

    yield LocalProcesses(work)


@contextmanager
def _event_loop(work: Work) -> Iterator[Engine]:
    from generator.engines.waiting import Window  # it imports asyncio

    if work.opening is None:
        raise ValueError("a run without a server has nothing to wait for")
    with Window(work.opening, work.options.concurrency, work.stopping) as window:
        yield window


@contextmanager
def _rounds(work: Work) -> Iterator[Engine]:
    from generator.engines.rounds import Rounds  # it imports asyncio

    if work.opening is None:
        raise ValueError("a run without a server has nothing to ask in batches")
    with Rounds(work.opening, asks=work.options.round == "ask") as rounds:
        yield rounds


ENGINES: dict[str, Callable[[Work], AbstractContextManager[Engine]]] = {
    "in process": _in_process,
    "local processes": _local_processes,
    "event loop": _event_loop,
    "rounds": _rounds,
}


def engine_of(work: Work) -> str:
    """Return the name of the engine that a run is made in."""
    if work.opening is not None:
        return "rounds" if work.options.round else "event loop"
    return "in process" if work.options.jobs == 1 else "local processes"
