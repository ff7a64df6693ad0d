"""Files that are whole or absent, folders that are not followed out of, and one message for whatever a disk does."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import StorageError

_KEPT = "what was committed is kept, run the same command again to go on"
_REMEDIES = {
    errno.ENOSPC: f"the disk is full; free some space: {_KEPT}",
    errno.EDQUOT: f"your disk quota is used up; free some space: {_KEPT}",
    errno.EFBIG: f"a file may not grow any larger here (ulimit -f, or the file system); {_KEPT}",
    errno.EACCES: "permission denied; name a folder that you may write to",
    errno.EPERM: "permission denied; name a folder that you may write to",
    errno.EROFS: "the file system is read-only; name a folder that you may write to",
    errno.ENOTDIR: "a part of the path is a file, not a folder; give another path",
    errno.EEXIST: "a file is in the way; give another path",
    errno.ENAMETOOLONG: "the name is too long; give another path",
    errno.ELOOP: "a symbolic link is in the way, and a run's folder is not followed out of; remove it",
}
_PART = ".part"
_USERS_ALONE = 0o600
_AS_USUAL = 0o666
"""Less what the user's umask takes away."""
_ROOT = 0
_NOT_FOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


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
    """Write a file that the user named under a temporary name, sync it and rename it; return its size in bytes.

    Whoever reads `path` sees the old file or the new one, never a part of either. A link stays one: the file it
    leads to is written. A device or pipe is written straight, since a rename would put a file in its place.

    Raises:
        StorageError: the disk refused; the old file is as it was and nothing temporary stays.
    """
    with disk_errors(path):
        if path.is_char_device() or path.is_block_device() or path.is_fifo() or path.is_socket():
            return _write_through(path, chunks)
        return _replace(path.resolve(), chunks, _AS_USUAL)


def write_own(path: Path, chunks: Iterable[bytes]) -> int:
    """Write a file of a run's folder as `write_whole` does, for the user's eyes alone, and follow nothing there.

    Raises:
        StorageError: the disk refused, or something else lies where the file belongs.
    """
    require_own(path)
    with disk_errors(path):
        return _replace(path, chunks, _USERS_ALONE)


def write_aside(path: Path, chunks: Iterable[bytes]) -> int:
    """Write what `put_in_place` makes a file of a run's folder, to where `part_of` says, synced; return its size.

    Raises:
        StorageError: the disk refused, or something else lies where the file belongs.
    """
    require_own(path)
    with disk_errors(path):
        return _write_synced(_begin(part_of(path), _USERS_ALONE), chunks)


def put_in_place(path: Path) -> None:
    """Put in its place what was written aside.

    Raises:
        StorageError: the disk refused.
    """
    with disk_errors(path):
        part_of(path).replace(path)


def open_own(path: Path, flags: int) -> int:
    """Open a file of a run's folder that is written in place, and make it where it is not there; follow nothing.

    Raises:
        StorageError: the disk refused, or something else lies where the file belongs.
    """
    require_own(path, in_place=True)
    with disk_errors(path):
        return os.open(path, flags | os.O_CREAT | _NOT_FOLLOWED, _USERS_ALONE)


def require_own(path: Path, *, in_place: bool = False) -> None:
    """Refuse what lies where a file of a run belongs and is none: what is written there would land elsewhere.

    Args:
        path: the file; it need not exist.
        in_place: whether the file itself is written, and not replaced, so that its other names would change with it.

    Raises:
        StorageError: it is a link, no file at all, has other names, or is somebody else's and anybody may write it.
    """
    with disk_errors(path):
        try:
            found = path.lstat()
        except FileNotFoundError:
            return
    if stat.S_ISLNK(found.st_mode):
        raise StorageError(f"{path}: is a symbolic link, and a run's folder is not followed out of; remove it")
    if not stat.S_ISREG(found.st_mode):
        raise StorageError(f"{path}: is no file, and one of the run belongs there; move it away")
    if in_place and found.st_nlink > 1:
        raise StorageError(f"{path}: has another name elsewhere, which would change with it; put a copy in its place")
    if os.name == "posix" and found.st_mode & stat.S_IWOTH and found.st_uid not in (_ROOT, os.geteuid()):
        raise StorageError(f"{path}: belongs to somebody else, and anybody may write to it; copy what you trust of it")


def _write_through(path: Path, chunks: Iterable[bytes]) -> int:
    with path.open("wb") as stream:
        return sum(stream.write(chunk) for chunk in chunks)


def _replace(path: Path, chunks: Iterable[bytes], mode: int) -> int:
    part = part_of(path)
    handle = _begin(part, mode)
    try:
        size = _write_synced(handle, chunks)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)
    return size


def _begin(part: Path, mode: int) -> int:
    """Open a new file for what is written, in place of what a killed process may have left."""
    require_own(part)
    part.unlink(missing_ok=True)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOT_FOLLOWED, mode)


def _write_synced(handle: int, chunks: Iterable[bytes]) -> int:
    size = 0
    with os.fdopen(handle, "wb", buffering=1 << 20) as file:
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


def part_of(path: Path) -> Path:
    """Return where a file lies while it is written."""
    return path.with_name(f".{path.name}{_PART}")


def whole_of(part: Path) -> Path:
    """Return where a file is to lie that lies at `part` while it is written."""
    return part.with_name(part.name.removeprefix(".").removesuffix(_PART))
