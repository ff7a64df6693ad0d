"""Exports: records written in a format, each read back and checked before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import orjson

from generator.formats.conversation import all_calls, rewrite_ids
from generator.formats.format import Format
from generator.jsontext import JsonObject, JsonValue, dump_line
from generator.tools.catalog import Catalog
from generator.validation import check
from generator.validation.lines import is_written, read_lines
from generator.validation.verdict import Violation

UNREADABLE = "EX001"
"""The line is no record: not JSON, no object, or too long."""
UNFAITHFUL = "EX002"
"""The record reads back as another one: the format cannot hold it."""

_PROVENANCE = "metadata"


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that was not exported, and why; lines count from 1."""

    line: int
    violations: tuple[Violation, ...]


@dataclass(slots=True)
class Export:
    """Writes records in one format, one at a time, and keeps account of those that failed.

    `readers` are the formats that may be read, asked in their order; `is_run` holds every record to all that
    toolgen demands of its own.
    """

    target: Format
    readers: tuple[Format, ...]
    catalog: Catalog | None = None
    is_run: bool = False
    metadata: bool = True
    written: int = 0
    failures: list[Failure] = field(default_factory=list)
    """The first failures, at most `KEPT_FAILURES`."""
    failed: int = 0

    KEPT_FAILURES = 20

    def lines(self, stream: BinaryIO) -> Iterator[bytes]:
        """Yield each record of the stream as a line of the target format; failures are counted, not yielded."""
        for number, line in read_lines(stream):
            outcome = self._convert(line)
            if isinstance(outcome, bytes):
                self.written += 1
                yield outcome
            else:
                self._fail(number, outcome)

    def _fail(self, number: int, violations: list[Violation]) -> None:
        self.failed += 1
        if len(self.failures) < self.KEPT_FAILURES:
            self.failures.append(Failure(number, tuple(violations)))

    def _convert(self, line: bytes | None) -> bytes | list[Violation]:
        """Return the record as a line of the target format, or what is wrong with it."""
        document = read_record(line, self.readers)
        if not isinstance(document, dict):
            message = "the line is no record: it is not JSON, no object with messages, or too long"
            return [Violation(rule=UNREADABLE, pointer="", message=message)]
        written = self.is_run or is_written(document)
        if not self.metadata:
            document = {key: value for key, value in document.items() if key != _PROVENANCE}
        return self._write(document, written)

    def _write(self, document: JsonObject, written: bool) -> bytes | list[Violation]:
        if self.target.dump_record is None or self.target.load_record is None:
            raise ValueError(f"the format {self.target.name} holds no records")
        if errors := self._errors(document, written):
            return errors
        line = dump_line(self.target.dump_record(document))
        back = self.target.load_record(orjson.loads(line))
        if not _equal_but_ids(back, document):
            message = f"the record reads back from the format {self.target.name} as another one"
            return [Violation(rule=UNFAITHFUL, pointer="", message=message)]
        # What reads back as the very same has been judged already.
        return (self._errors(back, written) if back != document else []) or line

    def _errors(self, document: JsonValue, written: bool) -> list[Violation]:
        found = check(document, catalog=self.catalog, generated=written)
        return [violation for violation in found if violation.severity == "error"]


def read_record(line: bytes | None, readers: tuple[Format, ...]) -> JsonValue:
    """Return the canonical document of a line in whichever format it is; None where it is no record."""
    try:
        document = orjson.loads(line or b"")
    except orjson.JSONDecodeError:
        return None
    for reader in readers:
        if reader.matches_record and reader.load_record and reader.matches_record(document):
            return reader.load_record(document)
    return None


def _equal_but_ids(one: JsonObject, other: JsonObject) -> bool:
    """Say whether two records are equal but for the ids of their calls, which some formats do not hold."""
    return _numbered(one) == _numbered(other)


def _numbered(document: JsonObject) -> JsonObject:
    ids = [call["id"] for call in all_calls(document) if isinstance(call.get("id"), str)]
    return rewrite_ids(document, {identity: f"call {number}" for number, identity in enumerate(ids)})
