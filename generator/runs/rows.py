"""Rows: outcomes as the run store keeps them, each whole in itself, so that damage to one costs no other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.boundary import BoundaryModel
from generator.runs.outcome import Outcome
from generator.runs.packing import LONGEST_TEXT, Packing
from generator.validation.verdict import Rejection

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
