"""The folder of a run: what lies where, and whether it may be used."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generator.backends.answers import ANSWERS
from generator.disk import disk_errors, is_part, part_of, require_own
from generator.domains.catalog import Catalog
from generator.errors import JobError, StorageError
from generator.runs.record_files import PLAIN, files_there

_USERS_ALONE = 0o700


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The paths of one run."""

    path: Path

    @property
    def job(self) -> Path:
        """The resolved job, from which the run can be repeated."""
        return self.path / "job.json"

    @property
    def catalog(self) -> Path:
        """The tools with their result schemas."""
        return self.path / "catalog.json"

    @property
    def database(self) -> Path:
        """The run store."""
        return self.path / "run.db"

    @property
    def records(self) -> Path:
        """The published records, in scenario order, where they are in one plain file; see `record_files`."""
        return self.path / PLAIN

    @property
    def dropped(self) -> Path:
        """What stays of a run store that was deleted."""
        return self.path / "dropped.json"

    @property
    def answers(self) -> Path:
        """Every answer of a model, in the order they came."""
        return self.path / ANSWERS

    @property
    def rejections(self) -> Path:
        """Every attempt that yielded no record, in scenario order."""
        return self.path / "rejections.jsonl"

    @property
    def summary(self) -> Path:
        """Counts, yield, times and versions."""
        return self.path / "summary.json"

    @property
    def lock(self) -> Path:
        """The lock file, which stays when the run ends, and is empty then."""
        return self.path / "run.lock"

    @property
    def batches(self) -> Path:
        """What is asked in batches, and what is known of them."""
        return self.path / "batches"

    def owns(self, path: Path) -> bool:
        """Say whether the path is one of the files by which this folder is a run."""
        mine = (self.job, self.catalog, self.database, self.answers, self.rejections, self.summary, self.lock)
        return self.is_run and path.name in {file.name for file in (*mine, self.dropped)}

    @property
    def is_run(self) -> bool:
        """Whether the folder is one of a run, with its store or, where that was dropped, with the lock that stays."""
        return self.job.is_file() and (self.database.is_file() or self.lock.is_file())

    def make(self) -> None:
        """Make the folder, for the user alone where it is not there yet.

        Raises:
            StorageError: it cannot be made.
        """
        with disk_errors(self.path):
            self.path.mkdir(_USERS_ALONE, parents=True, exist_ok=True)

    def make_usable(self) -> None:
        """Make the folder, or refuse one that holds something else (see `require_usable`)."""
        self.make()
        self.require_usable()

    def require_own(self) -> None:
        """Refuse a folder in which links, pipes and the like lie where the files of a run belong.

        Raises:
            StorageError: one does, or a file is somebody else's that anybody may write to.
        """
        mine = (self.job, self.catalog, self.records, self.rejections, self.summary, self.dropped)
        for path in (*mine, *files_there(self.path)):
            require_own(path)
            require_own(part_of(path))
        for path in (self.lock, self.answers, self.database, *beside(self.database)):
            require_own(path, in_place=True)

    def require_usable(self) -> None:
        """Refuse a folder that holds something else, so that no file of the user's is ever replaced.

        Raises:
            JobError: the folder is not empty and holds no run.
        """
        if os.path.lexists(self.job):
            return
        with disk_errors(self.path):
            own = (self.lock, self.batches)
            strangers = sorted(item.name for item in self.path.iterdir() if item not in own and not is_part(item))
        if strangers:
            raise JobError(f"{self.path}: holds {strangers[0]!r} but no run; give --out a new or empty folder")


def beside(database: Path) -> tuple[Path, ...]:
    """Return the files that SQLite keeps beside a database."""
    return tuple(database.with_name(database.name + suffix) for suffix in ("-wal", "-shm", "-journal"))


def read_catalog(path: Path) -> Catalog:
    """Read the `catalog.json` of a run.

    Raises:
        StorageError: it is not there, or is not what toolgen writes.
    """
    with disk_errors(path):
        text = path.read_bytes()
    try:
        return Catalog.model_validate_json(text)
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, this is no catalog.json of toolgen") from error
