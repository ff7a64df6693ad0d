"""Publishing: the files of a run that people and other programs read, each whole or absent, and never with less."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from generator.disk import disk_errors, write_own
from generator.jsontext import dump_compact, dump_pretty
from generator.runs.folder import RunFolder
from generator.runs.read_back import PublishedRecords, require_room
from generator.runs.store import RunStore
from generator.runs.summary import Summary

_NOTE = "published"
_READ_AT_ONCE = 1 << 20


def publish(store: RunStore, folder: RunFolder, summary: Summary, published: PublishedRecords) -> Summary:
    """Write `records.jsonl`, `rejections.jsonl` and `summary.json` from what is committed; return what it holds.

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
    seals = {path.name: _Seal() for path in _sealed(folder)}
    write_own(folder.records, seals[folder.records.name].through(store.records()))
    write_own(folder.rejections, seals[folder.rejections.name].through(store.rejections()))
    digests = {path.name: seals[path.name].sha256 for path in (folder.records, folder.rejections)}
    summary = summary.model_copy(update={"sha256": digests})
    text = dump_pretty(summary.model_dump(mode="json")).encode()
    write_own(folder.summary, seals[folder.summary.name].through([text]))
    seals[folder.catalog.name] = _sealed_file(folder.catalog)
    store.set_note(_NOTE, _receipt(seals))
    return summary


def published(store: RunStore, folder: RunFolder, asked: int) -> Summary | None:
    """Return the summary of a run that is over and whose files are, to the byte, those that were published."""
    summary = as_published(store, folder)
    if summary is None or not summary.decided == summary.asked == asked:
        return None
    return summary if summary.exit_code != 0 or summary.records == asked else None


def as_published(store: RunStore, folder: RunFolder) -> Summary | None:
    """Return the summary of a run whose files are, to the byte, those that its last session published."""
    receipt = store.note(_NOTE)
    if receipt is None or not all(path.is_file() for path in _sealed(folder)):
        return None
    seals = {path.name: _sealed_file(path) for path in _sealed(folder)}
    if (summary := published_summary(folder)) is None:
        return None
    whole = summary.records == seals[folder.records.name].lines
    return summary if whole and receipt == _receipt(seals) else None


def published_summary(folder: RunFolder) -> Summary | None:
    """Return what the last session that published says of the run, None where there is nothing that can be read."""
    if not folder.summary.is_file():
        return None
    try:
        with disk_errors(folder.summary):
            return Summary.model_validate_json(folder.summary.read_bytes())
    except ValidationError:
        return None


def _sealed(folder: RunFolder) -> tuple[Path, ...]:
    return folder.catalog, folder.records, folder.rejections, folder.summary


class _Seal:
    """What tells whether a file is the one that was written."""

    def __init__(self) -> None:
        self._digest = sha256()
        self.lines = 0

    def through(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, taking note of each."""
        for chunk in chunks:
            self._digest.update(chunk)
            self.lines += chunk.count(b"\n")
            yield chunk

    @property
    def sha256(self) -> str:
        """The digest in hex."""
        return self._digest.hexdigest()


def _sealed_file(path: Path) -> _Seal:
    seal = _Seal()
    with disk_errors(path), path.open("rb") as file:
        for _ in seal.through(iter(lambda: file.read(_READ_AT_ONCE), b"")):
            continue
    return seal


def _receipt(seals: dict[str, _Seal]) -> str:
    return dump_compact({name: seal.sha256 for name, seal in sorted(seals.items())})
