"""`toolgen fixtures`: small files of records that a project keeps beside its tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from generator.cli.job_options import given_options, load_requested_tools
from generator.cli.option_types import Choice, FilePath
from generator.cli.terminal import say_line
from generator.errors import DataError, UsageError
from generator.fixtures import CANONICAL, By, FixtureSet, findings, fixture_files, require_apart, write_fixtures
from generator.formats import FORMATS
from generator.formats.loading.sources import STDIN
from generator.formats.recognition import WRITTEN
from generator.formats.writing import Shaping
from generator.garbage_collection import not_looked_for, take_for_kept
from generator.job_choices import DEFAULT_SEED
from generator.record import mix_of
from generator.runs.job_file import read_job

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 10_000


@click.command(
    epilog="""\b
Examples:
  toolgen fixtures my_tools.json -o tests/data
  toolgen fixtures my_tools.json -o tests/data --count 40 --seed 7 --kinds simple,parallel,missing_parameter
  toolgen fixtures my_tools.json -o tests/data --by record --format openai
  toolgen fixtures my_tools.json -o tests/data --check

Exit codes: 0 good, 1 --check: a file is not as it is to be, or a record could not be made, 2 usage, 5 a file could
not be read or written."""
)
@click.argument("tools", metavar="[FILES]...", nargs=-1)
@click.option(
    "--output", "-o", "folder", required=True, type=FilePath(), metavar="DIR", help="The folder of the files."
)
@click.option(
    "--count", type=click.IntRange(1, _MOST), default=20, show_default=True, metavar="N", help="Records to make."
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, metavar="S", help="Another seed gives other records."
)
@click.option(
    "--kinds", metavar="KIND,...", help="Kinds of records in equal shares; the tools must be able to serve each."
)
@click.option("--mix", metavar="KIND=W,...", help="Kinds and their weights, in place of --kinds.")
@click.option(
    "--domain", "domains", multiple=True, metavar="FILE", help="A domain file: what is known of the tools. Repeatable."
)
@click.option("--error-rate", type=float, metavar="P", help="Share of calls that fail, 0 to 1.  [default: 0.1]")
@click.option("--locale", metavar="L,...", help="Locales of names and places.  [default: en_US]")
@click.option(
    "--format",
    "target",
    type=Choice(list(WRITTEN)),
    default=CANONICAL,
    show_default=True,
    metavar="NAME",
    help=f"The format of the records: {', '.join(WRITTEN)}.",
)
@click.option(
    "--by",
    type=Choice(get_args(By)),
    default="kind",
    show_default=True,
    help="One file for each: kind, tool or record.",
)
@click.option("--no-metadata", is_flag=True, help="Records hold messages and tools alone.")
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 where a file is not as it is to be, and say which."
)
@click.option(
    "--force", is_flag=True, help="Replace files of toolgen's that were edited since, or made of other tools."
)
def command(folder: Path, check: bool, force: bool, **options: Any) -> None:
    """Write small files of records, to keep beside tests.

    The same command makes the same bytes on every system. Each file says in its header how to make it anew. Files
    that toolgen did not write are not touched. Without FILES the bundled tools are used.
    """
    fixtures = _asked_for(folder, options)
    files = fixture_files(fixtures)
    if check:
        _check(fixtures, files)
    else:
        _write(fixtures, files, force=force)


def _asked_for(folder: Path, options: dict[str, Any]) -> FixtureSet:
    """Return what is to be made.

    Raises:
        UsageError: it cannot be made, or not again.
    """
    words = tuple(_words(options))
    target, by, kinds = options.pop("target"), options.pop("by"), options.pop("kinds")
    shaping = Shaping(FORMATS[target], metadata=not options.pop("no_metadata"))
    if STDIN in options["tools"]:
        raise UsageError("-: fixtures are made again from the files of the tools; give a file")
    require_apart(options["tools"], folder)
    if kinds is not None:
        options["mix"] = mix_of([name.strip() for name in kinds.split(",") if name.strip()], options["mix"])
    requested = read_job({"name": "fixtures", "grounding": False, **given_options(options)})
    with not_looked_for():
        catalog = load_requested_tools(requested, quiet=False)
        take_for_kept()
    return FixtureSet(
        requested.job,
        catalog,
        shaping,
        folder,
        requested.sources,
        words,
        requested.domains,
        by,
        every_kind=kinds is not None,
    )


def _words(options: dict[str, Any]) -> Iterator[str]:
    """Yield the options that make the same records again, but for those that name files."""
    defaults = {parameter.name: parameter.default for parameter in command.params}
    for parameter in command.params:
        name, value = parameter.name, options.get(parameter.name or "")
        if name in ("tools", "domains") or value is None or value is False:
            continue
        if name in ("count", "seed") or value != defaults[name]:
            yield parameter.opts[0]
            yield from () if value is True else (str(value),)


def _check(fixtures: FixtureSet, files: dict[str, bytes]) -> None:
    """Say which files are not as they are to be.

    Raises:
        DataError: there is one.
    """
    found = findings(fixtures, files)
    for each in found:
        say_line(f"{each.sort}: {fixtures.folder / each.name}" + (f" ({each.why})" if each.why else ""))
    if not found:
        say_line(f"{fixtures.folder}: {len(files):,} files are as they are to be", err=True)
        return
    again = fixtures.command(force=any(each.is_kept for each in found))
    first = "move away what is in the way, then run: " if any(each.sort == "in the way" for each in found) else ""
    raise DataError(f"{fixtures.folder}: {len(found):,} files are not as they are to be; to mend them: {first}{again}")


def _write(fixtures: FixtureSet, files: dict[str, bytes], *, force: bool) -> None:
    done = write_fixtures(fixtures, files, force=force)
    for name in done.written:
        say_line(f"written: {fixtures.folder / name}")
    for name in done.removed:
        say_line(f"removed: {fixtures.folder / name}")
    told = f"{fixtures.job.count:,} records in {len(files):,} files of {fixtures.folder}"
    say_line(f"{told}; {done.unchanged:,} were as they are to be", err=True)
