"""Batches: what a session settles is committed a stretch at a time, and with it the time it took."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

from generator.backends.answer_file import AnswerFile
from generator.backends.limits import Price, Usage
from generator.backends.spent import total_spent
from generator.disk import disk_errors, write_own
from generator.domains.catalog import Catalog
from generator.engines.engine import Engine, EngineOptions, InProcess, Stopped, Workers
from generator.engines.waiting import Opening
from generator.engines.worker import PRODUCER, Maker, Producer, Work, hire
from generator.errors import BackendError, LimitError
from generator.job import Job
from generator.jsontext import JsonObject, dump_pretty
from generator.runs import tally
from generator.runs.folder import RunFolder, run_lock
from generator.runs.identity import Resolved, job_document, read_job_document, require_same, resolve_with
from generator.runs.interruption import Interruption
from generator.runs.outcome import Outcome
from generator.runs.prospects import Patience, Prospects
from generator.runs.publish import publish, published
from generator.runs.read_back import Standing, is_standing, read_back
from generator.runs.store import RunStore, open_store
from generator.runs.summary import RUNG_NOTE, Asking, Status, Summary, summarize
from generator.scenarios.planner import Planner
from generator.validation.verdict import Rejection, Violation

if TYPE_CHECKING:
    from generator.authors.llm.session import Live
    from generator.engines.waiting import Opening


_BATCH = 100
"""Outcomes per commit: what a kill can cost."""
_BATCH_SECONDS = 1.0
"""The same for slow authors."""
_MICRO = 1_000_000


class Batches:
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


DUPLICATE = "RUN001"
"""The rule that a run holds no two records with the same request."""


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
    unplanned: int = 0
    """Of the rejected attempts: those that could not be planned."""
    asks: bool = False
    """Whether an author is asked whose answers may be rejected, and cost tokens."""
    cost: float | None = None
    """What the tokens cost, None where nobody gave a price."""


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
    planner = Planner(job, catalog)
    run = RunFolder(folder)
    run.make()
    run.require_usable()
    with run_lock(run.lock), Interruption() as interruption:
        resolved = _admit(job, catalog, run)
        with open_store(run.database, resolved.identity) as store:
            if (summary := published(store, run, job.count)) is not None:
                _write(run.job, job_document(job, resolved.model_copy(update={"catalog": summary.catalog})))
                return RunReport(summary, run, summary.decided)
            work = _Work(job, run, store, interruption, on_progress)
            session = _Session(work, catalog, resolved, planner)
            if live is None:
                return session.finish(_Hiring(job, catalog, engine, producer))
            with AnswerFile(run.answers) as answers:
                return session.finish_live(live, answers, engine)


def _admit(job: Job, catalog: Catalog, run: RunFolder) -> Resolved:
    """Make sure that the folder is one of this job, its own files and nothing else."""
    run.require_own()
    resolved = resolve_with(job, catalog)
    run.require_usable()
    if run.job.exists():
        require_same(read_job_document(run.job), job, resolved, run.path)
    else:
        _write_inputs(job, resolved, catalog, run)  # first of all: a folder with any other file must be known as a run
    return resolved


def _write_inputs(job: Job, resolved: Resolved, catalog: Catalog, run: RunFolder) -> None:
    """Write `job.json` and `catalog.json` where they are not there as they should be."""
    _write(run.job, job_document(job, resolved))
    _write(run.catalog, catalog.dump())


def _write(path: Path, document: JsonObject) -> None:
    text = dump_pretty(document).encode()
    with disk_errors(path):
        written = path.exists() and path.read_bytes() == text
    if not written:
        write_own(path, [text])


@dataclass(frozen=True, slots=True)
class _Crew:
    """What makes outcomes: many in order, or a single one again."""

    engine: Engine
    producer: Maker


@dataclass(frozen=True, slots=True)
class _Hiring:
    """Who makes the outcomes of a run."""

    job: Job
    catalog: Catalog
    options: EngineOptions
    producer: str = PRODUCER
    live: Opening[Outcome] | None = None
    """Opens the producer of a run with a server, which waits for it."""

    def hire(self) -> Producer:
        """Hire who makes outcomes without waiting, and reads them back."""
        return hire(self.producer, self.job, self.catalog)

    @contextmanager
    def crew(self, hired: Producer, interruption: Interruption) -> Iterator[_Crew]:
        """Hire a crew for the time of the block."""
        if self.live is not None:
            from generator.engines.waiting import Window

            with Window(self.live, self.options.concurrency, interruption.asked) as window:
                yield _Crew(window, window)
            return
        yield _Crew(InProcess(hired) if self.options.jobs == 1 else Workers(self._work(), self.options.jobs), hired)

    def _work(self) -> Work:
        return Work(self.job.model_dump_json().encode(), self.catalog.model_dump_json().encode(), self.producer)


@dataclass(frozen=True, slots=True)
class _Work:
    """What is worked on, where it is kept, and who is told."""

    job: Job
    run: RunFolder
    store: RunStore
    interruption: Interruption
    on_progress: OnProgress


class _Session:
    """One session of a run: looks at what there is, settles the indices that are not settled yet, publishes."""

    def __init__(
        self,
        work: _Work,
        catalog: Catalog,
        resolved: Resolved,
        planner: Planner,
        prospects: Prospects | None = None,
        price: Price | None = None,
    ) -> None:
        self._work = work
        self._job, self._run, self._store = work.job, work.run, work.store
        self._interruption = work.interruption
        self._on_progress = work.on_progress
        self._catalog = catalog
        self.resolved = resolved
        self._planner = planner
        self._prospects = prospects
        """Of a run with a model."""
        self._price = price
        self._standing: Standing | None = None
        """What was published before; None while that is not known."""
        self.resumed = len(work.store)
        """Indices that were settled before this session."""

    def finish_live(self, live: Live, answers: AnswerFile, engine: EngineOptions) -> RunReport:
        """Have the domains written that are missing, then settle everything else with them."""
        job, store, session = self._job, self._store, self
        try:
            with self.published_on_failure():
                catalog = live.settle(job, self._catalog, store, answers, self._interruption.asked)
            resolved = self.resolved.model_copy(update={"catalog": catalog.digest})
            planner = Planner(job, catalog)
            prospects = Prospects(planner, job.attempts, live.notify)
            opening = partial(live.open, job, catalog, store, answers, prospects)
            session = _Session(self._work, catalog, resolved, planner, prospects, live.budget.limits.price)
            return session.finish(_Hiring(job, catalog, engine, live=opening))
        except LimitError as limit:
            return RunReport(session.publish("limited"), self._run, session.resumed, str(limit))

    def finish(self, hiring: _Hiring) -> RunReport:
        """Settle what is not settled and publish it; what was made before a server failed is published, too."""
        hired, stopping = hiring.hire(), self._interruption.asked
        self._standing = read_back(self._job, self._store, self._run, hired.recall, stopping)
        resumed = self.resumed = len(self._store)
        if self._standing is not None:
            _write_inputs(self._job, self.resolved, self._catalog, self._run)
            with self.published_on_failure():
                if resumed < self._job.count:
                    with hiring.crew(hired, self._interruption) as crew:
                        self.settle(crew)
        return RunReport(self.publish(), self._run, resumed)

    @contextmanager
    def published_on_failure(self) -> Iterator[None]:
        """Publish what was made where the server fails in the block."""
        try:
            yield
        except BackendError:
            self.publish()
            raise

    def settle(self, crew: _Crew) -> None:
        """Make, judge and commit every index that is not settled, up to the count of the job."""
        meter = _Meter(self._job, self._store, self._price)
        batches = Batches(self._store, crew.engine)
        for stretch in self._store.missing(self._job.count):
            patience = Patience.after(self._store.ends(stretch.start), self._job.attempts)
            self._look_back(stretch.start)
            if patience.spent or self._interruption.asked():
                return
            self._settle(stretch, crew, patience, batches, meter)

    def _look_back(self, stop: int) -> None:
        """Judge the prospects by what is settled below an index."""
        if self._prospects is not None:
            rows = self._store.rows() if tally.total(self._store.counts(), [tally.REJECTED]) else iter(())
            self._prospects.look_back((kept for index, kept in rows if kept is not None and index < stop), stop)

    def _settle(self, stretch: range, crew: _Crew, patience: Patience, batches: Batches, meter: _Meter) -> None:
        """Settle the indices of one stretch in their order."""
        store, stopping = self._store, self._interruption.asked
        try:
            with closing(crew.engine.outcomes(stretch.start, stretch.stop, stopping)) as outcomes:
                for found in outcomes:
                    try:
                        outcome = self._settled(found, crew.producer, patience)
                    except Stopped:
                        break
                    store.add(outcome)
                    patience.note(outcome.kind, kept=outcome.line is not None)
                    batches.commit_when_due()
                    self._on_progress(meter.read(outcome))
                    if stopping() or patience.spent:
                        break
        finally:
            batches.commit()

    def _settled(self, found: Outcome, producer: Maker, patience: Patience) -> Outcome:
        """Return the outcome as it stands after all before it: unlike theirs, and of what was not given up by then.

        Raises:
            Stopped: the run is to stop, and another attempt has not come.
        """
        prospects = self._prospects
        if prospects is None:
            return _unlike_earlier(found, self._store, producer, patience.repeats(found.kind))
        maker = _Promising(producer, prospects)
        outcome = maker.promising(found)
        outcome = _unlike_earlier(outcome, self._store, maker, patience.repeats(outcome.kind))
        if outcome.line is None and not outcome.rejections:
            outcome = replace(outcome, rejections=(prospects.nothing_left(outcome.index, outcome.kind),))
        prospects.settle(outcome)
        return outcome

    def publish(self, stopped: Status | None = None) -> Summary:
        """Write the files of everything that is settled, and return the summary."""
        store = self._store
        self._look_back(self._job.count)
        hopeless = {} if self._prospects is None else self._prospects.given_up
        summary = summarize(
            self._job,
            self.resolved,
            store.counts(),
            asked=self._planner.counts(self._job.count),
            not_served=self._planner.dropped,
            stopped=stopped or self._interruption.status,
            asking=Asking(store.note(RUNG_NOTE) or "", hopeless, self._price),
            tools=self._catalog.tools,
            domains=self._planner.origins,
        )
        if self._standing is None and store.empty and not is_standing(self._run):
            self._standing = Standing()
        if self._standing is not None:
            publish(store, self._run, summary, self._standing)
        return summary


@dataclass(frozen=True, slots=True)
class _Promising:
    """A maker whose outcomes hold nothing that was given up before them."""

    producer: Maker
    prospects: Prospects

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, beginning with this attempt number."""
        return self.promising(self.producer.produce(index, first_attempt))

    def promising(self, outcome: Outcome) -> Outcome:
        """Return an outcome without the attempts that are not to be made, and with others in their place."""
        outcome = replace(outcome, rejections=self.prospects.admit(outcome))
        while self.prospects.excludes_record(outcome):
            again = self.producer.produce(outcome.index, outcome.attempt + 1)
            spent = total_spent([outcome.spent.for_nothing(), again.spent])
            rejections = (*outcome.rejections, *self.prospects.admit(again))
            outcome = replace(again, rejections=rejections, spent=spent)
        return outcome


def _unlike_earlier(outcome: Outcome, store: RunStore, producer: Maker, repeats: int) -> Outcome:
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


class _Meter:
    """Counts for the screen."""

    def __init__(self, job: Job, store: RunStore, price: Price | None) -> None:
        counts = store.counts()
        self._asked = job.count
        self._asks = job.author == "llm"
        self._price = price
        self._resumed = self._decided = len(store)
        self._kept = tally.total(counts, [tally.KEPT])
        self._rejected = tally.total(counts, [tally.REJECTED])
        self._unplanned = counts[tally.RULE, tally.NOT_PLANNED]
        self._tokens = Usage(tally.total(counts, [tally.PROMPT]), tally.total(counts, [tally.COMPLETION]))
        self._estimated = tally.total(counts, [tally.ESTIMATED])

    def read(self, outcome: Outcome) -> Progress:
        """Count one more outcome and return where the run is."""
        self._decided += 1
        self._kept += outcome.line is not None
        self._rejected += len(outcome.rejections)
        self._unplanned += sum(each.violations[0].rule == tally.NOT_PLANNED for each in outcome.rejections)
        self._tokens += Usage(outcome.spent.prompt, outcome.spent.completion)
        self._estimated += outcome.spent.estimated
        return Progress(
            self._asked,
            self._resumed,
            self._decided,
            self._kept,
            self._rejected,
            self._tokens.total,
            estimated=self._estimated > 0,
            unplanned=self._unplanned,
            asks=self._asks,
            cost=None if self._price is None else self._price.of(self._tokens),
        )
