"""Mending data sets of any size in one process or several: the lines come out in their order, with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.datasets.origin import FormatReader, Origin, any_format
from generator.engines.pool import work_in_order
from generator.jsontext import JsonValue
from generator.validation.fixes.mending import MendedLine, Mending
from generator.validation.lines import Batch, batches, read_lines
from generator.validation.verdict import Reader, Reading

_MENDED_AS_THEY_STAND = frozenset({"openai", "openai-finetune", "mistral"})
"""Formats of messages whose differences from the canonical form are fixes, each told by its name."""


def any_other_format(document: JsonValue) -> Reading:
    """Read a record in the format it shows by itself, unless the fixes bring it to the canonical form."""
    reading = any_format(document)
    return Reading("", document) if reading.form in _MENDED_AS_THEY_STAND else _with_tools(reading, document)


@dataclass(frozen=True, slots=True)
class MendedFormat:
    """Reads every record in one format."""

    name: str

    def __call__(self, document: JsonValue) -> Reading:
        """Bring the document to the canonical record; what is no object stays as it is."""
        return _with_tools(FormatReader(self.name)(document), document)


def _with_tools(reading: Reading, document: JsonValue) -> Reading:
    """Let a record that was brought from another format show that it has no tools."""
    given = reading.document
    if given is document or not isinstance(given, dict) or "tools" in given:
        return reading
    return reading._replace(document={**given, "tools": []})


class _Given(NamedTuple):
    """Lines of one of the origins."""

    origin: int
    batch: Batch


class _Done(NamedTuple):
    """What became of them."""

    origin: int
    lines: list[MendedLine]


@dataclass(frozen=True, slots=True)
class _Mender:
    """Mends batches of any of the origins; it travels to other processes."""

    mendings: tuple[Mending, ...]
    shows: bool

    def __call__(self, given: _Given) -> _Done:
        mend = self.mendings[given.origin]
        lines = [mend(number, line) for number, line in given.batch]
        return _Done(given.origin, lines if self.shows else [replace(each, before=None, after=None) for each in lines])


def mend_all(
    origins: Sequence[Origin], *, reader: Reader | None = None, unsafe: bool = False, shows: bool = False, jobs: int = 1
) -> Iterator[tuple[Origin, MendedLine]]:
    """Mend every line of every origin; yield what became of each, in their order, whatever `jobs` is.

    Args:
        origins: what is read.
        reader: brings lines of other formats to canonical records.
        unsafe: whether fixes that may lose something run too.
        shows: whether the records before and after are wanted, which else stay where they were mended.
        jobs: the number of processes.

    Raises:
        StorageError: an origin cannot be read (to its end); what came before has been yielded.
        EngineError: a process was lost.
    """
    mendings = tuple(Mending(each.catalog, unsafe, True if each.is_run else None, reader) for each in origins)
    for done in work_in_order(_Mender(mendings, shows), _batches(origins), jobs):
        yield from ((origins[done.origin], line) for line in done.lines)


def _batches(origins: Sequence[Origin]) -> Iterator[_Given]:
    for number, origin in enumerate(origins):
        with origin.open() as stream:
            for batch in batches(read_lines(stream)):
                yield _Given(number, batch)
