"""Packing: the texts of rows made small, by what is in each of them and by what the first ones of a run have in common.

Each text is packed on its own, so that damage to one costs no other. They share a dictionary, the beginning of the
texts of a run, without which none of them can be read: so it is kept twice. What comes out of unpacking is bounded,
since whoever can write a row can write one that grows a thousandfold.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from hashlib import blake2b
from typing import Self

DICTIONARY = "CREATE TABLE dictionary (copy INTEGER PRIMARY KEY, words BLOB, checksum BLOB)"
LONGEST_TEXT = 64 * 1024 * 1024
"""Bytes of the longest text that is packed, or unpacked: as long as the longest line that is read as a record."""

_WINDOW = 15
"""Of 32 KiB, as large as it can be: a dictionary is of use up to there."""
_MOST_WORDS = 1 << _WINDOW
_FEWEST_WORDS = _MOST_WORDS // 2
_LEVEL = 3
"""As measured, 0.05 ms a record to 0.22 of its size; level 2 takes 0.04 ms to 0.23, level 5 0.07 ms to 0.20."""
_MEMORY = 8
_COPIES = 2
_ALONE, _BY_DICTIONARY = b"\0", b"\1"
"""How a packed text begins: it can be read without the dictionary, or only with it."""


class Packing:
    """Packs texts and unpacks them, with the dictionary where there is one."""

    def __init__(self, words: bytes = b"") -> None:
        self._words = words
        self._begins = _BY_DICTIONARY if words else _ALONE
        known = (words,) if words else ()
        self._packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -_WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, *known)
        self._unpackers = {_ALONE: zlib.decompressobj(-_WINDOW)}
        if words:
            self._unpackers[_BY_DICTIONARY] = zlib.decompressobj(-_WINDOW, zdict=words)
        self._checksum = _checksum_of(words)

    @property
    def knows(self) -> bool:
        """Whether there is a dictionary."""
        return bool(self._words)

    @classmethod
    def learned(cls, texts: Iterable[bytes]) -> Self | None:
        """Return the packing whose dictionary is the beginning of these texts; None where they are too few."""
        words = b"".join(texts)[:_MOST_WORDS]
        return cls(words) if len(words) >= _FEWEST_WORDS else None

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        """Return the packing that a store was written with; one that knows nothing where its dictionary is lost."""
        query = "SELECT words, checksum FROM dictionary WHERE copy = ? AND length(words) <= ?"
        for copy in range(_COPIES):
            try:
                words, checksum = connection.execute(query, (copy, _MOST_WORDS)).fetchone() or (None, None)
            except sqlite3.DatabaseError:  # damaged just there: the other copy may be whole
                continue
            if isinstance(words, bytes) and words and checksum == _checksum_of(words):
                return cls(words)
        return cls()

    def write(self, connection: sqlite3.Connection) -> None:
        """Keep the dictionary in a store, for `read`."""
        row = (self._words, self._checksum)
        copies = [(copy, *row) for copy in range(_COPIES)]
        connection.executemany("INSERT OR REPLACE INTO dictionary VALUES (?, ?, ?)", copies)

    def pack(self, text: bytes) -> bytes:
        """Return a text packed.

        Raises:
            ValueError: it is longer than any that would be unpacked again.
        """
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"{len(text):,} bytes are too long for a row")
        packer = self._packer.copy()  # far faster than one that has the dictionary yet to learn
        return self._begins + packer.compress(text) + packer.flush()

    def checksum_for(self, packed: bytes) -> bytes:
        """Return what the checksum of a packed text holds of the dictionary, if it takes one to read it."""
        return self._checksum if packed.startswith(_BY_DICTIONARY) else b""

    def unpack(self, packed: bytes) -> bytes | None:
        """Return the text that was packed; None where nothing was packed so, or it is too long."""
        if (known := self._unpackers.get(packed[:1])) is None:
            return None
        unpacker = known.copy()
        try:
            text = unpacker.decompress(packed[1:], LONGEST_TEXT)
        except zlib.error:
            return None
        return text if unpacker.eof and not unpacker.unused_data else None


def _checksum_of(words: bytes) -> bytes:
    """Return what tells a dictionary from any other."""
    return blake2b(words, digest_size=8).digest()
