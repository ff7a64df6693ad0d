"""Rows: outcomes as the run store keeps them, each whole in itself, so that damage to one costs no other.

A row's texts are packed, each on its own. They share a dictionary, the beginning of the texts of a run, without which
none of them can be read: so it is kept twice. What comes out of unpacking is bounded, since whoever can write a row
can write one that grows a thousandfold.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, NamedTuple, Self

from pydantic import Field, ValidationError

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.boundary import BoundaryModel
from generator.runs.outcome import Outcome
from generator.validation.verdict import Rejection

LONGEST_TEXT = 64 * 1024 * 1024
"""Bytes of the longest text that is packed, or unpacked: as long as the longest line that is read as a record."""
COLUMNS = f"position, request, iif(length(packed) <= {LONGEST_TEXT}, packed, NULL), checksum"
"""What is read of a row: nothing of what is too long to be one."""
MOST_INDICES = 2**62
"""No index is so large."""


_BESIDE = b"\n"
"""Ends what is told beside the line of a record, which is JSON in one line."""


class Row(NamedTuple):
    """A row as SQLite gives it; its columns may hold anything."""

    position: object
    request: object
    packed: object
    """The text of the row: what it tells beside the line of its record, and, behind that, this line."""
    checksum: object


class _RowDetails(BoundaryModel):
    """What a row tells beside the line of its record."""

    attempt: int
    kind: str
    metadata: str = ""
    rejections: tuple[Rejection, ...] = ()
    spent: Spent = Field(default=NOTHING_SPENT)
    requests: tuple[Annotated[str, Field(pattern=r"^([0-9a-f]{16})?\z")], ...] = ()
    """The key of each rejected attempt's request in hex, "" where it has none; none at all where all have none."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row that is as it was written, by its checksum; whether it is right is another question."""

    index: int
    request: int | None
    line: bytes | None
    attempt: int
    kind: str
    metadata: bytes
    rejections: tuple[Rejection, ...]
    spent: Spent
    requests: tuple[bytes, ...] = ()
    """The keys of the rejected attempts' requests, b"" for one that has none; none where all have none."""


def text_of(outcome: Outcome) -> bytes:
    """Return the text that keeps an outcome."""
    told = _RowDetails(
        attempt=outcome.attempt,
        kind=outcome.kind,
        metadata=outcome.metadata.decode(),
        rejections=outcome.rejections,
        spent=outcome.spent,
        requests=tuple(key.hex() for key in outcome.requests) if any(outcome.requests) else (),
    )
    return told.model_dump_json(exclude_defaults=True).encode() + _BESIDE + (outcome.line or b"")


def row_of(outcome: Outcome, packing: Packing) -> Row:
    """Return the row that keeps an outcome."""
    request = None if outcome.line is None else request_number(outcome.key)
    packed = packing.pack(text_of(outcome))
    return Row(outcome.index, request, packed, _checksum(outcome.index, request, packed, packing))


def read_row(row: Row, packing: Packing) -> StoredRow | None:
    """Read a row; None where it is not as it was written."""
    index, request, packed, checksum = row
    if type(index) is not int or not isinstance(packed, bytes) or not isinstance(request, int | None):
        return None
    if checksum != _checksum(index, request, packed, packing) or (text := packing.unpack(packed)) is None:
        return None
    told, _, line = text.partition(_BESIDE)
    if bool(line) != (request is not None):
        return None
    try:
        said = _RowDetails.model_validate_json(told)
    except ValidationError:
        return None
    metadata = said.metadata.encode()
    keys = tuple(map(bytes.fromhex, said.requests))
    return StoredRow(index, request, line or None, said.attempt, said.kind, metadata, said.rejections, said.spent, keys)


def request_number(key: bytes) -> int:
    """The request's key as the signed 64-bit number that SQLite stores."""
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big", signed=True)


def readable(text: bytes) -> str:
    """Read a text column, whatever it holds: a row with one is not as it was written."""
    return text.decode("utf-8", "replace")


def _checksum(index: int, request: int | None, packed: bytes, packing: Packing) -> bytes:
    found = blake2b(f"{index} {request} {packing.checksum_for(packed).hex()} ".encode(), digest_size=8)
    found.update(packed)
    return found.digest()


def rows_of(connection: sqlite3.Connection) -> Iterator[Row]:
    """Yield every row that can be read, in order, of a database that may be damaged anywhere."""
    start, leap = 0, 1
    while start < MOST_INDICES:
        try:
            query = f"SELECT {COLUMNS} FROM outcome WHERE position >= ? ORDER BY position"  # noqa: S608 - our constant
            for row in connection.execute(query, (start,)):
                yield Row(*row)
                start, leap = row[0] + 1, 1
            return
        except sqlite3.DatabaseError:
            start, leap = start + leap, leap * 2  # over what cannot be read, in ever longer leaps


DICTIONARY = "CREATE TABLE dictionary (copy INTEGER PRIMARY KEY, words BLOB, checksum BLOB)"
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
