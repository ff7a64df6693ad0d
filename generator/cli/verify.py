"""`toolgen verify`: proves a build from its manifest."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.option_types import FilePath
from generator.cli.terminal import say_json, say_line, tell
from generator.errors import DataError
from generator.jsontext import dump_pretty


@click.command(
    epilog="""\b
Examples:
  toolgen verify output/nightly/latest
  toolgen verify output/nightly/builds/20260131T020500Z-0a1b2c3d --json

Exit codes: 0 it is what was published, 1 it is not, and every damage is named, 2 usage."""
)
@click.argument("folder", type=FilePath(), metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print every damage as JSON on stdout.")
def command(folder: Path, as_json: bool) -> None:
    """Prove a build from its manifest; name every damage.

    Each file must be, to the byte, the one that was published. DIR is a build, or a link to one. The manifest itself
    is proven by the name of the folder, and what it tells is compared with what the files hold.
    """
    from generator.builds.verifying import verify

    found = verify(folder)
    if as_json:
        say_json(dump_pretty({"damages": [{"path": each.path, "what": each.what} for each in found]}))
    else:
        for each in found:
            say_line(str(each))
    if found:
        raise DataError(f"{folder}: {len(found):,} damage{'' if len(found) == 1 else 's'}; do not use this build")
    tell(f"{folder}: is what was published", err=True)
