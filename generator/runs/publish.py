"""Publishing: the files of a run that people and other programs read, each whole or absent, and never with less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from generator.disk import disk_errors, write_own
from generator.errors import StorageError
from generator.jsontext import dump_compact, dump_pretty
from generator.runs.folder import RunFolder
from generator.runs.read_back import PublishedRecords, require_room
from generator.runs.record_files import (
    IN_ONE_FILE,
    Form,
    Seal,
    files_there,
    open_records,
    record_files,
    sealed_file,
    write_records,
)
from generator.runs.store import RunStore
from generator.runs.summary import Summary
from generator.validation.lines import read_lines

_NOTE = "published"
_READ_AT_ONCE = 1 << 20


class Notes(Protocol):
    """Keeps texts with a run: its store, or what stays of one."""

    def note(self, name: str) -> str | None:
        """Return a text that was noted, or None."""
        ...

    def set_note(self, name: str, value: str) -> None:
        """Note a text, at once."""
        ...


def publish(
    store: RunStore, folder: RunFolder, summary: Summary, published: PublishedRecords, form: Form = IN_ONE_FILE
) -> Summary:
    """Write the records, `rejections.jsonl` and `summary.json` from what is committed; return what the last holds.

    A session that ended before it had made good what is damaged leaves the published files as they are.

    Raises:
        StorageError: the disk refused, each file being the old one or the new one, whole; or more records stand there
            than the run has, which is over.
    """
    store.require_untouched()
    if published.lines > summary.records:
        if summary.decided == summary.asked:
            require_room(published, folder, summary.records)
        return summary
    records, rejections, told = Seal(), Seal(), Seal()
    digests = write_records(folder.path, form, summary.records, records.through(store.records()))
    write_own(folder.rejections, rejections.through(store.rejections()))
    in_all = {folder.records.name: records.sha256, folder.rejections.name: rejections.sha256}
    summary = summary.model_copy(update={"sha256": in_all})
    text = dump_pretty(summary.model_dump(mode="json")).encode()
    write_own(folder.summary, told.through([text]))
    digests |= {folder.rejections.name: rejections.sha256, folder.summary.name: told.sha256}
    store.set_note(_NOTE, _receipt(digests | {folder.catalog.name: sealed_file(folder.catalog).sha256}))
    return summary


def publish_again(store: Notes, folder: RunFolder, summary: Summary, form: Form) -> None:
    """Write the records of a run in another form, from those that are as its last session published them.

    Raises:
        StorageError: the disk refused, or the records were changed meanwhile.
    """
    if _is_in_form(folder, form, summary.records):
        return
    digests = write_records(folder.path, form, summary.records, _unchanged(folder, summary))
    store.set_note(_NOTE, _receipt(digests | {path.name: sealed_file(path).sha256 for path in _beside(folder)}))


def _is_in_form(folder: RunFolder, form: Form, records: int) -> bool:
    """Say whether the published files are those of a form: by their names, and by what the first of several holds."""
    files = record_files(folder.path)
    if [path.name for path in files] != form.names(records):
        return False
    if len(files) < 2:
        return True
    return _lines_of(files[:1]) == form.shard


def _unchanged(folder: RunFolder, summary: Summary) -> Iterator[bytes]:
    """Yield the published lines."""
    seal = Seal()
    with open_records(record_files(folder.path)) as stream:
        yield from seal.through(line or b"" for _, line in read_lines(stream))
    if seal.sha256 != summary.sha256.get(folder.records.name):
        raise StorageError(f"{folder.path}: its records were changed while they were read; run the same command again")


def published(store: Notes, folder: RunFolder, asked: int) -> Summary | None:
    """Return the summary of a run that is over and whose files are, to the byte, those that were published."""
    summary = as_published(store, folder)
    if summary is None or not summary.decided == summary.asked == asked:
        return None
    return summary if summary.exit_code != 0 or summary.records == asked else None


def as_published(store: Notes, folder: RunFolder) -> Summary | None:
    """Return the summary of a run whose files are, to the byte, those that its last session published."""
    receipt = store.note(_NOTE)
    records = files_there(folder.path)
    if receipt is None or not all(path.is_file() for path in (*_beside(folder), *records)):
        return None
    if (summary := published_summary(folder)) is None:
        return None
    seals = {path.name: sealed_file(path).sha256 for path in (*_beside(folder), *records)}
    return summary if receipt == _receipt(seals) and summary.records == _lines_of(records) else None


def _lines_of(files: Sequence[Path]) -> int:
    """Return how many lines files hold together."""
    with open_records(files) as stream:
        return sum(chunk.count(b"\n") for chunk in iter(partial(stream.read, _READ_AT_ONCE), b""))


def published_summary(folder: RunFolder) -> Summary | None:
    """Return what the last session that published says of the run, None where there is nothing that can be read."""
    if not folder.summary.is_file():
        return None
    try:
        with disk_errors(folder.summary):
            return Summary.model_validate_json(folder.summary.read_bytes())
    except ValidationError:
        return None


def _beside(folder: RunFolder) -> tuple[Path, ...]:
    """Return the files that are sealed beside the records."""
    return folder.catalog, folder.rejections, folder.summary


def _receipt(digests: Mapping[str, str]) -> str:
    return dump_compact(dict(sorted(digests.items())))
