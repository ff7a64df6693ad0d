"""Merging: runs of ranges of one job become the run of the whole, to the byte what it is when it is made at once.

What a model has answered in any part is kept with the whole, and not asked again. What no part was asked, since it
follows from the parts together, is asked of the model where its server is named; else it is told how much lacks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from generator.backends.backend import CompletionRequest, Mode
from generator.backends.batches.wanted import Failure
from generator.engines.engine import EngineOptions, MakeProducer
from generator.errors import DataError, JobError, UsageError
from generator.job import Job
from generator.record import Producer
from generator.run import RunReport, run_job
from generator.runs.parts import Joined, Parts, join
from generator.runs.progress import OnProgress
from generator.runs.ranges import range_text

if TYPE_CHECKING:  # it imports asyncio, which parts of the offline author do without
    from generator.authors.llm.session import LLMSession
    from generator.backends.server import ServerOptions

_SHOWN = 20

OpenSession = Callable[[Job], "tuple[Job, LLMSession | None]"]
"""Returns a job with what its author needs besides, where it is a model: server, prompts, and what may be spent."""


def merge(
    paths: Iterable[Path],
    out: Path,
    *,
    fill: bool = False,
    engine: EngineOptions = EngineOptions(),  # noqa: B008 - frozen, so one for all calls is safe
    make: MakeProducer = Producer,
    open_session: OpenSession | None = None,
    asks: bool = False,
    on_progress: OnProgress = lambda progress: None,
) -> RunReport:
    """Put the parts of a job together in a folder, from wherever an earlier session left it.

    What no part has is made with `fill`, as `engine` and `make` say; so are repeats over parts. Where a model wrote the
    parts, `open_session` gives their job its session (else one with the prompts of this version), and `asks` says
    whether its server is asked for what no part was answered.

    Raises:
        DataError: the parts leave something out, or the model may not be asked; the message has what to do.
        UsageError, JobError: the parts were made with other prompts, are of different jobs or hold different records.
        StorageError: a part is damaged or not finished, or the disk refused.
        BackendError, EngineError: the server only fails, a worker process was lost; what was made is kept.
        RunLockedError: another process works on a part, or on the run.
    """
    folders = list(paths)
    if out.resolve() in {path.resolve() for path in folders}:
        raise JobError(f"{out}: is one of the parts; give -o another folder")
    joined = join(folders)
    if joined.holes and not fill:
        raise DataError(_lacking(joined))
    session, lacking = _session(joined, open_session), Lacking()
    if session is not None and not asks:
        _require_no_holes(joined)
        session, engine = replace(session, wanted=lacking), replace(engine, round="ask")
    with Parts(joined.parts, joined.job.count) as parts:
        run = partial(run_job, joined.job, joined.catalog, out, engine=engine, make=make)
        report = run(session=session, parts=parts, on_progress=on_progress)
    if report.summary.status == "waiting":
        raise DataError(lacking.told(report, joined.job.count))
    return report


def _require_no_holes(joined: Joined) -> None:
    """Refuse to fill what no part has where the model may not be asked."""
    if joined.holes:
        raise DataError(f"{_lacking(joined)}\n{_TO_ASK}")


_TO_ASK = (
    "The model has to be asked: give --base-url, the server of the parts, with --api-key-env, --max-cost and whatever "
    "else `toolgen generate` was given of it, and the same command goes on"
)


@dataclass(slots=True)
class Lacking:
    """What nobody has answered yet, where the model may not be asked: the first such request of each record."""

    keys: set[str] = field(default_factory=set)

    def failure(self, key: str) -> Failure | None:
        """Return None: nothing was asked."""
        return None

    def served(self, server: ServerOptions, model: str) -> Collection[Mode]:
        """Return no mode: nothing was answered."""
        return ()

    def want(self, server: ServerOptions, request: CompletionRequest, key: str, tries: int) -> None:
        """Count a request that is to be asked."""
        self.keys.add(key)

    def told(self, report: RunReport, count: int) -> str:
        """Say how much lacks, what is kept, and what to do."""
        records, settled = len(self.keys), report.summary.decided
        return (
            f"{records:,} of {count:,} records lack an answer that no part was given, at least one each: they repeat a "
            f"record of another part, or come of what only the whole knows. {settled:,} are settled and kept. {_TO_ASK}"
        )


def _session(joined: Joined, open_session: OpenSession | None) -> LLMSession | None:
    """Return the session of a model's parts, None for those of the offline author.

    Raises:
        UsageError: its prompts are not those of the parts.
    """
    job, session = (open_session or _with_own_prompts)(joined.job)
    if job.prompts != joined.job.prompts:
        raise UsageError(
            f"{joined.parts[0].path}: was made with other prompts; give --prompts, the folder of those that all parts "
            "were made with"
        )
    return session


def _with_own_prompts(job: Job) -> tuple[Job, LLMSession | None]:
    if job.author == "offline":
        return job, None
    from generator.authors.llm.session import prepare_session
    from generator.backends.server import ServerOptions

    return prepare_session(job, ServerOptions(), None, at_once=False)


def _lacking(joined: Joined) -> str:
    """Say what the parts leave out, and which commands make it."""
    holes = joined.holes
    count = sum(map(len, holes))
    lines = [f"{count:,} of {joined.job.count:,} records are in no part; make them, or give --fill:"]
    lines += [f"  {range_text(hole)}: {joined.command_for(hole)}" for hole in holes[:_SHOWN]]
    lines += ["  each with --base-url and whatever else the server needs"] if joined.job.author != "offline" else []
    if more := len(holes) - _SHOWN:
        lines += [f"  and {more:,} more ranges"] if more > 0 else []
    return "\n".join(lines)
