"""The run store: one row per scenario index in SQLite, written in batches that count whole or not at all."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

from generator.errors import StorageError
from generator.jsontext import dump_line
from generator.runs.disk import disk_errors
from generator.runs.outcome import Outcome
from generator.runs.tally import GIVEN_UP, KEPT, Counts, count_outcome, total

_APPLICATION_ID = 0x746F6F6C  # "tool"
_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE outcome (
    position INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, kind TEXT NOT NULL,
    request INTEGER, line BLOB, checksum INTEGER);
CREATE UNIQUE INDEX outcome_request ON outcome (request) WHERE request IS NOT NULL;
CREATE TABLE rejection (
    position INTEGER NOT NULL, attempt INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (position, attempt));
CREATE TABLE answer (request TEXT PRIMARY KEY, answer BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tally (topic TEXT, name TEXT, count INTEGER NOT NULL, PRIMARY KEY (topic, name)) WITHOUT ROWID;
"""
_ADD_COUNT = "INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"
_PAGE_BYTES = 16_384  # records are a few kB: larger pages waste less of themselves
_BUSY_SECONDS = 10

_MESSAGES = {
    "SQLITE_FULL": "the disk is full; free some space: what was committed is kept, run the same command again to go on",
    "SQLITE_READONLY": "cannot be written; give --out a folder that you may write to",
    "SQLITE_CANTOPEN": "cannot be opened; give --out a folder that you may write to",
    "SQLITE_BUSY": "another program holds the run store; close it and run the same command again",
    "SQLITE_IOERR": "the disk failed, is full, or a file may not grow (ulimit -f); what was committed is kept, "
    "run the same command again to go on",
}
_DAMAGED = "damaged ({what}); delete it and run the same command again: the same records are made anew"


class RunStore:
    """The outcomes of a run in index order, without gaps: index `len(store)` is the next to be added.

    Outcomes wait in memory until `commit`; whatever was committed survives a kill of the process.

    Raises:
        StorageError: the file cannot be opened or written, or is damaged.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self._pending: list[Outcome] = []
        self._requests: dict[int, int] = {}
        self._delta: Counts = Counter()
        if not path.exists():
            _forget_journal(path)
        with self._errors():
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            with self._errors():
                self._open(identity)
        except StorageError:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()

    def __len__(self) -> int:
        return self._next

    def add(self, outcome: Outcome) -> None:
        """Take the outcome of the next index; it is kept for good when `commit` returns."""
        if outcome.index != self._next:
            raise ValueError(f"index {outcome.index} came where {self._next} was expected")
        self._pending.append(outcome)
        if outcome.line is not None:
            self._requests[_request(outcome)] = outcome.index
        count_outcome(self._delta, outcome)
        self._next += 1

    def twin(self, outcome: Outcome) -> int | None:
        """Return the index of the earlier record that has the same request, or None."""
        request = _request(outcome)
        if (waiting := self._requests.get(request)) is not None:
            return waiting
        with self._errors():
            row = self._connection.execute("SELECT position FROM outcome WHERE request = ?", (request,)).fetchone()
        return None if row is None else int(row[0])

    @property
    def waiting(self) -> int:
        """How many outcomes were added since the last commit."""
        return len(self._pending)

    def count(self, topic: str, name: str, amount: int) -> None:
        """Add to a count that no outcome carries; it is kept with the next commit."""
        self._delta[topic, name] += amount

    def commit(self) -> None:
        """Write everything that waits in one transaction.

        Raises:
            StorageError: the disk refused; the store is as it was after the last commit.
        """
        with self._errors(), self._transaction() as run:
            run.executemany("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", map(_outcome_row, self._pending))
            run.executemany("INSERT INTO rejection VALUES (?, ?, ?)", _rejection_rows(self._pending))
            run.executemany(_ADD_COUNT, [(topic, name, count) for (topic, name), count in self._delta.items()])
        self._pending.clear()
        self._requests.clear()
        self._delta.clear()

    def counts(self) -> Counts:
        """Return every count, those that wait included."""
        with self._errors():
            rows = self._connection.execute("SELECT topic, name, count FROM tally").fetchall()
        return Counter({(topic, name): count for topic, name, count in rows}) + self._delta

    def ends(self) -> Iterator[tuple[str, bool]]:
        """Yield the kind of every committed index in order, and whether it has a record; nothing where all have."""
        if not total(self.counts(), [GIVEN_UP]):
            return
        with self._errors():
            for kind, kept in self._connection.execute(
                "SELECT kind, request IS NOT NULL FROM outcome ORDER BY position"
            ):
                yield kind, bool(kept)

    def records(self) -> Iterator[bytes]:
        """Yield the committed record lines in index order, however many, in little memory."""
        query = "SELECT position, line, checksum FROM outcome WHERE line IS NOT NULL ORDER BY position"
        with self._errors():
            for position, line, checksum in self._connection.execute(query):
                if crc32(line) != checksum:
                    raise StorageError(self._say(_DAMAGED.format(what=f"record {position} is not what was stored")))
                yield line

    def rejections(self) -> Iterator[bytes]:
        """Yield the committed rejections as lines, in the order of index and attempt."""
        with self._errors():
            for (line,) in self._connection.execute("SELECT line FROM rejection ORDER BY position, attempt"):
                yield line

    def note(self, name: str) -> str | None:
        """Return a text that was noted with the run, or None."""
        with self._errors():
            row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_note(self, name: str, value: str) -> None:
        """Note a text with the run, at once."""
        with self._errors(), self._transaction() as run:
            run.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def settle_note(self, name: str, value: str, counts: Counts) -> None:
        """Note a text with the run and add to its counts, at once and together."""
        with self._errors(), self._transaction() as run:
            run.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
            run.executemany(_ADD_COUNT, [(topic, kind, count) for (topic, kind), count in counts.items()])

    def notes(self, beginning: str) -> dict[str, str]:
        """Return every noted text whose name has this beginning, by the rest of its name."""
        with self._errors():
            rows = self._connection.execute(
                "SELECT substr(name, ?), value FROM meta WHERE substr(name, 1, ?) = ? ORDER BY name",
                (len(beginning) + 1, len(beginning), beginning),
            ).fetchall()
        return {name: str(value) for name, value in rows}

    def answer(self, key: str) -> bytes | None:
        """Return the answer that an author's request got, None where none is kept."""
        with self._errors():
            row = self._connection.execute("SELECT answer FROM answer WHERE request = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Keep an answer, at once: it is paid for."""
        with self._errors(), self._transaction() as run:
            run.execute("INSERT OR REPLACE INTO answer VALUES (?, ?)", (key, answer))

    def _open(self, identity: str) -> None:
        run = self._connection
        run.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        run.execute("PRAGMA journal_mode = WAL")
        run.execute("PRAGMA synchronous = NORMAL")
        if run.execute("PRAGMA user_version").fetchone()[0] == 0:
            self._create(identity)
        application = run.execute("PRAGMA application_id").fetchone()[0]
        held = self.note("identity")
        if application != _APPLICATION_ID or held != identity:
            raise StorageError(self._say(_DAMAGED.format(what="it belongs to another run or program")))
        self._next = total(self.counts(), [KEPT, GIVEN_UP])
        first, last = run.execute("SELECT MIN(position), MAX(position) FROM outcome").fetchone()
        if (first, last) != ((0, self._next - 1) if self._next else (None, None)):
            raise StorageError(self._say(_DAMAGED.format(what="rows are missing")))

    def _create(self, identity: str) -> None:
        with self._transaction() as run:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                run.execute(statement)
            run.execute("INSERT INTO meta VALUES ('identity', ?)", (identity,))
            run.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
            run.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StorageError(self._say(_explain(error))) from error

    def _say(self, what: str) -> str:
        return f"{self.path}: {what}"


def _forget_journal(path: Path) -> None:
    """Delete what a deleted database left behind: SQLite would write it into the new one."""
    for suffix in ("-wal", "-shm"):
        journal = path.with_name(path.name + suffix)
        with disk_errors(journal):
            journal.unlink(missing_ok=True)


def _explain(error: sqlite3.DatabaseError) -> str:
    name = str(getattr(error, "sqlite_errorname", ""))
    for prefix, message in _MESSAGES.items():
        if name.startswith(prefix):
            return message
    return _DAMAGED.format(what=str(error))


def _request(outcome: Outcome) -> int:
    """The request's key as the signed 64-bit number that SQLite stores."""
    return int.from_bytes(blake2b(outcome.key, digest_size=8).digest(), "big", signed=True)


def _outcome_row(outcome: Outcome) -> tuple[int, int, str, int | None, bytes | None, int | None]:
    if outcome.line is None:
        return outcome.index, outcome.attempt, outcome.kind, None, None, None
    return outcome.index, outcome.attempt, outcome.kind, _request(outcome), outcome.line, crc32(outcome.line)


def _rejection_rows(outcomes: list[Outcome]) -> Iterator[tuple[int, int, bytes]]:
    for outcome in outcomes:
        for rejection in outcome.rejections:
            yield rejection.index, rejection.attempt, dump_line(rejection.model_dump(mode="json"))
