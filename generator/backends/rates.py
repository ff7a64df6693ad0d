"""The rates of a server: how long it asks to wait, in headers and words; how many requests and tokens go a minute."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic

LONGEST_WAIT = 600.0
"""Seconds; a server that asks for longer stops the run, which can be continued then."""


def wait_in_headers(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Read how long a server asks to wait, in seconds; None where it does not say.

    `retry-after-ms` and `Retry-After` (seconds or an HTTP date) come first, then the rate limit that is used up:
    `x-ratelimit-reset-requests`, `x-ratelimit-reset-tokens`, `x-ratelimit-reset` or `ratelimit-reset`.
    """
    now = now or datetime.now(UTC)
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    header = headers.get("retry-after")
    seconds = _number(header)
    if seconds is None and header is not None:
        seconds = _seconds_until(header, now)
    return _reset(headers, now) if seconds is None else seconds


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _seconds_until(text: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


_SAID = re.compile(
    r"(?:try again|retry) (?:in|after) ([0-9.]{1,12}(?:ms|s|m|h)?(?:[0-9.]{1,12}(?:ms|s))?)", re.IGNORECASE
)


def wait_in_words(text: str) -> float | None:
    """Read the wait that a message asks for in words: `Please try again in 1m20s`."""
    match = _SAID.search(text)
    return _duration(match[1].rstrip("."), datetime.now(UTC)) if match else None


_LIMITS = ("x-ratelimit-{}-requests", "x-ratelimit-{}-tokens", "x-ratelimit-{}", "ratelimit-{}")


@dataclass(frozen=True, slots=True)
class Quota:
    """What a server tells of one of its limits."""

    unit: str
    """`requests` or `tokens`."""
    reset: float
    """Seconds until it is whole again."""
    remaining: float | None
    """What is left of it, None where it does not say."""


def quotas_in(headers: Mapping[str, str], now: datetime | None = None) -> Iterator[Quota]:
    """Yield what the headers of a reply tell of the server's limits, those without a reset left out."""
    now = now or datetime.now(UTC)
    for limit in _LIMITS:
        reset = _duration(headers.get(limit.format("reset"), ""), now)
        if reset is not None:
            unit = "tokens" if limit.endswith("tokens") else "requests"
            yield Quota(unit, reset, _number(headers.get(limit.format("remaining"))))


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """The longest reset of the limits that are used up; where none says that it is, the shortest there is."""
    quotas = list(quotas_in(headers, now))
    used_up = [quota.reset for quota in quotas if quota.remaining == 0]
    return max(used_up) if used_up else min((quota.reset for quota in quotas), default=None)


_PARTS = re.compile(r"(?:([0-9.]{1,9})h)?(?:([0-9.]{1,9})m(?!s))?(?:([0-9.]{1,9})s)?(?:([0-9.]{1,9})ms)?", re.ASCII)
_EPOCH = 1e9
"""A number from here on is a moment, in seconds since 1970; from a thousand times that on, in milliseconds."""


def _duration(text: str, now: datetime) -> float | None:
    """Read `6m0s`, `1.5s`, `20ms`, plain seconds, or a moment as a number."""
    number = _number(text)
    if number is not None:
        return _of_number(number, now)
    match = _PARTS.fullmatch(text.strip())
    parts = [_number(part) for part in match.groups()] if match and match[0] else []
    if all(part is None for part in parts):
        return None
    hours, minutes, seconds, milliseconds = (part or 0.0 for part in parts)
    return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000


def _of_number(number: float, now: datetime) -> float:
    """Return the seconds until a moment; a number that is too small to be one tells them itself."""
    seconds = number / 1000 if number >= _EPOCH * 1000 else number
    return max(0.0, seconds - now.timestamp()) if seconds >= _EPOCH else seconds


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
class _ServerLimit:
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
        self._limits: dict[str, _ServerLimit] = {}

    def wait(self, most: int) -> float:
        """Return the seconds until a request may be sent that takes so much at most, by the user's word."""
        requests = 0.0 if self._requests is None else self._requests.wait(1)
        return max(requests, 0.0 if self._tokens is None else self._tokens.wait(self._expected(most)))

    def server_wait(self, most: int) -> float:
        """Return the seconds until the server's own limits have room for it again."""
        now, need = self._clock(), {"requests": (self._sent, 1), "tokens": (self._spent, self._expected(most))}
        waits = [
            limit.until - now
            for unit, limit in self._limits.items()
            if limit.until > now and need[unit][0] + need[unit][1] > limit.end
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
        for quota in quotas_in(headers):
            known = self._limits.get(quota.unit)
            if quota.reset > LONGEST_WAIT or quota.remaining is None:
                continue
            if known is None or known.until <= now or known.by < taken.requests_so_far:
                end = so_far[quota.unit] + quota.remaining
                self._limits[quota.unit] = _ServerLimit(taken.requests_so_far, end, now + quota.reset)

    def _expected(self, most: int) -> int:
        """Return the tokens that a request will take, by what the answers so far took; 0 for `most` says nothing."""
        if not self._answers:
            return most
        mean = round(self._used / self._answers)
        return min(most, mean) if most else mean
