"""Record files: where a run's records are published, in one file or in shards, packed or plain, and how they are read.

Files of one set take their places one after the other, so a set is whole only when all its names are there. A journal
tells from the first step to the last that files are taking their places; whoever continues the run finishes that. A
seal tells whether a file is the one that was written.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import BinaryIO, Self

import orjson

from generator.compressed import packed, require_packer, unpacked
from generator.disk import (
    disk_errors,
    is_part,
    part_of,
    put_in_place,
    require_own,
    sync_folder,
    whole_of,
    write_aside,
    write_own,
)
from generator.errors import StorageError, UsageError
from generator.job import Job
from generator.job_choices import Compression
from generator.jsontext import dump_compact

PLAIN = "records.jsonl"
"""The file of all records, where no other form is asked for."""
_NAME = re.compile(r"records(?:-([0-9]{5})-of-([0-9]{5}))?\.jsonl(\.gz|\.zst)?\Z")
_JOURNAL = ".publishing.json"
_ENDINGS: dict[Compression, str] = {"none": "", "gz": ".gz", "zst": ".zst"}
_MOST_FILES = 99_999
_READ_AT_ONCE = 1 << 18
_LONGEST_JOURNAL = 1 << 24


@dataclass(frozen=True, slots=True)
class Form:
    """How records are published; it changes no record."""

    compress: Compression = "none"
    shard: int = 0
    """Records a file; 0: all in one."""

    @classmethod
    def of(cls, job: Job) -> Self:
        """Return the form that a job asks for."""
        return cls(job.compress, job.shard)

    def names(self, records: int) -> list[str]:
        """Return the names of the files that hold so many records, in order."""
        ending = f".jsonl{_ENDINGS[self.compress]}"
        if not self.shard:
            return [f"records{ending}"]
        count = max(1, -(-records // self.shard))
        return [f"records-{number:05}-of-{count:05}{ending}" for number in range(count)]

    def require_possible(self, records: int) -> None:
        """Refuse a form that so many records cannot have, or that nothing installed can write.

        Raises:
            UsageError: they would be too many files, or the package lacks.
        """
        if self.shard and self.shard * _MOST_FILES < records:
            least = -(-records // _MOST_FILES)
            raise UsageError(f"shard: {self.shard:,} records a file are too many files; give {least:,} or more")
        require_packer(self.names(0)[0], "give --compress gz")


IN_ONE_FILE = Form()


def names_records(path: Path) -> bool:
    """Say whether a file is named as one of a run's records."""
    return _NAME.match(path.name) is not None


def files_there(folder: Path) -> list[Path]:
    """Return what is named as a file of records, set by set, each in its order; a set may lack some of its files."""
    if not folder.is_dir():
        return []
    with disk_errors(folder):
        return sorted(filter(names_records, folder.iterdir()), key=lambda path: (_set_of(path), path.name))


def _set_of(path: Path) -> tuple[int, str]:
    """Return what the files of one set share: how many they are, 0 for one that is all of it, and their ending."""
    found = _NAME.match(path.name)
    return (int(found[2] or 0), found[3] or "") if found else (0, "")


def record_files(folder: Path, *, whole: bool = True) -> tuple[Path, ...]:
    """Return the files that hold the records of a folder, in order; none where none were published.

    Without `whole` a set may lack some of its files.

    Raises:
        StorageError: they are just taking their places, or a process that put them there was killed; there is more
            than one set, so that nobody knows which one is right; or one of a set lacks.
    """
    if os.path.lexists(folder / _JOURNAL):
        raise StorageError(
            f"{folder}: its records are half published; run the command again that made them, and it is finished"
        )
    there = files_there(folder)
    count = _size_of_set(folder, there)
    if whole and count and (lacks := set(_names_like(there[0], count)).difference(path.name for path in there)):
        raise StorageError(f"{folder}: {min(lacks)} lacks; run the command again that made it, or fetch it")
    return tuple(there)


def _size_of_set(folder: Path, there: Sequence[Path]) -> int:
    """Return how many files the one set of a folder is made of, 0 where one file is all of it, or none is there."""
    first_of_sets = [next(files) for _, files in groupby(there, _set_of)]
    if len(first_of_sets) > 1:
        first, other = (path.name for path in first_of_sets[:2])
        raise StorageError(f"{folder}: holds {first} and {other}, and one alone is right; move the other away")
    return _set_of(there[0])[0] if there else 0


def are_records(name: str) -> bool:
    """Say whether a file of this name holds records of a run."""
    return _NAME.match(name) is not None


def _names_like(path: Path, count: int) -> Iterator[str]:
    ending = path.name[path.name.index(".jsonl") :]
    return (f"records-{number:05}-of-{count:05}{ending}" for number in range(count))


def told_files(folder: Path) -> Path:
    """Return what to tell people, and to give to a command, for the files of a folder's records."""
    there = files_there(folder)
    if len(there) < 2:
        return there[0] if there else folder / PLAIN
    return folder / f"records-*{there[0].name[there[0].name.index('.jsonl') :]}"


def open_records(files: Sequence[Path]) -> BinaryIO:
    """Open files of records as one stream of lines, unpacked.

    Raises:
        UsageError: what unpacks them is not installed; StorageError, also in reading: one cannot be read.
    """
    return io.BufferedReader(_Joined(_unpacked(files)), _READ_AT_ONCE)


class _Joined(io.RawIOBase):
    """Chunks of bytes as a stream."""

    def __init__(self, chunks: Generator[bytes]) -> None:
        self._chunks = chunks
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._chunks.close()
        super().close()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what is given here
        while not self._ready:
            if (chunk := next(self._chunks, None)) is None:
                return 0
            self._ready = memoryview(chunk)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def _unpacked(files: Iterable[Path]) -> Generator[bytes]:
    """Yield the bytes of files, one after the other; the last line of each ends with it."""
    for path in files:
        last = b"\n"
        with disk_errors(path), path.open("rb") as file:
            stream = unpacked(file, str(path))
            while chunk := stream.read(_READ_AT_ONCE):
                last = chunk[-1:]
                yield chunk
        if last != b"\n":
            yield b"\n"


def write_records(folder: Path, form: Form, records: int, lines: Iterable[bytes]) -> dict[str, str]:
    """Publish lines in a form in place of whatever was published; return the digests of the files by name, in hex.

    Each file is whole or absent. Where it takes more than one step, the new files are all written before the first
    takes its place, and the old ones go when the last has; `finish_publishing` takes the steps that a kill cut off.

    Raises:
        StorageError: the disk refused, what is published being the old or the new; or the lines are not so many.
    """
    names, rest = form.names(records), iter(lines)
    if len(names) == 1 and [path.name for path in files_there(folder)] in ([], names):
        seal = Seal()
        write_own(folder / names[0], seal.through(packed(rest, names[0])))
        return {names[0]: seal.sha256}
    seals = {name: Seal() for name in names}
    try:
        for name, seal in seals.items():
            mine = islice(rest, form.shard) if form.shard and name != names[-1] else rest
            write_aside(folder / name, seal.through(packed(mine, name)))
        write_own(folder / _JOURNAL, [dump_compact(names).encode()])
    except BaseException:
        _forget_parts(folder)
        raise
    finish_publishing(folder)
    return {name: seal.sha256 for name, seal in seals.items()}


def finish_publishing(folder: Path) -> None:
    """Take the steps that are left where files take their places; forget what was written before the first of them.

    Raises:
        StorageError: the disk refused, or something else lies where a file belongs.
    """
    journal = folder / _JOURNAL
    require_own(journal)
    with disk_errors(journal):
        names = _names_in(journal) if journal.exists() else []
    for name in names:
        require_own(folder / name)
        if os.path.lexists(part_of(folder / name)):
            require_own(part_of(folder / name))
            put_in_place(folder / name)
    with disk_errors(folder):
        if names and all((folder / name).is_file() for name in names):
            sync_folder(folder)
            for path in files_there(folder):
                if path.name not in names:
                    path.unlink()
        journal.unlink(missing_ok=True)
    _forget_parts(folder)


def _names_in(journal: Path) -> list[str]:
    """Return the names that a journal tells: of one set alone, none where it is damaged."""
    with journal.open("rb") as file:
        text = file.read(_LONGEST_JOURNAL)
    try:
        held = orjson.loads(text)
    except orjson.JSONDecodeError:
        return []
    names = [name for name in held if isinstance(name, str) and _NAME.match(name)] if isinstance(held, list) else []
    return names if len({_set_of(Path(name)) for name in names}) == 1 else []


def _forget_parts(folder: Path) -> None:
    """Delete what was written of record files and has not taken its place."""
    with disk_errors(folder):
        for part in folder.iterdir():
            if is_part(part) and (names_records(whole_of(part)) or whole_of(part).name == _JOURNAL):
                part.unlink()


_SEALED_AT_ONCE = 1 << 20


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
        for _ in seal.through(iter(lambda: file.read(_SEALED_AT_ONCE), b"")):
            continue
    return seal
