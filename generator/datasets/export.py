"""Exports: records written in a format, each read back and checked before it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import orjson

from generator.chat_templates.passage import Passage
from generator.datasets.decontamination import Benchmarks
from generator.datasets.splits import Splits
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


@dataclass(frozen=True, slots=True)
class Overlap:
    """A record that asks a question of a benchmark, and where the question stands; lines count from 1."""

    line: int
    question: str


@dataclass(frozen=True, slots=True)
class _Passed:
    """A record that passed: as it was read, as it is to be written, and how many tokens that is."""

    document: JsonObject
    prepared: JsonObject
    tokens: int


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
    benchmarks: Benchmarks | None = None
    """The questions that no record may ask."""
    lengths: LengthCounts = field(init=False)
    too_long: int = 0
    """Records that were left out for their length."""
    overlaps: list[Overlap] = field(default_factory=list)
    """The first records that ask a question of a benchmark, at most `KEPT_FAILURES`."""
    overlapping: int = 0
    """Records that were left out because they do."""
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
        for _, prepared in self._passed(stream, shaping, None):
            yield prepared

    def placed(self, stream: BinaryIO, shaping: Shaping, splits: Splits) -> Iterator[tuple[str, JsonObject]]:
        """Yield each record as `records` does, with its split; what is left out of all splits is not written."""
        return self._passed(stream, shaping, splits)

    def _passed(self, stream: BinaryIO, shaping: Shaping, splits: Splits | None) -> Iterator[tuple[str, JsonObject]]:
        for number, line in read_lines(stream):
            outcome = self._judge(line, shaping)
            if isinstance(outcome, list):
                self._fail(number, outcome)
            elif self._is_wanted(number, outcome):
                split = "" if splits is None else splits.split_of(outcome.document).split
                if split is not None:
                    self.lengths.add(outcome.tokens)
                    self.written += 1
                    yield split, outcome.prepared

    def _is_wanted(self, number: int, passed: _Passed) -> bool:
        """Say whether a record is short enough and asks no question of a benchmark; count it if not."""
        if self.most is not None and passed.tokens > self.most:
            self.too_long += 1
            return False
        where = self.benchmarks.overlap(passed.document) if self.benchmarks is not None else None
        if where is not None:
            self.overlapping += 1
            if len(self.overlaps) < self.KEPT_FAILURES:
                self.overlaps.append(Overlap(number, where))
        return where is None

    def _fail(self, number: int, violations: list[Violation]) -> None:
        self.failed += 1
        if len(self.failures) < self.KEPT_FAILURES:
            self.failures.append(Failure(number, tuple(violations)))

    def _judge(self, line: bytes | None, shaping: Shaping) -> _Passed | list[Violation]:
        """Return the record as it was and as it is to be written, or what is wrong with it."""
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
        if errors := self._errors_of_other(prepared, document, written) or self._stuck(prepared):
            return errors
        return _Passed(document, prepared, self.counter.of_record(prepared))

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
