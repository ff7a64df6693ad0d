"""`toolgen report`: what a run, a build or an exam holds, as one HTML page."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.data_set_options import STDOUT, writable
from generator.cli.terminal import say_line
from generator.datasets.origin import find_origin
from generator.disk import disk_errors
from generator.errors import UsageError
from generator.exams.page import is_exam, write_page
from generator.reports.page import write_report
from generator.reports.page.reading import MOST_RECORDS

_ENDINGS = (".html", ".htm")
_OURS = b'<meta name="generator" content="toolgen '
"""What stands in the head of each page that toolgen writes."""
_HEAD = 4096


@click.command(
    epilog="""\b
Examples:
  toolgen report runs/mine -o report.html
  toolgen report runs/mine -o report.html --previous runs/before
  toolgen report output/nightly/latest -o report.html --records 5000
  toolgen report exams/first -o exam.html

Exit codes: 0 good, 2 usage, 5 a file could not be read or written."""
)
@click.argument("source", metavar="FOLDER")
@click.option("--output", "-o", required=True, metavar="FILE", help="The HTML file to write.")
@click.option("--previous", metavar="FOLDER", help="The run or build before, to tell what changed since.")
@click.option(
    "--records",
    "most",
    type=click.IntRange(min=1, max=MOST_RECORDS),
    default=MOST_RECORDS,
    show_default=True,
    metavar="N",
    help="The most records that the page holds for reading; the figures are of all.",
)
def command(source: str, output: str, previous: str | None, most: int) -> None:
    """Write a run, a build or an exam as one HTML page.

    The page tells what was asked for and made, coverage, lengths, evidence, diversity, rejections and cost, and shows
    the records as conversations, the words that arguments come from marked; of an exam its tables and what the
    model got wrong. It needs no network and no server.
    """
    if output == STDOUT:
        raise UsageError("-o -: a page is opened from a file; give -o the file to write")
    if is_exam(Path(source)):
        path = _require_page(Path(output))
        _write_exam(Path(source), path, previous)
    else:
        path = _require_page(writable(Path(output), [find_origin(source)]))
        write_report(Path(source), path, Path(previous) if previous is not None else None, most=most)
    say_line(f"{path}: {path.stat().st_size / 1e6:,.1f} MB; open it in a browser", err=True)


def _require_page(path: Path) -> Path:
    """Return the path of a page to write, in whose place nothing else lies than a page of toolgen's.

    Raises:
        UsageError: its name is not that of a page, or another file lies there.
        StorageError: what lies there cannot be read.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise UsageError(f"{path}: the report is a page; give -o a name that ends in .html")
    if path.is_file():
        with disk_errors(path), path.open("rb") as held:
            head = held.read(_HEAD)
        if head and _OURS not in head:
            raise UsageError(f"{path}: is a file that toolgen report did not write; give -o another name")
    return path


def _write_exam(folder: Path, output: Path, previous: str | None) -> None:
    if previous is not None:
        raise UsageError("--previous: exams are compared when they are held: `toolgen evaluate ... --against EXAM`")
    write_page(folder, output)
