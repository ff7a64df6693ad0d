"""`toolgen merge`: runs of ranges of one job, joined to the run of the whole."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from generator.cli.option_types import FilePath, makers_option
from generator.cli.run_end import Told, conclude
from generator.cli.screen import progress_screen
from generator.cli.unattended_options import note_outcome, unattended_options


@click.command(
    epilog="""\b
Examples:
  toolgen merge parts/* -o runs/whole
  toolgen merge parts/0 parts/1 parts/3 -o runs/whole --fill --jobs 2

The same command goes on with a merge that was interrupted or killed. The parts are left as they are.

Exit codes: 0 good, 1 the parts leave records out, or fewer than asked could be made, 2 usage: parts of different
jobs, 5 a part is damaged or not finished, 75 a process is at work on a part or on the run."""
)
@click.argument("folders", metavar="FOLDERS...", nargs=-1, required=True, type=FilePath())
@click.option("--output", "-o", "out", required=True, type=FilePath(), metavar="DIR", help="The folder of the run.")
@click.option("--fill", is_flag=True, help="Make what is in no part, rather than to name it.")
@makers_option("make what --fill asks for")
@unattended_options
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--verbose", is_flag=True, help="Tell all of the run at its end: kinds, rules, coverage, tokens.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON on stdout.")
def command(
    folders: tuple[Path, ...], out: Path, fill: bool, jobs: int, quiet: bool, verbose: bool, as_json: bool
) -> int:
    """Join runs of ranges of one job to the run of the whole.

    FOLDERS are what `toolgen generate --range A:B` made, in any order. The run is to the byte the one that a single
    process makes; what repeats a request of another part is made anew.
    """
    from generator.engines.engine import EngineOptions
    from generator.merge import merge
    from generator.runs.folder import read_catalog

    note_outcome(out)
    with progress_screen(quiet=quiet) as on_progress:
        report = merge(folders, out, fill=fill, engine=EngineOptions(jobs), on_progress=on_progress)
    given = click.get_current_context().find_root().obj or ("merge", *map(str, folders), "-o", str(out))
    tools = [tool.name for tool in read_catalog(report.folder.catalog).tools]
    return conclude(report, tools, Told(quiet, verbose, as_json, shlex.join(["toolgen", *given])))
