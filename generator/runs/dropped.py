"""A dropped store: what stays of a run whose store was deleted when all was made and published.

Its notes stay, the receipt of what was published among them: by it the run is known to be over. It goes on from the
published records; but what a model was asked is known from its answers alone, so without them nothing is made anew.
"""

from __future__ import annotations

from typing import Self

from pydantic import ValidationError

from generator.boundary import BoundaryModel
from generator.disk import disk_errors, write_own
from generator.errors import JobError, StorageError
from generator.job import Job
from generator.jsontext import dump_pretty
from generator.runs.folder import RunFolder, beside
from generator.runs.identity import read_job_document
from generator.runs.lock import run_lock
from generator.runs.store import RunStore

_LONGEST = 1 << 24


class Held(BoundaryModel):
    """What `dropped.json` holds."""

    records: int
    answers: bool
    """Whether the answers of a model were kept."""
    notes: dict[str, str]


class DroppedStore:
    """What `dropped.json` tells of a store that is no more; its notes are read and set as those of a store."""

    def __init__(self, folder: RunFolder, held: Held) -> None:
        self._folder = folder
        self.held = held

    @classmethod
    def read(cls, folder: RunFolder) -> Self | None:
        """Return what stays of the store of a folder; None where it was not dropped.

        Raises:
            StorageError: the file is damaged.
        """
        with disk_errors(folder.dropped):
            if not folder.dropped.is_file():
                return None
            with folder.dropped.open("rb") as file:
                text = file.read(_LONGEST)
        try:
            return cls(folder, Held.model_validate_json(text))
        except ValidationError as error:
            raise StorageError(f"{folder.dropped}: damaged, this is no dropped.json of toolgen; remove it") from error

    def note(self, name: str) -> str | None:
        """Return a text that was noted with the run, or None."""
        return self.held.notes.get(name)

    def set_note(self, name: str, value: str) -> None:
        """Note a text with the run, at once."""
        self.held = self.held.model_copy(update={"notes": {**self.held.notes, name: value}})
        _write(self._folder, self.held)

    def require_going_on(self, job: Job, asked: int) -> None:
        """Refuse to go on where a model would be asked again for what it was paid for.

        Raises:
            JobError: it would.
        """
        if job.author == "offline" or self.held.answers:
            return
        made = self.held.records
        why = f"{asked:,} are asked for" if asked != made else "they are no longer as they were published"
        raise JobError(
            f"{self._folder.path}: its {made:,} records are finished, {why}, and its store and answers were deleted "
            "(--drop-store): a model would be asked and paid again. Nothing was changed; for more records give "
            "another --seed and --out, and --keep-answers where a run is to go on"
        )

    def restore(self, store: RunStore) -> None:
        """Note in the store that takes its place what is not noted there."""
        for name, value in self.held.notes.items():
            if store.note(name) is None:
                store.set_note(name, value)
        with disk_errors(self._folder.dropped):
            self._folder.dropped.unlink(missing_ok=True)


def drop_store(folder: RunFolder, records: int, *, keep_answers: bool) -> None:
    """Delete the store of a run that is over and published, and the answers of its model unless they are kept.

    Raises:
        StorageError: the disk refused; RunLockedError: another process is at work.
    """
    with run_lock(folder.lock):
        answers = keep_answers and folder.answers.is_file()
        if folder.database.is_file():
            _write(folder, Held(records=records, answers=answers, notes=_notes_of(folder)))
        elif (left := DroppedStore.read(folder)) is not None:
            _write(folder, left.held.model_copy(update={"answers": answers}))
        gone = [folder.database, *beside(folder.database)]  # its journals after it, which are nothing without it
        for path in gone if keep_answers else [*gone, folder.answers]:
            with disk_errors(path):
                path.unlink(missing_ok=True)


def _notes_of(folder: RunFolder) -> dict[str, str]:
    resolved = read_job_document(folder.job).resolved
    with RunStore(folder.database, "" if resolved is None else resolved.of_the_store) as store:
        return {name: value for name, value in store.notes("").items() if name != "identity"}


def _write(folder: RunFolder, held: Held) -> None:
    write_own(folder.dropped, [dump_pretty(held.model_dump(mode="json")).encode()])
