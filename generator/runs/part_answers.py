"""The answers of parts: what a model said to any of them is kept in the run that they make together."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from generator.backends.answers import AnswerFile
from generator.runs.parts import Part
from generator.runs.ranges import range_text
from generator.runs.store import RunStore
from generator.runs.summary import RESPONSE_FORMAT_NOTES, RESPONSE_MODE_NOTE

log = logging.getLogger(__name__)


def take_over_answers(parts: Iterable[Part], answers: AnswerFile, store: RunStore) -> None:
    """Add the answers of parts to those of a run, each once, and how their servers were asked to its notes.

    The lines are taken one at a time, in the order of the parts. What was taken over is noted, so that a session that
    is killed meanwhile goes on where it was, and a later one knows it again.

    Raises:
        StorageError: a file cannot be read, or the disk refused.
        RunLockedError: a process is at work on a part.
    """
    for part in parts:
        name = f"answers of {range_text(part.indices)} {part.path.resolve()}"
        if (held := store.note(name)) is not None and answers.know_taken_over(*_places(held)):
            continue
        begun = f"begun: {name}"
        start = min(int(store.note(begun) or answers.end), answers.end)
        store.set_note(begun, str(start))
        with part.opened() as of_part:
            _take_over_notes(of_part, store)
            damaged = answers.take_over(part.folder.answers) if part.folder.answers.is_file() else 0
        if damaged:
            log.warning("%s: %d lines are not as they were written, and are left out", part.folder.answers, damaged)
        answers.know_taken_over(start, answers.end)
        store.set_note(name, f"{start}:{answers.end}")


def _take_over_notes(part: RunStore, store: RunStore) -> None:
    """Note how the servers of a part were asked; what an earlier part noted of a server stays."""
    noted = {RESPONSE_FORMAT_NOTES + place: mode for place, mode in part.notes(RESPONSE_FORMAT_NOTES).items()}
    if (mode := part.note(RESPONSE_MODE_NOTE)) is not None:
        noted[RESPONSE_MODE_NOTE] = mode
    for name, mode in noted.items():
        if store.note(name) is None:
            store.set_note(name, mode)


def _places(held: str) -> tuple[int, int]:
    start, _, stop = held.partition(":")
    return int(start), int(stop)
