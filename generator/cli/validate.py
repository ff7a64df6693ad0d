"""`toolgen validate`: check records by every rule."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import click
import orjson

from generator.cli.choices import Choice
from generator.cli.terminal import printable
from generator.errors import UsageError
from generator.formats import FORMATS
from generator.runs.folder import RunFolder, read_catalog
from generator.tools.catalog import Catalog
from generator.validation.lines import RESULT_RULES, Located, Mode, Tally, check_lines

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of records, and the catalog that was found for it."""

    name: str
    path: Path | None
    catalog: Catalog | None


@dataclass(slots=True)
class Printer:
    """Prints violations as they are found, up to a limit."""

    as_json: bool
    limit: int | None
    found: int = 0

    def say(self, source: str, located: Located) -> None:
        """Print one violation, unless there were too many."""
        self.found += 1
        if self.limit is None or self.found <= self.limit:
            click.echo(_json_line(source, located) if self.as_json else _text_line(source, located))

    @property
    def held_back(self) -> int:
        """How many violations were found and not printed."""
        return 0 if self.limit is None else max(0, self.found - self.limit)


@click.command(
    epilog="""\b
Examples:
  toolgen validate runs/mine
  toolgen validate train.jsonl --tools my_tools.json --strict
  toolgen validate openai.jsonl --format openai
  zcat big.jsonl.gz | toolgen validate - --json

\b
Exit codes: 0 every record passed (warnings allowed, but with --strict), 1 a record failed or there was none,
2 usage, 5 a file could not be read."""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--tools",
    multiple=True,
    metavar="FILE",
    help="Tool files whose result schemas hold for the results; else the catalog.json beside the records.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines: one object per violation, a summary last.")
@click.option(
    "--format",
    "format_name",
    type=Choice([name for name, known in FORMATS.items() if known.load_record is not None]),
    help="Read the records in this format first; without it they are held to the canonical form as they stand.",
)
@click.option(
    "--mode",
    type=Choice(["auto", "written", "read"]),
    default="auto",
    show_default=True,
    help="Hold records to all that toolgen demands of what it writes, or to what any reader needs; "
    "auto: by each record's metadata, and all of a run's.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail too.")
@click.option("--max-violations", type=click.IntRange(min=0), metavar="N", help="Print the first N, count the rest.")
def command(
    files: tuple[str, ...],
    tools: tuple[str, ...],
    as_json: bool,
    format_name: str | None,
    mode: Mode,
    strict: bool,
    max_violations: int | None,
) -> int:
    """Check records by every rule: JSON Lines files, run folders, or - for stdin.

    Prints each violation with its line, rule, JSON pointer and message, and a summary.
    """
    given = _load_tools(tools)
    sources = [_source(name, given) for name in files]
    printer, tally = Printer(as_json, max_violations), Tally()
    load = FORMATS[format_name].load_record if format_name else None
    for source in sources:
        with _open(source) as stream:
            for located in check_lines(stream, tally, catalog=source.catalog, mode=_mode(source, mode), load=load):
                printer.say(source.name, located)
    _close(sources, tally, printer)
    return _exit_code(tally, strict)


def _load_tools(tools: tuple[str, ...]) -> Catalog | None:
    if not tools:
        return None
    from generator.formats.tool_files import load_catalog

    return load_catalog(tools).catalog


def _source(name: str, given: Catalog | None) -> Source:
    """Find the records and their catalog: a run folder's, one beside the file, or the one given."""
    if name == _STDIN:
        return Source("stdin", None, given)
    path = Path(name)
    if path.is_dir():
        path = _records_of(path)
    elif not path.exists():
        raise UsageError(
            f"{name}: there is no such file; give JSON Lines files of records, run folders, or - for stdin"
        )
    beside = RunFolder(path.parent).catalog
    return Source(str(path), path, given or (read_catalog(beside) if beside.is_file() else None))


def _records_of(folder: Path) -> Path:
    path = RunFolder(folder).records
    if not path.is_file():
        raise UsageError(f"{folder}: holds no {path.name}; it is no run, or one that has not published its records yet")
    return path


def _mode(source: Source, mode: Mode) -> Mode:
    """Hold all records of a run to the rules of what is written, also those without metadata."""
    if mode != "auto" or source.path is None:
        return mode
    folder = RunFolder(source.path.parent)
    return "written" if folder.records == source.path and folder.job.is_file() else mode


@contextmanager
def _open(source: Source) -> Iterator[BinaryIO]:
    if source.path is None:
        yield sys.stdin.buffer
    else:
        with source.path.open("rb") as stream:
            yield stream


def _text_line(source: str, located: Located) -> str:
    violation = located.violation
    where = f"{source}:{located.line}: {violation.pointer or '/'}"
    return printable(f"{where}: {violation.severity} {violation.rule}: {violation.message}").replace("\n", "\\n")


def _json_line(source: str, located: Located) -> str:
    violation = located.violation
    return orjson.dumps(
        {
            "file": source,
            "line": located.line,
            "rule": violation.rule,
            "severity": violation.severity,
            "pointer": violation.pointer,
            "message": violation.message,
        }
    ).decode()


def _unchecked(sources: Iterable[Source]) -> list[str]:
    return [source.name for source in sources if source.catalog is None]


def _close(sources: list[Source], tally: Tally, printer: Printer) -> None:
    """Print the summary: the last line of JSON on stdout, or text on stderr."""
    unchecked = _unchecked(sources)
    if printer.as_json:
        click.echo(orjson.dumps({"summary": _summary(tally, unchecked)}).decode())
        return
    if printer.held_back:
        click.echo(f"... and {printer.held_back} more violations", err=True)
    for rule, count in tally.rules.most_common():
        click.echo(f"{count:>8} {rule}  {_summary_of(rule)}", err=True)
    if unchecked:
        names = printable(", ".join(unchecked))
        click.echo(
            f"NOT CHECKED: results by their schemas ({', '.join(RESULT_RULES)}) of {names}; give --tools", err=True
        )
    click.echo(
        f"{tally.records} records, {tally.passed} passed, {tally.errors} errors, {tally.warnings} warnings", err=True
    )


def _summary_of(rule: str) -> str:
    from generator.validation.rules import RULES

    return RULES[rule].summary


def _summary(tally: Tally, unchecked: list[str]) -> dict[str, object]:
    return {
        "records": tally.records,
        "passed": tally.passed,
        "errors": tally.errors,
        "warnings": tally.warnings,
        "rules": dict(tally.rules.most_common()),
        "not_checked": {"rules": list(RESULT_RULES) if unchecked else [], "files": unchecked},
    }


def _exit_code(tally: Tally, strict: bool) -> int:
    if tally.records == 0:
        click.echo("error: there is no record to check", err=True)
        return 1
    return 1 if tally.errors or (strict and tally.warnings) else 0
