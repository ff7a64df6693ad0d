"""Rates: how many requests and tokens a minute may go to a server, by the user's word and by the server's own.

What a request will take is estimated before it is sent, by what those before it took, and put right when its answer
has come. What a server tells to be left of its limits is heeded before it is used up: requests wait for the reset
rather than be turned away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic

from generator.backends.retry import LONGEST_WAIT, told_quotas

_MINUTE = 60.0
_BURST = 1.0
"""Seconds' worth that may go at once: a minute's worth would be twice as much within one minute."""

Clock = Callable[[], float]


class Bucket:
    """A token bucket: fills at its rate, up to a second's worth; what is taken beyond that is a debt."""

    def __init__(self, a_minute: float, clock: Clock = monotonic) -> None:
        self._rate = a_minute / _MINUTE
        self._room = max(1.0, self._rate * _BURST)
        self._clock = clock
        self._level = self._room
        self._at = clock()

    def wait(self, amount: float) -> float:
        """Return the seconds until so much may be taken; of more than there is room for, as much as there is."""
        self._fill()
        return max(0.0, (min(amount, self._room) - self._level) / self._rate)

    def take(self, amount: float) -> None:
        """Take so much, or give it back where it is below zero."""
        self._fill()
        self._level = min(self._room, self._level - amount)

    def _fill(self) -> None:
        now = self._clock()
        self._level = min(self._room, self._level + (now - self._at) * self._rate)
        self._at = now


@dataclass(frozen=True, slots=True)
class Taken:
    """What a request has taken from the rates: the tokens that it may use, and how far the accounts were with it."""

    tokens: int
    requests_so_far: int
    tokens_so_far: int


@dataclass(frozen=True, slots=True)
class _Told:
    """What a server told to be left of one of its limits."""

    by: int
    """The number of the request that was told so."""
    end: float
    """The account at which nothing is left."""
    until: float


class Rates:
    """The rates of one server. None where the user sets no limit."""

    def __init__(self, rpm: float | None = None, tpm: float | None = None, clock: Clock = monotonic) -> None:
        self._clock = clock
        self._requests = None if rpm is None else Bucket(rpm, clock)
        self._tokens = None if tpm is None else Bucket(tpm, clock)
        self._sent = self._spent = 0
        self._answers = self._used = 0
        self._told: dict[str, _Told] = {}

    def wait(self, most: int) -> float:
        """Return the seconds until a request may be sent that takes so much at most, by the user's word."""
        requests = 0.0 if self._requests is None else self._requests.wait(1)
        return max(requests, 0.0 if self._tokens is None else self._tokens.wait(self._expected(most)))

    def told_wait(self, most: int) -> float:
        """Return the seconds until the server's own limits have room for it again."""
        now, need = self._clock(), {"requests": (self._sent, 1), "tokens": (self._spent, self._expected(most))}
        waits = [
            told.until - now
            for unit, told in self._told.items()
            if told.until > now and need[unit][0] + need[unit][1] > told.end
        ]
        return max(waits, default=0.0)

    def take(self, most: int) -> Taken:
        """Note that a request is sent."""
        tokens = self._expected(most)
        self._sent += 1
        self._spent += tokens
        if self._requests is not None:
            self._requests.take(1)
        if self._tokens is not None:
            self._tokens.take(tokens)
        return Taken(tokens, self._sent, self._spent)

    def settle(self, taken: Taken, used: int) -> None:
        """Put right what was estimated of a request: it used so many tokens."""
        if used:
            self._answers += 1
            self._used += used
        self._spent += used - taken.tokens
        if self._tokens is not None:
            self._tokens.take(used - taken.tokens)

    def hear(self, taken: Taken, headers: Mapping[str, str]) -> None:
        """Note what the reply to a request tells of the server's limits; what was sent after it comes off that."""
        now = self._clock()
        so_far = {"requests": taken.requests_so_far, "tokens": taken.tokens_so_far}
        for quota in told_quotas(headers):
            known = self._told.get(quota.unit)
            if quota.reset > LONGEST_WAIT or quota.remaining is None:
                continue
            if known is None or known.until <= now or known.by < taken.requests_so_far:
                end = so_far[quota.unit] + quota.remaining
                self._told[quota.unit] = _Told(taken.requests_so_far, end, now + quota.reset)

    def _expected(self, most: int) -> int:
        """Return the tokens that a request will take, by what the answers so far took; 0 for `most` says nothing."""
        if not self._answers:
            return most
        mean = round(self._used / self._answers)
        return min(most, mean) if most else mean
