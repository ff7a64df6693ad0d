"""Where commands write: stdout, or a file that may be written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.errors import StorageError, UsageError
from generator.runs.folder import RunFolder
from generator.runs.origin import Origin

STDOUT = "-"


def writable(path: Path, origins: Iterable[Origin]) -> Path:
    """Return the path of a file to write, which is none that the records come from and none of a run's own.

    Raises:
        UsageError: the path means another file than one to write.
        StorageError: its folder is not there.
    """
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; give -o the file to write")
    if not path.parent.is_dir():
        raise StorageError(f"{path.parent}: there is no such folder; make it, or give -o another file")
    if RunFolder(path.parent).owns(path):
        raise UsageError(f"{path}: is a file of the run in that folder; give -o another file")
    for origin in origins:
        if origin.path is not None and path.exists() and path.samefile(origin.path):
            raise UsageError(f"{path}: is the file the records come from; give -o another file")
    return path
