"""`toolgen generate`: records from tool files."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from generator.cli.choices import Choice, FilePath
from generator.cli.given_job import given_options, load_requested_tools, note
from generator.cli.model_options import complete, model_options, take_model_options
from generator.cli.terminal import say, say_json
from generator.errors import EXIT_CODES, DataError, LimitError
from generator.job_choices import DEFAULT_REFERENCE_DATE, JOB_KEYS, AuthorName, Freedom, Proof, Results, Verify
from generator.jsontext import dump_pretty

if TYPE_CHECKING:
    from generator.authors.llm.session import LLMSession
    from generator.domains.catalog import Catalog
    from generator.engines.engine import EngineOptions
    from generator.job import Job
    from generator.run import RunReport
    from generator.runs.summary import Summary
    from generator.scenarios.planner import Planner

_SHOWN_NOTES = 5
_SHOWN_REASONS = 3

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

The same command continues a run that was interrupted or killed, a larger --count extends it, and a finished run
says so. The records depend on the tools and the options alone: not on --jobs, --max-concurrency or interruptions.

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
@click.option("--seed", type=int, metavar="S", help="Another seed gives other records.  [default: 0]")
@click.option("--out", type=FilePath(), metavar="DIR", help="The run's folder.  [default: output/NAME-DIGEST]")
@click.option("--author", type=Choice(get_args(AuthorName)), help="Who writes the texts.  [default: offline]")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that make records.",
)
@click.option("--mix", metavar="KIND=W,...", help="Kinds and their weights.")
@click.option("--error-rate", type=float, metavar="P", help="Share of calls that fail, 0 to 1.  [default: 0.1]")
@click.option("--locale", metavar="L,...", help="Locales of names and places.  [default: en_US]")
@click.option(
    "--reference-date", metavar="DATE", help=f"The day that dates are relative to.  [default: {DEFAULT_REFERENCE_DATE}]"
)
@click.option(
    "--domain", "domains", multiple=True, metavar="FILE", help="A domain file: what is known of the tools. Repeatable."
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
@click.option("--dry-run", is_flag=True, help="Print the plan; write nothing.")
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary (or the plan) as JSON on stdout.")
def command(
    out: Path | None,
    jobs: int,
    resume: bool,
    job_file: Path | None,
    grace: float | None,
    allow_code: bool,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Generate records from tool files: only those that pass the full validator.

    TOOLS are files, folders or globs with ADM, OpenAI, MCP, Anthropic or bare definitions in JSON, JSON lines or
    YAML, or - for standard input. Without TOOLS the bundled ones are used.
    """
    from generator.engines.engine import EngineOptions
    from generator.garbage import not_looked_for, take_for_kept
    from generator.runs.identity import resolve_with
    from generator.runs.job_file import read_job

    model = take_model_options(options)
    model |= {name: options.pop(name) for name in ("verify_base_url", "verify_api_key_env")}
    requested = read_job(given_options(options), job_file, allow_code=allow_code)
    with not_looked_for():
        catalog = load_requested_tools(requested, quiet=quiet)
        take_for_kept()
    job, session = complete(requested.job, model, quiet=quiet)
    if session is not None and grace is not None:
        session = replace(session, grace=grace)
    folder = out or Path("output") / f"{job.name}-{resolve_with(job, catalog).identity[:8]}"
    if dry_run:
        return _show_plan(job, catalog, folder, session, as_json=as_json)
    if resume and not folder.exists():
        note(f"{folder}: no run to resume there, so it begins", quiet=quiet)
    engine = EngineOptions(jobs, model["max_concurrency"])
    return _run(job, catalog, folder, engine, session, quiet=quiet, as_json=as_json)


def _show_plan(job: Job, catalog: Catalog, folder: Path, session: LLMSession | None, *, as_json: bool) -> int:
    """Print the plan of a run."""
    from generator.cli.dry_run import plan_document, plan_text

    plan = plan_document(job, catalog, folder, session)
    if as_json:
        say_json(dump_pretty(plan))
    else:
        say(plan_text(plan))
    return 0


def _run(
    job: Job,
    catalog: Catalog,
    folder: Path,
    engine: EngineOptions,
    session: LLMSession | None,
    *,
    quiet: bool,
    as_json: bool,
) -> int:
    from generator.cli.screen import print_closing, progress_screen
    from generator.run import run_job
    from generator.scenarios.planner import Planner

    planner = Planner(job, catalog)
    if session is None and not quiet:
        _tell_shortages(planner, job.count)
    with progress_screen(quiet=quiet) as on_progress:
        report = run_job(job, catalog, folder, engine=engine, planner=planner, session=session, on_progress=on_progress)
    if not quiet:
        print_closing(report)
        if session is not None and session.budget.limits.price is not None:
            note(session.budget.in_words(), quiet=quiet)
    if as_json:
        say_json(dump_pretty(report.summary.model_dump(mode="json")))
    if report.summary.status == "incomplete":
        raise DataError(_reason(report.summary))
    if report.summary.status == "limited":
        raise LimitError(f"{report.limit}. {_way_on(report, None)}")
    if report.summary.status != "complete":
        say(_way_on(report, None if session else engine.jobs), err=True)
    return report.summary.exit_code


def _tell_shortages(planner: Planner, count: int) -> None:
    """Say beforehand for which kinds the requests will be spent; a model finds words that no domain holds."""
    from generator.scenarios.variety import shortages

    if short := shortages(planner, count):
        say(
            f"more records than different requests, so the run will end without some: {', '.join(map(str, short))}",
            err=True,
        )


def _reason(summary: Summary) -> str:
    """Say how many records are missing, for which rules and tools."""
    from generator.cli.screen import meaning, most_rejected

    rules = [
        f"{rule}: {meaning(rule) or 'see rejections.jsonl'} ({count.rejected:,} attempts with {most_rejected(count)})"
        for rule, count in list(summary.rules.items())[:_SHOWN_NOTES]
    ]
    untried = summary.asked - summary.decided
    missing = summary.decided - summary.records
    stopped = f"; the last {untried:,} were not tried, since nothing came of those before them" if untried else ""
    return (
        f"{summary.records:,} of {summary.asked:,} records were made; {missing:,} could not be, "
        f"whatever was tried: {'; '.join(rules)}{stopped}. {_remedy(summary)}"
    )


def _remedy(summary: Summary) -> str:
    """Say what gives more records: by the rule that rejected most, other tools or another model."""
    from generator.runs.settling import DUPLICATE
    from generator.scenarios.scenario import NOT_PLANNED

    unusable = summary.tokens.unusable
    reason = next(iter(summary.rules), "")
    if reason == DUPLICATE:
        spent = ", ".join(f"{kind} {count.kept:,}" for kind, count in summary.kinds.items() if count.given_up)
        return f"The different requests of these tools are spent ({spent}): more tools or phrases give more records"
    if not unusable or reason == NOT_PLANNED:
        return "More tools, or tools with more parameters, give more records"
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in list(unusable.items())[:_SHOWN_REASONS])
    return (
        f"{sum(unusable.values()):,} answers of the model could not be used ({reasons}): "
        "another --model, more --attempts or prompts of your own give more records"
    )


def _way_on(report: RunReport, jobs: int | None) -> str:
    """Say how to go on; what a run with a server needs beside its job is not kept, so there no command is printed."""
    summary, folder = report.summary, report.folder
    told = f"{summary.status} at {summary.decided:,} of {summary.asked:,}; everything is kept. "
    if jobs is None:
        return f"{told}To go on, run the same command again"
    again = shlex.join(
        ["toolgen", "generate", "--job", str(folder.job), "--out", str(folder.path), "--jobs", str(jobs)]
    )
    return f"{told}To go on, run the same command again, or:\n  {again}"
