"""What a report is made of: the files of a run's folder or a build's, and how the records are shared out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import orjson
from pydantic import ValidationError

from generator.disk import disk_errors
from generator.errors import StorageError, UsageError
from generator.formats.conversation import messages_of
from generator.jsontext import JsonObject
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.record_files import record_files
from generator.runs.summary import Summary
from generator.tools import Tool
from generator.validation.lines import read_lines

MANIFEST = "manifest.json"
_LARGEST = 64 * 1024 * 1024
"""Bytes of a job or a manifest."""
_MOST_SPLITS = 32


@dataclass(frozen=True, slots=True)
class Source:
    """A folder with records and what is known about them."""

    folder: RunFolder
    summary: Summary
    job: JsonObject
    tools: tuple[Tool, ...] = ()
    manifest: JsonObject = field(default_factory=dict)
    """What a build says of itself; empty where the folder is a run's."""

    @property
    def name(self) -> str:
        """The name of the folder, without the way to it: a page is passed on to others.

        A build is reported before it has its name, while its folder is hidden: then it is "".
        """
        name = self.folder.path.resolve().name
        return "" if name.startswith(".") else name


def open_source(path: Path) -> Source:
    """Find the files of a run or a build.

    Raises:
        UsageError: the folder holds neither.
        StorageError: a file of it cannot be read, or is not what toolgen writes.
    """
    if not path.is_dir():
        raise UsageError(f"{path}: is no folder; give the folder of a run or of a build")
    folder = RunFolder(path)
    there = {folder.records: bool(record_files(path)), folder.summary: folder.summary.is_file()}
    lacking = [file.name for file, is_there in there.items() if not is_there]
    if lacking:
        raise UsageError(f"{path}: holds no {lacking[0]}; give the folder of a run that has ended, or of a build")
    tools = tuple(read_catalog(folder.catalog).tools) if folder.catalog.is_file() else ()
    return Source(folder, _summary(folder.summary), _object(folder.job), tools, _object(path / MANIFEST))


def _summary(path: Path) -> Summary:
    with disk_errors(path):
        text = path.read_bytes()
    try:
        return Summary.model_validate_json(text)
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, or of another version: this is no summary.json of toolgen") from error


def _object(path: Path) -> JsonObject:
    """Return the object that a file holds; an empty one where there is no file."""
    if not path.is_file():
        return {}
    with disk_errors(path), path.open("rb") as file:
        text = file.read(_LARGEST)
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise StorageError(f"{path}: damaged, this is no JSON") from error
    if not isinstance(found, dict):
        raise StorageError(f"{path}: damaged, this is no JSON object")
    return found


class Placings:
    """Tells the split of each record of a build, asked in the order of the records.

    The files of the splits have the records in the same order, so one line of each is held at a time. A record is
    known there by its index, or by its first request where the format keeps no metadata: no two have the same.
    """

    def __init__(self, streams: dict[str, BinaryIO]) -> None:
        self._marks = {name: _marks(stream) for name, stream in streams.items()}
        self._next = {name: next(marks, None) for name, marks in self._marks.items()}

    def split_of(self, document: JsonObject) -> str:
        """Return the split in which the record is; "" where it is in none, or the data tell nothing of it."""
        marks = _marks_of(document)
        for name, there in self._next.items():
            if there is not None and there in marks:
                self._next[name] = next(self._marks[name], None)
                return name
        return ""


@contextmanager
def open_placings(source: Source) -> Iterator[Placings]:
    """Open the splits of a build, in the first of its formats in which records are known again.

    Raises:
        StorageError: a file of them cannot be read.
    """
    with ExitStack() as stack:
        streams: dict[str, BinaryIO] = {}
        for path in _split_files(source.folder.path / "data"):
            with disk_errors(path):
                streams[path.stem] = stack.enter_context(path.open("rb"))
        yield Placings(streams)


def _split_files(data: Path) -> list[Path]:
    for folder in sorted(path for path in data.iterdir() if path.is_dir()) if data.is_dir() else ():
        files = sorted(folder.glob("*.jsonl"))[:_MOST_SPLITS]
        if files and any(_is_marked(path) for path in files):
            return files
    return []


def _is_marked(path: Path) -> bool:
    with disk_errors(path), path.open("rb") as stream:
        return next(_marks(stream), None) is not None


def _marks(stream: BinaryIO) -> Iterator[int | str]:
    """Yield by what each record of a split is known."""
    for _, line in read_lines(stream):
        with suppress(orjson.JSONDecodeError):
            document = orjson.loads(line or b"")
            if isinstance(document, dict) and (marks := _marks_of(document)):
                yield marks[0]


def _marks_of(document: JsonObject) -> tuple[int | str, ...]:
    """Return by what a record is known, the surest first."""
    index = index_of(document)
    asked = next((each.get("content") for each in messages_of(document) if each.get("role") == "user"), None)
    known = (index, asked if isinstance(asked, str) else None)
    return tuple(mark for mark in known if mark is not None)


def index_of(document: JsonObject) -> int | None:
    """Return the scenario index of a record, None where it does not tell one."""
    metadata = document.get("metadata")
    index = metadata.get("index") if isinstance(metadata, dict) else None
    return index if isinstance(index, int) and not isinstance(index, bool) else None
