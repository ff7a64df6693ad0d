"""Admission: when the next request may be sent to a server, and when no more are.

A limit of the user's ends the run, and so do answers of which none can be used: once what is under way has been
answered, since it is paid for. Where the server asks to wait, every request waits, not only the one that was told.
Where it only fails, one request at a time finds out whether it is well again. How many go at a time is found by trying
(see `Pace`), and how many go in a minute by what the user and the server say (see `Rates`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from time import monotonic

from generator.backends.backend import Transient
from generator.backends.breaker import Breaker
from generator.backends.limits import Budget, Usage
from generator.backends.pace import AT_FIRST, Pace, Sent
from generator.backends.rates import Taken
from generator.backends.verdicts import Verdicts
from generator.errors import BackendError, LimitError

_WORTH_TELLING = 5.0
"""Seconds; a shorter wait is over before it is read."""
_TELL_AGAIN = 60.0
_LONGEST_JUDGING = 2.0
"""Seconds for which the end of a run waits for answers that are still being read."""
_LOOK_AGAIN = 0.05

Notify = Callable[[str], None]
"""Says something to the user while the run goes on."""


def nobody(message: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A request that was let through: what it may take, when it went, and among which others."""

    most: Usage
    at: float
    sent: Sent
    taken: Taken


class Admission:
    """Lets the requests of one server through, `most` at a time; lives in one event loop."""

    def __init__(
        self,
        server: str,
        budget: Budget,
        verdicts: Verdicts,
        *,
        most: int = 64,
        shortest_wait: float = 0.5,
        notify: Notify = nobody,
    ) -> None:
        self._server = server
        self._budget = budget
        self._verdicts = verdicts
        self._shortest_wait = shortest_wait
        self._notify = notify
        self._breaker = Breaker()
        self._pace = Pace(most)
        self._rates = budget.rates
        self._under_way = 0
        self._closed_until = 0.0
        self._asked_by_server = False
        self._tell_at = 0.0
        self._judge_until = inf
        self._ended: LimitError | BackendError | None = None
        self._change = asyncio.Event()

    async def enter(self, most: Usage) -> Ticket:
        """Wait until one more request may be sent, and count it.

        Raises:
            LimitError: a limit of the user's is reached.
            BackendError: nothing that the server answers can be used.
        """
        while not self._may_enter(most):
            await self._wait(most)
        self._under_way += 1
        self._budget.set_aside(most)
        self._verdicts.sent()
        return Ticket(most, monotonic(), self._pace.sent(self._under_way), self._rates.take(most.total))

    def heard(self, ticket: Ticket, headers: Mapping[str, str]) -> None:
        """Note what a reply tells of the server's limits."""
        self._rates.hear(ticket.taken, headers)

    def leave(self, ticket: Ticket, taken: Usage) -> None:
        """Count the request out: it was answered, has failed, or was given up."""
        self._under_way -= 1
        self._budget.settle(ticket.most, taken)
        self._rates.settle(ticket.taken, taken.total)
        self._change.set()
        self._change = asyncio.Event()

    def answered(self, ticket: Ticket) -> None:
        """Note that the server answered."""
        self._breaker.answered()
        self._pace.answered(ticket.sent, monotonic() - ticket.at)

    def failed(self, ticket: Ticket, failure: Transient) -> None:
        """Note that a request failed.

        Raises:
            BackendError: the server is not there, or only fails.
        """
        self._verdicts.failed(failure.reason)
        self._pace.failed(ticket.sent, failure)
        self._breaker.failed(failure, self._server)
        told = failure.retry_after or 0.0
        until = monotonic() + max(told, self._breaker.pause(self._shortest_wait))
        if until > self._closed_until:
            self._closed_until, self._asked_by_server = until, told > 0

    def refused(self, reason: str) -> None:
        """Note that the server refused one request, and is well."""
        self._verdicts.failed(reason)
        self._breaker.answered()

    def _may_enter(self, most: Usage) -> bool:
        if self._ended is not None:  # also for one that would cost less than the one that was too much
            raise self._ended
        closed = max(0.0, self._closed_until - monotonic(), self._rates.told_wait(most.total))
        limit = self._budget.exceeded_by(most, closed)
        end = limit or self._verdicts.hopeless(self._server)
        if end is not None:
            if self._under_way or (limit is None and self._is_judging()):
                return False
            self._ended = end
            raise end
        self._judge_until = inf
        if closed or self._rates.wait(most.total):
            return False
        if self._breaker.probing:
            return self._under_way == 0
        return self._under_way < (min(AT_FIRST, self._pace.limit) if self._verdicts.on_trial else self._pace.limit)

    def _is_judging(self) -> bool:
        """Say whether answers are still being read: one that can be used would save the run. It waits a while alone."""
        self._judge_until = min(self._judge_until, monotonic() + _LONGEST_JUDGING)
        return self._verdicts.awaited > 0 and monotonic() < self._judge_until

    async def _wait(self, most: Usage) -> None:
        """Wait for a change, or for the time at which something is due."""
        now = monotonic()
        closed, told = self._closed_until - now, self._rates.told_wait(most.total)
        if told > 0 or (closed > 0 and self._asked_by_server):
            self._tell(now, max(closed, told))
        judging = inf if self._judge_until == inf else _LOOK_AGAIN
        times = (self._budget.seconds_left(), closed, told, self._rates.wait(most.total), self._tell_at - now, judging)
        due = [each for each in times if 0 < each < inf]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._change.wait(), min(due, default=None))

    def _tell(self, now: float, wait: float) -> None:
        if wait >= _WORTH_TELLING and now >= self._tell_at:
            self._tell_at = now + _TELL_AGAIN
            self._notify(f"{self._server} asks to wait: all requests wait {wait:,.0f} s more")
