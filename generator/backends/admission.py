"""Admission: when the next request may be sent to a server, and when no more are.

A limit of the user's ends the run, and so do answers of which none can be used: once what is under way has been
answered, since it is paid for. Where the server asks to wait, every request waits, not only the one that was told.
Where it only fails, one request at a time finds out whether it is well again. At first a few requests go at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf
from time import monotonic

from generator.backends.breaker import Breaker
from generator.backends.limits import Budget, Usage
from generator.backends.retry import Transient
from generator.backends.verdicts import Verdicts

AT_FIRST = 8
"""Requests under way before a first answer could be used."""
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


class Admission:
    """Lets the requests of one server through; lives in one event loop."""

    def __init__(
        self, server: str, budget: Budget, verdicts: Verdicts, *, shortest_wait: float = 0.5, notify: Notify = nobody
    ) -> None:
        self._server = server
        self._budget = budget
        self._verdicts = verdicts
        self._shortest_wait = shortest_wait
        self._notify = notify
        self._breaker = Breaker()
        self._under_way = 0
        self._closed_until = 0.0
        self._asked_by_server = False
        self._tell_at = 0.0
        self._judge_until = inf
        self._change = asyncio.Event()

    async def enter(self, most: Usage) -> None:
        """Wait until one more request may be sent, and count it.

        Raises:
            LimitError: a limit of the user's is reached.
            BackendError: nothing that the server answers can be used.
        """
        while not self._may_enter(most):
            await self._wait()
        self._under_way += 1
        self._budget.set_aside(most)
        self._verdicts.sent()

    def leave(self, most: Usage, taken: Usage) -> None:
        """Count the request out: it was answered, has failed, or was given up."""
        self._under_way -= 1
        self._budget.settle(most, taken)
        self._change.set()
        self._change = asyncio.Event()

    def answered(self) -> None:
        """Note that the server answered."""
        self._breaker.answered()

    def failed(self, failure: Transient) -> None:
        """Note that a request failed.

        Raises:
            BackendError: the server is not there, or only fails.
        """
        self._verdicts.failed(failure.reason)
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
        closed = max(0.0, self._closed_until - monotonic())
        limit = self._budget.exceeded_by(most, closed)
        end = limit or self._verdicts.hopeless(self._server)
        if end is not None:
            if self._under_way or (limit is None and self._is_judging()):
                return False
            raise end
        self._judge_until = inf
        if closed:
            return False
        if self._breaker.probing:
            return self._under_way == 0
        return not self._verdicts.on_trial or self._under_way < AT_FIRST

    def _is_judging(self) -> bool:
        """Say whether answers are still being read: one that can be used would save the run. It waits a while alone."""
        self._judge_until = min(self._judge_until, monotonic() + _LONGEST_JUDGING)
        return self._verdicts.awaited > 0 and monotonic() < self._judge_until

    async def _wait(self) -> None:
        """Wait for a change, or for the time at which something is due."""
        now = monotonic()
        closed = self._closed_until - now
        if closed > 0 and self._asked_by_server:
            self._tell(now, closed)
        judging = inf if self._judge_until == inf else _LOOK_AGAIN
        due = [each for each in (self._budget.seconds_left(), closed, self._tell_at - now, judging) if 0 < each < inf]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._change.wait(), min(due, default=None))

    def _tell(self, now: float, wait: float) -> None:
        if wait >= _WORTH_TELLING and now >= self._tell_at:
            self._tell_at = now + _TELL_AGAIN
            self._notify(f"{self._server} asks to wait: all requests wait {wait:,.0f} s more")
