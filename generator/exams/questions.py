"""The questions of an exam: every assistant turn of held-out records, read in any format, and a choice of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import orjson

from generator.datasets.origin import Origin, any_format
from generator.errors import DataError
from generator.formats.conversation import find_misshapen
from generator.jsontext import JsonObject, digest, dump_exactly, read_exactly
from generator.random_streams import derive_seed
from generator.validation.lines import read_lines

KEY_DIGITS = 16
NO_KIND = "-"
"""Stands for the kind of a record that tells none."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A record that a model has not seen."""

    key: str
    """16 hex digits of its messages and tools: the same record has the same in each file and format."""
    where: str
    """The file, and the line."""
    kind: str
    turns: int
    """How often the assistant answers somebody."""
    held: bytes
    """The canonical record as JSON, so that many take little memory."""
    name: str
    """What it is called in the results: the id that its metadata tell, where no other record tells the same, else its
    key."""

    @property
    def document(self) -> JsonObject:
        """The canonical record."""
        document: JsonObject = read_exactly(self.held)
        return document


class BadLine(NamedTuple):
    """A line that holds no record that can be asked, and why."""

    where: str
    why: str


@dataclass(slots=True)
class Questions:
    """The records of an exam, in their order, and what was left out of it."""

    records: list[HeldOut] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    """Lines that are no records."""
    silent: int = 0
    """Records in which the assistant answers nobody."""
    twice: int = 0
    """Records that came before."""

    @property
    def turns(self) -> int:
        """How many questions there are."""
        return sum(record.turns for record in self.records)

    @property
    def digest(self) -> str:
        """16 hex digits of the set of records, in whichever order."""
        return digest(sorted(record.key for record in self.records))


def read_questions(origins: Iterable[Origin]) -> Questions:
    """Read every record of some origins.

    Raises:
        StorageError: one cannot be read to its end.
        DataError: none of them holds a turn to ask.
    """
    found, seen = Questions(), set[str]()
    names: list[str] = []
    for origin in origins:
        names.append(origin.name)
        with origin.open() as stream:
            for number, line in read_lines(stream):
                _take(found, seen, f"{origin.name}:{number}", line)
    if not found.records:
        raise DataError(f"{', '.join(names)}: {_nothing(found)}")
    found.records = _told_apart(found.records)
    return found


def _told_apart(records: Sequence[HeldOut]) -> list[HeldOut]:
    """Call records of one name by their keys."""
    times = Counter(record.name for record in records)
    return [record if times[record.name] == 1 else replace(record, name=record.key) for record in records]


def _nothing(found: Questions) -> str:
    if found.bad:
        first = found.bad[0]
        return f"none of the {len(found.bad):,} lines is a record that can be asked; {first.where}: {first.why}"
    return "the assistant answers nobody in these records" if found.silent else "no records"


def _take(found: Questions, seen: set[str], where: str, line: bytes | None) -> None:
    """Take a line as a record, or note why it is none."""
    try:
        document, why = _record_of(line)
    except orjson.JSONDecodeError as error:
        document, why = {}, f"the line is not JSON: {error}"
    if why:
        found.bad.append(BadLine(where, why))
        return
    turns = len(turns_to_ask(document["messages"]))
    key = digest([document["messages"], document["tools"]], KEY_DIGITS)
    if not turns:
        found.silent += 1
    elif key in seen:
        found.twice += 1
    else:
        seen.add(key)
        name = _id_of(document) or key
        found.records.append(HeldOut(key, where, kind_of(document), turns, dump_exactly(document), name))


def _id_of(document: JsonObject) -> str:
    """Return the id that a record tells in its metadata, "" where it tells none; a number is told in digits."""
    metadata = document.get("metadata")
    told = metadata.get("id") if isinstance(metadata, dict) else None
    return str(told) if isinstance(told, str | int) and not isinstance(told, bool) else ""


def _record_of(line: bytes | None) -> tuple[JsonObject, str]:
    """Return the canonical record of a line, or why there is none."""
    if line is None:
        return {}, "the line is too long for a record"
    reading = any_format(read_exactly(line))
    document = reading.document
    if reading.problem:
        return {}, reading.problem
    if isinstance(document, dict) and document.get("tools") is None:
        document = {**document, "tools": []}
    misshapen = find_misshapen(document)
    if misshapen is not None:
        return {}, f"{misshapen.pointer or '/'}: {misshapen.message}"
    try:
        dump_exactly(document)
    except TypeError as error:
        return {}, f"the record cannot be written: {error}"
    return document, ""


def turns_to_ask(messages: Sequence[JsonObject]) -> list[int]:
    """Return the places of the assistant's messages that answer somebody: those right behind a user or a result."""
    return [
        place
        for place, message in enumerate(messages)
        if place and message["role"] == "assistant" and messages[place - 1]["role"] in ("user", "tool")
    ]


def kind_of(document: JsonObject) -> str:
    """Return the kind that a record tells in its metadata."""
    metadata = document.get("metadata")
    kind = metadata.get("kind") if isinstance(metadata, dict) else None
    return kind if isinstance(kind, str) and kind else NO_KIND


def choose(records: Sequence[HeldOut], count: int | None, seed: int) -> list[HeldOut]:
    """Return so many records, of each kind its share and one at least, the same ones for the same seed.

    They stay in their order. None returns all.
    """
    if count is None or count >= len(records):
        return list(records)
    by_kind: dict[str, list[int]] = {}
    for place, record in enumerate(records):
        by_kind.setdefault(record.kind, []).append(place)
    chosen: set[int] = set()
    for kind, share in _shares({kind: len(places) for kind, places in by_kind.items()}, count).items():
        order = sorted(by_kind[kind], key=lambda place: derive_seed(seed, "exam", records[place].key))
        chosen.update(order[:share])
    return [record for place, record in enumerate(records) if place in chosen]


def _shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Share a number out: one to each kind as long as there are any, the rest by the largest remainders."""
    first = dict(zip(sorted(sizes, key=lambda kind: (-sizes[kind], kind))[:count], [1] * count, strict=False))
    left, total = count - len(first), sum(sizes.values()) - len(first)
    exact = {kind: left * (sizes[kind] - 1) / total if total else 0.0 for kind in first}
    shares = {kind: 1 + int(exact[kind]) for kind in first}
    order: Iterator[str] = iter(sorted(first, key=lambda kind: (int(exact[kind]) - exact[kind], kind)))
    while sum(shares.values()) < count:
        kind = next(order)
        shares[kind] += shares[kind] < sizes[kind]
    return shares
