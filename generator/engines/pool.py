"""Work on a stream of batches, in this process or a pool of others; what comes out is in the order of what went in."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from time import sleep
from typing import Any, TypeVar

from generator.errors import EngineError, ToolgenError


@contextmanager
def signals_held() -> Iterator[None]:
    """Hold SIGINT and SIGTERM back while workers start, which so never hear them; this process does, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # it unblocks both signals when it starts, so it has to run before they are held
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


_Given = TypeVar("_Given")
_Done = TypeVar("_Done")
_AHEAD = 4
"""Batches per process that may be under way before the next in order has come: this bounds the memory."""
_KILLED = -9
"""How a process ends that the system kills."""
_ORPHANED = 1
_LOOKS, _BETWEEN_LOOKS = 40, 0.05
"""How often, and how many seconds apart, it is asked which process was lost."""


_LOOK_AFTER = 2.0
"""Seconds after which it is looked whether a process was lost."""


def available_cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_in_order(work: Callable[[_Given], _Done], given: Iterator[_Given], jobs: int) -> Iterator[_Done]:
    """Yield what `work` makes of each batch, in their order, in this process where `jobs` is 1.

    Raises:
        EngineError: a process was lost.
        ToolgenError: what `given` raises, once all that came before was yielded.
    """
    return map(work, given) if jobs == 1 else in_processes(work, given, jobs)


def in_processes(
    work: Callable[[_Given], _Done], given: Iterator[_Given], jobs: int, ahead: int = _AHEAD
) -> Generator[_Done, None, None]:
    """Yield what `work` makes of each batch, in their order; it is sent to each process once, so it can be pickled.

    For each process `ahead` batches may be under way before the next in order has come.

    Raises:
        EngineError: a process was lost. What `work` raises is raised here.
        ToolgenError: what `given` raises, once all that came before was yielded.
    """
    pool = _Pool(work, jobs)
    try:
        yield from _in_order(given, pool, jobs * ahead)
    except BrokenProcessPool as error:
        raise EngineError(pool.what_was_lost()) from error
    except BaseException:
        pool.kill()  # nobody waits for what is under way any more
        raise
    finally:
        pool.close()


class _Pool:
    """Processes that begin as batches come, leave signals to this one, and end with it."""

    def __init__(self, work: Callable[[Any], Any], jobs: int) -> None:
        self._executor = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(work,))
        self._jobs = jobs
        self._others = set(active_children())
        self._processes: set[BaseProcess] = set()

    def submit(self, batch: object) -> Future[Any]:
        """Hand out a batch."""
        with signals_held():
            promised = self._executor.submit(_do, batch)
        if len(self._processes) < self._jobs:
            self._processes |= {each for each in active_children() if each not in self._others}
        return promised

    def what_was_lost(self) -> str:
        """Say which process was lost, and how; the others are ended."""
        ended = self._ended()
        self.kill()
        if not ended:
            return "a process was lost, perhaps for want of memory: try fewer --jobs"
        pid, code = ended[0].pid, ended[0].exitcode or 0
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        hint = ", perhaps for want of memory: try fewer --jobs" if code == _KILLED else ""
        return f"process {pid} {how}{hint}"

    def _ended(self) -> list[BaseProcess]:
        """Return the processes that were lost; the executor's thread may be the one that is told first how."""
        for _ in range(_LOOKS):
            if ended := [each for each in self._processes if each.exitcode]:
                return ended
            sleep(_BETWEEN_LOOKS)
        return []

    def result(self, promised: Future[Any]) -> Any:
        """Wait for what a batch came to.

        A process that is lost while it writes leaves half a result behind, for whose end the executor waits: so it is
        looked now and then whether one was lost.

        Raises:
            BrokenProcessPool: a process was lost. What the work raised is raised here.
        """
        while True:
            try:
                return promised.result(timeout=_LOOK_AFTER)
            except TimeoutError:
                if promised.done():
                    raise
                if any(each.exitcode for each in self._processes):
                    raise BrokenProcessPool from None

    def kill(self) -> None:
        """End the processes at once: those held back from signals hear no other.

        For the end of a half result the executor's thread would wait as long as anybody can write it, this process
        among them, which never does.
        """
        for process in self._processes:
            process.kill()
        results = getattr(self._executor, "_result_queue", None)
        if results is not None:
            results._writer.close()

    def close(self) -> None:
        """Wait until every process has ended."""
        self._executor.shutdown(cancel_futures=True)


def _in_order(given: Iterator[_Given], pool: _Pool, room: int) -> Generator[Any, None, None]:
    """Hand out batches, at most `room` at a time, and yield what comes of them in their order."""
    under_way: deque[Future[Any]] = deque()
    failure: ToolgenError | None = None
    while failure is None:
        try:
            batch = next(given)
        except StopIteration:
            break
        except ToolgenError as error:
            failure = error
        else:
            under_way.append(pool.submit(batch))
            if len(under_way) >= room:
                yield pool.result(under_way.popleft())
    while under_way:
        yield pool.result(under_way.popleft())
    if failure is not None:
        raise failure


_WORK: list[Callable[[Any], Any]] = []
"""In a process of the pool: what is done with each batch."""


def _begin(work: Callable[[Any], Any]) -> None:
    """Make a process of the pool ready: it leaves signals to the parent, and ends with it."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _WORK[:] = [work]
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(_ORPHANED)


def _do(batch: object) -> Any:
    return _WORK[0](batch)
