"""`toolgen build`: a data set from its job file, made anew where something changed, proven, and published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.job_options import note, tell_of
from generator.cli.model_options import complete
from generator.cli.option_types import FilePath, makers_option
from generator.cli.terminal import say_json, tell
from generator.cli.unattended_options import note_outcome, unattended, unattended_options
from generator.errors import DataError, LimitError
from generator.jsontext import dump_pretty

if TYPE_CHECKING:  # imported where they are used, so that --help costs none of them
    from generator.authors.llm.session import LLMSession
    from generator.builds.build import BuildReport, Order
    from generator.builds.settings import RequestedBuild
    from generator.job import Job


@click.command(
    epilog="""\b
Examples:
  toolgen init my_tools.json
  toolgen build toolgen.toml --check
  toolgen build toolgen.toml
  toolgen verify output/toolgen/latest

\b
Exit codes:
    0  published, or nothing changed
    1  a gate was missed, which is named: the build is kept aside, and `latest` stays
    2  usage, or the job file; 3 a server; 4 a limit was reached; 5 the disk
   75  another build of the job is at work; 130 interrupted; 143 terminated"""
)
@click.argument("job", type=FilePath(), metavar="JOB.toml")
@click.option("--out", type=FilePath(), metavar="DIR", help="The folder of its builds.  [default: output/NAME]")
@click.option("--check", is_flag=True, help="Prove the job, its tools, its server and its gates; make no record.")
@click.option("--full", is_flag=True, help="Make every record anew, whatever changed.")
@click.option("--allow-code", is_flag=True, help="Let the job file name Python functions: their modules are run.")
@makers_option()
@unattended_options
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the manifest (or what --check found) as JSON on stdout.")
def command(
    job: Path, out: Path | None, check: bool, full: bool, allow_code: bool, jobs: int, quiet: bool, as_json: bool
) -> int:
    """Build a data set from its job file: only what changed, proven, published.

    Builds lie in output/NAME/builds, and `latest` there leads to the last one that passed every gate. Records that
    show no changed tool stay as they are, to the byte. Nothing changed: nothing is written.
    """
    from generator.builds.settings import read_build

    asked = read_build(job, allow_code=allow_code)
    folder = out or Path("output") / asked.requested.job.name
    note_outcome(folder)
    if not (check or full) and (latest := _unchanged(asked, folder)) is not None:
        return _tell_unchanged(latest, quiet=quiet, as_json=as_json)
    order = _order(asked, folder, full=full, jobs=jobs, quiet=quiet)
    if check:
        return _check(order, quiet=quiet, as_json=as_json)
    return _build(order, quiet=quiet, as_json=as_json)


def _unchanged(asked: RequestedBuild, folder: Path) -> Path | None:
    """Return the latest build where nothing changed, seen without what a build needs; None where servers are asked."""
    from generator.builds.folder import BuildsFolder
    from generator.builds.inputs import find_unchanged, inputs_of

    return None if asked.settings.mcp else find_unchanged(BuildsFolder(folder), asked, inputs_of(asked, ()))


def _tell_unchanged(latest: Path, *, quiet: bool, as_json: bool) -> int:
    if as_json:
        say_json((latest / "manifest.json").read_text(encoding="utf-8"))
    note(f"nothing changed: {latest} stays the latest build", quiet=quiet)
    if unattended().metrics is not None:
        from generator.builds.manifest import read_manifest, read_summary

        manifest = read_manifest(latest)
        note_outcome(latest, read_summary(latest), kept=manifest.records, build=latest.name.rpartition("-")[2])
    return 0


def _order(asked: RequestedBuild, folder: Path, *, full: bool, jobs: int, quiet: bool) -> Order:
    from generator.builds.build import Order
    from generator.builds.settings import model_options
    from generator.engines.engine import EngineOptions

    options = dict(model_options(asked.settings, asked.file))

    def completed(job: Job) -> tuple[Job, LLMSession | None]:
        return complete(job, options, quiet=quiet)

    return Order(
        asked,
        folder,
        full=full,
        complete=completed,
        engine=EngineOptions(jobs, asked.settings.server.max_concurrency),
        told=lambda message: note(message, quiet=quiet),
        loaded=lambda loaded: tell_of(loaded, quiet=quiet),
    )


def _build(order: Order, *, quiet: bool, as_json: bool) -> int:
    from dataclasses import replace

    from generator.builds.account import account
    from generator.builds.build import build
    from generator.cli.screen import progress_screen

    with progress_screen(quiet=quiet) as on_progress:
        report = build(replace(order, on_progress=on_progress))
    _note(report, order.out)
    if as_json and report.manifest is not None:
        say_json(dump_pretty(report.manifest.model_dump(mode="json", by_alias=True)))
    if not quiet:
        for line in account(report):
            tell(line, err=True)
    return _ended(report)


def _note(report: BuildReport, folder: Path) -> None:
    """Tell the end of the command what became of the build."""
    from generator.builds.manifest import read_summary

    manifest, build = report.manifest, report.folder
    if build is None or manifest is None:
        note_outcome(folder, report.summary)
    else:
        digest = "" if report.ending == "missed" else build.name.rpartition("-")[2]
        kept = manifest.records if report.ending == "unchanged" else manifest.kept
        note_outcome(build, report.summary or read_summary(build), kept=kept, build=digest)


def _ended(report: BuildReport) -> int:
    """Return the exit code of a build that was published, or stopped by a signal.

    Raises:
        DataError: it missed a gate.
        LimitError: a limit stopped it.
    """
    if report.ending == "missed" and report.manifest is not None:
        raise DataError(
            "\n".join(f"the gate was missed: {gate}" for gate in report.manifest.missed)
            + f"\n{report.folder}: is kept aside, and `latest` stays where it is"
        )
    if report.ending == "stopped" and report.summary is not None:
        if report.summary.status == "limited":
            raise LimitError(f"{report.limit}; what was made is kept: the same command goes on")
        return report.summary.exit_code
    return 0


def _check(order: Order, *, quiet: bool, as_json: bool) -> int:
    from generator.builds.account import check_lines
    from generator.builds.checking import check

    found = check(order)
    if as_json:
        say_json(dump_pretty(found.document))
    elif not quiet:
        for line in check_lines(found.document):
            tell(line)
    return 0
