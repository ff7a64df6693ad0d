"""The engine of a Ray cluster: chunks of indices as tasks on any of its nodes, whose outcomes come in index order.

Nothing is shared but the recipe of the job, which each worker fetches once. What is lost with a worker or a node, Ray
has made again elsewhere: it comes to the same, since an outcome depends on the job and its index alone.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from time import monotonic
from typing import Any
from uuid import uuid4

import ray
from ray.exceptions import GetTimeoutError, RayError, RayTaskError

from generator.engines.ahead import Task
from generator.engines.chunks import Chunk, InChunks, Recipe
from generator.engines.engine import Stopping, Work
from generator.engines.node import require_versions
from generator.errors import EngineError, ToolgenError, UsageError
from generator.runs.identity import versions

CHUNK = 32
"""Indices that travel together: some 150 milliseconds of work, of which Ray takes two."""
RETRIES = 4
"""How often a task is made again whose worker or node was lost."""
_AHEAD = 4
"""Tasks per CPU of the cluster that may be under way before the next in order has come: this bounds the memory."""
_LOOK_AFTER = 0.2
"""Seconds between looks at whether the run is to stop."""
SILENT_AFTER = 30.0
"""Seconds without an outcome after which it is told what the cluster has."""
_LOOK_AGAIN = 2.0
"""Seconds between looks at how many CPUs the cluster has."""
_STORE_BYTES = 256 * 2**20
"""Room for objects in a Ray of our own: many times what may be under way."""
_CONNECT_SECONDS = 10.0

log = logging.getLogger(__name__)


class RayCluster(InChunks):
    """Makes chunks of indices as tasks of the Ray that this process is connected to (see `InChunks`)."""

    def __init__(self, work: Work) -> None:
        super().__init__(work, CHUNK, in_tasks)


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Be connected to a Ray in the block: the one that this process is connected to already, else that at the address.

    Without an address it is the one that `RAY_ADDRESS` names, else one of our own on this machine, which ends with the
    block. Ray takes over the signals of a process that connects; they are given back. What it says of workers that are
    lost goes to stderr: on stdout stands what a command was asked for.

    Raises:
        UsageError: there is no such Ray, or another version.
    """
    if ray.is_initialized():
        yield
        return
    address = address or os.environ.get("RAY_ADDRESS", "") or "local"
    _require_reachable(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a Ray that we start tells nobody of it
    _connect(address)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        ray.shutdown()


def _connect(address: str) -> None:
    told: dict[str, Any] = {"address": address, "logging_level": logging.ERROR, "log_to_driver": False}
    if address == "local":
        told |= {"object_store_memory": _STORE_BYTES, "include_dashboard": False}
    try:
        with _signals_given_back():
            ray.init(**told)
    except (ConnectionError, ValueError, RuntimeError) as error:
        ray.shutdown()  # of one of our own perhaps some processes have begun
        raise UsageError(f"--address: the Ray at {address} cannot be used: {str(error).splitlines()[0]}") from error


def _require_reachable(address: str) -> None:
    """Try whether anybody listens there, for which Ray itself waits for minutes."""
    if "://" in address:
        raise UsageError(f"--address: {address} is no head of a Ray cluster; on a node of it, give HOST:PORT or auto")
    host, _, port = address.rpartition(":")
    if not host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except (OSError, ValueError, OverflowError) as error:
        raise UsageError(f"--address: no Ray answers at {address}: {error}") from error


@contextmanager
def _signals_given_back() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, heard_by in held.items():
            signal.signal(number, heard_by)


def in_tasks(
    recipe: Recipe, batches: Iterator[list[Task]], count: int, stopping: Stopping
) -> Generator[Chunk, None, None]:
    """Yield what comes of each batch, in their order, of the Ray that this process is connected to.

    When nobody reads on, or `stopping()` turns true, what is under way is cancelled.

    Raises:
        EngineError: a task was lost more often than it may be. What the recipe raises is raised here.
    """
    remote = ray.remote(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")(make_chunk)
    held, key, here = [ray.put(recipe)], uuid4().hex, versions()
    under_way: deque[ray.ObjectRef[Chunk]] = deque()
    room, looked = 0, 0.0
    try:
        for batch in batches:
            under_way.append(remote.remote(key, held, here, batch))
            if monotonic() - looked > _LOOK_AGAIN:
                room, looked = _AHEAD * max(1, cpus()), monotonic()
            while len(under_way) >= room:
                if (chunk := _waited_for(under_way[0], stopping)) is None:
                    return
                under_way.popleft()
                yield chunk
        while under_way:
            if (chunk := _waited_for(under_way[0], stopping)) is None:
                return
            under_way.popleft()
            yield chunk
    finally:
        for each in under_way:
            ray.cancel(each, force=True)


def cpus() -> int:
    """Return how many CPUs the cluster has."""
    return int(ray.cluster_resources().get("CPU", 0))


def _waited_for(promised: ray.ObjectRef[Chunk], stopping: Stopping) -> Chunk | None:
    """Wait for what a task comes to; None when the run is to stop."""
    told = monotonic()
    while not stopping():
        try:
            return ray.get(promised, timeout=_LOOK_AFTER)
        except GetTimeoutError:
            if monotonic() - told > SILENT_AFTER:
                told = monotonic()
                log.warning("nothing has come of Ray for %g s: it has %d CPUs", SILENT_AFTER, cpus())
        except RayTaskError as failed:
            if isinstance(failed.cause, ToolgenError):
                raise failed.cause from failed
            raise
        except RayError as lost:
            reason = str(lost).strip().splitlines()[0]
            raise EngineError(f"Ray lost a task {RETRIES + 1} times, with its worker or node: {reason}") from lost
    return None


_RECIPES: dict[str, Recipe] = {}
"""In a worker of Ray: the recipe that it works by, with its producer."""


def make_chunk(
    key: str, held: Sequence[ray.ObjectRef[Recipe]], there: Mapping[str, str], tasks: Sequence[Task]
) -> Chunk:
    """Make the outcomes of some tasks, in a worker of Ray; the recipe is fetched for the first of them.

    Raises:
        EngineError: other versions are installed on this node than where the run is: it would make other bytes.
    """
    recipe = _RECIPES.get(key)
    if recipe is None:
        require_versions(there)
        _RECIPES.clear()
        recipe = _RECIPES[key] = ray.get(held[0])
    return recipe(tasks)
