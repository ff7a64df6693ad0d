"""Rewards: what an answer is worth, and why, by call, argument and outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Part = Literal["call", "argument", "outcome"]
BEST_OF_WRONG = 0.99
"""What an answer is worth at the most that is not as good as the record's own."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is right or wrong with an answer."""

    code: str
    """What it is, e.g. `wrong_argument`; `CODES` in `generator.grading.reward` tells them all."""
    part: Part
    """Whether it is about a call, an argument of one, or the outcome of the turn as a whole."""
    call: str
    """The name of the tool; "" where it is about no call."""
    argument: str
    """The name of the argument; "" where it is about none."""
    score: float
    """What this part is worth by itself, from 0 to 1; 1 where it is right."""
    message: str
    place: int | None = None
    """Which of the calls expected it is about, from 0, or of the calls made where none was expected."""


@dataclass(frozen=True, slots=True)
class Reward:
    """What an answer is worth: 1.0 where it is as good as the record's own, less otherwise."""

    value: float
    reasons: tuple[Reason, ...]

    @property
    def wrong(self) -> tuple[Reason, ...]:
        """The reasons that speak against the answer."""
        return tuple(reason for reason in self.reasons if reason.score < 1)


def reward_of(value: float, reasons: Iterable[Reason]) -> Reward:
    """Make a reward: below 1.0 where anything speaks against the answer."""
    told = tuple(reasons)
    held = max(0.0, min(1.0, value))
    if any(reason.score < 1 for reason in told):
        held = min(held, BEST_OF_WRONG)
    return Reward(held, told)
