"""Where records are read from: a run folder, a file of JSON Lines, or stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.runs.compressed import unpacked
from generator.runs.disk import disk_errors
from generator.runs.folder import RunFolder, read_catalog

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Origin:
    """One stream of records and what is known about it."""

    name: str
    path: Path | None
    """None stands for stdin."""
    catalog: Catalog | None
    """The tools with their result schemas, where a `catalog.json` lies beside the records."""
    is_run: bool
    """Whether the records are those of a run, so that all that toolgen demands of its own holds for them."""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the stream of lines, unpacked where it is a gzip or Zstandard archive.

        Raises:
            StorageError: the file cannot be opened or read.
            UsageError: what unpacks it is not installed.
        """
        if self.path is None:
            yield unpacked(sys.stdin.buffer, self.name)
            return
        with disk_errors(self.path):
            stream = self.path.open("rb")
        with stream:
            yield unpacked(stream, self.name)


def find_origin(name: str) -> Origin:
    """Find the records that `name` means: a run folder, a file, or `-` for stdin.

    Raises:
        UsageError: there are none.
    """
    if name == STDIN:
        return Origin("stdin", None, None, is_run=False)
    path = Path(name)
    if path.is_dir():
        path = _records_in(path)
    elif not path.exists():
        raise UsageError(
            f"{name}: there is no such file or folder; give a run folder, a JSON Lines file, or - for stdin"
        )
    folder = RunFolder(path.parent)
    catalog = read_catalog(folder.catalog) if folder.catalog.is_file() else None
    return Origin(str(path), path, catalog, is_run=folder.records == path and folder.job.is_file())


def _records_in(folder: Path) -> Path:
    path = RunFolder(folder).records
    if not path.is_file():
        raise UsageError(f"{folder}: holds no {path.name}; it is no run, or one that has not published its records yet")
    return path
