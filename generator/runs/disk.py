"""Files that are whole or absent, and one message for whatever a disk does."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import StorageError

_KEPT = "what was committed is kept, run the same command again to go on"
_REMEDIES = {
    errno.ENOSPC: f"the disk is full; free some space: {_KEPT}",
    errno.EDQUOT: f"your disk quota is used up; free some space: {_KEPT}",
    errno.EFBIG: f"a file may not grow any larger here (ulimit -f, or the file system); {_KEPT}",
    errno.EACCES: "permission denied; give --out a folder that you may write to",
    errno.EPERM: "permission denied; give --out a folder that you may write to",
    errno.EROFS: "the file system is read-only; give --out a folder that you may write to",
    errno.ENOTDIR: "a part of the path is a file, not a folder; give --out another folder",
    errno.EEXIST: "a file is in the way; give --out another folder",
    errno.ENAMETOOLONG: "the name is too long; give --out another folder",
}
_PART = ".part"


def disk_message(path: Path, error: OSError) -> str:
    """Return what went wrong with this path and what to do about it."""
    what = _REMEDIES.get(error.errno or 0) or error.strerror or str(error)
    return f"{path}: {what}"


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn whatever the operating system refuses into one StorageError that names the path."""
    try:
        yield
    except OSError as error:
        raise StorageError(disk_message(path, error)) from error


def write_whole(path: Path, chunks: Iterable[bytes]) -> int:
    """Write a file under a temporary name, sync it and rename it; return its size in bytes.

    Whoever reads `path` sees the old file or the new one, never a part of either. A link stays one: the file it
    leads to is written. A device or pipe is written straight, since a rename would put a file in its place.

    Raises:
        StorageError: the disk refused; the old file is as it was and nothing temporary stays.
    """
    with disk_errors(path):
        if path.is_char_device() or path.is_block_device() or path.is_fifo() or path.is_socket():
            return _write_through(path, chunks)
        real = path.resolve()
        part = real.with_name(f".{real.name}{_PART}")
        try:
            size = _write_synced(part, chunks)
            part.replace(real)
        finally:
            part.unlink(missing_ok=True)
        sync_folder(real.parent)
    return size


def _write_through(path: Path, chunks: Iterable[bytes]) -> int:
    with path.open("wb") as stream:
        return sum(stream.write(chunk) for chunk in chunks)


def _write_synced(part: Path, chunks: Iterable[bytes]) -> int:
    size = 0
    with part.open("wb", buffering=1 << 20) as file:
        for chunk in chunks:
            size += file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return size


def sync_folder(folder: Path) -> None:
    """Make renames in the folder survive a loss of power, where the system can open a folder."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_part(path: Path) -> bool:
    """Say whether the file is a temporary one of `write_whole`, left by a process that was killed."""
    return path.name.startswith(".") and path.name.endswith(_PART)
