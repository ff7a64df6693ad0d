"""`toolgen prompts`: what the llm author would say to its model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from generator.assets import asset_folder
from generator.cli.option_types import Choice, FilePath
from generator.cli.terminal import say, say_json
from generator.errors import JobError
from generator.job_choices import Freedom
from generator.jsontext import dump_pretty

if TYPE_CHECKING:  # imported where it is used, so that --help costs nothing
    from generator.authors.llm.prompts import Prompts
    from generator.domains.catalog import Catalog
    from generator.job import Job
    from generator.scenarios.scenario import Scenario

OF_RECORDS = (
    "draft", "continue", "request", "irrelevance", "reply", "repair", "results", "verify/blind", "verify/judge"
)  # fmt: skip
OF_DOMAINS = ("domain/world", "domain/tools", "domain/tasks", "domain/review")
NAMES = (*OF_RECORDS, *OF_DOMAINS)


@click.group(
    epilog="""\b
Examples:
  toolgen prompts show draft --scenario 0 my_tools.json
  toolgen prompts show reply --scenario 3 --json
  toolgen prompts show domain/tools my_tools.json"""
)
def command() -> None:
    """Print the messages that --author llm sends."""


@command.command(
    epilog="""\b
Examples:
  toolgen prompts show draft --scenario 0 my_tools.json
  toolgen prompts show reply --scenario 3 --prompts my_prompts my_tools.json
  toolgen prompts show domain/world my_tools.json

Exit codes: 0 good, 2 usage: a prompt or tool file that cannot be used, or a scenario that has no such prompt."""
)
@click.argument("name", metavar="NAME", type=Choice(NAMES))
@click.argument("tools", metavar="[TOOLS]...", nargs=-1)
@click.option(
    "--scenario", "index", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Which."
)
@click.option("--step", type=click.IntRange(min=0), metavar="K", help="Which step, where several ask with this prompt.")
@click.option("--seed", type=int, metavar="S", help="The run's seed.  [default: 0]")
@click.option("--mix", metavar="KIND=W,...", help="Kinds and their weights.")
@click.option("--error-rate", type=float, metavar="P", help="Share of calls that fail, 0 to 1.  [default: 0.1]")
@click.option("--locale", metavar="L,...", help="Locales of names and places.  [default: en_US]")
@click.option("--freedom", type=Choice(get_args(Freedom)), help="Whose the values are.  [default: world]")
@click.option("--prompts", type=FilePath(), metavar="DIR", help="Prompts of your own.")
@click.option("--job", "job_file", type=FilePath(), metavar="FILE", help="Read the job from this file.")
@click.option("--allow-code", is_flag=True, help="Let the job file name Python functions: their modules are run.")
@click.option("--skip-invalid", is_flag=True, help="Go on without the definitions that cannot be used.")
@click.option("--json", "as_json", is_flag=True, help="Print the messages as JSON.")
def show(
    name: str,
    index: int,
    step: int | None,
    prompts: Path | None,
    job_file: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Print the exact messages of one prompt for scenario N of a run over these tools.

    NAME is draft, continue, request, irrelevance, reply, repair, results, verify/blind or verify/judge. What depends
    on the model's own answers is shown with stand-ins: texts of the offline author, an empty answer for repair.

    domain/world, domain/tools, domain/tasks and domain/review are of no scenario: they are what a model is asked
    that writes the domain of the first of these toolsets, over what is known of it so far.
    """
    from generator.authors.llm.prompts import load_prompts

    texts = load_prompts(prompts or asset_folder("prompts"))
    if name in OF_DOMAINS:
        messages = _of_domain(texts, name, job_file, options)
    else:
        from generator.authors.llm.preview import prompt_messages

        messages = prompt_messages(texts, _plan(index, job_file, options), name, step)
    if as_json:
        say_json(dump_pretty(messages))
    else:
        from generator.reports.plan import message_lines

        say("\n".join(message_lines(messages)))


def _of_domain(texts: Prompts, name: str, job_file: Path | None, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the question for one part of the domain of the first toolset."""
    from generator.domain_writing import shown_question

    _, catalog = _load(job_file, options)
    return [{"role": "user", "content": shown_question(texts, name, catalog)}]


def _load(job_file: Path | None, options: dict[str, Any]) -> tuple[Job, Catalog]:
    from generator.cli.job_options import given_options, load_requested_tools
    from generator.runs.job_file import read_job

    allowed = options.pop("allow_code")
    requested = read_job(given_options(options), job_file, allow_code=allowed)
    return requested.job, load_requested_tools(requested, quiet=False)


def _plan(index: int, job_file: Path | None, options: dict[str, Any]) -> Scenario:
    from generator.scenarios.planner import Planner, first_plan
    from generator.scenarios.scenario import PlanError

    job, catalog = _load(job_file, {"author": "llm", **options})
    scenario = first_plan(Planner(job, catalog), job, index)
    if isinstance(scenario, PlanError):
        raise JobError(f"scenario {index} cannot be planned: {scenario}; choose another with --scenario")
    return scenario
