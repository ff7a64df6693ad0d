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


def stream(*parts: int | str) -> Random:
    """Return a random stream of its own for these parts."""
    return Random(derive_seed(*parts))  # noqa: S311 - reproducible data, not cryptography
