"""The answers of another run, read and never written: a changed job need not pay for them again."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from generator.errors import StorageError, UsageError
from generator.runs.folder import RunFolder
from generator.runs.store import RunStore


class EarlierAnswers:
    """A log of answers that looks into another run where its own run's store has none, and copies what it finds.

    Raises:
        UsageError: the folder holds no run.
    """

    def __init__(self, store: RunStore, folder: Path) -> None:
        path = RunFolder(folder).database
        if not path.is_file():
            raise UsageError(f"{folder}: holds no run whose answers could be used; give the folder of one")
        self._store = store
        self._path = path
        self._connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?mode=ro", uri=True)

    def answer(self, key: str) -> bytes | None:
        """Return the answer kept under this key, here or there."""
        if (kept := self._store.answer(key)) is not None:
            return kept
        try:
            row = self._connection.execute("SELECT answer FROM answer WHERE request = ?", (key,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise StorageError(f"{self._path}: its answers cannot be read: {error}") from error
        if row is None:
            return None
        self._store.keep_answer(key, bytes(row[0]))
        return bytes(row[0])

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Keep an answer in the run's own store."""
        self._store.keep_answer(key, answer)

    def close(self) -> None:
        """Leave the other run alone."""
        self._connection.close()
