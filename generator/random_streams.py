"""Seeded randomness: every random choice comes from a stream named by what it is for.

A stream depends on its seed and labels alone, never on the process, the platform's hash seed or the
order of other streams, so that a record is the same bytes wherever and whenever it is made.
"""

from __future__ import annotations

from hashlib import blake2b
from random import Random

SEED_BITS = 53
"""Seeds stay below 2**53, so that every JSON reader holds them exactly."""


def derive_seed(*parts: int | str) -> int:
    """Return the seed in [0, 2**53) that belongs to these parts; distinct parts give unrelated seeds."""
    text = "\x1f".join([f"s{part}" if type(part) is str else f"{type(part).__name__[0]}{part}" for part in parts])
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - SEED_BITS)


_WORD = (1 << 64) - 1


class SplitMix(Random):
    """A stream that costs nothing to begin: for the few values of one field of one row (SplitMix64)."""

    at = 0
    """Where it stands. Streams that begin at different numbers are unrelated."""

    def getrandbits(self, k: int, /) -> int:
        """Return k random bits."""
        found = 0
        for _ in range(-(-k // 64)):
            found = found << 64 | self._next()
        return found >> (-k % 64)

    def random(self) -> float:
        """Return a number in [0, 1)."""
        self.at = mixed = (self.at + 0x9E3779B97F4A7C15) & _WORD  # as in `_next`: nothing is called more often
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return ((mixed ^ (mixed >> 31)) >> 11) * 2.0**-53

    def _next(self) -> int:
        self.at = mixed = (self.at + 0x9E3779B97F4A7C15) & _WORD
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return mixed ^ (mixed >> 31)


def stream(*parts: int | str) -> Random:
    """Return a random stream of its own for these parts."""
    return Random(derive_seed(*parts))  # noqa: S311 - reproducible data, not cryptography
