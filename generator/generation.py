"""Running a job into its folder: begun, continued, extended, interrupted, always with the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, process_time

from generator.errors import JobError
from generator.job import Job
from generator.jsontext import dump_pretty
from generator.runs import tally
from generator.runs.disk import disk_errors, write_whole
from generator.runs.engines import Engine, EngineOptions, InProcess, Workers
from generator.runs.folder import RunFolder
from generator.runs.identity import Resolved, job_document, read_job_document, require_same, resolve
from generator.runs.interruption import Interruption
from generator.runs.lock import run_lock
from generator.runs.outcome import Outcome
from generator.runs.publish import is_published, publish
from generator.runs.store import RunStore
from generator.runs.summary import Status, Summary, summarize
from generator.runs.worker import PRODUCER, Producer, Work
from generator.scenarios.planner import Planner
from generator.tools.catalog import Catalog
from generator.validation.verdict import Rejection, Violation

DUPLICATE = "RUN001"
"""The rule that a run holds no two records with the same request."""

_BATCH = 100
"""Outcomes per commit: what a kill can cost."""
_BATCH_SECONDS = 1.0
"""The same for slow authors."""
_MICRO = 1_000_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    asked: int
    resumed: int
    """Indices that were settled before this session."""
    decided: int
    kept: int
    rejected: int
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a session did."""

    summary: Summary
    folder: RunFolder
    resumed: int
    """Indices that were settled before this session."""

    @property
    def made(self) -> int:
        """Indices that this session settled."""
        return self.summary.decided - self.resumed


OnProgress = Callable[[Progress], None]


def run_job(
    job: Job,
    catalog: Catalog,
    folder: Path,
    *,
    engine: EngineOptions = EngineOptions(),  # noqa: B008 - frozen, so one for all calls is safe
    producer: str = PRODUCER,
    on_progress: OnProgress = lambda progress: None,
) -> RunReport:
    """Run a job into its folder, from wherever an earlier session left it.

    The records depend on the job and the catalog alone: not on the engine, nor on how often the run was
    interrupted or killed. SIGINT and SIGTERM stop it at the next record; what was made is published.

    Raises:
        JobError: the job contradicts its catalog, or the folder holds something else; nothing was written.
        RunLockedError: another process works on the run.
        StorageError: the disk refused; what was committed is kept.
        EngineError: a worker process was lost; what was committed is kept.
    """
    planner = Planner(job, catalog)
    work = Work(job.model_dump_json().encode(), catalog.model_dump_json().encode(), producer)
    session = _Session(job, planner, work.hire(), on_progress)
    run = RunFolder(folder)
    run.make()
    run.require_usable()
    with run_lock(run.lock), Interruption() as interruption:
        resolved = _admit(job, catalog, run)
        with RunStore(run.database, resolved.identity) as store:
            if job.count < len(store):
                raise JobError(_too_many(run, len(store), job.count))
            _write_inputs(job, resolved, catalog, run)
            resumed = len(store)
            session.settle(store, _engine(engine, work, session.producer), interruption)
            summary = session.summarize(store, resolved, interruption.status)
            if not is_published(store, run, summary):
                publish(store, run, summary)
    return RunReport(summary, run, resumed)


def _admit(job: Job, catalog: Catalog, run: RunFolder) -> Resolved:
    resolved = resolve(job, catalog.digest)
    run.require_usable()
    if run.job.exists():
        require_same(read_job_document(run.job), job, resolved, run.path)
    else:
        _write_inputs(job, resolved, catalog, run)  # first of all: a folder with any other file must be known as a run
    return resolved


def _too_many(run: RunFolder, held: int, asked: int) -> str:
    return (
        f"{run.path}: holds {held:,} settled records and a run is never cut to {asked:,}; "
        f"its first {asked:,} lines are what --count {asked} gives, or give --out another folder"
    )


def _write_inputs(job: Job, resolved: Resolved, catalog: Catalog, run: RunFolder) -> None:
    """Write `job.json` and `catalog.json` where they are not there as they should be."""
    for path, document in ((run.job, job_document(job, resolved)), (run.catalog, catalog.dump())):
        text = dump_pretty(document).encode()
        with disk_errors(path):
            written = path.exists() and path.read_bytes() == text
        if not written:
            write_whole(path, [text])


def _engine(options: EngineOptions, work: Work, producer: Producer) -> Engine:
    return InProcess(producer) if options.jobs == 1 else Workers(work, options.jobs)


class _Session:
    """One session of a run: settles the indices that are not settled yet, in their order."""

    def __init__(self, job: Job, planner: Planner, producer: Producer, on_progress: OnProgress) -> None:
        self._job = job
        self._planner = planner
        self.producer = producer
        self._on_progress = on_progress

    def settle(self, store: RunStore, engine: Engine, interruption: Interruption) -> None:
        """Make, judge and commit every index from where the store ends to the count of the job."""
        if len(store) == self._job.count:
            return
        batches = _Batches(store, engine)
        meter = _Meter(self._job.count, store)
        try:
            with closing(engine.outcomes(len(store), self._job.count, interruption.asked)) as outcomes:
                for found in outcomes:
                    outcome = self._unlike_earlier(found, store)
                    store.add(outcome)
                    batches.commit_when_due()
                    self._on_progress(meter.read(outcome))
                    if interruption.asked():
                        break
        finally:
            batches.commit()

    def _unlike_earlier(self, outcome: Outcome, store: RunStore) -> Outcome:
        """Return the outcome, attempted again for as long as an earlier index has the same request."""
        while outcome.line is not None and (twin := store.twin(outcome)) is not None:
            again = self.producer.produce(outcome.index, outcome.attempt + 1)
            outcome = replace(again, rejections=(*outcome.rejections, _duplicate(outcome, twin), *again.rejections))
        return outcome

    def summarize(self, store: RunStore, resolved: Resolved, stopped: Status | None) -> Summary:
        """Make the summary of everything that is settled."""
        return summarize(
            self._job,
            resolved,
            store.counts(),
            asked=self._planner.counts(self._job.count),
            not_served=self._planner.dropped,
            stopped=stopped,
        )


def _duplicate(outcome: Outcome, twin: int) -> Rejection:
    violation = Violation(rule=DUPLICATE, pointer="/messages", message=f"the request is that of record {twin}")
    tools = tuple(name for name, _ in outcome.statuses) or outcome.shown
    return Rejection(
        index=outcome.index, attempt=outcome.attempt, kind=outcome.kind, tools=tools, violations=(violation,)
    )


class _Batches:
    """Commits what waits in the store, and with it the time it took."""

    def __init__(self, store: RunStore, engine: Engine) -> None:
        self._store = store
        self._engine = engine
        self._cpu = self._cpu_now()
        self._at = monotonic()

    def commit_when_due(self) -> None:
        """Commit a full batch, or a smaller one whose time has come."""
        if self._store.waiting >= _BATCH or monotonic() - self._at > _BATCH_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Commit whatever waits."""
        cpu, now = self._cpu_now(), monotonic()
        self._store.count(tally.CPU_MICROSECONDS, "", round((cpu - self._cpu) * _MICRO))
        self._store.count(tally.WALL_MICROSECONDS, "", round((now - self._at) * _MICRO))
        self._cpu, self._at = cpu, now
        self._store.commit()

    def _cpu_now(self) -> float:
        return process_time() + self._engine.cpu_seconds


class _Meter:
    """Counts for the screen."""

    def __init__(self, asked: int, store: RunStore) -> None:
        counts = store.counts()
        self._asked = asked
        self._resumed = self._decided = len(store)
        self._kept = tally.total(counts, [tally.KEPT])
        self._rejected = tally.total(counts, [tally.REJECTED])

    def read(self, outcome: Outcome) -> Progress:
        """Count one more outcome and return where the run is."""
        self._decided += 1
        self._kept += outcome.line is not None
        self._rejected += len(outcome.rejections)
        return Progress(self._asked, self._resumed, self._decided, self._kept, self._rejected)
