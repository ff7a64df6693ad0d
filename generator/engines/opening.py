"""Opening an engine: one mapping from the name of each to what opens it for the time of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from importlib.util import find_spec

from generator.engines.engine import Engine, EngineOptions, InProcess, Work
from generator.errors import UsageError
from generator.extras import missing
from generator.job_choices import ENGINE_CHOICES
from generator.jsontext import digest
from generator.runs.read_back import ReadRecord
from generator.version import VERSION


@contextmanager
def _in_process(work: Work) -> Iterator[Engine]:
    yield InProcess(work)


@contextmanager
def _local_processes(work: Work) -> Iterator[Engine]:
    from generator.engines.processes import LocalProcesses  # it imports multiprocessing

    with closing(LocalProcesses(work)) as engine:
        yield engine


@contextmanager
def _event_loop(work: Work) -> Iterator[Engine]:
    from generator.engines.waiting import Window  # it imports asyncio

    if work.opening is None:
        raise ValueError("a run without a server has nothing to wait for")
    with Window(work.opening, work.options.concurrency, work.stopping) as window:
        yield window


@contextmanager
def _ray_workers(work: Work) -> Iterator[Engine]:
    from generator.engines.ray import connected  # it imports ray

    with connected(work.options.address), _event_loop(work) as engine:
        yield engine


@contextmanager
def _rounds(work: Work) -> Iterator[Engine]:
    from generator.engines.rounds import Rounds  # it imports asyncio
    from generator.runs.made import MadeAhead  # it imports sqlite3

    if work.opening is None:
        raise ValueError("a run without a server has nothing to ask in batches")
    identity = digest([work.job.model_dump(mode="json"), work.catalog.digest, VERSION])
    read: ReadRecord = work.producer.read_record
    if work.options.examined is not None:
        read = work.options.examined.recognising(read, work.producer.recognise)
    with (
        MadeAhead(work.options.made, identity, read) as made,
        Rounds(work.opening, made, work.job.attempts, asks=work.options.round == "ask") as rounds,
    ):
        yield rounds


@contextmanager
def _ray_cluster(work: Work) -> Iterator[Engine]:
    from generator.engines.ray import RayCluster, connected  # it imports ray

    with connected(work.options.address):
        yield RayCluster(work)


ENGINES: dict[str, Callable[[Work], AbstractContextManager[Engine]]] = {
    "in process": _in_process,
    "local processes": _local_processes,
    "event loop": _event_loop,
    "rounds": _rounds,
    "ray": _ray_cluster,
    "workers of Ray": _ray_workers,
}


def engine_of(work: Work) -> str:
    """Return the name of the engine that a run is made in."""
    if work.opening is not None:
        if work.options.round:
            return "rounds"
        return "workers of Ray" if has_workers_with_a_model(work.options) else "event loop"
    if work.options.engine != "local":
        return work.options.engine
    return "in process" if work.options.jobs == 1 else "local processes"


def has_workers_with_a_model(options: EngineOptions) -> bool:
    """Say whether attempts with a model are made by workers elsewhere, for which this process asks."""
    return options.engine == "ray"


def require_engine(options: EngineOptions) -> None:
    """Make sure that the engine that is asked for is there, and can do what is asked.

    Raises:
        UsageError: there is none of this name, it is not installed, or an option is another engine's.
    """
    if options.engine not in ENGINE_CHOICES:
        raise UsageError(f"{options.engine!r} is no engine: choose one of {', '.join(ENGINE_CHOICES)}")
    if options.engine != "ray":
        if options.address:
            raise UsageError("--address is that of a Ray cluster: it needs --engine ray")
        return
    if options.jobs != 1:
        raise UsageError("--jobs counts processes of this machine; with --engine ray it is the CPUs of the cluster")
    if find_spec("ray") is None:
        raise missing("--engine ray needs", "ray", "ray")
