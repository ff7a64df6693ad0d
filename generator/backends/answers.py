"""The log of answers in front of a backend: an answer is written down before it is used, and paid for once."""

from __future__ import annotations

import asyncio
from typing import Protocol

from generator.backends.backend import Backend, Completion, CompletionRequest


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

    Two requests with one key in flight at once are one request.
    """

    def __init__(self, backend: Backend, log: AnswerLog) -> None:
        self._backend = backend
        self._log = log
        self._in_flight: dict[str, asyncio.Future[Completion]] = {}
        self.asked = 0
        """Requests that went to the backend."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the kept answer, or the backend's (see `Backend`)."""
        key = request.key
        if (kept := self._log.answer(key)) is not None:
            return Completion.model_validate_json(kept).model_copy(update={"replayed": True})
        if (waiting := self._in_flight.get(key)) is not None:
            return await asyncio.shield(waiting)
        return await self._ask(key, request)

    async def _ask(self, key: str, request: CompletionRequest) -> Completion:
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._in_flight[key] = future
        try:
            self.asked += 1
            completion = await self._backend.complete(request)
            self._log.keep_answer(key, completion.model_dump_json(exclude_defaults=True).encode())
        except BaseException as error:
            future.set_exception(error) if not isinstance(error, asyncio.CancelledError) else future.cancel()
            if not future.cancelled():
                future.exception()  # marked as seen: whoever waits with us is told by the same exception
            raise
        else:
            future.set_result(completion)
            return completion
        finally:
            del self._in_flight[key]
