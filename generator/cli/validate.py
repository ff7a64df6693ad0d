"""`toolgen validate`: check records by every rule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.cli.data_set_options import answers_option, expected_option, jobs_option
from generator.cli.option_types import Choice
from generator.cli.terminal import say_command, say_json, say_line
from generator.datasets.checking import Expected, tasks_of
from generator.datasets.origin import FormatReader, any_format
from generator.errors import UsageError
from generator.formats import FORMATS
from generator.reports.violations import REPORTS, CheckReport, GroupedReport, Limit, Report, closing_lines
from generator.validation.entities import ENTITIES
from generator.validation.rule_reference import choose_rules
from generator.validation.verdict import Mode, Severity, Standard

if TYPE_CHECKING:
    from generator.domains.catalog import Catalog

_AUTO, _AS_IT_STANDS = "auto", "canonical"
_CONFIDENCES: dict[str, Severity] = {"certain": "error", "likely": "warning", "unsure": "note"}
_RECORD_FORMATS = [name for name, known in FORMATS.items() if known.load_record is not None]


class Look(NamedTuple):
    """How the findings are shown."""

    json: bool
    sarif: bool
    github: bool
    statistics: bool

    @property
    def for_programs(self) -> bool:
        """Whether stdout is read by a program, to which stderr then adds nothing."""
        return self.json or self.sarif

    def say(self, line: str) -> None:
        """Print one line of the report."""
        if self.for_programs:
            say_json(line)
        elif self.github:
            say_command(line)
        else:
            say_line(line)

    def report(self) -> Report:
        """Make the report."""
        given = [name for name, is_given in self._asdict().items() if is_given]
        if len(given) > 1:
            raise UsageError("give one of --json, --sarif, --github and --statistics")
        return REPORTS[given[0]]() if given else GroupedReport()


@click.command(
    epilog="""\b
Examples:
  toolgen validate runs/mine
  toolgen validate train.jsonl.gz --tools my_tools.json --strict --jobs 0
  toolgen validate others.jsonl --select OA,ADM --ignore ADM004 --statistics
  curl -s URL | toolgen validate - --json
  toolgen validate requests.jsonl --format openai-request

\b
The rules: toolgen rules, toolgen rule CODE.

Exit codes: 0 every record passed (warnings allowed, but with --strict), 1 a record failed or there was none, or a
file that shows tools yielded no call, 2 usage, 5 a file could not be read to its end."""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--tools",
    multiple=True,
    metavar="FILE",
    help="Tool files whose result schemas hold for the results; else the catalog.json beside the records.",
)
@click.option(
    "--format",
    "form",
    type=Choice([_AUTO, _AS_IT_STANDS, *_RECORD_FORMATS, *ENTITIES]),
    default=_AUTO,
    show_default=True,
    metavar="NAME",
    help=f"How to read each line. {_AUTO}: by what it holds; {_AS_IT_STANDS}: as a canonical record, as it stands; "
    f"a format of records: {', '.join(_RECORD_FORMATS)}; or what is no record: {', '.join(ENTITIES)}.",
)
@click.option(
    "--mode",
    type=Choice(["auto", "written", "read"]),
    default="auto",
    show_default=True,
    help="Hold records to all that toolgen demands of what it writes, or to what any reader needs; "
    "auto: by each record's metadata, and all of a run's.",
)
@click.option("--select", multiple=True, metavar="CODE,...", help="Only these rules, by their codes or their starts.")
@click.option("--ignore", multiple=True, metavar="CODE,...", help="All rules but these.")
@answers_option
@expected_option
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@click.option(
    "--strict-format",
    is_flag=True,
    help="Hold records to the letter of their format: ids, limits of strict tools, line breaks, calls without a "
    "response and foreign fields are errors, not warnings.",
)
@click.option(
    "--min-confidence",
    type=Choice(list(_CONFIDENCES)),
    default="unsure",
    show_default=True,
    help="Tell only what is at least so sure: certain (errors), likely (and warnings), unsure (and notes).",
)
@click.option("--statistics", is_flag=True, help="Print one line per broken rule: violations, records, summary.")
@click.option("--json", is_flag=True, help="Print JSON Lines: one object per violation, a summary last.")
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code scanners.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions.")
@click.option("--max-violations", type=click.IntRange(min=0), metavar="N", help="Print the first N, count the rest.")
@jobs_option("check")
def command(
    files: tuple[str, ...],
    tools: tuple[str, ...],
    form: str,
    mode: Mode,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    answers: str | None,
    expected: Expected,
    strict: bool,
    strict_format: bool,
    min_confidence: str,
    max_violations: int | None,
    jobs: int,
    **looks: bool,
) -> int:
    """Check records by every rule.

    They come in JSON Lines files, run folders, or from stdin (-). Arrays of JSON, Parquet, Arrow and the folders of
    data sets are read as well, and archives (gz, zst) unpacked; files of any size take the same memory.
    Prints the violations by rule, with their first places, and what was read.
    """
    look = Look(**looks)
    report = look.report()
    standard = Standard(
        _load_tools(tools),
        mode,
        rules=choose_rules(_words(select), _words(ignore)),
        form_is_told=form != _AUTO,
        strict_format=strict_format,
        weakest=_CONFIDENCES[min_confidence],
    )
    tasks = tasks_of(files, answers, _read_as(form, standard))
    return _print_check(CheckReport(tasks, report, Limit(max_violations), expected, strict), jobs, look)


def _print_check(check: CheckReport, jobs: int, look: Look) -> int:
    """Print the report of a check while it runs, and return its exit code."""
    for line in check.lines(jobs):
        look.say(line)
    verdict = check.verdict()
    for line in check.report.end(verdict):
        look.say(line)
    for line in closing_lines(verdict) if not look.for_programs else ():
        say_line(line, err=True)
    if check.failure is not None:
        raise check.failure
    return verdict.exit_code


def _words(options: tuple[str, ...]) -> list[str]:
    return [word for option in options for word in option.replace(",", " ").split()]


def _load_tools(tools: tuple[str, ...]) -> Catalog | None:
    if not tools:
        return None
    from generator.formats.loading.tool_files import load_catalog

    return load_catalog(tools).catalog


def _read_as(form: str, standard: Standard) -> Standard:
    if form in ENTITIES:
        return replace(standard, judge=ENTITIES[form])
    if form == _AS_IT_STANDS:
        return standard
    return replace(standard, reader=any_format if form == _AUTO else FormatReader(form))
