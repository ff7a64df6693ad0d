"""`toolgen domain`: domain files checked, listed, described."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.assets import asset_folder
from generator.cli.choices import FilePath
from generator.cli.terminal import printable
from generator.errors import DataError
from generator.jsontext import dump_pretty

if TYPE_CHECKING:  # imported where they are used, so that --help costs none of them
    from generator.errors import Problem
    from generator.reports.domains import Checked, Listed

_ROUNDS = 24
_FEWEST = 20
_WIDTH = 140


@click.command(
    epilog="""\b
Examples:
  toolgen domain --check my_tools.domain.yaml my_tools.json
  toolgen domain --list my_tools.json
  toolgen domain --schema -o domain.schema.json
  toolgen domain --reference
  toolgen domain --from-sidecars my_tools.json -o my_tools.domain.json

\b
Exit codes: 0 good, 1 a domain file has problems, 2 usage: a tool file that cannot be used."""
)
@click.argument("tools", metavar="[TOOLS]...", nargs=-1)
@click.option("--check", multiple=True, type=FilePath(), metavar="FILE", help="Try this domain file. Repeatable.")
@click.option(
    "--list", "listing", is_flag=True, help="Tell of each tool who wrote what is known of it, and what lacks."
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of domain files, for editors.")
@click.option("--reference", is_flag=True, help="Print what a domain file may hold, as Markdown.")
@click.option("--from-sidecars", is_flag=True, help="Write a domain file from NAME.frames.json, x_frames and results.")
@click.option("--domain", "domains", multiple=True, type=FilePath(), metavar="FILE", help="A domain file, for --list.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=_ROUNDS, show_default=True, help="Worlds to try.")
@click.option(
    "--fewest",
    type=click.IntRange(0),
    default=_FEWEST,
    show_default=True,
    help="Different requests a tool should have.",
)
@click.option("-o", "--output", type=FilePath(), metavar="FILE", help="Write to this file, not to stdout.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    tools: tuple[str, ...],
    check: tuple[Path, ...],
    listing: bool,
    schema: bool,
    reference: bool,
    from_sidecars: bool,
    domains: tuple[Path, ...],
    rounds: int,
    fewest: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Check, list or describe domain files: what is known of tools beyond their schemas.

    --check goes every way and task of a file over many worlds: arguments must be valid, results fit what the tool
    declares, requests say every value, replies have no empty slot, tasks come to their end, and calls that change
    something change it.
    """
    if sum(map(bool, (check, listing, schema, reference, from_sidecars))) != 1:
        raise click.UsageError("give one of --check, --list, --schema, --reference and --from-sidecars")
    if check:
        _check(check, tools, rounds, fewest, output, as_json=as_json)
    elif listing:
        _list(tools, domains, rounds, output, as_json=as_json)
    elif from_sidecars:
        _convert(tools, output)
    else:
        _describe(output, schema=schema)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text.rstrip("\n"))
    else:
        output.write_text(text, encoding="utf-8")


def _check(
    files: tuple[Path, ...], tools: tuple[str, ...], rounds: int, fewest: int, output: Path | None, *, as_json: bool
) -> None:
    from generator.reports.domains import check_domains

    checked = check_domains(files, tools, rounds=rounds, fewest=fewest)
    _write(dump_pretty(asdict(checked)) if as_json else _table(checked), output)
    for problem in checked.problems if not as_json else ():
        _say("problem", problem)
    for note in checked.notes if not as_json else ():
        _say("note", note)
    if checked.problems:
        many = len(checked.problems)
        raise DataError(f"{many} problem{'s' if many > 1 else ''} in {', '.join(map(str, files))}")


def _say(kind: str, problem: Problem) -> None:
    click.echo(f"{kind}: {printable(str(problem))}", err=True)


def _table(checked: Checked) -> str:
    """Lay out how many requests each tool can be given."""
    rows = [(name, f"{seen:,}", f"{many:,}") for name, (seen, many) in checked.requests.items()]
    return _rows([("tool", "requests met", "requests there may be"), *rows])


def _rows(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return printable("\n".join(lines)) + "\n"


def _list(
    tools: tuple[str, ...], domains: tuple[Path, ...], rounds: int, output: Path | None, *, as_json: bool
) -> None:
    from generator.formats.tool_files import load_catalog
    from generator.reports.domains import list_tools

    sources = list(tools) or [str(asset_folder("tool_specs"))]
    loaded = load_catalog(sources, skip_invalid=True, on_conflict="source", domains=domains)
    for problem in loaded.skipped:
        _say("skipped", problem)
    listed = list_tools(loaded.catalog, rounds=rounds)
    _write(dump_pretty([asdict(each) for each in listed]) if as_json else _listing(listed), output)


def _listing(listed: list[Listed]) -> str:
    rows = [
        (each.tool, each.origin, each.domain, f"{each.requests:,}", ", ".join(each.missing) or "nothing")
        for each in listed
    ]
    return _rows([("tool", "known", "domain", "requests", "missing"), *rows])


def _describe(output: Path | None, *, schema: bool) -> None:
    from generator.reports.domain_reference import domain_schema, reference

    _write(dump_pretty(domain_schema()) if schema else reference(), output)


def _convert(tools: tuple[str, ...], output: Path | None) -> None:
    from generator.reports.old_sidecars import bring_over

    if not tools:
        raise click.UsageError("--from-sidecars: name the tool files")
    brought = bring_over(tools)
    for note in brought.notes:
        _say("note", note)
    _write(dump_pretty(brought.document), output)
