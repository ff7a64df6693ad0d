"""Where records are read from: a run folder, a file of whatever holds records, the folder of a data set, or stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import orjson

from generator.compressed import unpacked
from generator.datasets.companions import Companions, companions_of
from generator.datasets.files import dataset_files
from generator.datasets.lines import as_lines, as_stream
from generator.datasets.tables import is_table, rows_as_lines
from generator.disk import disk_errors
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.formats.recognition import Unfold, unfolding_of
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.record_files import names_records, open_records, record_files, told_files
from generator.validation.lines import LONGEST_LINE

STDIN = "-"
_READ_AT_ONCE = 256 * 1024


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

    answers: str | None = None
    """The file of accepted answers that was named for it; without one they are looked for beside it."""
    line_by_line: bool = False
    """Whether each line is taken as it stands, whatever it holds."""
    shards: tuple[Path, ...] = ()
    """All the files of a run whose records are in several, `path` the first of them."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it is read from; none for stdin."""
        return self.shards or (() if self.path is None else (self.path,))

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the stream of lines, each a record, however the file holds them.

        Archives are unpacked, arrays and tables become lines, a line of several records becomes several, and what
        lies beside the file and belongs to its lines is joined to them.

        Raises:
            StorageError: the file cannot be opened or read.
            UsageError: what unpacks or reads it is not installed.
        """
        if self.shards:
            with open_records(self.shards) as stream:
                yield stream
            return
        if self.path is None:
            stdin = unpacked(sys.stdin.buffer, self.name)
            yield stdin if self.line_by_line else _records(stdin, self.name, Companions())
            return
        with disk_errors(self.path):
            stream = self.path.open("rb")
        with stream:
            if is_table(stream.peek(8)[:8]):
                yield as_stream(_unfolded(rows_as_lines(self.path)))
            elif self.is_run or self.line_by_line:
                yield unpacked(stream, self.name)
            else:
                yield _records(unpacked(stream, self.name), self.name, companions_of(self.path, self.answers))


def _records(stream: BinaryIO, name: str, companions: Companions) -> BinaryIO:
    """Return a stream of lines, each a record."""
    lines = as_lines(stream, name)
    first = lines.readline(LONGEST_LINE)
    unfold = _unfolding(first)
    again = chain([first], iter(partial(lines.read1, _READ_AT_ONCE), b""))  # type: ignore[attr-defined]  # buffered
    if unfold is None and not companions:
        return as_stream(again)
    whole = as_stream(again)
    joined = companions.join(_lines(whole)) if companions else _lines(whole)
    return as_stream(_unfolded(joined))


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines, a line that is too long in pieces."""
    return iter(partial(stream.readline, LONGEST_LINE), b"")


def _unfolding(line: bytes) -> Unfold | None:
    try:
        return unfolding_of(orjson.loads(line))
    except orjson.JSONDecodeError:
        return None


def _unfolded(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        unfold = _unfolding(line)
        if unfold is None:
            yield line
        else:
            for record in unfold(orjson.loads(line)):
                yield orjson.dumps(record) + b"\n"


def find_origins(name: str, answers: str | None = None, *, line_by_line: bool = False) -> list[Origin]:
    """Find the records that `name` means: as `find_origin` does, or the files of a data set's folder.

    Raises:
        UsageError: there are none.
    """
    folder = Path(name)
    if name == STDIN or not folder.is_dir() or record_files(folder):
        return [replace(find_origin(name), answers=answers, line_by_line=line_by_line)]
    files = dataset_files(folder)
    if not files:
        raise UsageError(f"{folder}: holds no {RunFolder(folder).records.name} of a run, and no files of a data set")
    return [replace(find_origin(str(path)), answers=answers, line_by_line=line_by_line) for path in files]


def find_origin(name: str) -> Origin:
    """Find the records that `name` means: a run folder, a file, or `-` for stdin.

    Raises:
        UsageError: there are none.
    """
    if name == STDIN:
        return Origin("stdin", None, None, is_run=False)
    path = Path(name)
    files = _records_in(path) if path.is_dir() else (path,)
    if not path.exists():
        raise UsageError(
            f"{name}: there is no such file or folder; give a run folder, a JSON Lines file, or - for stdin"
        )
    folder = RunFolder(files[0].parent)
    catalog = read_catalog(folder.catalog) if folder.catalog.is_file() else None
    of_run = names_records(files[0]) and folder.job.is_file()
    told = str(files[0]) if len(files) == 1 else str(told_files(path))
    return Origin(told, files[0], catalog, is_run=of_run, shards=files if len(files) > 1 else ())


def _records_in(folder: Path) -> tuple[Path, ...]:
    files = record_files(folder)
    if not files:
        name = RunFolder(folder).records.name
        raise UsageError(f"{folder}: holds no {name}; it is no run, or one that has not published its records yet")
    return files
