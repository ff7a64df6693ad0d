"""Opening the store of a run: one that is damaged makes room for a new one, and is kept for what can be read of it."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from generator.runs.disk import disk_errors
from generator.runs.folder import beside
from generator.runs.store import DamagedStoreError, RunStore

log = logging.getLogger(__name__)


def open_store(path: Path, identity: str) -> RunStore:
    """Open the store of a run; one that is damaged or of another run is put aside, and a new one takes its place.

    Raises:
        StorageError: the disk refused.
    """
    try:
        return RunStore(path, identity)
    except DamagedStoreError as damage:
        aside = _put_aside(path)
        log.warning("%s: damaged (%s); it is now %s, and what can be read of it is kept", path, damage.what, aside.name)
    store = RunStore(path, identity)
    store.aside = aside
    return store


def _put_aside(path: Path) -> Path:
    """Rename a database with all that belongs to it, to a name that nothing has."""
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    for own, other in zip((path, *beside(path)), (aside, *beside(aside)), strict=True):
        if os.path.lexists(own):
            with disk_errors(own):
                own.rename(other)
    return aside
