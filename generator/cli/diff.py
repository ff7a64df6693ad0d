"""`toolgen diff`: what changed from one build to another, and why."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.option_types import FilePath
from generator.cli.terminal import say_json, tell
from generator.jsontext import dump_pretty


@click.command(
    epilog="""\b
Examples:
  toolgen diff output/nightly/builds/20260130T020500Z-0a1b2c3d output/nightly/latest
  toolgen diff A B --json

Exit codes: 0 told, 2 usage, 5 a build could not be read."""
)
@click.argument("before", type=FilePath(), metavar="A")
@click.argument("after", type=FilePath(), metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON on stdout.")
def command(before: Path, after: Path, as_json: bool) -> None:
    """Tell what changed from one build to another, and why.

    From build A to build B: records added, removed and changed, by kind and by tool that they show.
    """
    from generator.builds.account import difference_lines
    from generator.builds.difference import difference

    found = difference(before, after)
    if as_json:
        say_json(dump_pretty(found.model_dump(mode="json")))
    else:
        for line in difference_lines(found):
            tell(line)
