"""What a session may spend: requests, tokens, money and time, and an account of what it has spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic

from generator.backends.rates import Rates
from generator.errors import LimitError


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever money."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, tokens: Usage) -> float:
        """Return the price of some tokens."""
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request and its answer."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a session may spend, and how fast; None where there is no limit. They decide no record."""

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None
    minutes: float | None = None
    price: Price | None = None
    rpm: float | None = None
    """Requests a minute."""
    tpm: float | None = None
    """Tokens a minute."""

    @property
    def count_tokens(self) -> bool:
        """Whether what a request may cost at most has to be known before it is sent."""
        return self.tokens is not None or self.cost is not None or self.tpm is not None


class Budget:
    """The account of one session. What a request may take at most is set aside before it is sent."""

    def __init__(self, limits: Limits = Limits(), clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._began = clock()
        self.rates = Rates(limits.rpm, limits.tpm, clock)
        """How fast it may be spent: one account for all that a session asks."""
        self.sent = 0
        """Requests, those that failed included."""
        self.spent = NOTHING
        """Tokens as the server counts them; those of answers that were paid and lost are assumed to be the most."""
        self._aside = NOTHING

    def set_aside(self, most: Usage) -> None:
        """Note that a request is sent, and what it may take at most."""
        self.sent += 1
        self._aside += most

    def settle(self, most: Usage, taken: Usage) -> None:
        """Note what became of a request: what was set aside is free again but for what it took."""
        self._aside -= most
        self.spent += taken

    def seconds_left(self) -> float:
        """Return the time that is left, infinity where it has no limit."""
        minutes = self.limits.minutes
        return inf if minutes is None else minutes * 60 - (self._clock() - self._began)

    def exceeded_by(self, most: Usage, wait: float = 0.0) -> LimitError | None:
        """Return the limit that one more request may break, None where there is room.

        Args:
            most: what it may take.
            wait: seconds that the server asks to wait before it.
        """
        found = self._requests() or self._tokens(most) or self._cost(most) or self._minutes(wait)
        return LimitError(f"{found}; {self.told()}") if found else None

    def told(self) -> str:
        """Say what this session has spent."""
        told = f"this session sent {self.sent:,} requests and spent {self.spent.total:,} tokens"
        price = self.limits.price
        return told if price is None else f"{told}, a cost of {price.of(self.spent):,.4f}"

    def _requests(self) -> str:
        most = self.limits.requests
        return f"--max-requests {most:,} is reached" if most is not None and self.sent >= most else ""

    def _tokens(self, more: Usage) -> str:
        most = self.limits.tokens
        if most is None or (self.spent + self._aside + more).total <= most:
            return ""
        return f"--max-tokens {most:,} is reached, as the next request may take {more.total:,}"

    def _cost(self, more: Usage) -> str:
        most, price = self.limits.cost, self.limits.price
        if most is None or price is None or price.of(self.spent + self._aside + more) <= most:
            return ""
        return f"--max-cost {most:g} is reached, as the next request may cost {price.of(more):.4f}"

    def _minutes(self, wait: float) -> str:
        if self.seconds_left() > wait:
            return ""
        asked = f", as the server asks to wait {wait:,.0f} s" if self.seconds_left() > 0 else ""
        return f"--max-minutes {self.limits.minutes:g} is reached{asked}"
