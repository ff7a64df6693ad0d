"""Checking and mending every line of a stream in this process, as the commands do it in several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from generator.domains.catalog import Catalog
from generator.validation.fixes.mending import MendedLine, Mending
from generator.validation.lines import Located, batches, check_batch, read_lines
from generator.validation.verdict import Standard, Tally


def check_lines(stream: BinaryIO, tally: Tally, standard: Standard | None = None) -> Iterator[Located]:
    """Check every line and yield what is wrong, in order."""
    held = standard or Standard()
    for batch in batches(read_lines(stream)):
        findings = check_batch(batch, held)
        tally.merge(findings.tally)
        yield from findings.located


def mend_lines(
    stream: BinaryIO, *, catalog: Catalog | None = None, unsafe: bool = False, generated: bool | None = None
) -> Iterator[MendedLine]:
    """Mend each record, in order."""
    mending = Mending(catalog, unsafe, generated)
    for number, line in read_lines(stream):
        yield mending(number, line)
