"""The index of requests: where each was put, and which of them are nearly the same, found by MinHash.

A signature is cut into bands of rows; requests that agree in a band are candidates, and are compared shingle by
shingle, so that what is called near is near. SQLite holds it, in the file that is named or in a temporary one of its
own, so that memory stays the same however many requests there are.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.datasets.request import Request, likeness
from generator.datasets.signatures import Signatures
from generator.errors import StorageError

_APPLICATION_ID = 0x74737074  # "tspt"
_FORMAT_VERSION = 1
_SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE request (digest BLOB PRIMARY KEY, label INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE wording (number INTEGER PRIMARY KEY, shingles BLOB NOT NULL)",
    "CREATE TABLE band (key INTEGER, label INTEGER, number INTEGER, PRIMARY KEY (key, label, number)) WITHOUT ROWID",
    "CREATE TABLE label (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
)
_CACHE_KIB = 64 * 1024
_BUSY_SECONDS = 5
_REMEDY = "move it away, and it is begun anew"


class RequestIndex:
    """Requests with a label each, kept in a file or for the time being; what was added counts from `commit` on.

    Args:
        path: the file, made where there is none; None for a temporary one that nobody else sees.
        near: the Jaccard similarity of shingles from which requests are nearly the same, above 0.3 to 1.
        settings: what the labels depend on; a file of other settings is emptied.

    Raises:
        StorageError: the file cannot be opened, is in use, or is no such index.
    """

    def __init__(self, path: Path | None, near: float, settings: str = "") -> None:
        self._name = "the index of requests" if path is None else str(path)
        self._near = near
        self._signatures = Signatures(near)
        self._signed: tuple[bytes, list[int]] = (b"", [])
        self._labels: dict[str, int] = {}
        self.was_emptied = False
        """Whether the file was one of other settings, or of another way to sign, and what it held is forgotten."""
        self._settings = f"{self._signatures.version} {settings}"
        with self._errors():
            self._database = sqlite3.connect("" if path is None else path, _BUSY_SECONDS, isolation_level=None)
        try:
            with self._errors():
                self._prepare(kept=path is not None)
        except BaseException:
            self._database.close()
            raise

    def _prepare(self, kept: bool) -> None:
        database = self._database
        database.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        if not kept:
            database.execute("PRAGMA journal_mode = OFF")
        database.execute("BEGIN IMMEDIATE")
        identity = database.execute("PRAGMA application_id").fetchone()[0]
        if not database.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._create()
        elif identity != _APPLICATION_ID:
            raise StorageError(f"{self._name}: is a database of another program; give another file")
        elif self._read_meta() != self._meta():
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                database.execute(f'DROP TABLE "{table}"')
            self._create()
            self.was_emptied = True
        self._labels = {name: number for number, name in database.execute("SELECT number, name FROM label")}

    def _create(self) -> None:
        self._database.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        for statement in _SCHEMA:
            self._database.execute(statement)
        self._database.executemany("INSERT INTO meta VALUES (?, ?)", self._meta().items())

    def _meta(self) -> dict[str, str]:
        return {"format": str(_FORMAT_VERSION), "settings": self._settings}

    def _read_meta(self) -> dict[str, str]:
        return dict(self._database.execute("SELECT name, value FROM meta"))

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn what SQLite refuses into one StorageError that names the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY"):
                message = f"{self._name}: another program holds it; wait for that, and run the same command again"
                raise StorageError(message) from error
            raise StorageError(f"{self._name}: {error}; give a file that can be written, with room for it") from error
        except (sqlite3.DatabaseError, ValueError) as error:
            raise StorageError(f"{self._name}: is damaged ({error}); {_REMEDY}") from error

    def label_of(self, request: Request) -> str | None:
        """Return where this very request was put; None where it was not."""
        query = "SELECT name FROM request JOIN label ON label.number = request.label WHERE digest = ?"
        with self._errors():
            found = self._database.execute(query, (request.digest,)).fetchone()
        return found[0] if found else None

    def labels_near(self, request: Request) -> set[str]:
        """Return the labels under which a request lies that is nearly the same."""
        if not request.shingles:
            return set()
        keys = str(self._keys(request))
        with self._errors():
            return {name for name, number in self._labels.items() if self._is_near(request, keys, number)}

    def _is_near(self, request: Request, keys: str, label: int) -> bool:
        """Say whether a candidate under the label is near; the first one ends the search."""
        query = (
            "SELECT band.number, shingles FROM band JOIN wording ON wording.number = band.number "
            "WHERE band.key IN (SELECT value FROM json_each(?)) AND band.label = ?"
        )
        compared: set[int] = set()
        for number, shingles in self._database.execute(query, (keys, label)):
            if number not in compared:
                compared.add(number)
                if likeness(request.shingles, frozenset(array("I", shingles))) >= self._near:
                    return True
        return False

    def _keys(self, request: Request) -> list[int]:
        """Return the keys of a request; those of the last one are remembered, since it is asked for and then added."""
        if self._signed[0] != request.digest:
            self._signed = request.digest, self._signatures.keys(request.shingles)
        return self._signed[1]

    def add(self, request: Request, label: str, *, findable: bool = True) -> None:
        """Put a request under a label; one that is not findable is near to none that comes."""
        with self._errors():
            number = self._number(label)
            self._database.execute("INSERT INTO request VALUES (?, ?)", (request.digest, number))
            if findable and request.shingles:
                shingles = array("I", sorted(request.shingles)).tobytes()
                row = self._database.execute("INSERT INTO wording (shingles) VALUES (?)", (shingles,)).lastrowid
                bands = ((key, number, row) for key in self._keys(request))
                self._database.executemany("INSERT OR IGNORE INTO band VALUES (?, ?, ?)", bands)

    def _number(self, label: str) -> int:
        if label not in self._labels:
            self._labels[label] = len(self._labels) + 1
            self._database.execute("INSERT INTO label VALUES (?, ?)", (self._labels[label], label))
        return self._labels[label]

    def commit(self) -> None:
        """Keep what was added, on the disk where there is a file."""
        with self._errors():
            self._database.execute("COMMIT")
            self._database.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Let go of the file; what was not committed is forgotten."""
        self._database.close()
