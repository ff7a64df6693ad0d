"""Parts: runs of ranges of one job, each in a folder of its own, as the sources of the whole run.

What a model said to any of them is kept in the run that they make together.
"""

from __future__ import annotations

import logging
import shlex
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from generator.backends.answers import AnswerFile
from generator.domains.catalog import Catalog
from generator.errors import JobError, StorageError
from generator.job import Job
from generator.runs import tally
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.identity import JobFile, Resolved, differing, read_job_document, resolve_with
from generator.runs.lock import run_lock
from generator.runs.outcome import Outcome
from generator.runs.publish import as_published
from generator.runs.ranges import gaps, range_text, read_range
from generator.runs.read_back import ReadRecord
from generator.runs.rows import StoredRow
from generator.runs.settling import is_repeat
from generator.runs.store import DamagedStoreError, RunStore
from generator.runs.summary import RESPONSE_FORMAT_NOTES, RESPONSE_MODE_NOTE
from generator.runs.tally import Counts

log = logging.getLogger(__name__)
_OVER = ("complete", "incomplete")
"""How a part ends that does not go on."""
_TO_WAIT = "wait for it to end, and merge then"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of some of a job's indices."""

    folder: RunFolder
    held: JobFile
    resolved: Resolved
    indices: range

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.folder.path

    @property
    def command(self) -> tuple[str, ...]:
        """How the command begins that makes its range of its job."""
        told = self.resolved.range
        return ("toolgen", "generate", *(("--count", str(self.held.count), "--range", told) if told else ()))

    @property
    def again(self) -> str:
        """The command that goes on with it, and mends it."""
        return shlex.join(["toolgen", "generate", "--job", str(self.folder.job), "--out", str(self.path)])

    @contextmanager
    def opened(self) -> Iterator[RunStore]:
        """Hold the part, and open its store.

        Raises:
            RunLockedError: another process is at work on it.
            StorageError: its store is damaged.
        """
        with run_lock(self.folder.lock, "part", _TO_WAIT):
            try:
                store = RunStore(self.folder.database, self.resolved.of_the_store)
            except DamagedStoreError as damage:
                raise StorageError(f"{self.path}: damaged ({damage.what}); mend it: {self.again}") from damage
            with store:
                yield store


def read_part(path: Path) -> Part:
    """Read which part of which job a folder holds; a run of the whole job is one, too.

    Raises:
        JobError: it holds no run.
        StorageError: what it holds is damaged.
    """
    folder = RunFolder(path)
    if not folder.job.is_file():
        raise JobError(f"{path}: holds no run; name folders that `toolgen generate --range A:B` made")
    folder.require_own()
    held = read_job_document(folder.job)
    if held.resolved is None:
        raise StorageError(f"{folder.job}: no job.json of a run (it has no `resolved`)")
    told = held.resolved.range
    indices = read_range(told, held.count, f"{folder.job}: range") if told else range(held.count)
    return Part(folder, held, held.resolved, indices)


@dataclass(frozen=True, slots=True)
class Joined:
    """What parts make together: the job of the largest count among theirs, and its catalog."""

    job: Job
    catalog: Catalog
    parts: tuple[Part, ...]
    """In the order of their ranges."""

    @property
    def holes(self) -> list[range]:
        """The indices of the job that no part has."""
        return gaps((part.indices for part in self.parts), self.job.count)

    def command_for(self, hole: range) -> str:
        """Return the command that makes a part of what lacks."""
        first = self.parts[0]
        out = first.path.with_name(f"{first.path.name}-{hole.start}-{hole.stop}")
        given = ["--job", str(first.folder.job), "--count", str(self.job.count), "--range", range_text(hole)]
        return shlex.join(["toolgen", "generate", *given, "--out", str(out)])


def join(paths: Iterable[Path]) -> Joined:
    """Bring parts together that are of one job, catalog and version, each whole, as they are found.

    Raises:
        JobError: one holds no run, or one of another job; the message names what differs.
        StorageError: one is damaged, or not finished.
        RunLockedError: a process is at work on one.
    """
    folders = {path.resolve(): path for path in paths}
    parts = sorted(map(read_part, folders.values()), key=lambda part: (part.indices.start, part.indices.stop))
    first = parts[0]
    for part in parts[1:]:
        if differences := differing(part.held, first.held.job(), first.resolved):
            raise JobError(f"{part.path}: is of another job than {first.path} ({differences})")
    catalog = read_catalog(first.folder.catalog)
    job = first.held.job().model_copy(update={"count": max(part.held.count for part in parts)})
    if differences := differing(first.held, job, resolve_with(job, catalog)):
        raise JobError(f"{first.path}: is not what this version of toolgen makes of its job ({differences})")
    for part in parts:
        _require_whole(part)
    _require_one_catalog(parts)
    for one, other in combinations(parts, 2):
        if other.indices.start < one.indices.stop:
            _require_equal(one, other)
    return Joined(job, catalog, tuple(parts))


def _require_whole(part: Part) -> None:
    """Refuse a part that is not finished, or not what was published."""
    if not part.folder.database.is_file():
        raise StorageError(f"{part.path}: {part.folder.database.name} is not there; mend it: {part.again}")
    with part.opened() as store:
        summary = as_published(store, part.folder)
        lacks = len(store.missing(part.indices))
    if summary is not None and summary.status in _OVER and lacks == summary.asked - summary.decided:
        return
    if lacks:
        made = len(part.indices) - lacks
        raise StorageError(
            f"{part.path}: is not finished: of {range_text(part.indices)}, {made:,} of {len(part.indices):,} are made; "
            f"go on: {part.again}"
        )
    raise StorageError(f"{part.path}: its files are not those that were published; mend it: {part.again}")


def _require_one_catalog(parts: Sequence[Part]) -> None:
    """Refuse parts for which a model has written domains that are not the same: their records are of other worlds."""
    first = parts[0]
    others = [part for part in parts if part.resolved.catalog != first.resolved.catalog]
    if others:
        again = shlex.join([*others[0].command, "--job", str(first.folder.job), "--out", "FOLDER"])
        more = f" and {len(others) - 1:,} more" if len(others) > 1 else ""
        raise JobError(
            f"{others[0].path}{more}: the model wrote other domains for it than for {first.path}, so that their "
            f"records speak of other worlds. Make it anew with the domains of {first.path}: {again}; or have the "
            "domains written once for all parts: toolgen domain TOOLS --model M -o FILE, and give each --domain FILE"
        )


def _require_equal(one: Part, other: Part) -> None:
    """Refuse two parts that tell the same attempt at an index in two ways.

    Each leaves off what repeats requests of its own range, so they may have come to different attempts.
    """
    shared = range(other.indices.start, min(one.indices.stop, other.indices.stop))
    with one.opened() as mine, other.opened() as theirs:
        for index in shared:
            left, right = mine.row(index), theirs.row(index)
            if left is not None and right is not None and not _agree(left, right):
                remedy = (
                    f"mend both, and leave out the one that is wrong: {one.again}; {other.again}"
                    if one.held.author == "offline"
                    else "the model was asked twice, and answered otherwise: leave one of them out"
                )
                raise JobError(f"{one.path}, {other.path}: both have record {index}, and not the same; {remedy}")


def _agree(one: StoredRow, other: StoredRow) -> bool:
    lines = one.line is None or other.line is None or one.attempt != other.attempt or one.line == other.line
    return lines and _judged(one, other) == _judged(other, one)


def _judged(one: StoredRow, other: StoredRow) -> list[str]:
    """Return how one judged the attempts that both rejected, and by a rule that asks nothing of other records."""
    own = {each.attempt for each in other.rejections if not is_repeat(each)}
    found = [each for each in one.rejections if each.attempt in own and not is_repeat(each)]
    return [each.model_dump_json() for each in found]


class Parts:
    """The rows of parts, in the order of their indices; one part at a time is open."""

    def __init__(self, parts: Sequence[Part], count: int) -> None:
        self.parts = tuple(parts)
        """All of them, in the order of their ranges."""
        self._count = count
        self.stretches = list(_disjoint(parts, count))
        """Ranges that are all of the job together, in order, and the part that each is taken from: None for a hole."""
        self._starts = [indices.start for indices, _ in self.stretches]
        self._open: tuple[Part, RunStore] | None = None
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._held.close()
        self._open = None

    def row(self, index: int) -> StoredRow | None:
        """Return the row of an index, None where no part has come to it.

        Raises:
            StorageError: the row is not as it was written.
        """
        part = self._part(index)
        if part is None:
            return None
        store = self._store(part)
        row = store.row(index)
        if row is None and store.has(index):
            raise StorageError(self.damage(index))
        return row

    def damage(self, index: int) -> str:
        """Say that a part's record is not what it was, and what mends it."""
        part = self._part(index)
        return "" if part is None else f"{part.path}: record {index} is not as it was written; mend it: {part.again}"

    def _part(self, index: int) -> Part | None:
        return self.stretches[bisect_right(self._starts, index) - 1][1]

    def seconds(self, part: Part) -> Counts:
        """Return the CPU time that a part took, as counts of the tally."""
        counts = self._store(part).counts()
        return Counter({(tally.CPU_MICROSECONDS, ""): tally.total(counts, [tally.CPU_MICROSECONDS])})

    def _store(self, part: Part) -> RunStore:
        if self._open is None or self._open[0] is not part:
            self._held.close()
            self._open = (part, self._held.enter_context(part.opened()))
        return self._open[1]

    def recognising(self, read_record: ReadRecord, recognise: ReadRecord) -> ReadRecord:
        """Return what reads a stored line: a part's is known by its bytes, any other is for `read_record`."""

        def read(line: bytes, metadata: bytes = b"") -> Outcome:
            index = _index_of(line, metadata)
            row = self.row(index) if 0 <= index < self._count else None
            same = row is not None and row.line == line and row.metadata == metadata
            return (recognise if same else read_record)(line, metadata)

        return read


def _disjoint(parts: Sequence[Part], count: int) -> Iterator[tuple[range, Part | None]]:
    """Yield ranges that leave nothing out and share nothing, each with the first part that has it, or None."""
    reached = 0
    for part in parts:
        if part.indices.start > reached:
            yield range(reached, part.indices.start), None
        start = max(reached, part.indices.start)
        if start < part.indices.stop:
            yield range(start, part.indices.stop), part
            reached = part.indices.stop
    if reached < count:
        yield range(reached, count), None


def _index_of(line: bytes, metadata: bytes) -> int:
    """Return the index that a line claims to have, -1 where it claims none."""
    try:
        index = orjson.loads(metadata)["index"] if metadata else orjson.loads(line)["metadata"]["index"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return -1
    return index if type(index) is int else -1


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
