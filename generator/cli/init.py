"""`toolgen init`: a job file to begin with, written from the user's tools."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from generator.cli.option_types import FilePath
from generator.cli.terminal import tell
from generator.errors import UsageError


@click.command(
    epilog="""\b
Examples:
  toolgen init my_tools.json
  toolgen init servers/*.json -o nightly.toml
  toolgen init && toolgen generate --job toolgen.toml
  toolgen init && toolgen build toolgen.toml --check

Exit codes: 0 it is written, 2 usage, or a tool file cannot be used, 5 the file could not be written."""
)
@click.argument("tools", metavar="[TOOLS]...", nargs=-1)
@click.option(
    "--output", "-o", type=FilePath(), default=Path("toolgen.toml"), show_default=True, metavar="FILE", help="The file."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--skip-invalid", is_flag=True, help="Go on without the definitions that cannot be used.")
def command(tools: tuple[str, ...], output: Path, force: bool, skip_invalid: bool) -> None:
    """Write a job file with every key explained, over your tools.

    TOOLS are files, folders or globs. Without them the tool files of this folder are taken, or else the bundled tools.
    """
    from generator.builds.job_template import build_template, job_template
    from generator.cli.job_options import load_tools_of
    from generator.disk import disk_errors, write_whole

    if output.exists() and not force:
        raise UsageError(f"{output}: is there already; give -o another file, or --force to replace it")
    found = [*(tools or _beside())]
    catalog = load_tools_of(found, skip_invalid=skip_invalid)
    given = [os.path.relpath(each, output.parent) if Path(each).exists() else each for each in found]
    with disk_errors(output.parent):
        output.parent.mkdir(parents=True, exist_ok=True)
    named = shlex.quote(str(output))
    write_whole(output, [f"{job_template(given, catalog, named)}\n{build_template(named)}".encode()])
    over = f"{len(catalog.tools):,} tool{'' if len(catalog.tools) == 1 else 's'}"
    tell(f"{output} is written, over {over}", err=True)
    tell(f"next: `toolgen generate --job {named}`, or `toolgen build {named}` night by night", err=True)


def _beside() -> Sequence[str]:
    """Return the tool files of this folder: those that hold tools, of the files that may."""
    from generator.errors import ToolFileError
    from generator.formats.loading.sources import SUFFIXES, sidecar_kind
    from generator.formats.loading.tool_files import load_catalog

    found = []
    for path in sorted(Path().iterdir()):
        if path.suffix.lower() not in SUFFIXES or not path.is_file() or sidecar_kind(path):
            continue
        try:
            load_catalog([path])
        except ToolFileError:
            continue
        found.append(str(path))
    if not found:
        tell("no tool files given, and none in this folder: the bundled tools are used", err=True)
    return found
