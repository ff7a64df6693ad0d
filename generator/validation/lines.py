"""Checking a stream of JSON Lines of any size, a bounded number of lines in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

from generator.errors import ToolgenError
from generator.validation.examiner import CheckedLine, read_and_check_all
from generator.validation.rule import Finding
from generator.validation.rules import DOCUMENT_RULE
from generator.validation.verdict import SEVERITIES, STRICT_FORMAT, Severity, Standard, Tally, Violation

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of the longest line that is read as a record; a longer one is a violation and skipped."""

BATCH_LINES = 256
BATCH_BYTES = 1024 * 1024
"""A batch is closed when it has as many lines, or as many bytes."""

_LINES_TOGETHER = 32
_BYTES_TOGETHER = 256 * 1024
"""Lines whose records are looked at together, and their bytes."""
_SKIPPED_AT_ONCE = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Batch = list[tuple[int, bytes | None]]
"""Lines with their numbers, which count from 1; None stands for a line that is too long."""


class Located(NamedTuple):
    """A violation and the line it was found in; lines count from 1."""

    line: int
    rule: str
    severity: Severity
    pointer: str
    message: str


@dataclass(slots=True)
class Findings:
    """What was found in a batch of lines, in their order."""

    located: list[Located]
    tally: Tally


def check_batch(batch: Batch, standard: Standard) -> Findings:
    """Check the lines of a batch."""
    located: list[Located] = []
    tally = Tally()
    for number, checked in _checked(batch, standard):
        violations = _counting(checked.violations, standard) if checked.violations else []
        tally.add(violations, checked.form, checked.read)
        located += [Located(number, each.rule, each.severity, each.pointer, each.message) for each in violations]
    return Findings(located, tally)


def _checked(batch: Batch, standard: Standard) -> Iterator[tuple[int, CheckedLine]]:
    """Yield what came of each line; some lines are looked at together."""
    for together in _cut(batch, _LINES_TOGETHER, _BYTES_TOGETHER):  # no more records than these are kept at once
        checked = iter(read_and_check_all([line for _, line in together if line is not None], standard))
        for number, line in together:
            yield number, CheckedLine("", _too_long()) if line is None else next(checked)


def _counting(violations: list[Violation], standard: Standard) -> list[Violation]:
    """Return the violations that count by a standard, each as severe as it has them."""
    if standard.strict_format:
        violations = [
            each.model_copy(update={"severity": "error"}) if each.rule in STRICT_FORMAT else each for each in violations
        ]
    least = SEVERITIES.index(standard.weakest)
    return [
        each
        for each in violations
        if (standard.rules is None or each.rule in standard.rules) and SEVERITIES.index(each.severity) <= least
    ]


def _too_long() -> list[Violation]:
    limit = LONGEST_LINE // (1024 * 1024)
    return [
        DOCUMENT_RULE.violation(Finding("", f"the line is longer than {limit} MiB, too long for a record"), "error")
    ]


def batches(lines: Iterable[tuple[int, bytes | None]]) -> Iterator[Batch]:
    """Gather lines into batches that are small enough to travel and large enough to be worth it."""
    return _cut(lines, BATCH_LINES, BATCH_BYTES)


def _cut(lines: Iterable[tuple[int, bytes | None]], most: int, most_bytes: int) -> Iterator[Batch]:
    """Cut lines into groups of so many lines or bytes; the last group may be smaller."""
    group: Batch = []
    size = 0
    try:
        for number, line in lines:
            group.append((number, line))
            size += len(line or b"")
            if len(group) >= most or size >= most_bytes:
                yield group
                group, size = [], 0
    except ToolgenError:  # the lines cannot be read any further; those that could be come first
        if group:
            yield group
        raise
    if group:
        yield group


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line that is not blank with its number; None stands for a line that is too long."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            _skip_line(stream)
            yield number, None
        elif not line.isspace() and line:
            yield number, line


def _skip_line(stream: BinaryIO) -> None:
    while (part := stream.readline(_SKIPPED_AT_ONCE)) and not part.endswith(b"\n"):
        continue


ONCE_PER_DATA_SET = frozenset({"TC219"})
"""Rules that say the same of many records, such as that their language is not read."""


class OncePerDataSet:
    """Leaves out what was told of the same data set before."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def __call__(self, findings: Findings) -> Findings:
        """Return the findings without those that say what was said before; the tally no longer counts them."""
        kept = []
        for each in findings.located:
            said = (each.rule, each.message)
            if each.rule in ONCE_PER_DATA_SET and said in self._told:
                findings.tally.take_back(each.rule, each.severity)
                continue
            kept.append(each)
            if each.rule in ONCE_PER_DATA_SET:
                self._told.add(said)
        return Findings(kept, findings.tally)
