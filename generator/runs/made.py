"""Made ahead: outcomes that wait for their turn to be settled, kept in a database of their own until it has come.

What is settled next depends on all before it, so an outcome may be there long before its turn. Nothing here is needed:
each can be made again from the kept answers, and is, where its row is missing, damaged, or of another job.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

from pydantic import Field, ValidationError

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.boundary import BoundaryModel
from generator.disk import disk_errors, open_own, require_own
from generator.errors import StorageError
from generator.runs.folder import beside
from generator.runs.outcome import Outcome
from generator.runs.read_back import ForeignRecord, ReadRecord
from generator.validation.verdict import Rejection

_SCHEMA_VERSION = 1
_MADE = (
    "CREATE TABLE made (position INTEGER, first INTEGER, attempt INTEGER, key BLOB, failed INTEGER, "
    "has_record INTEGER, told BLOB, line BLOB, checksum BLOB, PRIMARY KEY (position, first))"
)
_TABLES = (
    "CREATE TABLE meta (identity TEXT NOT NULL)",
    _MADE,
)
_ADD = "INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_BATCH = 200
"""Outcomes per commit: what a kill can cost to make again."""
_BUSY_SECONDS = 10
_PAGE_BYTES = 16_384  # as in the run store
_Key = Annotated[str, Field(pattern=r"^([0-9a-f]{16})?\z")]


class _Told(BoundaryModel):
    """What a row tells of an outcome beside the line of its record."""

    attempt: int
    kind: str
    key: _Key
    metadata: str = ""
    rejections: tuple[Rejection, ...] = ()
    requests: tuple[_Key, ...] = ()
    spent: Spent = Field(default=NOTHING_SPENT)
    planned: tuple[str, ...] = ()
    request: str = ""
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """What is to be known of an outcome before its turn has come."""

    attempt: int
    key: bytes
    """The key of its request, b"" where it has none."""
    has_record: bool
    failed: bool
    """Whether an attempt was rejected on the way."""


def brief_of(outcome: Outcome) -> Brief:
    """Return what is to be known of an outcome."""
    return Brief(outcome.attempt, outcome.key, outcome.line is not None, bool(outcome.rejections))


class MadeAhead:
    """The outcomes of a run that wait for their turn, by index and the attempt that each begins with.

    Raises:
        StorageError: the disk refused.
    """

    def __init__(self, path: Path | None, identity: str, read_record: ReadRecord) -> None:
        self._path = path
        self._read_record = read_record
        self._waiting = 0
        if path is not None:
            for each in beside(path):
                require_own(each, in_place=True)
            os.close(open_own(path, os.O_RDWR))
        try:
            self._open(identity)
        except sqlite3.DatabaseError:
            self._connection.close()
            remove_made(path)
            with self._errors():
                self._open(identity)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None or not issubclass(kind, StorageError):
                self._commit()
        finally:
            self._connection.close()

    def _open(self, identity: str) -> None:
        place = ":memory:" if self._path is None else self._path
        self._connection = run = sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None)
        run.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        run.execute("PRAGMA trusted_schema = OFF")
        run.execute("PRAGMA journal_mode = WAL")
        run.execute("PRAGMA synchronous = NORMAL")
        held = {str(sql) for (sql,) in run.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        version = run.execute("PRAGMA user_version").fetchone()[0]
        if held and (held != set(_TABLES) or version != _SCHEMA_VERSION):
            raise sqlite3.DatabaseError("it holds something else")
        run.execute("BEGIN IMMEDIATE")
        if not held:
            for statement in _TABLES:
                run.execute(statement)
            run.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        if run.execute("SELECT identity FROM meta").fetchall() != [(identity,)]:
            run.execute("DELETE FROM made")
            run.execute("DELETE FROM meta")
            run.execute("INSERT INTO meta VALUES (?)", (identity,))
        run.execute("COMMIT")
        run.execute("BEGIN")

    def brief(self, index: int, first: int) -> Brief | None:
        """Return what is known of what was made of an index, beginning with this attempt; None where nothing was."""
        query = "SELECT attempt, key, has_record, failed FROM made WHERE position = ? AND first = ?"
        with self._errors():
            row = self._connection.execute(query, (index, first)).fetchone()
        if row is None or type(row[0]) is not int or not isinstance(row[1], bytes) or row[0] < first:
            return None
        return Brief(row[0], row[1], bool(row[2]), bool(row[3]))

    def outcome(self, index: int, first: int) -> Outcome | None:
        """Return what was made of an index, beginning with this attempt, its record examined; None as above."""
        read = self._read(index, first)
        if read is None:
            return None
        told, line = read
        outcome = Outcome(index, told.attempt, told.kind, None, bytes.fromhex(told.key), (), ())
        if line is not None:
            try:
                outcome = self._read_record(line, told.metadata.encode())
            except ForeignRecord:
                return None
        if (outcome.index, outcome.attempt) != (index, told.attempt):
            return None
        return replace(
            outcome,
            rejections=told.rejections,
            requests=tuple(map(bytes.fromhex, told.requests)),
            spent=told.spent,
            planned=told.planned,
            request=told.request,
            origins=told.origins,
        )

    def rejections(self, index: int, first: int) -> tuple[Rejection, ...]:
        """Return what was rejected on the way to an outcome."""
        read = self._read(index, first)
        return () if read is None else read[0].rejections

    def _read(self, index: int, first: int) -> tuple[_Told, bytes | None] | None:
        query = "SELECT line, told, checksum FROM made WHERE position = ? AND first = ?"
        with self._errors():
            row = self._connection.execute(query, (index, first)).fetchone()
        if row is None or row[2] != _checksum(index, first, row[0], row[1]):
            return None
        try:
            return _Told.model_validate_json(row[1]), row[0]
        except ValidationError:
            return None

    def keep(self, first: int, outcome: Outcome) -> None:
        """Keep what was made of an index, beginning with this attempt."""
        told = _Told(
            attempt=outcome.attempt,
            kind=outcome.kind,
            key=outcome.key.hex(),
            metadata=outcome.metadata.decode(),
            rejections=outcome.rejections,
            requests=tuple(key.hex() for key in outcome.requests),
            spent=outcome.spent,
            planned=outcome.planned,
            request=outcome.request,
            origins=outcome.origins,
        )
        text = told.model_dump_json(exclude_defaults=True).encode()
        at, line, brief = outcome.index, outcome.line, brief_of(outcome)
        short = (at, first, brief.attempt, brief.key, int(brief.failed), int(brief.has_record))
        row = (*short, text, line, _checksum(at, first, line, text))
        with self._errors():
            self._connection.execute(_ADD, row)
        self._waiting += 1
        if self._waiting >= _BATCH:
            self._commit()

    def forget_below(self, index: int) -> None:
        """Delete what was made of the indices below one: all of them are settled."""
        with self._errors():
            self._connection.execute("DELETE FROM made WHERE position < ?", (index,))

    def _commit(self) -> None:
        with self._errors():
            self._connection.execute("COMMIT")
            self._connection.execute("BEGIN")
        self._waiting = 0

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StorageError(
                f"{self._path}: cannot be read or written ({error}); nothing is lost: free some space, or delete it, "
                "and run the same command again"
            ) from error


def remove_made(path: Path | None) -> None:
    """Delete what was made ahead, of a run that is over, or where it cannot be used."""
    for each in () if path is None else (path, *beside(path)):
        with disk_errors(each):
            each.unlink(missing_ok=True)


def _checksum(index: int, first: int, line: object, told: object) -> bytes:
    found = blake2b(f"{index} {first} ".encode(), digest_size=8)
    for each in (line, told):
        found.update(b"-" if not isinstance(each, bytes) else f"{len(each)} ".encode() + each)
    return found.digest()


def holds_record(path: Path) -> bool:
    """Say whether a record was made ahead."""
    if not path.exists():
        return False
    with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS)) as made:
        try:
            return made.execute("SELECT 1 FROM made WHERE has_record LIMIT 1").fetchone() is not None
        except sqlite3.DatabaseError:
            return False


class Examined:
    """Lines that this process has examined: where it meets one again, it need not look at it twice."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def recognising(self, read_record: ReadRecord, recognise: ReadRecord) -> ReadRecord:
        """Return what reads a stored line: one that was examined is known by its bytes, any other is examined."""

        def read(line: bytes, metadata: bytes = b"") -> Outcome:
            mark = blake2b(line + b"\0" + metadata, digest_size=16).digest()
            if mark in self._known:
                return recognise(line, metadata)
            outcome = read_record(line, metadata)
            self._known.add(mark)
            return outcome

        return read
