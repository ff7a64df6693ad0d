"""One process per run: a lock of the operating system, which a killed process loses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from generator.errors import RunLockedError
from generator.runs.disk import disk_errors, open_own

if sys.platform == "win32":
    import msvcrt

    _BYTE = 1 << 30  # a byte far behind the text, since Windows locks bytes against reading too

    def _try_lock(file: IO[bytes]) -> None:
        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def run_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a run while the block runs.

    Raises:
        RunLockedError: another process holds it; the message tells which.
        StorageError: the lock file cannot be made.
    """
    with os.fdopen(open_own(path, os.O_RDWR), "r+b", buffering=0) as file:
        try:
            _try_lock(file)
        except (BlockingIOError, PermissionError) as error:
            raise RunLockedError(_locked(path, file)) from error
        with disk_errors(path):
            file.seek(0)
            file.truncate()
            file.write(str(os.getpid()).encode())
        yield


def _locked(path: Path, file: IO[bytes]) -> str:
    file.seek(0)
    holder = file.read(20).decode("ascii", "replace").strip()
    who = f"process {holder}" if holder.isdigit() else "another process"
    return f"{path.parent}: {who} is working on this run; wait for it to end, or give --out another folder"
