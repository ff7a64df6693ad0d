"""The request of a record: what its user says, word by word; its signature; and the index of those that were met.

A signature by MinHash is cut into bands of rows; requests that agree in a band are candidates, and are compared shingle
by shingle, so that what is called near is near. SQLite holds the index, in the file that is named or in a temporary one
of its own, so that memory stays the same however many requests there are.
"""

from __future__ import annotations

import math
import re
import sqlite3
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from generator.errors import StorageError
from generator.formats.conversation import messages_of
from generator.jsontext import JsonObject, dump_canonical

SHINGLE = 3
"""Words in a row that count as one when requests are compared."""
HASH_BYTES = 4
"""Bytes of a hashed shingle."""
_DIGEST_BYTES = 16
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
"""A run of letters and digits; where writing has no spaces, each character."""
_MOST_SHINGLES = 1024
"""Of longer requests the smallest shingles stand for all: which these are, every request with them agrees upon."""
_MISSED = 0.01
"""The share of pairs exactly as near as asked that no band finds; of nearer ones it is less."""
_MOST_BANDS, _MOST_ROWS = 18, 12
_SEED = 42
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


@dataclass(frozen=True, slots=True)
class Request:
    """What the user of a record says: equal where all the words are, near where most words in a row are."""

    digest: bytes
    """Sixteen bytes of the words in their order; of the whole record where its user says nothing."""
    shingles: frozenset[int]
    """The words in a row, hashed to 32 bits each; none where there are no words."""

    @staticmethod
    def of(document: JsonObject) -> Request:
        """Return the request of a record in the canonical form, broken or not."""
        texts = list(user_texts(document))
        said = [words for text in texts if (words := words_of(text))]
        if not said:
            whole = dump_canonical(texts or document)
            return Request(blake2b(whole, digest_size=_DIGEST_BYTES, person=b"no words").digest(), frozenset())
        return Request(digest_of(word for words in said for word in words), shingles_of(said))


def likeness(shingles: AbstractSet[int], others: AbstractSet[int]) -> float:
    """Return the Jaccard similarity of shingles, 0 to 1."""
    shared = len(shingles & others)
    return shared / (len(shingles) + len(others) - shared) if shared else 0.0


def user_texts(document: JsonObject) -> Iterator[str]:
    """Yield what each message of the user says."""
    for message in messages_of(document):
        content = message.get("content")
        if message.get("role") == "user" and isinstance(content, str) and content:
            yield content


def words_of(text: str) -> list[str]:
    """Return the words of a text in their order, without marks and without the difference of capitals."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def digest_of(words: Iterable[str]) -> bytes:
    """Return what stands for some words in their order, in sixteen bytes."""
    return blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()


def shingles_of(said: Iterable[Sequence[str]], length: int = SHINGLE) -> frozenset[int]:
    """Return the words in a row of all texts together, hashed to 32 bits; a text of fewer words is one row."""
    found = {hashed(row) for words in said for row in rows_of(words, length)}
    return frozenset(found if len(found) <= _MOST_SHINGLES else sorted(found)[:_MOST_SHINGLES])


def rows_of(words: Sequence[str], length: int) -> Iterator[Sequence[str]]:
    """Yield each row of so many words; all words where there are fewer."""
    for start in range(max(1, len(words) - length + 1)):
        yield words[start : start + length]


def hashed(words: Iterable[str], size: int = HASH_BYTES) -> int:
    """Return a number of so many bytes that stands for some words in a row, the same everywhere."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=size).digest(), "little")


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
