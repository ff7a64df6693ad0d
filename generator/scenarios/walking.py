"""Walking: what a way draws first follows an even walk over its visits, so that each choice has its turn.

A record cannot look at others to see which value was used least. But the visits of a way are numbered, and the
multiples of an irrational number, without their whole part, lie evenly between 0 and 1 however far one counts: of n
values each is met within a few times n visits, where drawing by chance takes n * log(n) and has no bound.
"""

from __future__ import annotations

from random import Random

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
"""Their square roots are independent of each other: the walks of two draws never go in step."""


def place_of(visit: int, number: int, start: float) -> float:
    """Return where the walk of one draw stands at a visit, from 0 to 1.

    Args:
        visit: which visit of the way it is.
        number: which of the way's draws.
        start: where the walk begins, from 0 to 1.
    """
    return float((start + visit * _PRIMES[number % len(_PRIMES)] ** 0.5) % 1.0)


class Led(Random):
    """A stream whose first number between 0 and 1 is given; all else comes from another stream."""

    def __init__(self, first: float, rest: Random) -> None:
        super().__init__(0)
        self._first: float | None = first
        self._rest = rest

    def random(self) -> float:
        """Return the given number once, then those of the other stream."""
        first, self._first = self._first, None
        return self._rest.random() if first is None else first

    def getrandbits(self, k: int, /) -> int:
        """Return bits of the other stream."""
        return self._rest.getrandbits(k)
