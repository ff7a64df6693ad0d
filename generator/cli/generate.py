"""`toolgen generate`: records from tool files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click

from generator.cli.job_options import given_options, load_requested_tools, note
from generator.cli.model_options import complete, model_options, take_model_options
from generator.cli.option_types import Choice, FilePath, makers_option, tokenizer_option
from generator.cli.run_end import Told, conclude, outcome_noted
from generator.cli.terminal import say_json, tell
from generator.cli.unattended_options import note_outcome, unattended_options
from generator.errors import EXIT_CODES, UsageError
from generator.job_choices import (
    DEFAULT_DAYS,
    DEFAULT_REFERENCE_DATE,
    DEFAULT_SEED,
    ENGINE_CHOICES,
    JOB_KEYS,
    AuthorName,
    Compression,
    Freedom,
    Proof,
    Results,
    Verify,
)
from generator.jsontext import dump_pretty

if TYPE_CHECKING:
    from generator.authors.llm.session import LLMSession
    from generator.domains.catalog import Catalog
    from generator.engines.engine import EngineOptions
    from generator.job import Job
    from generator.run import RunReport
    from generator.runs.job_file import RequestedJob
    from generator.scenarios.planner import Planner

_EPILOG = """\b
Examples:
  toolgen generate --count 300
  toolgen generate my_tools.json --count 5000 --seed 7 --jobs 2
  toolgen generate servers/*.json more.yaml --skip-invalid --on-conflict source --out runs/mine
  toolgen generate my_tools.json --domain my_tools.domain.yaml
  toolgen generate my_tools.json --mix parallel=3,simple=1 --error-rate 0.2 --locale en_US,de_DE
  toolgen generate my_tools.json --author llm --model MODEL --base-url http://localhost:8000/v1 --tpm 200000
  toolgen generate --job nightly.toml --out runs/nightly --quiet
  toolgen generate --job output/run/job.json --out output/again
  toolgen generate my_tools.json --count 100000 --range 25000:50000 --out parts/1
  toolgen generate my_tools.json --count 1000000 --jobs 2 --compress zst --shard 100000 --drop-store
  toolgen generate my_tools.json --count 100000 --engine ray --address 10.0.0.1:6379

The same command continues a run that was interrupted or killed, a larger --count extends it, and a finished run
says so. The records depend on the tools and the options alone: not on the engine, --jobs,
--max-concurrency or interruptions.

\b
A job file is TOML or JSON; options win over it. Its keys:
  {keys}

\b
Exit codes:
{codes}""".format(
    keys=", ".join(JOB_KEYS), codes="\n".join(f"  {code:>3}  {text}" for code, text in EXIT_CODES.items())
)


@click.command(epilog=_EPILOG)
@click.argument("tools", metavar="[TOOLS]...", nargs=-1)
@click.option("--count", type=int, metavar="N", help="Records to make.  [default: 100]")
@click.option("--range", "part", metavar="A:B", help="Make a part of them, from A up to B - 1, for `toolgen merge`.")
@click.option("--seed", type=int, metavar="S", help=f"Another seed gives other records.  [default: {DEFAULT_SEED}]")
@click.option("--out", type=FilePath(), metavar="DIR", help="The run's folder.  [default: output/NAME-DIGEST]")
@click.option("--author", type=Choice(get_args(AuthorName)), help="Who writes the texts.  [default: offline]")
@makers_option()
@click.option(
    "--engine",
    type=Choice(list(ENGINE_CHOICES)),
    default="local",
    show_default=True,
    help=f"Where records are made: {', or '.join(ENGINE_CHOICES.values())}.",
)
@click.option(
    "--address",
    default="",
    metavar="A",
    help="The Ray cluster: HOST:PORT of its head, or auto, on a node of it.  [default: $RAY_ADDRESS, else one that is "
    "begun here]",
)
@click.option("--mix", metavar="KIND=W,...", help="Kinds and their weights.")
@click.option("--error-rate", type=float, metavar="P", help="Share of calls that fail, 0 to 1.  [default: 0.1]")
@click.option("--locale", metavar="L,...", help="Locales of names and places.  [default: en_US]")
@click.option(
    "--reference-date",
    metavar="DATE",
    help=f"The last day that is a record's today.  [default: {DEFAULT_REFERENCE_DATE}]",
)
@click.option(
    "--days",
    type=int,
    metavar="N",
    help=f"Spread the records' todays over N days up to that date; 1: one day for all.  [default: {DEFAULT_DAYS}]",
)
@click.option(
    "--domain", "domains", multiple=True, metavar="FILE", help="A domain file: what is known of the tools. Repeatable."
)
@click.option("--compress", type=Choice(get_args(Compression)), help="Pack the published records.  [default: none]")
@click.option("--shard", type=int, metavar="N", help="Publish files of N records each, and not one of all.")
@click.option(
    "--drop-store",
    is_flag=True,
    help="Delete run.db when all is made, and the model's answers with it: see --keep-answers.",
)
@click.option("--keep-answers", is_flag=True, help="Let --drop-store leave answers.jsonl, so that the run can go on.")
@click.option(
    "--publish-to",
    default="",
    metavar="URL",
    help="When all is made, bring the published files to any URL that fsspec knows, as `toolgen push` does.",
)
@click.option("--resume", is_flag=True, help="Continue the run in the folder; the same command does so anyway.")
@click.option("--skip-invalid", is_flag=True, help="Go on without the definitions that cannot be used.")
@click.option(
    "--on-conflict",
    type=Choice(("refuse", "source")),
    help="Different definitions of one name: refuse, or keep each source's own.  [default: refuse]",
)
@click.option("--job", "job_file", type=FilePath(), metavar="FILE", help="Read the job from this file.")
@click.option("--allow-code", is_flag=True, help="Let the job file name Python functions: their modules are run.")
@click.option("--no-metadata", is_flag=True, help="Records hold messages and tools alone.")
@click.option("--max-length", type=int, metavar="N", help="The most tokens of a record; longer ones are made anew.")
@tokenizer_option
@click.option("--mask", type=float, metavar="P", help="Share of records with scrambled names, 0 to 1.  [default: 0]")
@click.option("--no-grounding", is_flag=True, help="Metadata do not say where each argument comes from.")
@click.option(
    "--world", is_flag=True, help="Metadata tell what the calls changed, and the world's digests around them."
)
@click.option(
    "--freedom",
    type=Choice(get_args(Freedom)),
    help="Whose the values of a model's calls are: its own, in the world it is shown, or the plan's.  [default: world]",
)
@click.option(
    "--verify",
    type=Choice(get_args(Verify)),
    help="When a second opinion is asked for: blind (it must arrive at the same calls), judge (it reads the record), "
    "both, off, or where a value is but asserted, a rule doubts or the claim rests on wording.  [default: auto]",
)
@click.option("--verify-model", metavar="M", help="The model that is asked for it.  [default: the same]")
@click.option("--verify-base-url", metavar="URL", help="The server that is asked for it.  [default: the same]")
@click.option("--verify-api-key-env", metavar="NAME", help="The environment variable with the key of that server.")
@click.option(
    "--results",
    type=Choice(get_args(Results)),
    help="Who writes the results of tools whose effect no domain knows: the model, or a world that fills their shape.  "
    "[default: world]",
)
@click.option(
    "--proof",
    type=Choice(get_args(Proof)),
    help="What may vouch for a value: any, or the text alone, and no model.  [default: any]",
)
@model_options
@click.option(
    "--grace",
    type=click.FloatRange(0, 3600),
    metavar="S",
    help="Seconds that a run which is stopped waits for the answers in flight; Ctrl-C again ends it at once.  "
    "[default: 8]",
)
@click.option(
    "--no-domains", is_flag=True, help="Derive the domains that are missing; do not have the model write them first."
)
@unattended_options
@click.option("--dry-run", is_flag=True, help="Print the plan; write nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--verbose", is_flag=True, help="Tell all of the run at its end: kinds, rules, coverage, tokens.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary (or the plan) as JSON on stdout.")
def command(
    out: Path | None,
    jobs: int,
    part: str | None,
    publish_to: str,
    resume: bool,
    job_file: Path | None,
    grace: float | None,
    allow_code: bool,
    dry_run: bool,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Generate records from tool files: only those that pass the full validator.

    TOOLS are files, folders or globs with ADM, OpenAI, MCP, Anthropic or bare definitions in JSON, JSON lines or
    YAML, or - for standard input. Without TOOLS the bundled ones are used.
    """
    from generator.engines.engine import EngineOptions
    from generator.runs.job_file import read_job, requested_range

    model, drop = take_model_options(options), (options.pop("drop_store"), options.pop("keep_answers"))
    model |= {name: options.pop(name) for name in ("verify_base_url", "verify_api_key_env")}
    used = EngineOptions(jobs, model["max_concurrency"], engine=options.pop("engine"), address=options.pop("address"))
    requested = read_job(given_options(options), job_file, allow_code=allow_code)
    note(f"planning {requested.job.count:,} records", quiet=quiet or dry_run or not sys.stderr.isatty())
    catalog = _kept_catalog(requested, quiet=quiet)
    job, session = complete(requested.job, model, quiet=quiet)
    indices = requested_range(requested, part)
    folder = out or _usual_folder(job, catalog, indices)
    if dry_run:
        return _show_plan(job, catalog, folder, session, indices, as_json=as_json)
    if resume and not folder.exists():
        note(f"{folder}: no run to resume there, so it begins", quiet=quiet)
    _require_url(publish_to)
    told = Told(quiet, verbose, as_json, _again(requested.sources, folder, used))
    return _run(_Asked(job, catalog, indices, *drop, publish_to), folder, used, _with_grace(session, grace), told)


def _kept_catalog(requested: RequestedJob, *, quiet: bool) -> Catalog:
    """Load the tools, which stay for the life of the process."""
    from generator.garbage_collection import not_looked_for, take_for_kept

    with not_looked_for():
        catalog = load_requested_tools(requested, quiet=quiet)
        take_for_kept()
    return catalog


def _with_grace(session: LLMSession | None, grace: float | None) -> LLMSession | None:
    return session if session is None or grace is None else replace(session, grace=grace)


def _usual_folder(job: Job, catalog: Catalog, indices: range | None) -> Path:
    from generator.runs.identity import resolve_with

    name = f"{job.name}-{resolve_with(job, catalog).identity[:8]}"
    return Path("output") / (name if indices is None else f"{name}-{indices.start}-{indices.stop}")


class _Asked(NamedTuple):
    """What is asked for: a job with its catalog, or a range of it."""

    job: Job
    catalog: Catalog
    indices: range | None
    drop_store: bool = False
    keep_answers: bool = False
    publish_to: str = ""
    """Where the files go besides, when all is made; "" for nowhere."""

    def require_droppable(self) -> None:
        """Refuse to drop a store that holds what was published nowhere, and to keep what would stay anyway.

        Raises:
            UsageError: it does.
        """
        held = {
            "a part is merged from it": self.indices is not None,
            "without metadata the records cannot be read back": not self.job.metadata,
        }
        if self.drop_store and (why := next((each for each, holds in held.items() if holds), None)):
            raise UsageError(f"--drop-store: {why}; leave it out")
        if self.keep_answers and not self.drop_store:
            raise UsageError("--keep-answers: answers are kept unless --drop-store is given; leave it out")

    def drop(self, report: RunReport) -> None:
        """Delete what is asked to be deleted, where all is made."""
        from generator.runs.dropped import drop_store

        summary = report.summary
        if self.drop_store and summary.status == "complete":
            drop_store(report.folder, summary.records, keep_answers=self.keep_answers)
        elif self.drop_store:
            tell(f"note: not all is made, so {report.folder.database} stays", err=True)


def _show_plan(
    job: Job,
    catalog: Catalog,
    folder: Path,
    session: LLMSession | None,
    indices: range | None,
    *,
    as_json: bool,
) -> int:
    """Print the plan of a run."""
    from generator.reports.plan import plan_document, plan_text

    plan = plan_document(job, catalog, folder, session, indices)
    if as_json:
        say_json(dump_pretty(plan))
    else:
        tell(plan_text(plan))
    return 0


def _again(sources: Iterable[object], folder: Path, engine: EngineOptions) -> str:
    """Return the command that goes on: the same, or, where the tools came from stdin, that of the run's own job."""
    given = click.get_current_context().find_root().obj
    if given and "-" not in map(str, sources):
        return shlex.join(["toolgen", *given])
    used = ["--jobs", str(engine.jobs)] if engine.engine == "local" else ["--engine", engine.engine]
    where = ["--address", engine.address] if engine.address else []
    return shlex.join(["toolgen", "generate", "--job", str(folder / "job.json"), "--out", str(folder), *used, *where])


def _run(asked: _Asked, folder: Path, engine: EngineOptions, session: LLMSession | None, told: Told) -> int:
    from generator.cli.screen import progress_screen
    from generator.run import run_job
    from generator.scenarios.planner import Planner

    note_outcome(folder)
    asked.require_droppable()
    job, catalog, indices = asked.job, asked.catalog, asked.indices
    planner = Planner(job, catalog)
    if session is None and not told.quiet:
        _tell_shortages(planner, job.count)
        _tell_room(job, catalog, planner, folder, range(job.count) if indices is None else indices)
    with progress_screen(quiet=told.quiet) as on_progress, outcome_noted(folder):
        report = run_job(
            job,
            catalog,
            folder,
            engine=engine,
            planner=planner,
            session=session,
            indices=indices,
            on_progress=on_progress,
        )
    budget = None if session is None else session.budget
    cost = budget.in_words() if budget is not None and budget.limits.price is not None else ""
    asked.drop(report)
    code = conclude(report, [tool.name for tool in catalog.tools], told, cost)
    if asked.publish_to and report.summary.status == "complete":
        _publish(report, asked.publish_to, told)
    return code


def _require_url(target: str) -> None:
    """Refuse, before anything is made, what the files of a run could not be brought to.

    Raises:
        UsageError: it is no URL, what reaches it is not installed, or it is the hub, which takes data sets.
    """
    from generator.datasets.pushing import HUB, check_remote

    if target.startswith(HUB):
        raise UsageError(f"--publish-to: {target} takes data sets: export the run, and `toolgen push` that")
    if target:
        check_remote(target)


def _publish(report: RunReport, target: str, told: Told) -> None:
    """Bring the published files of a run to a URL.

    Raises:
        PushError: it refused or failed; what counted there before counts still.
    """
    from generator.datasets.pushing import files_of_run, push_to_remote
    from generator.runs.record_files import record_files

    run = report.folder
    names = [*(path.name for path in record_files(run.path)), run.rejections.name]
    note(f"published to {push_to_remote(files_of_run(run, names), target)}", quiet=told.quiet)


def _tell_room(job: Job, catalog: Catalog, planner: Planner, folder: Path, indices: range) -> None:
    """Warn beforehand where the disk has less room than a large run takes that is not begun yet."""
    from generator.reports.plan import WORTH_A_LOOK, in_bytes, room_left, room_needed

    if len(indices) < WORTH_A_LOOK or (folder / "run.db").exists():
        return
    needed, left = room_needed(job, catalog, planner, indices), room_left(folder)
    if needed > left:
        told = f"the run takes about {in_bytes(needed)}, and the disk of {folder} has {in_bytes(left)} left"
        tell(f"warning: {told}", err=True, event="warning")


def _tell_shortages(planner: Planner, count: int) -> None:
    """Say beforehand for which kinds the requests will be spent; a model finds words that no domain holds."""
    from generator.scenarios.planner import shortages

    if short := shortages(planner, count):
        tell(f"note: there are fewer different requests than records: {', '.join(map(str, short))}", err=True)
