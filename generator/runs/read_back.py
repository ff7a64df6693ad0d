"""Reading back: what an earlier session left is taken up only after it was looked at, line by line.

Two files hold the records: the run store, and `records.jsonl` as it was published. Either makes good what the other
has lost. What neither holds as a record of this run is made anew; what both hold, and differently, is for the user.
Who can write a line can write its checksum as well, so nothing is taken on trust: each line is examined by every rule,
and must be what this job makes at its index, of these tools.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from generator.compressed import DamagedArchiveError
from generator.disk import disk_errors
from generator.domains.catalog import Catalog
from generator.errors import JobError, StorageError
from generator.job import Job
from generator.jsontext import JsonObject, JsonValue, digest, dump_compact, dump_line
from generator.lengths import TokenCounter
from generator.random_streams import derive_seed
from generator.records import FORMAT_VERSION
from generator.runs.folder import RunFolder
from generator.runs.outcome import Outcome, outcome_of, request_key
from generator.runs.record_files import files_there, open_records, record_files, told_files
from generator.runs.rows import StoredRow
from generator.runs.store import RunStore
from generator.runs.tally import KEPT, total
from generator.scenarios.planner import Planner
from generator.tools import Tool
from generator.validation import examine
from generator.validation.grounding.arguments.grounded import explain_view
from generator.validation.lines import read_lines
from generator.validation.masks import unmasked
from generator.validation.verdict import Rejection
from generator.version import VERSION


class ForeignRecord(Exception):
    """A line is no record of the run; the text says why."""


class RecordReader:
    """Reads the records of one job back in."""

    def __init__(self, job: Job, catalog: Catalog, planner: Planner, counter: TokenCounter) -> None:
        self._job = job
        self._catalog = catalog
        self._planner = planner
        self._counter = counter

    def __call__(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is, examined; `metadata` are those of a line that has none.

        Raises:
            ForeignRecord: it is no record that this job could have made.
        """
        document, tools = self._claimed(line, metadata)
        violations, view = examine(document, catalog=self._catalog)
        found = next((each for each in violations if each.severity == "error"), None)
        if found is not None or view is None:
            raise ForeignRecord(
                f"{found.rule} at {found.pointer or '/'}: {found.message}" if found else "it cannot be read"
            )
        return self._outcome(document, explain_view(view), tools, line, metadata)

    def recognise(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a line is which was examined before, and is known to be the same since.

        Where its metadata do not tell where its values come from, it is examined again.

        Raises:
            ForeignRecord: it does not claim to be a record that this job could have made.
        """
        document, tools = self._claimed(line, metadata)
        told = document["metadata"].get("grounding")
        if told is None and any(message.get("tool_calls") for message in document["messages"]):
            return self(line, metadata)
        return self._outcome(document, told or {}, tools, line, metadata)

    def _claimed(self, line: bytes, metadata: bytes) -> tuple[JsonObject, tuple[Tool, ...]]:
        """Return what a line holds, with its metadata, and its tools, where it claims to be a record of the job."""
        document = _read(line)
        if metadata and "metadata" not in document:
            document["metadata"] = _parsed(metadata)
        own = document.get("metadata")
        if not isinstance(own, dict):
            raise ForeignRecord("it has no metadata that tell which record it is")
        self._require_of_the_job(own)
        return document, self._tools(document, own)

    def _outcome(
        self, document: JsonObject, grounding: JsonObject, tools: tuple[Tool, ...], line: bytes, metadata: bytes
    ) -> Outcome:
        try:
            if "mask" not in document["metadata"]:
                _require_id(document, tools)
            return outcome_of(document, grounding, tools, line, metadata, counter=self._counter)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ForeignRecord(f"it is no record as toolgen writes them ({type(error).__name__}: {error})") from error

    def _require_of_the_job(self, metadata: JsonObject) -> None:
        """Refuse what another job, catalog, index or version has made."""
        index, attempt = metadata.get("index"), metadata.get("attempt")
        if type(index) is not int or type(attempt) is not int or index < 0 or not 0 <= attempt < self._job.attempts:
            raise ForeignRecord("its metadata tell no index or attempt of the run")
        expected: dict[str, Any] = {
            "kind": self._planner.kind_at(index, attempt),
            "seed": derive_seed(self._job.seed, "record", index, attempt),
            "author": self._job.author,
            "format_version": FORMAT_VERSION,
            "toolgen_version": VERSION,
            "catalog": self._catalog.digest,
            "reference_date": self._job.today_at(index).isoformat(),
        }
        for name, value in expected.items():
            if metadata.get(name) != value:
                raise ForeignRecord(
                    f"its metadata tell {name} {metadata.get(name)!r}, where record {index} has {value!r}"
                )

    def _tools(self, document: JsonObject, metadata: JsonObject) -> tuple[Tool, ...]:
        """Return the tools that a record shows, which are those of the catalog."""
        try:
            named = unmasked(document, metadata["mask"]) if "mask" in metadata else document
            known = self._catalog.by_fingerprint
            return tuple(known[digest(tool)] for tool in named["tools"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ForeignRecord("it shows a tool that the catalog does not have") from error


def _read(line: bytes) -> JsonObject:
    """Read a line that says the same thing in no other way: no spaces, no key twice."""
    document = _parsed(line)
    if not isinstance(document, dict) or dump_line(document) != line:
        raise ForeignRecord("it is no line as toolgen writes them")
    return document


def _parsed(line: bytes) -> JsonValue:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ForeignRecord(f"it is not JSON: {error}") from error


def _require_id(document: JsonObject, tools: tuple[Tool, ...]) -> None:
    made = digest([document["messages"], [tool.fingerprint for tool in tools]])
    if document["metadata"].get("id") != made:
        raise ForeignRecord(f"its id is not that of its messages, {dump_compact(made)}")


ReadRecord = Callable[[bytes, bytes], Outcome]
"""Returns the outcome that a line with its metadata is, or raises `ForeignRecord`."""

_SHOWN, _LONGEST_REASON = 3, 200

log = logging.getLogger(__name__)


@dataclass(slots=True)
class PublishedRecords:
    """What stands in `records.jsonl`, and so is never taken back."""

    held: int = 0
    """Lines that are records of the run, in their order; the store has them all."""
    strange: list[str] = field(default_factory=list)
    """Where the other lines are, and why they are none."""

    @property
    def lines(self) -> int:
        """How many lines a file that takes the place of this one has at least."""
        return self.held + len(self.strange)


def read_back(
    job: Job,
    store: RunStore,
    folder: RunFolder,
    read_record: ReadRecord,
    stopping: Callable[[], bool],
    indices: range | None = None,
) -> PublishedRecords | None:
    """Look at all that an earlier session left, settle in the store what is right, and forget what is not.

    `indices` are those of the run where it is a part of the job.

    Returns:
        What stands in `records.jsonl`; None where the run was to stop before all was looked at: then nothing of it may
        be replaced.

    Raises:
        JobError: more is there than the job asks for.
        StorageError: store and file disagree, or records stand there that cannot be read back.
    """
    reading = _Reading(job, range(job.count) if indices is None else indices, store, folder, read_record)
    for look in (reading.rows, reading.rows_aside, reading.lines):
        for _ in look():
            if stopping():
                return None
    reading.conclude()
    return reading.published


class _Reading:
    """One look at what there is; each step yields after each thing that was looked at."""

    def __init__(self, job: Job, indices: range, store: RunStore, folder: RunFolder, read_record: ReadRecord) -> None:
        self._job = job
        self._indices = indices
        self._store = store
        self._folder = folder
        self._read_record = read_record
        self._bad: dict[int, str] = {}
        """Rows that are no outcomes of the run, and why."""
        self._given_up: dict[int, Outcome] = {}
        """Indices without a record, by what the store says: where one was published, that counts."""
        self._last = -1
        self._last_line = -1
        self.published = PublishedRecords()

    def rows(self) -> Iterator[None]:
        """Look at the rows of the store; those that are wrong are forgotten at the end, when nothing was refused."""
        for index, kept in self._store.rows():
            try:
                self._take(self._outcome(index, kept))
            except ForeignRecord as foreign:
                self._bad[index] = str(foreign)
            yield
        self._store.forget(self._bad)

    def rows_aside(self) -> Iterator[None]:
        """Look at what can be read of a damaged store."""
        for kept in self._store.rows_aside():
            try:
                self._restore(self._outcome(kept.index, kept))
            except ForeignRecord as foreign:
                self._bad[kept.index] = str(foreign)
            yield

    def lines(self) -> Iterator[None]:
        """Look at what was published, and put into the store what it has not."""
        rejections: dict[int, tuple[Rejection, ...]] | None = None
        for number, line in _published(self._folder.path):
            try:
                if line is None:
                    raise ForeignRecord("it is too long for a record, or damaged")
                index = self._held(line)
                if index is None:
                    outcome = self._within(self._read_record(line, b""))
                    rejections = _rejections(self._folder.rejections) if rejections is None else rejections
                    self._restore_line(number, replace(outcome, rejections=rejections.get(outcome.index, ())))
                    index = outcome.index
                if index <= self._last_line:
                    raise ForeignRecord(f"record {index} is not in its place")
                self._last_line = index
                self.published.held += 1
            except ForeignRecord as foreign:
                self.published.strange.append(f"line {number}: {foreign}")
            yield

    def conclude(self) -> None:
        """Refuse what may not be replaced, and tell what is made anew."""
        for outcome in self._given_up.values():
            self._store.reckon(outcome)
        if self._last >= self._job.count:
            raise JobError(_too_many(self._folder, self._last + 1, self._job.count))
        room = len(self._indices) if self._job.author == "offline" else total(self._store.counts(), [KEPT])
        require_room(self.published, self._folder, room)
        bad = [f"record {index}: {why}" for index, why in self._bad.items() if self._store.row(index) is None]
        for path, found in ((self._store.path, bad), (told_files(self._folder.path), self.published.strange)):
            if found:
                log.warning("%s: what is no record of this run is replaced: %s", path, few(found))

    def _outcome(self, index: int, kept: StoredRow | None) -> Outcome:
        """Return the outcome that a row is."""
        if kept is None:
            raise ForeignRecord("it is not as it was written")
        if kept.line is None:
            return self._within(_given_up(kept, self._job))
        outcome = self._read_record(kept.line, kept.metadata)
        if outcome.index != index:
            raise ForeignRecord(f"record {outcome.index} lies in its place")
        return self._within(replace(outcome, rejections=kept.rejections, spent=kept.spent, requests=kept.requests))

    def _within(self, outcome: Outcome) -> Outcome:
        """Refuse what is none of the range, where the run is a part of a job."""
        if outcome.index not in self._indices and self._indices != range(self._job.count):
            raise ForeignRecord(f"record {outcome.index} is none of the range of this run")
        return outcome

    def _take(self, outcome: Outcome) -> None:
        self._last = max(self._last, outcome.index)
        if outcome.line is None:
            self._given_up[outcome.index] = outcome
        else:
            self._store.reckon(outcome)

    def _restore(self, outcome: Outcome) -> None:
        """Put an outcome into the store that has none at its index."""
        if outcome.line is not None and (twin := self._store.twin(outcome)) is not None:
            raise ForeignRecord(f"its request is that of record {twin}")
        if self._store.row(outcome.index) is None:
            self._store.keep(outcome)
            self._take(outcome)

    def _restore_line(self, number: int, outcome: Outcome) -> None:
        """Put a published record into the store.

        Raises:
            StorageError: another record is there.
        """
        held = self._store.row(outcome.index)
        if held is not None and held.line is None:
            del self._given_up[outcome.index]
            self._store.forget([outcome.index])
        elif held is not None and held.line != outcome.line:
            raise StorageError(
                f"{told_files(self._folder.path)}:{number}: record {outcome.index} is another one in "
                f"{self._store.path.name}, and both pass every rule; move the file away that you do not trust, and run "
                "the same command again"
            )
        elif held is not None:
            return
        self._restore(outcome)

    def _held(self, line: bytes) -> int | None:
        """Return the index at which the store has just this line, None where it has not."""
        request = _request(line)
        index = None if request is None else self._store.with_request(request)
        held = None if index is None else self._store.row(index)
        return index if held is not None and held.line == line else None


def require_room(published: PublishedRecords, folder: RunFolder, records: int) -> None:
    """Refuse to replace the published records with fewer.

    Raises:
        StorageError: more lines stand there.
    """
    if published.lines > records:
        raise StorageError(
            f"{told_files(folder.path)}: {published.lines:,} lines stand there and the run has {records:,} records, so "
            f"the file stays as it is. No records of this run: {few(published.strange)}. Take them out, or move the "
            "file away, and run the same command again"
        )


def has_records(folder: RunFolder) -> bool:
    """Say whether anything was published."""
    return any(path.stat().st_size for path in files_there(folder.path))


def few(reasons: list[str]) -> str:
    """Return the first of many reasons; they quote what may have been made to be quoted."""
    more = f" and {len(reasons) - _SHOWN:,} more" if len(reasons) > _SHOWN else ""
    return "; ".join(map(_quotable, reasons[:_SHOWN])) + more


def _quotable(text: str) -> str:
    short = text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}..."
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in short)


def _given_up(kept: StoredRow, job: Job) -> Outcome:
    """Return the outcome of an index without a record, which has its reasons."""
    if not kept.rejections or any(each.index != kept.index for each in kept.rejections) or kept.attempt >= job.attempts:
        raise ForeignRecord("it has neither a record nor reasons for having none")
    nothing = Outcome(kept.index, kept.attempt, kept.kind, None, b"", (), (), kept.rejections, kept.spent)
    return replace(nothing, requests=kept.requests)


def _too_many(folder: RunFolder, held: int, asked: int) -> str:
    return (
        f"{folder.path}: holds {held:,} settled records and a run is never cut to {asked:,}; "
        f"its first {asked:,} lines are what --count {asked} gives, or give --out another folder"
    )


def _published(folder: Path) -> Iterator[tuple[int, bytes | None]]:
    """Yield the published lines with their numbers; None for what can be read as no line: too long, or damaged.

    Raises:
        StorageError, UsageError: as `record_files` of what need not be whole, and `open_records`.
    """
    number = 0
    for path in record_files(folder, whole=False):
        try:
            with open_records([path]) as stream:
                for _, line in read_lines(stream):
                    number += 1
                    yield number, line
        except DamagedArchiveError:
            number += 1
            yield number, None


def _lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of a file with their numbers; none where there is no file."""
    if path.exists():
        with disk_errors(path), path.open("rb") as file:
            yield from read_lines(file)


def _request(line: bytes) -> bytes | None:
    try:
        return request_key(orjson.loads(line))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return None


def _rejections(path: Path) -> dict[int, tuple[Rejection, ...]]:
    """Read the published rejections by index; a line that is none is left out."""
    found: dict[int, tuple[Rejection, ...]] = {}
    for _, line in _lines(path):
        try:
            rejection = Rejection.model_validate_json(line or b"")
        except ValidationError:
            continue
        found[rejection.index] = (*found.get(rejection.index, ()), rejection)
    return found
