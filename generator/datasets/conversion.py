"""Conversion: the lines of a data set of any origin, written in another format, a batch at a time.

A record is not judged here, beyond having the shape of one: that is what validation is for.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import orjson

from generator.datasets.origin import Origin
from generator.engines.pool import work_in_order
from generator.formats import FORMATS
from generator.formats.conversation import find_misshapen
from generator.formats.recognition import Recognised, beside, read_in, read_record
from generator.formats.writing import Shaping
from generator.jsontext import JsonObject, JsonValue, altered_number, dump_line, read_exactly
from generator.lengths import TokenCounter, coarse, open_counter
from generator.validation.lines import Batch, batches, read_lines
from generator.validation.verdict import Read, Tally


class BadLine(NamedTuple):
    """A line that was left out, and why; lines count from 1."""

    line: int
    pointer: str
    message: str


@dataclass(slots=True)
class Converted:
    """What came of a batch of lines."""

    lines: bytes
    written: int = 0
    too_long: int = 0
    """Records that were left out for their length."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many records have each length in tokens, roughly."""
    bad: list[BadLine] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    """What was read of the records that were written."""


class _Bad(Exception):
    """Why a line is left out."""

    def __init__(self, pointer: str, message: str) -> None:
        self.pointer = pointer
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Conversion:
    """Reads lines in one format, "" for whichever each is in, and writes them in another."""

    source: str
    shaping: Shaping
    tokenizer: str = ""
    most: int | None = None
    """The most tokens of a record."""

    def __call__(self, batch: Batch) -> Converted:
        """Convert the lines of a batch."""
        lines: list[bytes] = []
        converted = Converted(b"")
        counter = _opened(self.tokenizer)
        for number, line in batch:
            try:
                form, document, written, read = self._convert(line)
            except _Bad as bad:
                converted.bad.append(BadLine(number, bad.pointer, bad.message))
                continue
            tokens = counter.of_record(document)
            if self.most is not None and tokens > self.most:
                converted.too_long += 1
                continue
            converted.lengths[coarse(tokens)] += 1
            lines.append(written)
            converted.tally.add((), form, read)
        converted.lines = b"".join(lines)
        converted.written = len(lines)
        return converted

    def _convert(self, line: bytes | None) -> tuple[str, JsonObject, bytes, Read]:
        if line is None:
            raise _Bad("", "the line is too long for a record")
        try:
            document = read_exactly(line)
        except orjson.JSONDecodeError as error:
            raise _Bad("", f"the line is not JSON: {error}") from error
        form, read, problem = self._read(document)
        if problem:
            raise _Bad("", problem)
        others, document = beside(form, document), read
        if isinstance(document, dict) and "tools" not in document:
            document = {**document, "tools": []}
        misshapen = find_misshapen(document)
        if misshapen is not None:
            raise _Bad(misshapen.pointer, f"{misshapen.message} (read as {form})")
        try:
            prepared = self.shaping.prepare(document)
            written = dump_line(self.shaping.write(prepared))
        except (TypeError, ValueError, RecursionError) as error:
            raise _Bad("", f"the record cannot be written: {error}") from error
        if altered := altered_number(line, written):
            raise _Bad("", f"the number {altered[:40]} would be written rounded")
        return form, prepared, written, _read_of(document, others)

    def _read(self, document: JsonValue) -> Recognised:
        if not self.source:
            return read_record(document)
        if FORMATS[self.source].load_record is None or not isinstance(document, dict):
            return Recognised("", document, "a record is a JSON object")
        return Recognised(self.source, read_in(self.source, document))


@lru_cache(1)
def _opened(tokenizer: str) -> TokenCounter:
    """Open a tokenizer once in each process."""
    return open_counter(tokenizer)


def _read_of(document: JsonObject, others: JsonObject) -> Read:
    """Count what was read of a record that has the shape of one."""
    messages, tools = document["messages"], len(document["tools"])
    calls = sum(len(message.get("tool_calls", ())) for message in messages)
    results = sum(message["role"] == "tool" for message in messages)
    metadata = document.get("metadata")
    silent = bool(tools) and not calls and not (isinstance(metadata, dict) and "kind" in metadata)
    return Read(calls, results, tools, silent, tuple(others))


def convert_all(origins: Sequence[Origin], conversion: Conversion, jobs: int = 1) -> Iterator[tuple[Origin, Converted]]:
    """Convert every line of every origin; yield what came of each batch, in their order, whatever `jobs` is.

    Raises:
        StorageError: an origin cannot be read (to its end); what came before has been yielded.
        EngineError: a process was lost.
    """
    of_batches: deque[Origin] = deque()

    def given() -> Iterator[Batch]:
        for origin in origins:
            with origin.open() as stream:
                for batch in batches(read_lines(stream)):
                    of_batches.append(origin)
                    yield batch

    for converted in work_in_order(conversion, given(), jobs):
        yield of_batches.popleft(), converted
