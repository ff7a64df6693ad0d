"""Signatures of requests by MinHash, cut into bands: requests that are nearly the same agree in one of them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Set as AbstractSet
from hashlib import blake2b

from generator.datasets.request import HASH_BYTES

_MISSED = 0.01
"""The share of pairs exactly as near as asked that no band finds; of nearer ones it is less."""
_MOST_BANDS, _MOST_ROWS = 18, 12
_SEED = 42


class Signatures:
    """Signs shingles for a likeness: the more rows a band has, the fewer pairs agree in it that are not near."""

    def __init__(self, near: float) -> None:
        import rensa

        self._minhash = rensa.RMinHash
        self.bands, self.rows = _banding(near)
        self.version = f"{near} {self.bands} {self.rows} {_SEED} {rensa.RMinHash.ALGORITHM_VERSION}"
        """What keys depend on beside the shingles."""

    def keys(self, shingles: AbstractSet[int]) -> list[int]:
        """Return a number of 64 bits for each band; two requests share one where they agree in the band."""
        minhash = self._minhash(self.bands * self.rows, _SEED)
        minhash.update([shingle.to_bytes(HASH_BYTES, "little") for shingle in shingles])
        packed, width = array("I", minhash.digest()).tobytes(), HASH_BYTES * self.rows
        return [_key(band, packed[band * width : (band + 1) * width]) for band in range(self.bands)]


def _banding(near: float) -> tuple[int, int]:
    """Return how many bands of how many rows find 99 of 100 pairs that are just as near."""
    for rows in range(_MOST_ROWS, 0, -1):
        agree = near**rows
        bands = 1 if agree >= 1 - _MISSED else math.ceil(math.log(_MISSED) / math.log1p(-agree))
        if bands <= _MOST_BANDS:
            return bands, rows
    raise ValueError(f"{near}: too few pairs of so little likeness would be found")


def _key(band: int, rows: bytes) -> int:
    return int.from_bytes(blake2b(rows, digest_size=8, salt=bytes([band])).digest(), "little", signed=True)
