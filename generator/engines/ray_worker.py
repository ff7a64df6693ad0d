"""In a worker of Ray: attempts that are made beside each other, and what they ask of the process that settles them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from time import process_time
from typing import Any, NamedTuple, Protocol

from generator.engines.node import require_versions
from generator.garbage_collection import take_for_kept


class MakesAttempts(Protocol):
    """Makes one attempt at any index of a job."""

    async def attempt(self, index: int, attempt: int) -> object:
        """Make it."""
        ...


Recipe = Callable[[Any], MakesAttempts]
"""Makes what makes attempts; it is given the way (`Worker`) to ask and to tell the process that settles."""


@dataclass(frozen=True, slots=True)
class Handed:
    """An attempt that a worker is to make, by the number of its ticket."""

    ticket: int
    index: int
    attempt: int


class Asked(NamedTuple):
    """A question of a worker: its number there, the ticket of the attempt that asks, whom it asks, and what."""

    number: int
    ticket: int
    whom: str
    what: object


@dataclass(slots=True)
class Given:
    """What a worker is given at a time."""

    attempts: list[Handed] = field(default_factory=list)
    answers: list[tuple[int, object]] = field(default_factory=list)
    """By the numbers of the questions."""


@dataclass(slots=True)
class News:
    """What a worker has to tell at a time, in the order in which it is to be heard."""

    told: list[tuple[str, object]] = field(default_factory=list)
    """Whom, and what."""
    asked: list[Asked] = field(default_factory=list)
    made: list[tuple[int, object]] = field(default_factory=list)
    """The ticket of each attempt that was made, and what came of it."""
    cpu_seconds: float = 0.0
    """CPU time of the worker so far."""


_TICKET: ContextVar[int] = ContextVar("ticket")
"""That of the attempt which is at work."""


class Worker:
    """Makes attempts as they are given, as many beside each other as there are; lives in the event loop of an actor.

    What there is to tell is fetched from it: whoever fetches it notices at once where the worker is lost.
    """

    def __init__(self) -> None:
        self._news = News()
        self._has_news = asyncio.Event()
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[object]] = {}
        self._at_work: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None

    async def begin(self, there: Mapping[str, str], held: Sequence[Any]) -> None:
        """Make ready by the recipe, which is held in Ray.

        Raises:
            EngineError: other versions are installed on this node than where the run is.
        """
        require_versions(there)
        recipe: Recipe = await held[0]
        self._maker = recipe(self)
        take_for_kept()

    async def give(self, given: Given) -> None:
        """Take attempts, which are begun, and answers, with which others go on."""
        for each in given.attempts:
            task = asyncio.create_task(self._make(each))
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)
        for number, answer in given.answers:
            self._waiting.pop(number).set_result(answer)

    async def news(self) -> News:
        """Wait until there is something to tell, and tell it; what an attempt raises is raised here."""
        await self._has_news.wait()
        if self._failure is not None:
            raise self._failure
        self._has_news.clear()
        news, self._news = self._news, News()
        news.cpu_seconds = process_time()
        return news

    async def _make(self, handed: Handed) -> None:
        _TICKET.set(handed.ticket)
        try:
            made = await self._maker.attempt(handed.index, handed.attempt)
        except Exception as error:  # noqa: BLE001 - it is raised where the run is
            self._failure = self._failure or error
        else:
            self._news.made.append((handed.ticket, made))
        self._has_news.set()

    async def ask(self, whom: str, what: object) -> Any:
        """Ask the process that settles, and wait for the answer."""
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._news.asked.append(Asked(number, _TICKET.get(), whom, what))
        self._has_news.set()
        return await answer

    def tell(self, whom: str, what: object) -> None:
        """Say something, which goes with what the attempt asks or comes to next."""
        self._news.told.append((whom, what))
