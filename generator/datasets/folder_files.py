"""The files of a folder as they are pushed: their names, sizes and digests."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from generator.disk import disk_errors, is_part
from generator.errors import UsageError
from generator.runs.folder import RunFolder


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder: its name there, with `/` between folders, and what is in it."""

    name: str
    path: Path
    size: int
    sha256: str


def files_of(folder: Path) -> list[FolderFile]:
    """Return the files of a folder in the order of their names, without temporary ones.

    Raises:
        UsageError: there is none, something in the folder is a link, or it is a run's, which holds more than data.
        StorageError: a file cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: there is no such folder to push")
    if RunFolder(folder).database.exists() or RunFolder(folder).is_run:
        raise UsageError(f"{folder}: is the folder of a run, which holds more than data; export it, and push that")
    root = folder.resolve()
    with disk_errors(folder):
        files = [_file(root, path) for path in sorted(root.rglob("*")) if not (_is_folder(path) or is_part(path))]
    if not files:
        raise UsageError(f"{folder}: holds no file to push")
    return files


def files_of_run(run: RunFolder, published: Iterable[str]) -> list[FolderFile]:
    """Return the published files of a run, by their names, and those by which it is told and made again.

    Raises:
        StorageError: a file cannot be read.
    """
    names = {*published, *(path.name for path in (run.summary, run.job, run.catalog))}
    root = run.path.resolve()
    with disk_errors(run.path):
        return [_file(root, root / name) for name in sorted(names)]


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)


def _file(root: Path, path: Path) -> FolderFile:
    if not stat.S_ISREG(path.lstat().st_mode):
        raise UsageError(f"{path}: is a link, or no file at all, and is not followed; put a copy in its place")
    with path.open("rb") as stream:
        return FolderFile(
            path.relative_to(root).as_posix(), path, path.stat().st_size, file_digest(stream, "sha256").hexdigest()
        )
