"""Signals held back while processes start, which so leave them to their parent."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
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
_KILLED = 1


def available_cores() -> int:
    """Return on how many cores this process may run."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work_in_order(work: Callable[[_Given], _Done], given: Iterator[_Given], jobs: int) -> Iterator[_Done]:
    """Yield what `work` makes of each batch, in their order; it is sent to each process once, so it can be pickled.

    Raises:
        EngineError: a process was lost.
        ToolgenError: what `given` raises, once all that came before was yielded.
    """
    if jobs == 1:
        yield from map(work, given)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(work,))
    try:
        yield from _in_order(given, pool, jobs * _AHEAD)
    except BrokenProcessPool as error:
        raise EngineError("a process was lost, perhaps for want of memory: try fewer --jobs") from error
    except BaseException:
        for process in active_children():  # nobody waits for what is under way any more
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(given: Iterator[_Given], pool: ProcessPoolExecutor, room: int) -> Iterator[Any]:
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
            with signals_held():  # processes start as batches come
                under_way.append(pool.submit(_do, batch))
            if len(under_way) >= room:
                yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()
    if failure is not None:
        raise failure


_WORK: list[Callable[[Any], Any]] = []
"""In a process of the pool: what is done with each batch."""


def _begin(work: Callable[[Any], Any]) -> None:
    """Make a process of the pool ready: it leaves signals to the parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WORK[:] = [work]
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(_KILLED)


def _do(batch: object) -> Any:
    return _WORK[0](batch)
