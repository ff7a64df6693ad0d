"""The breaker: a server that only fails stops the run instead of eating the night."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from generator.backends.backend import Transient
from generator.errors import BackendError

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
        self._told_until = 0.0
        self._told_seconds = 0.0
        self._told_times = 0

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
            self._told_seconds, self._told_times = 0.0, 0

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
        if now >= self._told_until and failure.retry_after >= _A_WAIT:
            self._told_times += 1
        until = max(self._told_until, now + failure.retry_after)
        self._told_seconds += until - max(self._told_until, now)
        self._told_until = until

    def _out_of_patience(self, now: float) -> bool:
        since = now if self._since is None else self._since
        waited = self._told_seconds - max(0.0, self._told_until - now)
        return now - since - waited >= self._patience or self._told_times > WAITS_IN_VAIN

    def _only_fails(self) -> bool:
        return sum(self._tries) >= HIGHEST_SHARE * len(self._tries)
