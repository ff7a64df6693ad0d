"""What may be tried again, and how long a server asks to wait before it: read from its headers and its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 600.0
"""Seconds; a server that asks for longer stops the run, which can be continued then."""


def told_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Read how long a server asks to wait, in seconds; None where it does not say.

    `retry-after-ms` and `Retry-After` (seconds or an HTTP date) come first, then the rate limit that is used up:
    `x-ratelimit-reset-requests`, `x-ratelimit-reset-tokens`, `x-ratelimit-reset` or `ratelimit-reset`.
    """
    now = now or datetime.now(UTC)
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    told = headers.get("retry-after")
    seconds = _number(told)
    if seconds is None and told is not None:
        seconds = _seconds_until(told, now)
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


def said_wait(text: str) -> float | None:
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


def told_quotas(headers: Mapping[str, str], now: datetime | None = None) -> Iterator[Quota]:
    """Yield what the headers of a reply tell of the server's limits, those without a reset left out."""
    now = now or datetime.now(UTC)
    for limit in _LIMITS:
        reset = _duration(headers.get(limit.format("reset"), ""), now)
        if reset is not None:
            unit = "tokens" if limit.endswith("tokens") else "requests"
            yield Quota(unit, reset, _number(headers.get(limit.format("remaining"))))


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """The longest reset of the limits that are used up; where none says that it is, the shortest there is."""
    quotas = list(told_quotas(headers, now))
    used_up = [quota.reset for quota in quotas if quota.remaining == 0]
    return max(used_up) if used_up else min((quota.reset for quota in quotas), default=None)


_PARTS = re.compile(r"(?:([0-9.]{1,9})h)?(?:([0-9.]{1,9})m(?!s))?(?:([0-9.]{1,9})s)?(?:([0-9.]{1,9})ms)?", re.ASCII)
_EPOCH = 1e9
"""A number from here on is a moment, in seconds since 1970; from a thousand times that on, in milliseconds."""


def _duration(text: str, now: datetime) -> float | None:
    """Read `6m0s`, `1.5s`, `20ms`, plain seconds, or a moment as a number."""
    number = _number(text)
    if number is not None:
        seconds = number / 1000 if number >= _EPOCH * 1000 else number
        return max(0.0, seconds - now.timestamp()) if seconds >= _EPOCH else seconds
    match = _PARTS.fullmatch(text.strip())
    parts = [_number(part) for part in match.groups()] if match and match[0] else []
    if all(part is None for part in parts):
        return None
    hours, minutes, seconds, milliseconds = (part or 0.0 for part in parts)
    return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
