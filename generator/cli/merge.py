"""`toolgen merge`: runs of ranges of one job, joined to the run of the whole."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.model_options import complete, server_options, take_model_options
from generator.cli.option_types import FilePath, makers_option
from generator.cli.run_end import Told, conclude, outcome_noted
from generator.cli.screen import progress_screen
from generator.cli.unattended_options import note_outcome, unattended_options

if TYPE_CHECKING:  # what makes records is not needed to define a command
    from generator.authors.llm.session import LLMSession
    from generator.job import Job


@click.command(
    epilog="""\b
Examples:
  toolgen merge parts/* -o runs/whole
  toolgen merge parts/0 parts/1 parts/3 -o runs/whole --fill --jobs 2
  toolgen merge parts/* -o runs/whole --base-url http://localhost:8000/v1 --max-cost 5 --prices prices.toml

Where a model wrote the parts, what it answered in any of them is not asked again. What none of them was asked is
asked where --base-url, --api-key-env or --protocol name a server; else it is told how much that is (exit code 1).

The same command goes on with a merge that was interrupted or killed. The parts are left as they are.

Exit codes: 0 good, 1 the parts leave records out, or fewer than asked could be made, 2 usage: parts of different
jobs, 3 the server failed, 4 a limit was reached, 5 a part is damaged or not finished, 75 a process is at work on a
part or on the run."""
)
@click.argument("folders", metavar="FOLDERS...", nargs=-1, required=True, type=FilePath())
@click.option("--output", "-o", "out", required=True, type=FilePath(), metavar="DIR", help="The folder of the run.")
@click.option("--fill", is_flag=True, help="Make what is in no part, rather than to name it.")
@makers_option("make what --fill asks for")
@server_options
@click.option("--verify-base-url", metavar="URL", help="The server that is asked for second opinions.")
@click.option("--verify-api-key-env", metavar="NAME", help="The environment variable with the key of that server.")
@unattended_options
@click.option("--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("--verbose", is_flag=True, help="Tell all of the run at its end: kinds, rules, coverage, tokens.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON on stdout.")
def command(
    folders: tuple[Path, ...],
    out: Path,
    fill: bool,
    jobs: int,
    quiet: bool,
    verbose: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Join runs of ranges of one job to the run of the whole.

    FOLDERS are what `toolgen generate --range A:B` made, in any order. The run is to the byte the one that a single
    process makes; what repeats a request of another part is made anew.
    """
    from generator.engines.engine import EngineOptions
    from generator.merge import merge
    from generator.runs.folder import read_catalog

    note_outcome(out)
    model = take_model_options(options) | options
    whom = _Model(model, quiet)
    with progress_screen(quiet=quiet) as on_progress, outcome_noted(out):
        report = merge(
            folders,
            out,
            fill=fill,
            engine=EngineOptions(jobs, model["max_concurrency"]),
            open_session=whom.opened,
            asks=whom.is_named,
            on_progress=on_progress,
        )
    given = click.get_current_context().find_root().obj or ("merge", *map(str, folders), "-o", str(out))
    tools = [tool.name for tool in read_catalog(report.folder.catalog).tools]
    return conclude(report, tools, Told(quiet, verbose, as_json, shlex.join(["toolgen", *given])), whom.cost)


class _Model:
    """Whom the options name to be asked for what no part was answered."""

    def __init__(self, options: dict[str, Any], quiet: bool) -> None:
        self._options = options
        self._quiet = quiet
        self._session: LLMSession | None = None

    @property
    def is_named(self) -> bool:
        """Whether a server is named: a key that lies in the environment is no word that it may be paid for."""
        return any(self._options[name] for name in ("base_url", "api_key_env", "protocol"))

    def opened(self, job: Job) -> tuple[Job, LLMSession | None]:
        """Return the job of the parts with its session, None where no model wrote them."""
        job, self._session = complete(job, self._options, quiet=self._quiet, at_once=self.is_named)
        return job, self._session

    @property
    def cost(self) -> str:
        """What was spent, where there are prices to tell it by."""
        budget = None if self._session is None else self._session.budget
        return budget.in_words() if budget is not None and budget.limits.price is not None else ""
