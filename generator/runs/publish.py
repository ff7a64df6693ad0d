"""Publishing: the files of a run that people and other programs read, each whole or absent."""

from __future__ import annotations

from generator.jsontext import dump_pretty
from generator.runs.disk import write_whole
from generator.runs.folder import RunFolder
from generator.runs.store import RunStore
from generator.runs.summary import Summary

_NOTE = "published"


def publish(store: RunStore, folder: RunFolder, summary: Summary) -> None:
    """Write `records.jsonl`, `rejections.jsonl` and `summary.json` from what is committed.

    Raises:
        StorageError: the disk refused; each file is the old one or the new one, whole.
    """
    records = write_whole(folder.records, store.records())
    rejections = write_whole(folder.rejections, store.rejections())
    write_whole(folder.summary, [dump_pretty(summary.model_dump(mode="json")).encode()])
    store.set_note(_NOTE, _receipt(summary, records, rejections))


def is_published(store: RunStore, folder: RunFolder, summary: Summary) -> bool:
    """Say whether the published files are those of the store and the summary."""
    try:
        sizes = folder.records.stat().st_size, folder.rejections.stat().st_size
    except FileNotFoundError:
        return False
    return folder.summary.exists() and store.note(_NOTE) == _receipt(summary, *sizes)


def _receipt(summary: Summary, records: int, rejections: int) -> str:
    return f"{summary.status}, {summary.decided} of {summary.asked}, {records} and {rejections} bytes"
