"""The log of answers in front of a backend: an answer is written down before it is used, and paid for once."""

from __future__ import annotations

import asyncio
import logging
from types import TracebackType
from typing import Protocol, Self

from pydantic import ValidationError

from generator.backends.backend import Backend, Completion, CompletionRequest
from generator.errors import LimitError

log = logging.getLogger(__name__)


class AnswerLog(Protocol):
    """Where answers are kept, by the key of their request."""

    def answer(self, key: str) -> bytes | None:
        """Return the answer kept under this key, None where there is none."""
        ...

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Write an answer down; when this returns, a killed process does not lose it."""
        ...


class LoggedBackend:
    """Answers from the log where it can, else asks the backend and writes the answer down first.

    Two requests with one key in flight at once are one request. A request in flight is paid for: whoever waits for it
    may be cancelled, the request goes on until the block ends, which waits `grace` seconds for all of them. What a
    model thought before it answered is written down only where thoughts are to be kept.
    """

    def __init__(self, backend: Backend, log: AnswerLog, grace: float = 0, *, keep_thoughts: bool = False) -> None:
        self._backend = backend
        self._log = log
        self._grace = grace
        self._keep_thoughts = keep_thoughts
        self._in_flight: dict[str, asyncio.Task[Completion]] = {}
        self.asked = 0
        """Requests that went to the backend."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Wait for what is in flight; not where the server failed, or where the user wants the end at once."""
        patient = kind is None or issubclass(kind, LimitError | GeneratorExit)
        await self._wait_for_all(self._grace if patient else 0)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the kept answer, or the backend's (see `Backend`)."""
        key = request.key
        if (kept := self._kept(key)) is not None:
            return kept
        asking = self._in_flight.get(key)
        if asking is None:
            asking = self._in_flight[key] = asyncio.create_task(self._ask(key, request))
            asking.add_done_callback(lambda done: self._note_end(key, done))
        return await asyncio.shield(asking)

    def _kept(self, key: str) -> Completion | None:
        """Read the kept answer; one that is none is asked for again."""
        kept = self._log.answer(key)
        try:
            if kept is None:
                return None
            return Completion.model_validate_json(kept).model_copy(update={"replayed": True})
        except ValidationError:
            log.warning("the answer kept for request %s is none; it is asked for again", key)
            return None

    async def _ask(self, key: str, request: CompletionRequest) -> Completion:
        self.asked += 1
        completion = await self._backend.complete(request)
        if not self._keep_thoughts:
            completion = completion.model_copy(update={"thoughts": ""})
        self._log.keep_answer(key, completion.model_dump_json(exclude_defaults=True).encode())
        return completion

    def _note_end(self, key: str, done: asyncio.Task[Completion]) -> None:
        del self._in_flight[key]
        if not done.cancelled():
            done.exception()  # marked as seen: whoever waits is told by the same exception, and perhaps nobody does

    async def _wait_for_all(self, grace: float) -> None:
        asking = list(self._in_flight.values())
        if asking and grace:
            log.warning("waiting up to %g s for %d requests in flight: their answers are kept", grace, len(asking))
            await asyncio.wait(asking, timeout=grace)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
