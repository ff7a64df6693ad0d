"""Exports: records written in a format, each read back and checked before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import orjson

from generator.chat_templates.passage import Passage
from generator.domains.catalog import Catalog
from generator.formats.conversation import find_misshapen
from generator.formats.losses import IDS, METADATA, forget
from generator.formats.recognition import Recognised, read_record
from generator.formats.writing import Shaping, up_to_each_turn
from generator.jsontext import JsonObject, JsonValue, dump_line
from generator.lengths import ESTIMATE, LengthCounts, TokenCounter
from generator.validation import check
from generator.validation.lines import read_lines
from generator.validation.verdict import Violation, is_written

UNREADABLE = "EX001"
"""The line is no record: not JSON, no object, or too long."""
UNFAITHFUL = "EX002"
"""The record reads back as another one: the format cannot hold it."""
NOT_WHOLE = "EX003"
"""The chat template that it is written for does not render the record whole."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that was not exported, and why; lines count from 1."""

    line: int
    violations: tuple[Violation, ...]


@dataclass(slots=True)
class Export:
    """Writes records in one format, one at a time, and keeps account of those that failed.

    `is_run` holds every record to all that toolgen demands of its own.
    """

    shaping: Shaping
    catalog: Catalog | None = None
    is_run: bool = False
    passage: Passage | None = None
    """The way through the chat template that the records are written for."""
    counter: TokenCounter = ESTIMATE
    most: int | None = None
    """The most tokens of a record; longer ones are left out."""
    by_turn: bool = False
    """Whether a record is a line for each turn of the assistant's, cut off behind it."""
    lengths: LengthCounts = field(init=False)
    too_long: int = 0
    """Records that were left out for their length."""
    written: int = 0
    failures: list[Failure] = field(default_factory=list)
    """The first failures, at most `KEPT_FAILURES`."""
    failed: int = 0

    KEPT_FAILURES = 20

    def __post_init__(self) -> None:
        """Begin to count lengths."""
        self.lengths = LengthCounts(self.counter.estimates)

    def lines(self, stream: BinaryIO) -> Iterator[bytes]:
        """Yield each record of the stream as a line of the target format; failures are counted, not yielded."""
        for prepared in self.records(stream, self.shaping):
            for each in up_to_each_turn(prepared) if self.by_turn else (prepared,):
                yield dump_line(self.shaping.write(each))

    def records(self, stream: BinaryIO, shaping: Shaping) -> Iterator[JsonObject]:
        """Yield each record that passes and reads back, as it is to be written; failures are counted."""
        for number, line in read_lines(stream):
            outcome = self._judge(line, shaping)
            if isinstance(outcome, dict):
                if self._fits(outcome):
                    self.written += 1
                    yield outcome
            else:
                self._fail(number, outcome)

    def _fits(self, record: JsonObject) -> bool:
        """Say whether a record is short enough, and count its length if so."""
        tokens = self.counter.of_record(record)
        if self.most is not None and tokens > self.most:
            self.too_long += 1
            return False
        self.lengths.add(tokens)
        return True

    def _fail(self, number: int, violations: list[Violation]) -> None:
        self.failed += 1
        if len(self.failures) < self.KEPT_FAILURES:
            self.failures.append(Failure(number, tuple(violations)))

    def _judge(self, line: bytes | None, shaping: Shaping) -> JsonObject | list[Violation]:
        """Return the record as it is to be written, or what is wrong with it."""
        form, document, problem = read_line(line)
        if not form:
            return [Violation(rule=UNREADABLE, pointer="", message=problem)]
        written = self.is_run or is_written(document)
        if errors := self._errors(document, written):
            return errors
        misshapen = find_misshapen(document)
        if misshapen is not None:
            return [Violation(rule=UNREADABLE, pointer=misshapen.pointer, message=misshapen.message)]
        prepared = shaping.prepare(document)
        try:
            back = self._read_back(prepared, shaping)
        except (TypeError, ValueError, RecursionError) as error:
            return [Violation(rule=UNFAITHFUL, pointer="", message=f"the record cannot be written: {error}")]
        losses = shaping.target.losses
        if forget(back, (*losses, IDS)) != forget(prepared, (*losses, IDS)):
            message = f"the record reads back from the format {shaping.target.name} as another one"
            return [Violation(rule=UNFAITHFUL, pointer="", message=message)]
        return self._errors_of_other(prepared, document, written) or self._stuck(prepared) or prepared

    def _stuck(self, prepared: JsonObject) -> list[Violation]:
        """Say why the record does not pass the chat template whole."""
        if self.passage is None:
            return []
        found = self.passage.faults(prepared)
        return [Violation(rule=NOT_WHOLE, pointer="", message=f"the chat template {'; '.join(found)}")] if found else []

    def _errors_of_other(self, prepared: JsonObject, document: JsonObject, written: bool) -> list[Violation]:
        """Judge the record anew where an option made another conversation of it: the same has been judged already."""
        if forget(prepared, (METADATA,)) == forget(document, (METADATA,)):
            return []
        if "metadata" in document and self.shaping.tells_the_same(document):
            return self._errors({**prepared, "metadata": document["metadata"]}, written)
        return self._errors(prepared, written=False)

    def _read_back(self, prepared: JsonObject, shaping: Shaping) -> JsonObject:
        if shaping.target.load_record is None:
            return prepared
        return shaping.target.load_record(orjson.loads(dump_line(shaping.write(prepared))))

    def _errors(self, document: JsonValue, written: bool) -> list[Violation]:
        found = check(document, catalog=self.catalog, generated=written)
        return [violation for violation in found if violation.severity == "error"]


def read_line(line: bytes | None) -> Recognised:
    """Bring a line to the canonical record, in whichever format it is; the problem says why it is none."""
    if line is None:
        return Recognised("", None, "the line is too long for a record")
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return Recognised("", None, f"the line is not JSON: {error}")
    return read_record(document)
