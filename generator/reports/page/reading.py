"""One pass over the records of a report, in memory that does not grow with them: lengths, requests, packed records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

import orjson

from generator.formats.conversation import messages_of
from generator.jsontext import JsonObject
from generator.lengths import ESTIMATE, LengthCounts
from generator.random_streams import derive_seed
from generator.reports.page.diversity import Choice
from generator.reports.page.packing import Chunk, Packer, first_request
from generator.reports.page.source import Placings, Source, open_placings
from generator.runs.record_files import open_records, record_files
from generator.validation.lines import read_lines

MOST_RECORDS = 100_000
MOST_BYTES = 96 * 1024 * 1024
"""Bytes of packed records in a page: a browser opens so many in seconds."""
_BITS = 53
ONE_CALL = "simple"
"""The kind whose requests are compared with people's requests for one call."""


@dataclass(slots=True)
class Reading:
    """What the records told."""

    records: int = 0
    unreadable: int = 0
    """Lines that hold no record."""
    lengths: LengthCounts = field(default_factory=LengthCounts)
    """Tokens of the records, estimated: what the summary has counted is told beside them."""
    requests: Choice = field(default_factory=Choice)
    one_call: Choice = field(default_factory=Choice)
    """Requests of the records that show one call."""
    packer: Packer = field(default_factory=Packer)
    splits: dict[str, int] = field(default_factory=dict)
    """Records by split; empty where there are none."""
    chosen_by_seed: bool = False
    """Whether the page holds a choice of the records, for they are too many."""
    is_full: bool = False
    """Whether the page took no more."""


def read_records(source: Source, spool: IO[str], most: int = MOST_RECORDS) -> Reading:
    """Read the records once, and write those that the page is to hold into `spool`, packed, a line a chunk.

    Raises:
        StorageError: the records cannot be read.
    """
    reading = Reading(chosen_by_seed=source.summary.records > most)
    files, size = record_files(source.folder.path), 0
    share = most / max(1, source.summary.records)
    with open_records(files) as stream, open_placings(source) as placings:
        for _, line in read_lines(stream):
            document = _read(line)
            if document is None:
                reading.unreadable += 1
                continue
            split = _note(reading, document, placings)
            reading.is_full = reading.is_full or reading.packer.records >= most or size >= MOST_BYTES
            if not reading.is_full and (not reading.chosen_by_seed or _is_chosen(reading.records, share)):
                size += _write(spool, reading.packer.add(document, split))
    _write(spool, reading.packer.close())
    return reading


def chunks_of(spool: IO[str]) -> Iterator[Chunk]:
    """Yield the chunks that were written into `spool`."""
    spool.seek(0)
    for line in spool:
        yield Chunk(*json.loads(line))


def _read(line: bytes | None) -> JsonObject | None:
    try:
        document = orjson.loads(line or b"")
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) and messages_of(document) else None


def _note(reading: Reading, document: JsonObject, placings: Placings) -> str:
    """Take note of one record, and return the split that it is in."""
    reading.lengths.add(ESTIMATE.of_record({"messages": document["messages"], "tools": document.get("tools", [])}))
    request, split = first_request(document), placings.split_of(document)
    metadata = document.get("metadata")
    if request:
        reading.requests.add(reading.records, request)
        if isinstance(metadata, dict) and metadata.get("kind") == ONE_CALL:
            reading.one_call.add(reading.records, request)
    if split:
        reading.splits[split] = reading.splits.get(split, 0) + 1
    reading.records += 1
    return split


def _is_chosen(number: int, share: float) -> bool:
    return derive_seed("report", number) < share * (1 << _BITS)


def _write(spool: IO[str], chunks: Iterator[Chunk]) -> int:
    return sum(spool.write(json.dumps(chunk) + "\n") for chunk in chunks)
