"""The breaker: a server that only fails stops the run instead of eating the night."""

from __future__ import annotations

from collections import deque

from generator.errors import BackendError

WINDOW = 60
"""Tries that are looked at; fewer are no ground to stop."""
HIGHEST_SHARE = 0.95
"""The share of failures in the window at which the run stops."""


class Breaker:
    """Watches the last tries, failures and answers alike."""

    def __init__(self, window: int = WINDOW, highest_share: float = HIGHEST_SHARE) -> None:
        self._failures: deque[bool] = deque(maxlen=window)
        self._highest = highest_share * window

    def answered(self) -> None:
        """Note a try that was answered."""
        self._failures.append(False)

    def failed(self, message: str, server: str) -> None:
        """Note a try that failed.

        Raises:
            BackendError: nearly every try of the window failed.
        """
        self._failures.append(True)
        if len(self._failures) == self._failures.maxlen and sum(self._failures) >= self._highest:
            raise BackendError(
                f"{server} only fails ({sum(self._failures)} of the last {len(self._failures)} tries); the last: {message}. "
                "Nothing is lost: run the same command again when the server is well"
            )
