"""The run store: one row per scenario index in SQLite, written in batches that count whole or not at all.

A row is whole in itself, and what is counted is counted from the rows: nothing in here has to agree with anything else.
What the rows hold is taken for an outcome of the run only when `read_back` has looked at it. A store that is damaged
makes room for a new one, and is kept for what can be read of it.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from generator.disk import disk_errors, open_own
from generator.errors import StorageError
from generator.jsontext import dump_line
from generator.runs.folder import beside
from generator.runs.outcome import Outcome
from generator.runs.ranges import Stretches
from generator.runs.rows import (
    COLUMNS,
    DICTIONARY,
    Packing,
    Row,
    StoredRow,
    read_row,
    readable,
    request_number,
    row_of,
    rows_of,
    text_of,
)
from generator.runs.tally import GIVEN_UP, OF_OUTCOMES, Counts, count_outcome, total

_APPLICATION_ID = 0x746F6F6C  # "tool"
_SCHEMA_VERSION = 3
_SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE outcome (position INTEGER PRIMARY KEY, request INTEGER, packed BLOB, checksum BLOB)",
    DICTIONARY,
    "CREATE UNIQUE INDEX outcome_request ON outcome (request) WHERE request IS NOT NULL",
    "CREATE TABLE tally (topic TEXT, name TEXT, count INTEGER NOT NULL, PRIMARY KEY (topic, name)) WITHOUT ROWID",
)
_ADD = "INSERT INTO outcome VALUES (?, ?, ?, ?)"
_ADD_COUNT = "INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"
_WITH_REQUEST = "SELECT position FROM outcome WHERE request = ?"
_PAGE_BYTES = 16_384  # records are a few kB: larger pages waste less of themselves
_BUSY_SECONDS = 10
_LOOK_UP_SECONDS = 0.1

_MESSAGES = {
    "SQLITE_FULL": "the disk is full; free some space: what was committed is kept, run the same command again to go on",
    "SQLITE_READONLY": "cannot be written; name a folder that you may write to",
    "SQLITE_CANTOPEN": "cannot be opened; name a folder that you may write to",
    "SQLITE_BUSY": "another program holds the run store; close it and run the same command again",
    "SQLITE_LOCKED": "another program holds the run store; close it and run the same command again",
    "SQLITE_IOERR": "the disk failed, is full, or a file may not grow (ulimit -f); what was committed is kept, "
    "run the same command again to go on",
}
_AGAIN = "run the same command again: what can be read of it is kept"


class DamagedStoreError(StorageError):
    """The file is no run store of this run; `what` says why."""

    def __init__(self, path: Path, what: str) -> None:
        self.what = what
        super().__init__(f"{path}: damaged ({what}); {_AGAIN}")


class RunStore:
    """The outcomes of a run, those that wait included; any index may be added that is not there yet.

    Outcomes wait in memory until `commit`; whatever was committed survives a kill of the process.

    Raises:
        StorageError: the file cannot be opened or written; a DamagedStoreError where it is not what was written.
    """

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self.aside: Path | None = None
        """The damaged store that this one replaces, of which rows may be left."""
        self._pending: list[Outcome] = []
        self._packing = Packing()
        self._first: list[bytes] = []
        """The texts of the first rows, of which a dictionary is to be made."""
        self._requests: dict[int, int] = {}
        self._counts: Counts = Counter()
        self._delta: Counts = Counter()
        self._settled = 0
        if not path.exists() or not path.stat().st_size:
            _forget_journal(path)
        os.close(open_own(path, os.O_RDWR))
        with self._errors():
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._connection.text_factory = readable
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
        """How many indices are settled: read back in this session, or added."""
        return self._settled

    def add(self, outcome: Outcome) -> None:
        """Take the outcome of an index that has none yet; it is kept for good when `commit` returns."""
        self._pending.append(outcome)
        if outcome.line is not None:
            self._requests[request_number(outcome.key)] = outcome.index
        self.reckon(outcome)

    def reckon(self, outcome: Outcome) -> None:
        """Count an outcome of the run: one that is added, or one that was read back."""
        count_outcome(self._counts, outcome)
        self._settled += 1

    def keep(self, outcome: Outcome) -> None:
        """Write an outcome that was read back, at once; it is not reckoned."""
        self._write([outcome], Counter())

    def twin(self, outcome: Outcome) -> int | None:
        """Return the index of another record that has the same request, or None."""
        return self.with_request(outcome.key)

    def with_request(self, key: bytes) -> int | None:
        """Return the index of the record that has this request, or None."""
        request = request_number(key)
        if (waiting := self._requests.get(request)) is not None:
            return waiting
        with self._errors():
            row = self._connection.execute(_WITH_REQUEST, (request,)).fetchone()
        return None if row is None else int(row[0])

    @property
    def empty(self) -> bool:
        """Whether nothing was ever committed."""
        with self._errors():
            return self._connection.execute("SELECT 1 FROM outcome LIMIT 1").fetchone() is None

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
        self._write(self._pending, self._delta)
        self._pending.clear()
        self._requests.clear()
        self._delta.clear()

    def _write(self, outcomes: Sequence[Outcome], counts: Counts) -> None:
        """Write outcomes and counts in one transaction, and the dictionary with those by which it is known."""
        learned = None if self._packing.knows else self._learned(outcomes)
        packing = learned or self._packing
        with self._errors(), self._transaction() as run:
            if learned is not None:
                learned.write(run)
            run.executemany(_ADD, [row_of(outcome, packing) for outcome in outcomes])
            run.executemany(_ADD_COUNT, [(topic, name, count) for (topic, name), count in counts.items()])
        self._packing = packing

    def _learned(self, outcomes: Iterable[Outcome]) -> Packing | None:
        """Return the packing that knows what the first rows of this session have in common, once they are enough."""
        self._first += map(text_of, outcomes)
        if (learned := Packing.learned(self._first)) is not None:
            self._first.clear()
        return learned

    def counts(self) -> Counts:
        """Return every count, those that wait included."""
        with self._errors():
            rows = self._connection.execute("SELECT topic, name, count FROM tally").fetchall()
        kept = {(str(topic), str(name)): n for topic, name, n in rows if type(n) is int and topic not in OF_OUTCOMES}
        return Counter(kept) + self._counts + self._delta

    def missing(self, indices: range) -> Stretches:
        """Return those of a range of indices that are not committed, in order."""
        found, start, stop = [], indices.start, indices.stop
        within = "SELECT position FROM outcome WHERE position >= ? AND position < ? ORDER BY position"
        with self._errors():
            for (position,) in self._connection.execute(within, (start, stop)):
                if position > start:
                    found.append(range(start, position))
                start = position + 1
        found.append(range(start, stop))
        return Stretches(found)

    def ends(self, stop: int) -> Iterator[tuple[str, bool]]:
        """Yield the kind of every committed index below `stop` in order, and whether it has a record.

        Nothing is yielded where all have one.
        """
        if not total(self._counts, [GIVEN_UP]):
            return
        for index, kept in self.rows():
            if kept is not None and index < stop:
                yield kept.kind, kept.line is not None

    def rows(self) -> Iterator[tuple[int, StoredRow | None]]:
        """Yield the committed rows in index order, in little memory; None for one that is not as it was written."""
        yield from self._rows("")  # those at places that are no index as well: they are to be forgotten

    def rows_from(self, start: int, stop: int) -> Iterator[tuple[int, StoredRow | None]]:
        """Yield the committed rows of [start, stop) likewise."""
        yield from self._rows("WHERE position >= ? AND position < ?", start, stop)

    def _rows(self, where: str, *values: int) -> Iterator[tuple[int, StoredRow | None]]:
        query = f"SELECT {COLUMNS} FROM outcome {where} ORDER BY position"  # noqa: S608 - our own words
        with self._errors():
            for row in self._connection.execute(query, values):
                yield row[0], read_row(Row(*row), self._packing)

    def rows_aside(self) -> Iterator[StoredRow]:
        """Yield what can be read of the damaged store that this one replaces."""
        if self.aside is None:
            return
        connection = sqlite3.connect(self.aside, isolation_level=None)
        connection.text_factory = readable
        try:
            packing = Packing.read(connection)
            yield from filter(None, (read_row(row, packing) for row in rows_of(connection)))
        finally:
            connection.close()

    def row(self, index: int) -> StoredRow | None:
        """Return the committed row of an index, None where there is none that is as it was written."""
        query = f"SELECT {COLUMNS} FROM outcome WHERE position = ?"  # noqa: S608 - our own constant
        with self._errors():
            row = self._connection.execute(query, (index,)).fetchone()
        return None if row is None else read_row(Row(*row), self._packing)

    def has(self, index: int) -> bool:
        """Say whether something is committed at an index."""
        with self._errors():
            found = self._connection.execute("SELECT 1 FROM outcome WHERE position = ?", (index,)).fetchone()
        return found is not None

    def forget(self, indices: Iterable[int]) -> None:
        """Delete the rows of some indices, which are to be made anew; they are not reckoned."""
        with self._errors(), self._transaction() as run:
            run.executemany("DELETE FROM outcome WHERE position = ?", [(index,) for index in indices])

    def records(self) -> Iterator[bytes]:
        """Yield the committed record lines in index order, however many, in little memory."""
        for kept in self._whole():
            if kept.line is not None:
                yield kept.line

    def rejections(self) -> Iterator[bytes]:
        """Yield the committed rejections as lines, in the order of index and attempt."""
        for kept in self._whole():
            for rejection in kept.rejections:
                yield dump_line(rejection.model_dump(mode="json", by_alias=True))

    def _whole(self) -> Iterator[StoredRow]:
        for _, kept in self.rows():
            if kept is None:
                raise DamagedStoreError(self.path, "a row was changed while the run was at work")
            yield kept

    def require_untouched(self) -> None:
        """Refuse to go on where another program wrote into the store since it was opened, and make all of it durable.

        Raises:
            DamagedStoreError: one did, so that what the store holds is not what this session looked at.
        """
        with self._errors():
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            if self._version() != self._opened_at:
                raise DamagedStoreError(self.path, "another program wrote into it while the run was at work")

    def note(self, name: str) -> str | None:
        """Return a text that was noted with the run, or None."""
        with self._errors():
            row = self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_note(self, name: str, value: str) -> None:
        """Note a text with the run, at once."""
        self.settle_note(name, value, Counter())

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

    def _open(self, identity: str) -> None:
        run = self._connection
        run.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        run.execute("PRAGMA trusted_schema = OFF")
        run.execute("PRAGMA journal_mode = WAL")
        run.execute("PRAGMA synchronous = NORMAL")
        if run.execute("PRAGMA user_version").fetchone()[0] == 0 and not _objects(run):
            self._create(identity)
        if run.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID or _objects(run) != set(_SCHEMA):
            raise DamagedStoreError(self.path, "it is no run store of this version of toolgen")
        if self.note("identity") != identity:
            raise DamagedStoreError(self.path, "it belongs to another run")
        if (problem := run.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise DamagedStoreError(self.path, str(problem).replace("\n", " "))
        self._packing = Packing.read(run)
        self._opened_at = self._version()

    def _version(self) -> int:
        """Return a number that changes when another connection writes."""
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def _create(self, identity: str) -> None:
        with self._transaction() as run:
            for statement in _SCHEMA:
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
            name = str(getattr(error, "sqlite_errorname", ""))
            for prefix, message in _MESSAGES.items():
                if name.startswith(prefix):
                    raise StorageError(f"{self.path}: {message}") from error
            raise DamagedStoreError(self.path, str(error)) from error


class CommittedRequests:
    """Looks up, in another process than the one that has the run, whether a committed record has a request.

    Nothing is decided by it: what cannot be looked up is not known here, and is found when it is settled.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def __reduce__(self) -> tuple[type[CommittedRequests], tuple[Path]]:
        return CommittedRequests, (self._path,)

    async def __call__(self, key: bytes) -> bool:
        """Say whether a record with the request of this key is there."""
        try:
            if self._connection is None:
                uri = f"{self._path.absolute().as_uri()}?mode=ro"
                self._connection = sqlite3.connect(uri, uri=True, timeout=_LOOK_UP_SECONDS, isolation_level=None)
                self._connection.execute("PRAGMA trusted_schema = OFF")
            # all rows, so that no read transaction stays open that would hold the journal back
            found = self._connection.execute(_WITH_REQUEST, (request_number(key),)).fetchall()
        except sqlite3.DatabaseError:
            return False
        return bool(found)


def _objects(connection: sqlite3.Connection) -> set[str]:
    """Return what defines the tables, indices, views and triggers of a database: a foreign one could change rows."""
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {str(sql) for (sql,) in rows}


def _forget_journal(path: Path) -> None:
    """Delete what a deleted database left behind: SQLite would write it into the new one."""
    for journal in beside(path):
        with disk_errors(journal):
            journal.unlink(missing_ok=True)


log = logging.getLogger(__name__)


def open_store(path: Path, identity: str) -> RunStore:
    """Open the store of a run; one that is damaged or of another run is put aside, and a new one takes its place.

    Raises:
        StorageError: the disk refused.
    """
    try:
        return RunStore(path, identity)
    except DamagedStoreError as damage:
        aside = _put_aside(path)
        log.warning("%s: damaged (%s); it is now %s, and what can be read of it is kept", path, damage.what, aside.name)
    store = RunStore(path, identity)
    store.aside = aside
    return store


def _put_aside(path: Path) -> Path:
    """Rename a database with all that belongs to it, to a name that nothing has."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    for own, other in zip((path, *beside(path)), (aside, *beside(aside)), strict=True):
        if os.path.lexists(own):
            with disk_errors(own):
                own.rename(other)
    return aside
