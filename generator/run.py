"""The way of one run: a job in its folder, begun, continued, extended or stopped, always with the same bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING

from generator.backends.answers import AnswerFile
from generator.backends.batches.wanted import Outstanding
from generator.backends.budget import Price
from generator.disk import disk_errors, write_own
from generator.domains.catalog import Catalog
from generator.engines.engine import Engine, EngineOptions, MakeProducer, OpenProducer, Stopped, Work
from generator.engines.engine import Producer as KnowingProducer
from generator.engines.opening import ENGINES, engine_of, has_workers_with_a_model, require_engine
from generator.engines.parts import EngineOfParts, look_ahead
from generator.errors import BackendError, LimitError
from generator.job import Job
from generator.jsontext import JsonObject, dump_pretty
from generator.record import Producer
from generator.runs import tally
from generator.runs.dropped import DroppedStore
from generator.runs.folder import RunFolder
from generator.runs.giving_up import ConsecutiveFailures, Exclusions, ExclusionsOfRounds
from generator.runs.identity import Resolved, job_document, read_job_document, require_same, resolve_with
from generator.runs.interruption import Interruption
from generator.runs.kept import KeptRecords
from generator.runs.lock import run_lock
from generator.runs.outcome import Outcome
from generator.runs.parts import Parts, take_over_answers
from generator.runs.progress import Meter, OnProgress
from generator.runs.publish import Notes, publish, publish_again, published
from generator.runs.ranges import range_text
from generator.runs.read_back import PublishedRecords, ReadRecord, has_records, read_back
from generator.runs.record_files import Form, finish_publishing
from generator.runs.settling import Settling, SettlingOfParts
from generator.runs.store import CommittedRequests, RunStore, open_store
from generator.runs.summary import RESPONSE_MODE_NOTE, Asking, Status, Summary, summarize
from generator.scenarios.planner import Planner

if TYPE_CHECKING:  # it imports asyncio and the openai package, which an offline run does without
    from generator.authors.llm.session import LLMSession, StoredSession


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


def run_job(
    job: Job,
    catalog: Catalog,
    folder: Path,
    *,
    engine: EngineOptions = EngineOptions(),  # noqa: B008 - frozen, so one for all calls is safe
    make: MakeProducer = Producer,
    planner: Planner | None = None,
    session: LLMSession | None = None,
    kept: KeptRecords | None = None,
    indices: range | None = None,
    parts: Parts | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> RunReport:
    """Run a job into its folder, from wherever an earlier session left it.

    The records depend on job and catalog alone: not on the engine, nor on how often the run was stopped by a signal,
    or by a limit of the `session`: what an author with a server needs, for one process with `engine.concurrency`
    under way. `make` makes the producer, `planner` is the job's where one is made already. The records that are `kept`
    take their places first, and what is made beside them repeats none of their requests: then the others depend on
    them, too. `indices` are those of a part of the job, in a folder of its own: its records depend on them as well. Of
    `parts` the run is put together: what they hold is not made again, and the bytes are those of a run without them.

    Raises:
        BackendError: the server refuses for good or only fails; what was made is published.
        UsageError, JobError: the engine is not there; job, catalog and folder contradict; nothing was written.
        RunLockedError, StorageError, EngineError: another process is at work; the disk refused; a worker was lost.
    """
    _require_possible(job, engine)
    planner = Planner(job, catalog) if planner is None else planner
    (folder_of_run := RunFolder(folder)).make_usable()
    with run_lock(folder_of_run.lock), Interruption() as interruption:
        plan = _admit(job, catalog, folder_of_run, planner, indices)
        if (report := _finished_and_dropped(plan, folder_of_run)) is not None:
            return report
        with _opened_store(plan, folder_of_run) as store:
            if (report := _finished(plan, folder_of_run, store)) is not None:
                return report
            run = _Run(_Place(folder_of_run, store, interruption, on_progress, engine, make, kept, parts), plan)
            return run.finish() if session is None else _finish_with(session, run)


def _require_possible(job: Job, engine: EngineOptions) -> None:
    """Refuse what this installation can neither make nor write, before anything is there."""
    require_engine(engine)
    Form.of(job).require_possible(job.count)


def _finished_and_dropped(plan: _Plan, folder: RunFolder) -> RunReport | None:
    """Return what there is to tell of a run that is over and without its store; refuse one that cannot go on so."""
    dropped = None if folder.database.exists() else DroppedStore.read(folder)
    if dropped is None:
        return None
    if (report := _finished(plan, folder, dropped)) is None:
        dropped.require_going_on(plan.job, len(plan.indices))
    return report


@contextmanager
def _opened_store(plan: _Plan, folder: RunFolder) -> Iterator[RunStore]:
    """Open the store, with the notes of the one that it takes the place of."""
    with open_store(folder.database, plan.resolved.of_the_store) as store:
        if (dropped := DroppedStore.read(folder)) is not None:
            dropped.restore(store)
        yield store


def _finished(plan: _Plan, folder: RunFolder, store: Notes) -> RunReport | None:
    """Return what there is to tell of a run that is over, and whole as it was published."""
    summary = published(store, folder, len(plan.indices))
    if summary is None:
        return None
    _write(folder.job, job_document(plan.job, plan.resolved.model_copy(update={"catalog": summary.catalog})))
    publish_again(store, folder, summary, Form.of(plan.job))
    return RunReport(summary, folder, summary.decided)


def _admit(job: Job, catalog: Catalog, run: RunFolder, planner: Planner, indices: range | None) -> _Plan:
    """Make sure that the folder is one of this job, or of this range of it, its own files and nothing else."""
    run.require_own()
    finish_publishing(run.path)
    part = "" if indices is None else range_text(indices)
    resolved = resolve_with(job, catalog).model_copy(update={"range": part})
    run.require_usable()
    if run.job.exists():
        require_same(read_job_document(run.job), job, resolved, run.path)
    if not (run.job.exists() and run.catalog.exists()):
        _write_inputs(job, resolved, catalog, run)  # first of all: a folder with any other file must be known as a run
    return _Plan(job, catalog, planner, resolved, range(job.count) if indices is None else indices)


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
class _Place:
    """Where a run is worked on, by whom, and who is told."""

    folder: RunFolder
    store: RunStore
    interruption: Interruption
    on_progress: OnProgress
    engine: EngineOptions
    make: MakeProducer
    kept: KeptRecords | None = None
    """Records that are taken over as they are."""
    parts: Parts | None = None
    """Parts of the job that are made already, each on its own."""

    def reader(self, producer: KnowingProducer) -> ReadRecord:
        """Return what reads a stored line; one that is known already is not examined again."""
        read = producer.read_record if self.kept is None else self.kept.recognising(producer.read_record)
        read = read if self.parts is None else self.parts.recognising(read, producer.recognise)
        examined = self.engine.examined
        return read if examined is None else examined.recognising(read, producer.recognise)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is made: a job with its catalog, planned."""

    job: Job
    catalog: Catalog
    planner: Planner
    resolved: Resolved
    indices: range
    """All of the job, or a part of it."""

    @property
    def asked(self) -> Mapping[str, int]:
        """How many records of each kind are asked for."""
        return self.planner.counts(self.indices.stop) - self.planner.counts(self.indices.start)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a run with a model has besides."""

    opening: OpenProducer | None = None
    exclusions: Exclusions | None = None
    price: Price | None = None


def _finish_with(session: LLMSession, run: _Run) -> RunReport:
    """Have the domains written that are missing, then settle everything else with them."""
    from generator.authors.llm.session import StoredSession
    from generator.domain_writing import try_out

    place, plan = run.place, run.plan
    with AnswerFile(place.folder.answers) as answers:
        kept = StoredSession(answers, place.store)
        try:
            with run.published_on_failure():
                stopping = place.interruption.asked
                catalog = plan.catalog
                if place.parts is None:
                    catalog = session.write_domains(plan.job, plan.catalog, kept, try_out, stopping)
                else:  # theirs have them
                    take_over_answers(place.parts.parts, answers, place.store)
            resolved = plan.resolved.model_copy(update={"catalog": catalog.digest})
            planner = plan.planner if catalog is plan.catalog else Planner(plan.job, catalog)
            kind_of = ExclusionsOfRounds if place.engine.round else Exclusions
            exclusions = kind_of(planner, plan.job.attempts, session.notify)
            plan = replace(plan, catalog=catalog, planner=planner, resolved=resolved)
            opened: Callable[..., AbstractAsyncContextManager[Producer]] = _opened
            if has_workers_with_a_model(place.engine):
                opened = partial(_delegated, most=place.engine.concurrency)
            opening = partial(opened, session, plan, exclusions, kept, place.store)
            run = _Run(place, plan, _Asked(opening, exclusions, session.budget.limits.price))
            return run.finish()
        except LimitError as limit:
            return RunReport(run.publish("limited"), place.folder, run.resumed, str(limit))
        except Outstanding:  # the domains come first, and an answer of theirs is not there yet
            return RunReport(run.publish("waiting"), place.folder, run.resumed)


@asynccontextmanager
async def _opened(
    session: LLMSession, plan: _Plan, exclusions: Exclusions, kept: StoredSession, store: RunStore
) -> AsyncIterator[Producer]:
    """Open the producer of a run with a model: it leaves off what repeats the request of a record in the store."""
    async with session.open(plan.job, plan.catalog, kept) as writers:
        yield Producer(
            plan.job,
            plan.catalog,
            writers.author,
            planner=plan.planner,
            reviewer=writers.reviewer,
            answerer=writers.answerer,
            exclusions=exclusions,
            is_taken=partial(_is_taken, store),
        )


@asynccontextmanager
async def _delegated(
    session: LLMSession, plan: _Plan, exclusions: Exclusions, kept: StoredSession, store: RunStore, most: int
) -> AsyncIterator[Producer]:
    """Open the same where its attempts are made by workers, at most so many, which ask by way of this process."""
    from generator.backends.backend import JUDGED_ELSEWHERE
    from generator.delegation import Delegating, at_work

    session.verdicts.patience = JUDGED_ELSEWHERE
    job, catalog, is_taken = plan.job, plan.catalog, partial(_is_taken, store)
    async with (
        session.asking(job, kept) as models,
        at_work(job, catalog, session.prompts, models, is_taken, most) as workers,
    ):
        yield Delegating(job, catalog, workers, planner=plan.planner, exclusions=exclusions)


async def _is_taken(store: RunStore, key: bytes) -> bool:
    return store.with_request(key) is not None


class _Run:
    """One session of a run: looks at what there is, settles the indices that are not settled yet, publishes."""

    def __init__(self, place: _Place, plan: _Plan, asked: _Asked = _Asked()) -> None:
        self.place, self.plan, self._asked = place, plan, asked
        self._job, self._store = plan.job, place.store
        self._stopping = place.interruption.asked
        self._published: PublishedRecords | None = None
        """What was published before; None while that is not known."""
        self.resumed = len(place.store)
        """Indices that were settled before this session."""
        self._hopeless = False
        """Whether so many indices in a row ended without a record that no more are tried."""

    def finish(self) -> RunReport:
        """Settle what is not settled and publish it; what was made before a server failed is published, too."""
        place, plan = self.place, self.plan
        producer = place.make(plan.job, plan.catalog, planner=plan.planner, is_taken=partial(_is_taken, self._store))
        read = place.reader(producer)
        self._published = read_back(plan.job, place.store, place.folder, read, self._stopping, plan.indices)
        if self._published is not None and place.kept is not None:
            self._take_over(place.kept)
        resumed = self.resumed = len(place.store)
        if self._published is not None:
            _write_inputs(plan.job, plan.resolved, plan.catalog, place.folder)
            opening = self._asked.opening
            elsewhere = CommittedRequests(place.folder.database)
            work = Work(
                job=plan.job,
                catalog=plan.catalog,
                producer=producer,
                make=place.make,
                options=place.engine,
                opening=opening,
                stopping=self._stopping,
                is_taken=self._is_taken,
                is_taken_elsewhere=elsewhere,
            )
            with self.published_on_failure():
                if resumed < len(plan.indices):
                    with ENGINES[engine_of(work)](work) as engine:
                        self._settle_all(engine, producer)
        waits = place.engine.round and not (self._hopeless or self._stopping())
        return RunReport(self.publish("waiting" if waits else None), place.folder, resumed)

    @contextmanager
    def published_on_failure(self) -> Iterator[None]:
        """Publish what was made where the server fails in the block."""
        try:
            yield
        except BackendError:
            self.publish()
            raise

    def _take_over(self, kept: KeptRecords) -> None:
        """Put the kept records into the store that it does not have yet."""
        for outcome in kept.outcomes():
            if self._stopping():
                break
            if not self._store.has(outcome.index) and self._store.twin(outcome) is None:
                self._store.add(outcome)
                if self._store.waiting >= _BATCH:
                    self._store.commit()
        self._store.commit()

    def _settle_all(self, engine: Engine, producer: KnowingProducer) -> None:
        """Make, judge and commit every index of the run that is not settled."""
        indices = self._store.missing(self.plan.indices)
        failures = ConsecutiveFailures.after(self._store.ends(indices[0]), self._job.attempts)
        self._judge_failures(indices[0])
        self._hopeless = failures.too_many
        if failures.too_many or self._stopping():
            return
        settling = Settling(self._store, engine, self._job.attempts, self._asked.exclusions)
        if self.place.parts is not None:
            settling = SettlingOfParts(
                self._store, engine, self._job.attempts, producer.planned, self._asked.exclusions
            )
            engine = EngineOfParts(self.place.parts, engine, producer, self._store)
        settler = _Settler(
            engine,
            settling,
            _Batches(self._store, engine),
            Meter(self._job, len(self.plan.indices), self._store, self._asked.price),
            self.place.engine.round == "ask",
        )
        self._settle(indices, settler, failures)

    def _is_taken(self, key: bytes) -> bool:
        return self._store.with_request(key) is not None

    def _judge_failures(self, stop: int) -> None:
        """Give kinds and tools up by what is settled below an index."""
        if self._asked.exclusions is not None:
            rows = self._store.rows() if tally.total(self._store.counts(), [tally.REJECTED]) else iter(())
            below = (kept for index, kept in rows if kept is not None and index < stop)
            self._asked.exclusions.begin_from(below, stop)

    def _pass_over(self, start: int, stop: int, failures: ConsecutiveFailures) -> None:
        """Take note of what was settled in [start, stop) before this session."""
        exclusions = self._asked.exclusions
        if start == stop or (exclusions is None and failures.none):
            return
        rows = [kept for _, kept in self._store.rows_from(start, stop) if kept is not None]
        for kept in rows:
            failures.note(kept.kind, kept=kept.line is not None)
        if exclusions is not None:
            exclusions.pass_over(rows, stop)

    def _settle(self, indices: Sequence[int], settler: _Settler, failures: ConsecutiveFailures) -> None:
        """Settle these indices in their order."""
        followers = chain(islice(indices, 1, None), [self.plan.indices.stop])
        try:
            with closing(settler.engine.outcomes(indices, self._stopping)) as outcomes:
                for found, following in zip(outcomes, followers, strict=False):
                    try:
                        outcome = settler.settling.settled(found, failures.repeats)
                    except Stopped:
                        settler.look_ahead(outcomes, failures)
                        break
                    self._store.add(outcome)
                    failures.note(outcome.kind, kept=outcome.line is not None)
                    self._pass_over(outcome.index + 1, following, failures)
                    settler.batches.commit_when_due()
                    self.place.on_progress(settler.meter.read(outcome))
                    if self._stopping() or failures.too_many:
                        break
        finally:
            self._hopeless = failures.too_many
            settler.batches.commit()

    def publish(self, stopped: Status | None = None) -> Summary:
        """Write the files of everything that is settled, and return the summary."""
        store, plan, asked = self._store, self.plan, self._asked
        self._judge_failures(self.plan.indices.stop)
        given_up = {} if asked.exclusions is None else asked.exclusions.given_up
        summary = summarize(
            self._job,
            plan.resolved,
            store.counts(),
            asked=plan.asked,
            not_served=plan.planner.dropped,
            stopped=stopped or self.place.interruption.status,
            asking=Asking(store.note(RESPONSE_MODE_NOTE) or "", given_up, asked.price),
            tools=plan.catalog.tools,
            domains=plan.planner.origins,
        )
        if self._published is None and store.empty and not has_records(self.place.folder):
            self._published = PublishedRecords()
        if self._published is not None:
            return publish(store, self.place.folder, summary, self._published, Form.of(self._job))
        return summary


@dataclass(frozen=True, slots=True)
class _Settler:
    """What settles the indices of a session."""

    engine: Engine
    settling: Settling
    batches: _Batches
    meter: Meter
    counts_lacking: bool = False
    """Whether what lies behind a record that lacks an answer is looked at for what it lacks."""

    def look_ahead(self, outcomes: Iterator[Outcome], failures: ConsecutiveFailures) -> None:
        """Find out what else lacks an answer, where that is to be told; nothing of it is settled."""
        if self.counts_lacking and isinstance(self.settling, SettlingOfParts):
            look_ahead(outcomes, self.settling, failures.repeats)


_BATCH = 100
"""Outcomes per commit: what a kill can cost."""
_BATCH_SECONDS = 1.0
"""The same for slow authors."""
_MICRO = 1_000_000


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
