"""Running a job into its folder: begun, continued, extended, interrupted, always with the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

from generator.backends.spent import total_spent
from generator.domains.catalog import Catalog
from generator.errors import BackendError, JobError, LimitError
from generator.job import Job
from generator.jsontext import dump_pretty
from generator.runs import tally
from generator.runs.disk import disk_errors, write_whole
from generator.runs.engines import Engine, EngineOptions, InProcess, Workers
from generator.runs.folder import RunFolder
from generator.runs.identity import Resolved, job_document, read_job_document, require_same, resolve_with
from generator.runs.interruption import Interruption
from generator.runs.lock import run_lock
from generator.runs.outcome import Outcome
from generator.runs.patience import Patience
from generator.runs.publish import is_published, publish
from generator.runs.store import RunStore
from generator.runs.summary import RUNG_NOTE, Status, Summary, summarize
from generator.runs.window import Stopped, Window
from generator.runs.worker import PRODUCER, Producer, Work
from generator.scenarios.planner import Planner
from generator.validation.verdict import Rejection, Violation

if TYPE_CHECKING:  # it imports the openai package, which an offline run does without
    from generator.live import Live

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
    estimated: bool = False
    """Whether some of these tokens are estimates."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a session did."""

    summary: Summary
    folder: RunFolder
    resumed: int
    """Indices that were settled before this session."""
    limit: str = ""
    """The limit that ended it, "" where none did."""

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
    live: Live | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> RunReport:
    """Run a job into its folder, from wherever an earlier session left it.

    The records depend on job and catalog alone: not on the engine, nor on how often the run was stopped by a signal,
    or by a limit of `live`: what an author with a server needs, for one process with `engine.concurrency` under way.

    Raises:
        BackendError: the server refuses for good or only fails; what was made is published.
        JobError: the job contradicts its catalog, or the folder holds something else; nothing was written.
        RunLockedError: another process works on the run.
        StorageError, EngineError: the disk refused, or a worker process was lost; what was committed is kept.
    """
    session = _Session(job, catalog, Planner(job, catalog), on_progress)
    run = RunFolder(folder)
    run.make()
    run.require_usable()
    with run_lock(run.lock), Interruption() as interruption:
        resolved = _admit(job, catalog, run)
        with RunStore(run.database, resolved.identity) as store:
            _require_room(job, store, run)
            resumed = len(store)
            try:
                _write_inputs(job, resolved, catalog, run)
                hiring = _Hiring(job, catalog, engine, producer, live)
                return RunReport(session.finish(store, hiring, interruption, resolved, run), run, resumed)
            except LimitError as limit:
                return RunReport(session.publish(store, resolved, run, "limited"), run, resumed, str(limit))


def _require_room(job: Job, store: RunStore, run: RunFolder) -> None:
    if job.count < len(store):
        raise JobError(_too_many(run, len(store), job.count))


def _admit(job: Job, catalog: Catalog, run: RunFolder) -> Resolved:
    resolved = resolve_with(job, catalog)
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


@dataclass(frozen=True, slots=True)
class _Crew:
    """What makes outcomes: many in order, or a single one again."""

    engine: Engine
    producer: Producer


@dataclass(frozen=True, slots=True)
class _Hiring:
    """Who makes the outcomes of a run."""

    job: Job
    catalog: Catalog
    options: EngineOptions
    producer: str
    live: Live | None

    @contextmanager
    def crew(self, store: RunStore, interruption: Interruption) -> Iterator[_Crew]:
        """Hire a crew for the time of the block."""
        live = self.live
        if live is not None:
            opening = partial(live.open, self.job, self.catalog, store)
            with Window(opening, self.options.concurrency, interruption.asked) as window:
                yield _Crew(window, window)
            return
        work = Work(self.job.model_dump_json().encode(), self.catalog.model_dump_json().encode(), self.producer)
        hired = work.hire()
        yield _Crew(InProcess(hired) if self.options.jobs == 1 else Workers(work, self.options.jobs), hired)


class _Session:
    """One session of a run: settles the indices that are not settled yet, in their order."""

    def __init__(self, job: Job, catalog: Catalog, planner: Planner, on_progress: OnProgress) -> None:
        self._job = job
        self._catalog = catalog
        self._planner = planner
        self._on_progress = on_progress

    def finish(
        self, store: RunStore, hiring: _Hiring, interruption: Interruption, resolved: Resolved, run: RunFolder
    ) -> Summary:
        """Settle what is not settled and publish it; what was made before a server failed is published, too."""
        with self.published_on_failure(store, resolved, run, interruption):
            if len(store) < self._job.count:
                with hiring.crew(store, interruption) as crew:
                    self.settle(store, crew, interruption)
        return self.publish(store, resolved, run, interruption.status)

    @contextmanager
    def published_on_failure(
        self, store: RunStore, resolved: Resolved, run: RunFolder, interruption: Interruption
    ) -> Iterator[None]:
        """Publish what was made where the server fails in the block."""
        try:
            yield
        except BackendError:
            self.publish(store, resolved, run, interruption.status)
            raise

    def settle(self, store: RunStore, crew: _Crew, interruption: Interruption) -> None:
        """Make, judge and commit every index from where the store ends to the count of the job."""
        patience = Patience.after(store.ends(), self._job.attempts)
        if patience.spent:
            return
        batches = _Batches(store, crew.engine)
        meter = _Meter(self._job.count, store)
        try:
            with closing(crew.engine.outcomes(len(store), self._job.count, interruption.asked)) as outcomes:
                for found in outcomes:
                    try:
                        outcome = _unlike_earlier(found, store, crew.producer, patience.repeats(found.kind))
                    except Stopped:
                        break
                    store.add(outcome)
                    patience.note(outcome.kind, kept=outcome.line is not None)
                    batches.commit_when_due()
                    self._on_progress(meter.read(outcome))
                    if interruption.asked() or patience.spent:
                        break
        finally:
            batches.commit()

    def publish(self, store: RunStore, resolved: Resolved, run: RunFolder, stopped: Status | None) -> Summary:
        """Write the files of everything that is settled, where they are not there yet, and return the summary."""
        summary = summarize(
            self._job,
            resolved,
            store.counts(),
            asked=self._planner.counts(self._job.count),
            not_served=self._planner.dropped,
            stopped=stopped,
            rung=store.note(RUNG_NOTE) or "",
            tools=self._catalog.tools,
            domains=self._planner.origins,
        )
        if not is_published(store, run, summary):
            publish(store, run, summary)
        return summary


def _unlike_earlier(outcome: Outcome, store: RunStore, producer: Producer, repeats: int) -> Outcome:
    """Return the outcome, attempted again while an earlier index has the same request, `repeats` times at most."""
    while outcome.line is not None and (twin := store.twin(outcome)) is not None:
        repeats -= 1
        again = producer.produce(outcome.index, outcome.attempt + 1) if repeats else _given_up(outcome)
        rejections = (*outcome.rejections, _duplicate(outcome, twin), *again.rejections)
        spent = total_spent([outcome.spent.for_nothing(), again.spent])
        outcome = replace(again, rejections=rejections, spent=spent)
    return outcome


def _given_up(outcome: Outcome) -> Outcome:
    return Outcome(outcome.index, outcome.attempt, outcome.kind, None, b"", (), ())


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
        self._tokens = tally.total(counts, [tally.PROMPT, tally.COMPLETION])
        self._estimated = tally.total(counts, [tally.ESTIMATED])

    def read(self, outcome: Outcome) -> Progress:
        """Count one more outcome and return where the run is."""
        self._decided += 1
        self._kept += outcome.line is not None
        self._rejected += len(outcome.rejections)
        self._tokens += outcome.spent.prompt + outcome.spent.completion
        self._estimated += outcome.spent.estimated
        return Progress(
            self._asked,
            self._resumed,
            self._decided,
            self._kept,
            self._rejected,
            self._tokens,
            estimated=self._estimated > 0,
        )
