"""Admission: when the next request may be sent to a server, and when no more are.

A limit of the user's ends the run, and so do answers of which none can be used: once what is under way has been
answered, since it is paid for. Where the server asks to wait, every request waits, not only the one that was told.
Where it only fails, one request at a time finds out whether it is well again. How many go at a time is found by trying
(see `Pace`), and how many go in a minute by what the user and the server say (see `Rates`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from statistics import median
from time import monotonic

from generator.backends.backend import Transient, Verdicts
from generator.backends.budget import Budget, Usage
from generator.backends.rates import Taken
from generator.errors import BackendError, LimitError

AT_FIRST = 8
"""Requests under way before anything is known of the server."""
SHRINK = 0.7
"""What trouble leaves, at most."""
LEAST = 0.3
"""What it leaves at least, where answers take that much longer."""
SLOWER = 2.0
"""How many times longer answers may take than they did with fewer under way."""
_LEAST_RISE = 0.1
"""Seconds; whatever is quicker than that by nature is not in a queue."""
_FEWEST = 8
"""Answers of a round, from which is told how long they take."""
_OVERLOAD = ("timeout", "connection")


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it was sent: its number, and how many were under way with it."""

    number: int
    beside: int


class Pace:
    """The number of requests that may be under way, between one and `most`."""

    def __init__(self, most: int, first: int = AT_FIRST) -> None:
        self._most = float(most)
        self._exact = float(min(first, most))
        self._reached = self._most
        """Up to here each answer adds one."""
        self._sent = 0
        self._new_from = 0
        """The first request that was sent at this pace; those before it tell of another."""
        self._was_answered = True
        self._round = max(self.limit, _FEWEST)
        """Answers of the round that is under way."""
        self._seconds: list[float] = []
        self._beside = 0
        self._quickest: tuple[float, int] | None = None
        """The seconds of the quickest round, and how many were under way in it."""

    @property
    def limit(self) -> int:
        """How many may be under way."""
        return int(self._exact)

    def sent(self, beside: int) -> Sent:
        """Note that a request is sent, `beside` being under way with it, itself included."""
        self._sent += 1
        return Sent(self._sent - 1, beside)

    def answered(self, sent: Sent, seconds: float) -> None:
        """Note that a request was answered."""
        if sent.number < self._new_from:
            return
        self._was_answered = True
        self._seconds.append(seconds)
        self._beside = max(self._beside, sent.beside)
        share = self._close_round() if len(self._seconds) >= self._round else 1.0
        if share < 1.0:
            self._shrink(share)
        elif 2 * sent.beside >= self.limit:  # where it is not made use of, nothing is known of more
            step = 1.0 if self._exact < self._reached else 1.0 / self._exact
            self._exact = min(self._most, self._exact + step)

    def failed(self, sent: Sent, failure: Transient) -> None:
        """Note that a request failed; only what may come of too many at once counts."""
        if sent.number >= self._new_from and (failure.reason.startswith("http_") or failure.reason in _OVERLOAD):
            self._shrink(SHRINK)

    def _shrink(self, share: float) -> None:
        self._exact = max(1.0, self._exact * share)
        if self._was_answered:  # else nothing is answered at all, which tells nothing of how many are too many
            self._reached = self._exact
        self._was_answered = False
        self._new_from = self._sent
        self._begin_round()

    def _begin_round(self) -> None:
        self._round = max(self.limit, _FEWEST)
        self._seconds.clear()
        self._beside = 0

    def _close_round(self) -> float:
        """Close a round and return the share that is left where it came far slower than the quickest, with more beside.

        A round that is slow with no more under way tells of a server that is slower now, whoever asks it.
        """
        took, beside = median(self._seconds), self._beside
        self._begin_round()
        quickest = self._quickest
        if quickest is None or took <= quickest[0] or beside <= quickest[1]:
            self._quickest = (took, beside)
            return 1.0
        bearable = max(SLOWER * quickest[0], quickest[0] + _LEAST_RISE)
        return 1.0 if took <= bearable else max(LEAST, min(SHRINK, bearable / took))


WINDOW = 60
"""Tries that are looked at."""
FEWEST = 9
"""Tries below which nothing is concluded."""
HIGHEST_SHARE = 0.95
"""The share of failures in the window that counts as only failing."""
PATIENCE = 20.0
"""Seconds that it may last, without those that the server asked to wait: one that is started anew fails for a while."""
WAITS_IN_VAIN = 10
"""How often a server may ask to wait, and then only ask for more."""
UNREACHED = 3
"""Tries without a connection after which a server that was never reached is given up: it is not there."""
PROBED_FROM = 8
"""Failures in a row after which one request at a time finds out whether the server is well again."""
_LONGEST_PAUSE = 10.0
_A_WAIT = 1.0
"""Seconds; a server that asks for less asks for nothing, and is given as long as one that does not ask."""


class Breaker:
    """Watches the last tries, failures and answers alike."""

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = monotonic) -> None:
        self._tries: deque[bool] = deque(maxlen=WINDOW)
        self._patience = patience
        self._clock = clock
        self._since: float | None = None
        self._row = self._pauses = 0
        self._paused_until = 0.0
        self._unreached = 0
        self._reached = False
        self._asked_until = 0.0
        self._asked_seconds = 0.0
        self._asked_times = 0

    @property
    def probing(self) -> bool:
        """Whether the server has failed so often in a row that one request at a time is enough."""
        return self._row >= PROBED_FROM

    def pause(self, shortest: float) -> float:
        """Return the seconds for which a failing server is still left alone; the next time it is twice as long."""
        if not self.probing:
            return 0.0
        now = self._clock()
        if now >= self._paused_until:
            self._paused_until = now + min(_LONGEST_PAUSE, shortest * 2.0**self._pauses)
            self._pauses += 1
        return self._paused_until - now

    def answered(self) -> None:
        """Note a try that was answered."""
        self._tries.append(False)
        self._row, self._pauses, self._reached = 0, 0, True
        if not self._only_fails():
            self._since = None
            self._asked_seconds, self._asked_times = 0.0, 0

    def failed(self, failure: Transient, server: str) -> None:
        """Note a try that failed.

        Raises:
            BackendError: the server was never reached, or nearly every try has failed for longer than patience lasts.
        """
        self._tries.append(True)
        self._row += 1
        self._give_up_what_is_not_there(failure)
        now = self._clock()
        self._hear(failure, now)
        if not self._only_fails():
            return
        self._since = now if self._since is None else self._since
        if len(self._tries) >= FEWEST and self._out_of_patience(now):
            raise BackendError(
                f"{server} only fails ({sum(self._tries)} of the last {len(self._tries)} tries); the last: "
                f"{failure.message}. Nothing is lost: run the same command again when the server is well"
            )

    def _give_up_what_is_not_there(self, failure: Transient) -> None:
        self._unreached += failure.unreached
        self._reached = self._reached or not failure.unreached
        if not self._reached and self._unreached >= UNREACHED:
            raise BackendError(f"{failure.message}. Nothing was sent")

    def _hear(self, failure: Transient, now: float) -> None:
        """Note that the server asks to wait: once for all who are told so together."""
        if failure.retry_after is None:
            return
        if now >= self._asked_until and failure.retry_after >= _A_WAIT:
            self._asked_times += 1
        until = max(self._asked_until, now + failure.retry_after)
        self._asked_seconds += until - max(self._asked_until, now)
        self._asked_until = until

    def _out_of_patience(self, now: float) -> bool:
        since = now if self._since is None else self._since
        waited = self._asked_seconds - max(0.0, self._asked_until - now)
        return now - since - waited >= self._patience or self._asked_times > WAITS_IN_VAIN

    def _only_fails(self) -> bool:
        return sum(self._tries) >= HIGHEST_SHARE * len(self._tries)


_WORTH_TELLING = 5.0
"""Seconds; a shorter wait is over before it is read."""
_TELL_AGAIN = 60.0
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
        if self._breaker.probing and failure.unreached:
            self._notice(monotonic(), f"{failure.message}; it is tried again, one request at a time")
        asked = failure.retry_after or 0.0
        until = monotonic() + max(asked, self._breaker.pause(self._shortest_wait))
        if until > self._closed_until:
            self._closed_until, self._asked_by_server = until, asked > 0

    def refused(self, reason: str) -> None:
        """Note that the server refused one request, and is well."""
        self._verdicts.failed(reason)
        self._breaker.answered()

    def _may_enter(self, most: Usage) -> bool:
        if self._ended is not None:  # also for one that would cost less than the one that was too much
            raise self._ended
        closed = max(0.0, self._closed_until - monotonic(), self._rates.server_wait(most.total))
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
        return self._under_way < self._most_under_way()

    def _most_under_way(self) -> float:
        if self._breaker.probing:
            return 1
        return min(AT_FIRST, self._pace.limit) if self._verdicts.on_trial else self._pace.limit

    def _is_judging(self) -> bool:
        """Say whether answers are still being read: one that can be used would save the run. It waits a while alone."""
        self._judge_until = min(self._judge_until, monotonic() + self._verdicts.patience)
        return self._verdicts.awaited > 0 and monotonic() < self._judge_until

    async def _wait(self, most: Usage) -> None:
        """Wait for a change, or for the time at which something is due."""
        now = monotonic()
        closed, asked = self._closed_until - now, self._rates.server_wait(most.total)
        if asked > 0 or (closed > 0 and self._asked_by_server):
            self._tell(now, max(closed, asked))
        judging = inf if self._judge_until == inf else _LOOK_AGAIN
        times = (self._budget.seconds_left(), closed, asked, self._rates.wait(most.total), self._tell_at - now, judging)
        due = [each for each in times if 0 < each < inf]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._change.wait(), min(due, default=None))

    def _tell(self, now: float, wait: float) -> None:
        if wait >= _WORTH_TELLING:
            self._notice(now, f"{self._server} asks to wait: all requests wait {wait:,.0f} s more")

    def _notice(self, now: float, message: str) -> None:
        if now >= self._tell_at:
            self._tell_at = now + _TELL_AGAIN
            self._notify(message)
