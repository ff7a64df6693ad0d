"""The way of a build: what changed is seen, what did not is kept, the rest is made, proven and published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from generator.builds.folder import BuildsFolder, builds_in
from generator.builds.gates import unreachable_gates
from generator.builds.inputs import Inputs, differences, find_unchanged, inputs_of, is_pushed, sources_of
from generator.builds.keeping import Keeping, Sight, decide
from generator.builds.manifest import Before, Manifest, before_of, read_manifest, whole_manifest
from generator.builds.publishing import Publishing, publish
from generator.builds.settings import RequestedBuild
from generator.builds.states import states_of
from generator.builds.verifying import damages
from generator.builds.work import known_before, prepare_work
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.errors import DataError, JobError
from generator.formats.loading.mcp_servers import Listing, list_tools
from generator.formats.loading.tool_files import LoadedCatalog, load_catalog
from generator.job import Job
from generator.jsontext import JsonObject
from generator.lengths import open_counter
from generator.run import run_job
from generator.runs.kept import KeptRecords
from generator.runs.lock import run_lock
from generator.runs.progress import OnProgress
from generator.runs.summary import Summary
from generator.scenarios.planner import Planner
from generator.suggestions import did_you_mean

if TYPE_CHECKING:  # it imports the openai package, which an offline build does without
    from generator.authors.llm.session import LLMSession

Ending = Literal["unchanged", "published", "missed", "stopped"]


def now_utc() -> datetime:
    """Return the time that it is."""
    return datetime.now(UTC)


def _no_session(job: Job) -> tuple[Job, LLMSession | None]:
    return job, None


@dataclass(frozen=True, slots=True)
class Order:
    """What a build is asked for, and who is told of it."""

    asked: RequestedBuild
    out: Path
    """The folder of all builds of the job."""
    full: bool = False
    """Whether nothing is kept of the build before."""
    complete: Callable[[Job], tuple[Job, LLMSession | None]] = _no_session
    """Completes the job for its author: with prompts and server where a model writes."""
    engine: EngineOptions = field(default_factory=EngineOptions)
    now: Callable[[], datetime] = now_utc
    told: Callable[[str], None] = lambda message: None
    """Is told in words what a person may want to know."""
    on_step: Callable[[str], None] = lambda step: None
    """Is told of each step before it is taken."""
    on_progress: OnProgress = lambda progress: None
    loaded: Callable[[LoadedCatalog], None] = lambda loaded: None
    """Is told of the tools that were loaded."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What became of a build."""

    ending: Ending
    folder: Path | None
    """Where the build lies; None where it was stopped, or there is none."""
    manifest: Manifest | None = None
    summary: Summary | None = None
    """What the run was that made its records; None where none was needed."""
    limit: str = ""
    """The limit that stopped it."""


def build(order: Order) -> BuildReport:
    """Make a build where something changed, and publish it where it misses no gate.

    Raises:
        RunLockedError: another build of the job is at work.
        ToolgenError: tools, settings, servers or the disk refused; `latest` is as it was, and what was made is kept
            for the next build.
    """
    folder = BuildsFolder(order.out)
    listings = [list_tools(server) for server in order.asked.settings.servers]
    inputs = inputs_of(order.asked, listings)
    if not order.full and (same := _unchanged(folder, order.asked, inputs)) is not None:
        return same
    folder.make()
    with run_lock(folder.lock, "build", "wait for it to end"):
        folder.clear_parts()
        if not order.full and (same := _unchanged(folder, order.asked, inputs)) is not None:
            return same
        return _Build(order, folder, inputs, listings).run()


def _unchanged(folder: BuildsFolder, asked: RequestedBuild, inputs: Inputs) -> BuildReport | None:
    latest = find_unchanged(folder, asked, inputs)
    return None if latest is None else BuildReport("unchanged", latest, read_manifest(latest))


def load_tools_of(order: Order, listings: Sequence[Listing]) -> LoadedCatalog:
    """Load the tools of a job file, and those that servers listed.

    Raises:
        ToolFileError: with every problem of every file.
    """
    requested = order.asked.requested
    loaded = load_catalog(
        sources_of(order.asked),
        skip_invalid=requested.job.skip_invalid,
        on_conflict=requested.job.on_conflict,
        domains=requested.domains,
        listed=_by_place(listings),
    )
    order.loaded(loaded)
    require_known(order.asked, loaded.catalog)
    return loaded


def require_known(asked: RequestedBuild, catalog: Catalog) -> None:
    """Refuse to hold out what is no tool.

    Raises:
        JobError: a name is none; the message has the nearest.
    """
    known = {tool.name for tool in catalog.tools}
    for name in asked.settings.splits.hold_out:
        if name not in known:
            hint = did_you_mean(name, known) or "name a tool of the job"
            raise JobError(f"{asked.file}: splits.hold_out: there is no tool {name!r}; {hint}")


def require_reachable(asked: RequestedBuild, job: Job, planner: Planner) -> None:
    """Refuse to make records where a gate is missed whatever comes of them.

    Raises:
        DataError: one is; every such gate is named.
    """
    if unreachable := unreachable_gates(asked.settings.gates, job, planner):
        raise DataError("\n".join(f"{asked.file}: the gate cannot be passed: {gate}" for gate in unreachable))


def _by_place(listings: Sequence[Listing]) -> dict[str, JsonObject]:
    """Return the lists by how messages name their servers, each by a name of its own."""
    found: dict[str, JsonObject] = {}
    for number, listing in enumerate(listings, 1):
        found[f"{listing.place} ({number})" if listing.place in found else listing.place] = listing.document
    return found


@dataclass(slots=True)
class _Build:
    """One build at work."""

    order: Order
    folder: BuildsFolder
    inputs: Inputs
    listings: Sequence[Listing]

    def run(self) -> BuildReport:
        """Go on behind the last step that an earlier build took, or make records and take every step."""
        left = None if self.order.full else self._left_behind()
        if left is not None:
            made = self._publishing(None, Keeping(), None)
            made.build, made.manifest = left
            publish(made, self.order.on_step, "index")
            return BuildReport("published", made.build, made.manifest)
        before = self._before()
        loaded = load_tools_of(self.order, self.listings)
        job, session = self.order.complete(self.order.asked.requested.job.model_copy(update={"metadata": True}))
        catalog = loaded.catalog
        if session is not None:
            known = known_before(catalog, None if self.order.full else before)
            catalog, session = known.catalog, known.given_to(session)
        if before is not None and not self.order.full and self._says_the_same(before.manifest, catalog):
            return BuildReport("unchanged", before.folder, before.manifest)
        return self._make(job, catalog, session, before)

    def _make(self, job: Job, catalog: Catalog, session: LLMSession | None, before: Before | None) -> BuildReport:
        planner = Planner(job, catalog)
        require_reachable(self.order.asked, job, planner)
        damaged = before is None and self.folder.latest_build() is not None
        states = states_of(catalog)
        now = Sight(job, states, lambda index: planner.lead_at(index).key, full=self.order.full, damaged=damaged)
        keeping = decide(before, now)
        prepare_work(self.folder, job, catalog, self.inputs, "" if before is None else before.folder.name)
        kept = None
        if before is not None and keeping.places:
            kept = KeptRecords(before.records, keeping.places, catalog, open_counter(job.tokenizer))
        self.order.on_step("make")
        report = run_job(
            job,
            catalog,
            self.folder.work.path,
            engine=self.order.engine,
            planner=planner,
            session=session,
            kept=kept,
            on_progress=self.order.on_progress,
        )
        if report.summary.status not in ("complete", "incomplete"):
            return BuildReport("stopped", None, None, report.summary, report.limit)
        made = self._publishing(before, keeping, report.summary)
        publish(made, self.order.on_step)
        return BuildReport("published" if made.passed else "missed", made.build, made.manifest, report.summary)

    def _publishing(self, before: Before | None, keeping: Keeping, summary: Summary | None) -> Publishing:
        stamp = self.folder.stamp(self.order.now(), self.folder.latest_build())
        return Publishing(
            self.folder, self.order.asked, self.inputs, stamp, before, keeping, summary, told=self.order.told
        )

    def _left_behind(self) -> tuple[Path, Manifest] | None:
        """Return the newest build where an earlier one was cut short behind giving it its name."""
        named = builds_in(self.folder.builds)
        if not named or not self.inputs.sealed:
            return None
        manifest = whole_manifest(named[-1])
        if manifest is None or manifest.inputs != self.inputs or damages(named[-1]):
            return None
        return named[-1], manifest

    def _before(self) -> Before | None:
        """Return the latest build, and say so where it is there and damaged."""
        before, latest = before_of(self.folder), self.folder.latest_build()
        if latest is not None and before is None:
            self.order.told(f"{latest}: is damaged, so nothing of it is kept; `toolgen verify` says what is")
        return before

    def _says_the_same(self, before: Manifest, catalog: Catalog) -> bool:
        """Say whether the tools are the same although their files are written otherwise, and nothing else changed."""
        changed = set(differences(before.inputs, self.inputs)) - {"sources", "listed"}
        latest = self.folder.latest_build()
        if changed or latest is None or not is_pushed(self.folder, self.order.asked, latest):
            return False
        return before.tools == states_of(catalog)
