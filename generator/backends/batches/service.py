"""The servers of batches: a file of lines is handed in, looked after, and its answers are fetched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeVar

import orjson
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_base

from generator.backends.backend import RequestRefused, TransientFailure, Unavailable
from generator.backends.http import Backoff
from generator.backends.server import ServerOptions
from generator.backends.wire import Reply, Wire, refusal_of
from generator.errors import BackendError
from generator.jsontext import JsonObject

T = TypeVar("T")
_AGAIN = "nothing is lost: the same command goes on"
_NO_BATCHES = frozenset({404, 405, 501})
_PAGE = 100
_MOST_PAGES = 100

BatchState = Literal["waiting", "ended", "failed"]
"""Under way; ended, with whatever was answered by then; or refused as a whole, with no line asked."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as its server tells of it."""

    id: str
    state: BatchState
    said: str
    """The server's own word for it."""
    done: int = 0
    """Lines that are answered, or have failed."""
    results: tuple[str, ...] = ()
    """Where its answers and errors lie, as the server names that."""
    errors: tuple[str, ...] = ()
    """Why it failed as a whole."""
    codes: frozenset[str] = frozenset()
    """The same in the server's words for programs."""


@dataclass(frozen=True, slots=True)
class RequestLines:
    """A file that is handed in, and by what it is known again."""

    path: Path
    mark: str
    """Tells it from any other file ever handed in."""
    model: str
    requests: int
    size: int
    begun: float
    """When it was first tried to hand it in, in seconds since 1970."""


class BatchService(Protocol):
    """One server of batches. Each method makes one try; what may pass is a TransientFailure."""

    marked: ClassVar[bool]
    """Whether a batch carries the mark of its file, so that one that was found is surely made of it."""

    async def hand_in(self, lines: RequestLines) -> Batch:
        """Make a batch of a file; whoever is not told whether that came about looks for it before the next try."""
        ...

    async def find(self, lines: RequestLines, known: frozenset[str]) -> Batch | None:
        """Return the batch that was made of a file, by what tells it from those `known`; None where there is none."""
        ...

    async def look(self, batch_id: str) -> Batch:
        """Return how a batch is."""
        ...

    def results(self, batch: Batch) -> AsyncIterator[bytes]:
        """Yield the lines that came back."""
        ...


class Exchange:
    """Requests about batches over a wire: what a reply means that is no answer."""

    def __init__(self, wire: Wire, options: ServerOptions) -> None:
        self.wire = wire
        self.options = options

    def document(self, reply: Reply) -> JsonObject:
        """Return the object of a reply.

        Raises:
            BackendError: the server refuses, or has no batches.
            TransientFailure: a later try may be answered.
        """
        if not reply.is_answer:
            raise self.refusal(reply)
        try:
            document = orjson.loads(reply.content)
        except orjson.JSONDecodeError:
            document = None
        if not isinstance(document, dict):
            raise BackendError(f"{self.options.masked_url} does not answer as a server of batches does: look at it")
        return document

    async def listed(self, path: str, cursor: str, below: str | None = None) -> AsyncIterator[JsonObject]:
        """Yield the batches that a server lists, page by page.

        Args:
            path: where the list is.
            cursor: the word by which the next page is asked for.
            below: the URL that the path is below, where that is not the server's base URL.
        """
        after: dict[str, str] = {}
        for _ in range(_MOST_PAGES):
            page = self.document(await self.wire.get(path, {"limit": str(_PAGE), **after}, below=below))
            batches = [each for each in page.get("data") or () if isinstance(each, dict)]
            for batch in batches:
                yield batch
            if not page.get("has_more") or not batches:
                return
            after = {cursor: str(page.get("last_id") or batches[-1].get("id"))}

    def refusal(self, reply: Reply) -> Exception:
        """Return the exception that a reply stands for; where one request alone would be refused, all is."""
        found = refusal_of(reply, self.options)
        if reply.status in _NO_BATCHES:
            return BackendError(
                f"{self.options.masked_url} has no such batches or files (HTTP {reply.status}: {found}): look at "
                "--base-url; a server without batches takes the files by hand, see `toolgen help batches`"
            )
        if isinstance(found, RequestRefused | Unavailable):
            return BackendError(f"{self.options.masked_url} refuses the batch: {found}")
        return found


class ToldOrBackoff(wait_base):
    """Wait as long as the server asks, else longer and longer."""

    def __init__(self, shortest: float) -> None:
        self._untold = Backoff(shortest)

    def __call__(self, retry_state: RetryCallState) -> float:
        """Return the seconds to wait before the next try."""
        error = retry_state.outcome.exception() if retry_state.outcome else None
        told = error.failure.retry_after if isinstance(error, TransientFailure) else None
        return self._untold(retry_state) if told is None else told


async def persistently(options: ServerOptions, work: Callable[[], Awaitable[T]]) -> T:
    """Try until it comes about, or the tries are used up.

    Raises:
        BackendError: the server refuses, or only fails.
    """
    policy = AsyncRetrying(
        retry=retry_if_exception_type(TransientFailure),
        stop=stop_after_attempt(options.tries),
        wait=ToldOrBackoff(options.shortest_wait),
        sleep=asyncio.sleep,
        reraise=True,
    )

    async def attempt() -> T:
        return await work()

    try:
        return await policy(attempt)
    except TransientFailure as error:
        raise BackendError(f"{options.masked_url} fails: {error} (after {options.tries} tries); {_AGAIN}") from error


async def hand_in(service: BatchService, options: ServerOptions, lines: RequestLines, known: frozenset[str]) -> Batch:
    """Have a batch made of a file, once: before each try but a first, what an earlier one made is looked for."""
    is_first = not lines.begun

    async def attempt() -> Batch:
        nonlocal is_first
        found = None if is_first else await service.find(lines, known)
        is_first = False
        return await service.hand_in(lines) if found is None else found

    return await persistently(options, attempt)


def texts_of(errors: object) -> Iterator[tuple[str, str]]:
    """Yield the code and the words of each error in a list of them."""
    for error in errors if isinstance(errors, list) else ():
        told = error if isinstance(error, dict) else {}
        line = f" (line {told['line']})" if isinstance(told.get("line"), int) else ""
        yield str(told.get("code") or ""), f"{told.get('message') or told.get('code') or 'no reason given'}{line}"
