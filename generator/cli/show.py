"""`toolgen show`: print records as readable conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import click
from rich.text import Text

from generator.cli.conversation_text import portray
from generator.cli.terminal import page, say_line
from generator.datasets.export import read_line
from generator.datasets.origin import Origin, find_origin
from generator.errors import DataError
from generator.formats.conversation import calls_of, function_of, messages_of
from generator.jsontext import JsonObject, JsonValue
from generator.kinds import KINDS
from generator.suggestions import did_you_mean
from generator.validation.lines import read_lines


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records to print."""

    kind: str | None = None
    index: int | None = None
    tool: str | None = None
    text: str | None = None

    def holds(self, document: JsonObject, line: int) -> bool:
        """Say whether this record is to be printed; one without metadata counts by its line, from 0."""
        metadata = document.get("metadata")
        known = metadata if isinstance(metadata, dict) else {}
        if self.kind is not None and known.get("kind") != self.kind:
            return False
        if self.index is not None and known.get("index", line - 1) != self.index:
            return False
        if self.tool is not None and self.tool not in _called(document):
            return False
        return self.text is None or self._is_said(document)

    def _is_said(self, document: JsonObject) -> bool:
        wanted = (self.text or "").casefold()
        return any(wanted in said.casefold() for said in _said(document))

    def __str__(self) -> str:
        asked = [
            f"of kind {self.kind}" if self.kind else "",
            f"with index {self.index}" if self.index is not None else "",
            f"that calls {self.tool}" if self.tool else "",
            f"with the text {self.text!r}" if self.text else "",
        ]
        return " ".join(filter(None, asked))


def _called(document: JsonObject) -> set[str]:
    """Return the names of the tools that a record calls."""
    calls = [call for message in messages_of(document) for call in calls_of(message)]
    return {str(function_of(call).get("name")) for call in calls}


def _said(document: JsonObject) -> Iterator[str]:
    """Yield every text of the messages: what is said, called with, and answered; keys are none."""
    waiting: list[JsonValue] = list(messages_of(document))
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)


@dataclass(slots=True)
class _Show:
    """What was found while records are printed."""

    origin: Origin
    chosen: RecordFilter
    limit: int
    shown: int = 0
    tools: set[str] = field(default_factory=set)
    """The tools that are called, to name the nearest of them."""
    no_records: list[int] = field(default_factory=list)
    """The lines that hold none."""
    ended: bool = False
    """Whether all was read."""

    def lines(self) -> Iterator[Text]:
        """Yield the lines of the records that are asked for."""
        for line, document in self._records():
            if self.chosen.tool is not None and not self.shown:
                self.tools |= _called(document)
            if self.chosen.holds(document, line):
                yield from portray(document, line)
                yield Text()
                self.shown += 1
            if self.shown == self.limit or (self.shown and self.chosen.index is not None):
                return
        self.ended = True

    def _records(self) -> Iterator[tuple[int, JsonObject]]:
        """Yield each record with its line."""
        with self.origin.open() as stream:
            for number, line in read_lines(stream):
                form, document, _ = read_line(line)
                if form:
                    yield number, document
                else:
                    self.no_records.append(number)

    def close(self) -> None:
        """Say which line is no record, and refuse to have found nothing.

        Raises:
            DataError: all was read and held lines that are no records, or no record was printed; then it names the
                nearest kind or tool.
        """
        name = self.origin.name
        if self.no_records:
            message = "this line is no record; run `toolgen validate` to see why"
            say_line(f"{name}:{self.no_records[0]}: {message}", err=True)
        if self.no_records and self.ended:
            raise DataError(f"{name}: {len(self.no_records):,} lines are no records")
        if not self.shown and self.ended:
            hints = [did_you_mean(word, known) for word, known in self._misspelt()]
            message = f"{name}: holds no record {self.chosen}".rstrip()
            raise DataError("; ".join(filter(None, [message, *hints])))

    def _misspelt(self) -> Iterator[tuple[str, Iterable[str]]]:
        if self.chosen.kind is not None and self.chosen.kind not in KINDS:
            yield self.chosen.kind, KINDS
        if self.chosen.tool is not None and self.chosen.tool not in self.tools:
            yield self.chosen.tool, sorted(self.tools)


@click.command(
    epilog="""\b
Examples:
  toolgen show runs/mine
  toolgen show runs/mine -n 3 --kind parallel
  toolgen show runs/mine --index 42
  toolgen show runs/mine -n 20 --tool get_weather --text lisbon

Exit codes: 0 good, 1 a line is no record, or no record is what was asked for, 2 usage, 5 a file could not be read."""
)
@click.argument("source", metavar="RUN|FILE")
@click.option("-n", "limit", type=click.IntRange(min=1), default=5, show_default=True, help="How many records.")
@click.option("--kind", metavar="KIND", help="Only records of this kind.")
@click.option("--index", type=click.IntRange(min=0), metavar="I", help="Only the record of this scenario index.")
@click.option("--tool", metavar="TOOL", help="Only records that call this tool.")
@click.option("--text", "--grep", metavar="TEXT", help="Only records in which this is said, or in a call or result.")
@click.option("--no-pager", is_flag=True, help="Print without a pager, which reads long output on a terminal.")
def command(
    source: str, limit: int, kind: str | None, index: int | None, tool: str | None, text: str | None, no_pager: bool
) -> None:
    """Print records as readable conversations.

    Reads a run folder, a file of records in any record format, or - for stdin. On a terminal in colour, and by $PAGER
    or less where there is more than the screen holds. Capitals do not count in --text.
    """
    show = _Show(find_origin(source), RecordFilter(kind, index, tool, text), limit)
    page(show.lines(), paged=not no_pager)
    show.close()
