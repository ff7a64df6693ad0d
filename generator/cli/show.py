"""`toolgen show`: print records as readable conversations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import click
from rich.console import Console

from generator.cli.conversation_text import portray
from generator.cli.terminal import say_line
from generator.datasets.export import read_line
from generator.datasets.origin import Origin, find_origin
from generator.errors import DataError
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.suggestions import did_you_mean
from generator.validation.lines import read_lines


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records to print."""

    kind: str | None
    index: int | None

    def holds(self, document: JsonObject, line: int) -> bool:
        """Say whether this record is to be printed; one without metadata counts by its line, from 0."""
        metadata = document.get("metadata")
        known = metadata if isinstance(metadata, dict) else {}
        if self.kind is not None and known.get("kind") != self.kind:
            return False
        return self.index is None or known.get("index", line - 1) == self.index


@click.command(
    epilog="""\b
Examples:
  toolgen show runs/mine
  toolgen show runs/mine -n 3 --kind parallel
  toolgen show runs/mine --index 42

\b
Exit codes: 0 good, 1 a line is no record, or no record is what was asked for, 2 usage, 5 a file could not be read."""
)
@click.argument("source", metavar="RUN|FILE")
@click.option("-n", "limit", type=click.IntRange(min=1), default=5, show_default=True, help="How many records.")
@click.option("--kind", metavar="KIND", help="Only records of this kind.")
@click.option("--index", type=click.IntRange(min=0), metavar="I", help="Only the record of this scenario index.")
def command(source: str, limit: int, kind: str | None, index: int | None) -> None:
    """Print records as readable conversations.

    Reads a run folder, a file of records in any record format, or - for stdin; in colour on a terminal.
    """
    origin = find_origin(source)
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    chosen, shown = RecordFilter(kind, index), 0
    for line, document in _records(origin):
        if chosen.holds(document, line):
            for text in portray(document, line):
                console.print(text)
            console.print()
            shown += 1
        if shown == limit or (shown and index is not None):
            return
    if not shown:
        raise DataError(f"{origin.name}: holds no record {_asked(kind, index)}".rstrip() + _hint(kind))


def _records(origin: Origin) -> Iterator[tuple[int, JsonObject]]:
    """Yield each record with its line; lines that hold none are told at once and fail the command."""
    bad = 0
    with origin.open() as stream:
        for number, line in read_lines(stream):
            form, document, _ = read_line(line)
            if form:
                yield number, document
                continue
            bad += 1
            if bad == 1:
                message = "this line is no record; run `toolgen validate` to see why"
                say_line(f"{origin.name}:{number}: {message}", err=True)
    if bad:
        raise DataError(f"{origin.name}: {bad:,} lines are no records")


def _hint(kind: str | None) -> str:
    near = "" if kind is None or kind in KINDS else did_you_mean(kind, KINDS)
    return near and f"; {near}"


def _asked(kind: str | None, index: int | None) -> str:
    asked = [f"of kind {kind}" if kind else "", f"with index {index}" if index is not None else ""]
    return " ".join(filter(None, asked))
