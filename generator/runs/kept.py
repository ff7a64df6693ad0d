"""Kept records: lines of an earlier run over much the same tools, which a run takes over as they are, to the byte.

In: the file of them, and where in it each stands. Out: the outcomes that they are in the run that takes them over. What
vouches for them is whoever names the lines: the file is known to be what was published, all of it examined then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import orjson

from generator.disk import disk_errors
from generator.domains.catalog import Catalog
from generator.errors import StorageError
from generator.jsontext import JsonObject, digest
from generator.lengths import ESTIMATE, TokenCounter
from generator.runs.outcome import Outcome, outcome_of
from generator.runs.read_back import ForeignRecord, ReadRecord
from generator.validation import examine
from generator.validation.grounding.arguments.grounded import explain_view
from generator.validation.masks import unmasked


class Place(NamedTuple):
    """Where a line stands in its file, in bytes, and what tells it from any other."""

    start: int
    size: int
    checksum: bytes


def checksum_of(line: bytes) -> bytes:
    """Return 16 bytes that tell a line from any other."""
    return blake2b(line, digest_size=16).digest()


class KeptRecords:
    """Lines of a file that records of a run are to be, by index."""

    def __init__(
        self, file: Path, places: Mapping[int, Place], catalog: Catalog, counter: TokenCounter = ESTIMATE
    ) -> None:
        self._file = file
        self._places = places
        self._catalog = catalog
        self._counter = counter
        self._indices = {place.checksum: index for index, place in places.items()}

    def __len__(self) -> int:
        return len(self._places)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcome that each line is, in the order of their indices.

        Raises:
            StorageError: the file cannot be read, or is not what it was.
        """
        with disk_errors(self._file), self._file.open("rb") as file:
            for index in sorted(self._places):
                place = self._places[index]
                file.seek(place.start)
                line = file.read(place.size)
                if checksum_of(line) != place.checksum:
                    raise StorageError(f"{self._file}: was changed while it was read; run the same command again")
                yield self._outcome(line)

    def recognising(self, read_record: ReadRecord) -> ReadRecord:
        """Return what reads a stored line: a kept one is known by its bytes, any other is for `read_record`."""

        def read(line: bytes, metadata: bytes = b"") -> Outcome:
            return self._outcome(line) if checksum_of(line) in self._indices else read_record(line, metadata)

        return read

    def _outcome(self, line: bytes) -> Outcome:
        document: JsonObject = orjson.loads(line)
        try:
            own = document["metadata"]
            named = unmasked(document, own["mask"]) if "mask" in own else document
            known = self._catalog.by_fingerprint
            tools = tuple(known[digest(tool)] for tool in named["tools"])
            return outcome_of(document, self._grounding(document), tools, line, counter=self._counter)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ForeignRecord(f"it is no record as toolgen writes them ({type(error).__name__}: {error})") from error

    def _grounding(self, document: JsonObject) -> JsonObject:
        """Return where the values of a record come from: as its metadata tell, else as the examiner finds it."""
        told: JsonObject | None = document["metadata"].get("grounding")
        if told is not None or not any(message.get("tool_calls") for message in document["messages"]):
            return told or {}
        _, view = examine(document, catalog=self._catalog)
        return explain_view(view) if view is not None else {}
