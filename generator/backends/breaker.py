"""The breaker: a server that only fails stops the run instead of eating the night."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from generator.errors import BackendError

WINDOW = 60
"""Tries that are looked at."""
FEWEST = 12
"""Tries below which nothing is concluded."""
HIGHEST_SHARE = 0.95
"""The share of failures in the window that counts as only failing."""
PATIENCE = 20.0
"""Seconds that it may last: hundreds of requests in flight fail together when a server is started anew."""


class Breaker:
    """Watches the last tries, failures and answers alike."""

    def __init__(self, patience: float = PATIENCE, clock: Callable[[], float] = monotonic) -> None:
        self._tries: deque[bool] = deque(maxlen=WINDOW)
        self._patience = patience
        self._clock = clock
        self._since: float | None = None

    def answered(self) -> None:
        """Note a try that was answered."""
        self._tries.append(False)
        if not self._only_fails():
            self._since = None

    def failed(self, message: str, server: str) -> None:
        """Note a try that failed.

        Raises:
            BackendError: nearly every try has failed for longer than patience lasts.
        """
        self._tries.append(True)
        if not self._only_fails():
            return
        now = self._clock()
        self._since = now if self._since is None else self._since
        if len(self._tries) >= FEWEST and now - self._since >= self._patience:
            raise BackendError(
                f"{server} only fails ({sum(self._tries)} of the last {len(self._tries)} tries); the last: {message}. "
                "Nothing is lost: run the same command again when the server is well"
            )

    def _only_fails(self) -> bool:
        return sum(self._tries) >= HIGHEST_SHARE * len(self._tries)
