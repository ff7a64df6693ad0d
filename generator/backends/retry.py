"""The one retry policy: what is tried again, how long to wait, when to stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from tenacity import RetryCallState, wait_random_exponential
from tenacity.wait import wait_base

LONGEST_WAIT = 600.0
"""Seconds; a server that asks for longer stops the run, which can be continued then."""


@dataclass(frozen=True, slots=True)
class Transient:
    """Why a request may be tried again."""

    reason: str
    message: str
    retry_after: float | None = None
    """Seconds the server asked to wait, None where it did not."""


class TransientFailure(Exception):
    """A failure that a later try may not meet."""

    def __init__(self, failure: Transient) -> None:
        self.failure = failure
        super().__init__(failure.message)


class WaitAsTold(wait_base):
    """Wait as long as the server asks; exponentially with full jitter where it does not."""

    def __init__(self, shortest: float = 0.5, longest: float = 30.0) -> None:
        self._otherwise = wait_random_exponential(multiplier=shortest, max=longest)

    def __call__(self, retry_state: RetryCallState) -> float:
        """Return the seconds to wait before the next try."""
        outcome = retry_state.outcome
        error = outcome.exception() if outcome else None
        if isinstance(error, TransientFailure) and error.failure.retry_after is not None:
            return error.failure.retry_after
        return float(self._otherwise(retry_state))


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Read `retry-after-ms` and `Retry-After` (seconds or an HTTP date); None where neither can be read."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    return seconds if seconds is not None or told is None else _seconds_until(told, now or datetime.now(UTC))


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _seconds_until(text: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
