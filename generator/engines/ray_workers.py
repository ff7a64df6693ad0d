"""The workers of a Ray cluster that make attempts with a model: one per CPU, each with many attempts under way.

What a worker asks is answered here. A worker that is lost, with its node perhaps, loses what it had under way, and
that is made again by another one; what was asked for it is answered all the same, and found in the log then.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, Self

import ray
from ray.exceptions import RayError, RayTaskError

from generator.engines.ray import RETRIES, SILENT_AFTER, cpus
from generator.engines.ray_worker import Asked, Given, Handed, News, Recipe, Worker
from generator.errors import EngineError, ToolgenError
from generator.runs.identity import versions

_LOOK_AGAIN = 2.0
"""Seconds between looks at how many CPUs the cluster has."""

_GONE = "Ray lost a {} {} times, {}: {}; every record so far is kept, run the same command again to go on"

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Hired:
    """A worker, as it is seen from here."""

    actor: Any
    given: Given = field(default_factory=Given)
    """What goes to it next."""
    under_way: set[int] = field(default_factory=set)
    """The tickets that it has."""
    is_ready: bool = False
    is_lost: bool = False
    lost: int = 0
    """How many were lost in its place, one after the other, of which none made anything."""
    cpu_seconds: float = 0.0


@dataclass(eq=False, slots=True)
class _UnderWay:
    """An attempt that is waited for, and how often a worker was lost with it."""

    handed: Handed
    made: asyncio.Future[Any]
    lost: int = 0


class Workers:
    """Has attempts made by the workers of the Ray that this process is connected to; lives in one event loop."""

    def __init__(
        self,
        recipe: Recipe,
        answers: Mapping[str, Callable[[Any], Awaitable[object]]],
        hearing: Mapping[str, Callable[[Any], None]],
        most: int,
    ) -> None:
        self._recipe = recipe
        self._answers = answers
        self._hearing = hearing
        self._most = most
        self._hired: list[_Hired] = []
        self._under_way: dict[int, _UnderWay] = {}
        self._waiting: deque[int] = deque()
        """The tickets that no worker has."""
        self._tickets = count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None
        self._cpu_before = 0.0

    async def __aenter__(self) -> Self:
        self._held = [ray.put(self._recipe)]
        self._actor = ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(Worker)
        self._go(self._staff())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._hired:
            ray.kill(worker.actor)

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the workers so far."""
        return self._cpu_before + sum(worker.cpu_seconds for worker in self._hired)

    async def attempt(self, index: int, attempt: int) -> Any:
        """Return what comes of an attempt.

        Raises:
            EngineError: workers were lost with it, or one after the other, more often than they may be. What the
                attempt or the answer to its question raises is raised here.
        """
        if self._failure is not None:
            raise self._failure
        ticket = next(self._tickets)
        made = asyncio.get_running_loop().create_future()
        self._under_way[ticket] = _UnderWay(Handed(ticket, index, attempt), made)
        self._waiting.append(ticket)
        self._hand_out()
        try:
            return await made
        finally:
            del self._under_way[ticket]

    def _hand_out(self) -> None:
        """Give what waits to whoever has the least to do."""
        at_work = [worker for worker in self._hired if worker.is_ready]
        while self._waiting and at_work:
            if (waits := self._under_way.get(self._waiting.popleft())) is None:
                continue
            worker = min(at_work, key=lambda each: len(each.under_way))
            worker.under_way.add(waits.handed.ticket)
            self._to_go(worker).attempts.append(waits.handed)

    def _to_go(self, worker: _Hired) -> Given:
        """Return what goes to a worker next: all that comes up before the event loop turns goes together."""
        if not (worker.given.attempts or worker.given.answers):
            asyncio.get_running_loop().call_soon(self._send, worker)
        return worker.given

    @staticmethod
    def _send(worker: _Hired) -> None:
        given, worker.given = worker.given, Given()
        if not worker.is_lost:
            worker.actor.give.remote(given)

    async def _staff(self) -> None:
        """Have one worker per CPU of the cluster, however many it comes to have; tell where none begins."""
        since = monotonic()
        while True:
            while len(self._hired) < min(self._most, max(1, cpus())):
                self._hire()
            if not self._waiting:
                since = monotonic()
            elif monotonic() - since > SILENT_AFTER:
                since = monotonic()
                log.warning("no worker of Ray has begun for %g s: it has %d CPUs", SILENT_AFTER, cpus())
            await asyncio.sleep(_LOOK_AGAIN)

    def _hire(self, lost: int = 0) -> None:
        worker = _Hired(self._actor.remote(), lost=lost)
        self._hired.append(worker)
        self._go(self._attend(worker))

    async def _attend(self, worker: _Hired) -> None:
        """Hear what a worker has to tell, until it is lost."""
        try:
            await worker.actor.begin.remote(versions(), self._held)
            worker.is_ready = True
            self._hand_out()
            while True:
                self._hear(worker, await worker.actor.news.remote())
        except RayTaskError:
            raise
        except RayError as lost:
            self._let_go(worker, lost)

    def _hear(self, worker: _Hired, news: News) -> None:
        worker.cpu_seconds = news.cpu_seconds
        for whom, what in news.told:
            self._hearing[whom](what)
        for asked in news.asked:
            if asked.ticket in self._under_way:
                self._go(self._answer(worker, asked))
        for ticket, made in news.made:
            worker.lost = 0
            worker.under_way.discard(ticket)
            if (waits := self._under_way.get(ticket)) is not None and not waits.made.done():
                waits.made.set_result(made)

    async def _answer(self, worker: _Hired, asked: Asked) -> None:
        try:
            answer = await self._answers[asked.whom](asked.what)
        except Exception as error:  # noqa: BLE001 - it is raised where the attempt is waited for
            self._break(asked.ticket, error)
        else:
            self._to_go(worker).answers.append((asked.number, answer))

    def _break(self, ticket: int, error: Exception) -> None:
        if (waits := self._under_way.get(ticket)) is not None and not waits.made.done():
            waits.made.set_exception(error)

    def _let_go(self, worker: _Hired, lost: RayError) -> None:
        """Have what a worker had under way made by others, and another one in its place."""
        worker.is_ready, worker.is_lost = False, True
        self._hired.remove(worker)
        self._cpu_before += worker.cpu_seconds
        ray.kill(worker.actor)  # where it cannot be reached, it may still be at work
        reason = str(lost).strip().splitlines()[0]
        if worker.lost >= RETRIES:
            self._fail(EngineError(_GONE.format("worker", worker.lost + 1, "which never made anything", reason)))
            return
        self._hire(worker.lost + 1)
        for ticket in sorted(worker.under_way, reverse=True):
            if (waits := self._under_way.get(ticket)) is None:
                continue
            waits.lost += 1
            if waits.lost > RETRIES:
                self._break(ticket, EngineError(_GONE.format("task", waits.lost, "with its worker or node", reason)))
            self._waiting.appendleft(ticket)
        self._hand_out()

    def _go(self, work: Any) -> None:
        """Let something go on beside everything else; what it raises ends the run."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            cause = error.cause if isinstance(error, RayTaskError) else None
            self._fail(cause if isinstance(cause, ToolgenError) else error)

    def _fail(self, error: BaseException) -> None:
        self._failure = self._failure or (error if isinstance(error, Exception) else EngineError(str(error)))
        for ticket in list(self._under_way):
            self._break(ticket, self._failure)
