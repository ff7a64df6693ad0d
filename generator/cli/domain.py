"""`toolgen domain`: check, list, describe domain files, or have a model write one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.assets import asset_folder
from generator.cli.model_options import JOB_KEYS, complete, model_options
from generator.cli.option_types import FilePath
from generator.cli.tables import laid_out
from generator.cli.terminal import PIPED, columns_of, say, tell
from generator.errors import DataError, UsageError
from generator.jsontext import dump_compact, dump_pretty
from generator.reports.table import Column, Table
from generator.tools import Tool

if TYPE_CHECKING:
    from generator.authors.llm.session import LLMSession
    from generator.domain_writing import Written
    from generator.errors import Problem
    from generator.reports.domains import Checked, Listed

_TOKENS = 16_384
"""What one part may take: worlds are long."""


_ROUNDS = 24
_FEWEST = 20


@click.command(
    epilog="""\b
Examples:
  toolgen domain --check my_tools.domain.yaml my_tools.json
  toolgen domain --list my_tools.json
  toolgen domain --schema -o domain.schema.json
  toolgen domain --reference
  toolgen domain --from-sidecars my_tools.json -o my_tools.domain.json
  toolgen domain my_tools.json --model M --base-url http://localhost:8000/v1 -o my_tools.domain.yaml

Exit codes: 0 good, 1 a domain file has problems, 2 usage: a tool file that cannot be used,
3 the server failed, 4 a limit was reached."""
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
@click.option("--skip-invalid", is_flag=True, help="With --model: go on without the definitions that cannot be used.")
@click.option("--dry-run", is_flag=True, help="With --model: tell requests and tokens; ask and write nothing.")
@model_options
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
    skip_invalid: bool,
    dry_run: bool,
    **options: Any,
) -> None:
    """Check, list, describe or write domain files.

    --check goes every way and task of a file over many worlds: arguments must be valid, results fit what the tool
    declares, requests say every value, replies have no empty slot, tasks come to their end, and calls that change
    something change it.

    With --model a model writes what the file of -o lacks for these tools, part by part; the file is there after each.
    """
    writes = options["model"] is not None
    if sum(map(bool, (check, listing, schema, reference, from_sidecars, writes))) != 1:
        raise click.UsageError("give one of --check, --list, --schema, --reference, --from-sidecars and --model")
    if writes:
        _write_with_model(tools, output, options, skip_invalid=skip_invalid, dry_run=dry_run)
    elif check:
        _check(check, tools, rounds, fewest, output, as_json=as_json)
    elif listing:
        _list(tools, domains, rounds, output, as_json=as_json)
    elif from_sidecars:
        _convert(tools, output)
    else:
        _describe(output, schema=schema)


def _write_with_model(
    tools: tuple[str, ...], output: Path | None, options: dict[str, Any], *, skip_invalid: bool, dry_run: bool
) -> None:
    from generator.formats.loading.tool_files import load_catalog

    if not tools:
        raise click.UsageError("--model: name the tool files")
    loaded = load_catalog(list(tools), skip_invalid=skip_invalid, on_conflict="source", bare=True)
    _tell_skipped(loaded.skipped)
    _write_domain(list(loaded.catalog.tools), output, options, dry_run=dry_run)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        say(text.rstrip("\n"))
    else:
        output.write_text(text, encoding="utf-8")


def _columns(output: Path | None) -> int:
    return columns_of() if output is None else PIPED


def _check(
    files: tuple[Path, ...], tools: tuple[str, ...], rounds: int, fewest: int, output: Path | None, *, as_json: bool
) -> None:
    from generator.reports.domains import check_domains

    checked = check_domains(files, tools, rounds=rounds, fewest=fewest)
    _write(dump_pretty(asdict(checked)) if as_json else _table(checked, _columns(output)), output)
    for problem in checked.problems if not as_json else ():
        _say("problem", problem)
    for note in checked.notes if not as_json else ():
        _say("note", note)
    if checked.problems:
        many = len(checked.problems)
        raise DataError(f"{many} problem{'s' if many > 1 else ''} in {', '.join(map(str, files))}")


def _say(kind: str, problem: Problem) -> None:
    tell(f"{kind}: {problem}", err=True)


def _tell_skipped(problems: Sequence[Problem]) -> None:
    from generator.reports.problems import in_few_words

    for told in in_few_words(problems, everything="`toolgen tools --verbose` tells all"):
        tell(f"skipped: {told}", err=True)


def _table(checked: Checked, columns: int) -> str:
    """Lay out how many requests each tool can be given."""
    heads = (Column("tool", "left"), Column("different requests"), Column("of about"))
    rows = [(name, f"{seen:,}", f"{many:,}") for name, (seen, many) in checked.requests.items()]
    return laid_out(Table(heads, rows), columns) + "\n"


def _list(
    tools: tuple[str, ...], domains: tuple[Path, ...], rounds: int, output: Path | None, *, as_json: bool
) -> None:
    from generator.formats.loading.tool_files import load_catalog
    from generator.reports.domains import list_tools
    from generator.scenarios.rehearsal import tell_unsaid

    sources = list(tools) or [str(asset_folder("tool_specs"))]
    loaded = load_catalog(sources, skip_invalid=True, on_conflict="source", domains=domains)
    _tell_skipped(loaded.skipped)
    listed = list_tools(loaded.catalog, rounds=rounds)
    _write(dump_pretty([asdict(each) for each in listed]) if as_json else _listing(listed, _columns(output)), output)
    for each in listed if not as_json else ():
        if each.unsaid:
            tell(f"note: {each.tool}: no way ever says {tell_unsaid(each.unsaid)}", err=True)


def _listing(listed: list[Listed], columns: int) -> str:
    heads = (Column("tool", "left"), Column("known", "left"), Column("domain", "left"), Column("requests"),
             Column("missing", "left"))  # fmt: skip
    rows = [
        (each.tool, each.origin, each.domain, f"{each.requests:,}", ", ".join(each.missing) or "nothing")
        for each in listed
    ]
    return laid_out(Table(heads, rows), columns) + "\n"


def _describe(output: Path | None, *, schema: bool) -> None:
    from generator.reports.domains import domain_schema, reference

    _write(dump_pretty(domain_schema()) if schema else reference(), output)


def _convert(tools: tuple[str, ...], output: Path | None) -> None:
    from generator.reports.old_sidecars import bring_over

    if not tools:
        raise click.UsageError("--from-sidecars: name the tool files")
    brought = bring_over(tools)
    for note in brought.notes:
        _say("note", note)
    _write(dump_pretty(brought.document), output)


def _write_domain(tools: list[Tool], output: Path | None, options: dict[str, Any], *, dry_run: bool) -> None:
    """Have a model write a domain file, or tell what that would take.

    Raises:
        UsageError: no output is named, or a model, key or prompt is missing.
        DataError: some tool has no domain in the end.
        BackendError, LimitError: the server refuses, or a limit is reached; what was written stays.
    """
    from generator.runs.job_file import read_job

    if output is None:
        raise UsageError("give the file to write: -o NAME.domain.yaml, beside NAME.json")
    if options["answers"] is not None:
        raise UsageError("--answers is for runs: what a model answered for a domain file is kept beside it")
    asked = {key: options[key] for key in JOB_KEYS if options[key] is not None}
    requested = read_job({"name": "domain", "author": "llm", "max_output_tokens": _TOKENS, **asked})
    job, session = complete(requested.job, options)
    if session is None:
        raise UsageError("a model writes domain files: give --model")
    from generator.domain_writing import write_domain

    if dry_run:
        _tell_cost(tools, output, session)
        return
    written = write_domain(tools, output, job, session, lambda part: say(f"asking for {part}", err=True))
    _tell_written(written, tools)


def _tell_written(written: Written, tools: list[Tool]) -> None:
    """Tell what became of a domain file.

    Raises:
        DataError: some tool has no domain in the end.
    """
    from generator.domain_writing import answers_beside

    for note in written.draft.notes:
        tell(f"note: {note}")
    known = written.draft.raw.get("tools", {})
    say(f"written     {written.path}: {len(known)} of {len(tools)} tools, {written.asked} questions")
    answers = answers_beside(written.path)
    say(f"answers     {answers}")
    if lacking := [tool.name for tool in tools if not known.get(tool.name, {}).get("ways")]:
        raise DataError(
            f"no domain for {', '.join(lacking)}: write what lacks by hand, or move {answers} away "
            "and run the same command again, so that the model is asked anew"
        )


def _tell_cost(tools: list[Tool], output: Path, session: LLMSession) -> None:
    """Print how many questions the file would take, and of what size, without asking any."""
    from generator.authors.llm.preview import domain_cost
    from generator.domain_writing import existing_domain

    say(dump_compact(domain_cost(tools, existing_domain(output, tools), session)))
