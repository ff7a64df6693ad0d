"""`toolgen push`: a folder of data brought to where others read it."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.terminal import say
from generator.datasets.pushing import push


@click.command(
    epilog="""\b
Examples:
  toolgen push dataset hf://datasets/OWNER/NAME
  toolgen push dataset hf://datasets/OWNER/NAME@nightly
  toolgen push dataset s3://bucket/tools
  toolgen push dataset file:///mnt/shared/tools

Exit codes: 0 all files are there, 2 usage, 3 the target refused or failed and is as it was, 5 a file could not be
read."""
)
@click.argument("folder", metavar="FOLDER")
@click.argument("target", metavar="TARGET")
def command(folder: str, target: str) -> None:
    """Push a folder of data to the Hugging Face Hub or a URL.

    On the hub (hf://datasets/OWNER/NAME, with @BRANCH if wanted; the token is in HF_TOKEN) one commit makes the data
    set what the folder is. Elsewhere (any URL that fsspec knows) the data get a folder of their own in TARGET/builds,
    and TARGET/latest.json, replaced last, leads to it. Whoever reads there sees all of the old data or all of the new.
    Prints where the data lie.
    """
    say(push(Path(folder), target))
