"""Seals: what tells whether a file is the one that was written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from generator.disk import disk_errors

_READ_AT_ONCE = 1 << 20


class Seal:
    """Takes note of bytes as they pass."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.lines = 0

    def through(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, taking note of each."""
        for chunk in chunks:
            self._digest.update(chunk)
            self.lines += chunk.count(b"\n")
            yield chunk

    @property
    def sha256(self) -> str:
        """The digest in hex."""
        return self._digest.hexdigest()


def sealed_file(path: Path) -> Seal:
    """Return the seal of a file as it is.

    Raises:
        StorageError: it cannot be read.
    """
    seal = Seal()
    with disk_errors(path), path.open("rb") as file:
        for _ in seal.through(iter(lambda: file.read(_READ_AT_ONCE), b"")):
            continue
    return seal
