"""Checking a stream of JSON Lines of any size, one line in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Literal

from generator.jsontext import JsonValue
from generator.tools.catalog import Catalog
from generator.validation.examiner import Load, check_line
from generator.validation.practice_records import DOCUMENT_RULE
from generator.validation.rule import Finding
from generator.validation.verdict import Violation

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of the longest line that is read as a record; a longer one is a violation and skipped."""

_SKIPPED_AT_ONCE = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Mode = Literal["auto", "written", "read"]
"""Whose rules hold: `written` (all that toolgen demands of its own records), `read`, or by each record's metadata."""

RESULT_RULES = ("ADM113", "ADM114")
"""The rules that need a catalog."""


@dataclass(frozen=True, slots=True)
class Located:
    """A violation and the line it was found in; lines count from 1."""

    line: int
    violation: Violation


@dataclass(slots=True)
class Tally:
    """What was found over all lines so far."""

    records: int = 0
    passed: int = 0
    """Records without an error; warnings do not count."""
    errors: int = 0
    warnings: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    """Violations by rule."""

    def add(self, violations: list[Violation]) -> None:
        """Count one line and what was found in it."""
        failed = False
        for violation in violations:
            failed |= violation.severity == "error"
            self.errors += violation.severity == "error"
            self.warnings += violation.severity == "warning"
            self.rules[violation.rule] += 1
        self.records += 1
        self.passed += not failed


def check_lines(
    stream: BinaryIO, tally: Tally, *, catalog: Catalog | None = None, mode: Mode = "auto", load: Load | None = None
) -> Iterator[Located]:
    """Check every line of a stream and yield what is wrong, in order; blank lines are no records.

    `load` brings records of another format to the canonical document.

    A line that is not JSON, or is longer than `LONGEST_LINE`, is one violation, and the rest goes on.
    """
    held = is_written if mode == "auto" else mode == "written"
    for number, line in read_lines(stream):
        violations = _too_long() if line is None else check_line(line, catalog=catalog, generated=held, load=load)
        tally.add(violations)
        for violation in violations:
            yield Located(number, violation)


def is_written(document: JsonValue) -> bool:
    """Say whether a record claims to be written by toolgen, and so is held to all that toolgen demands."""
    metadata = document.get("metadata") if isinstance(document, dict) else None
    return isinstance(metadata, dict) and "toolgen_version" in metadata


def _too_long() -> list[Violation]:
    limit = LONGEST_LINE // (1024 * 1024)
    return [
        DOCUMENT_RULE.violation(Finding("", f"the line is longer than {limit} MiB, too long for a record"), "error")
    ]


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
