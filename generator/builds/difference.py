"""Differences of two builds: records that came, went and changed, by tool and kind, and what the reasons are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import Field

from generator.boundary import BoundaryModel
from generator.builds.folder import RECORDS
from generator.builds.inputs import differences
from generator.builds.manifest import Manifest, read_manifest
from generator.builds.states import change_of
from generator.disk import disk_errors
from generator.errors import StorageError
from generator.jsontext import JsonObject
from generator.runs.kept import checksum_of
from generator.validation.masks import unmasked


class Moved(BoundaryModel):
    """Records that came, went and changed."""

    added: int = 0
    removed: int = 0
    changed: int = 0


class Difference(BoundaryModel):
    """What changed from one build to another."""

    before: str
    after: str
    same: int
    """Records that are to the byte the same."""
    records: Moved
    kinds: dict[str, Moved]
    tools: dict[str, Moved]
    """By tool: records that show it."""
    why: dict[str, list[str]] = Field(default_factory=dict)
    """What changed of what they were made from: `tool changed`, `settings`, `seed`, `versions` ..., with names."""


class _Line(NamedTuple):
    """A record as it is compared."""

    checksum: bytes
    kind: str
    tools: tuple[str, ...]


def difference(before: Path, after: Path) -> Difference:
    """Compare two builds; links to them may be given.

    Raises:
        StorageError: one is none, or cannot be read.
    """
    old, new = read_manifest(before), read_manifest(after)
    there = dict(_records(before / RECORDS))
    tally = _Tally()
    for index, line in _records(after / RECORDS):
        was = there.pop(index, None)
        if was is None:
            tally.count("added", line)
        elif was.checksum == line.checksum:
            tally.same += 1
        else:
            tally.count("changed", line, was)
    for line in there.values():
        tally.count("removed", line)
    return Difference(
        before=before.resolve().name,
        after=after.resolve().name,
        same=tally.same,
        records=tally.moved(tally.records),
        kinds={name: tally.moved(found) for name, found in sorted(tally.kinds.items())},
        tools={name: tally.moved(found) for name, found in sorted(tally.tools.items())},
        why=reasons(old, new),
    )


class _Tally:
    """Counts of what came, went and changed."""

    def __init__(self) -> None:
        self.same = 0
        self.records: Counter[str] = Counter()
        self.kinds: dict[str, Counter[str]] = {}
        self.tools: dict[str, Counter[str]] = {}

    def count(self, how: str, *lines: _Line) -> None:
        """Count one record that came, went, or changed from one line to another."""
        self.records[how] += 1
        for kind in {line.kind for line in lines}:
            self.kinds.setdefault(kind, Counter())[how] += 1
        for tool in {tool for line in lines for tool in line.tools}:
            self.tools.setdefault(tool, Counter())[how] += 1

    @staticmethod
    def moved(found: Counter[str]) -> Moved:
        """Return the counts by their names."""
        return Moved(added=found["added"], removed=found["removed"], changed=found["changed"])


def reasons(before: Manifest, after: Manifest) -> dict[str, list[str]]:
    """Return what changed of what two builds were made from, with names, by what it is."""
    found: dict[str, list[str]] = {}
    for key in dict.fromkeys((*before.tools, *after.tools)):
        if change := change_of(key, before.tools, after.tools):
            state = after.tools.get(key) or before.tools[key]
            found.setdefault(change, []).append(state.name)
    inputs = differences(before.inputs, after.inputs)
    files = inputs.pop("sources", [])
    if files and not found:
        found["files, and nothing of their tools"] = files
    named = {"others": "prompts and benchmarks", "listed": "lists of MCP servers"}
    return found | {named.get(what, what): names for what, names in inputs.items()}


def _records(path: Path) -> Iterator[tuple[int, _Line]]:
    with disk_errors(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                document: JsonObject = orjson.loads(line)
                own = document["metadata"]
                named = unmasked(document, own["mask"]) if "mask" in own else document
                tools = tuple(tool["function"]["name"] for tool in named["tools"])
                yield own["index"], _Line(checksum_of(line), own["kind"], tools)
            except (orjson.JSONDecodeError, KeyError, TypeError) as error:
                raise StorageError(f"{path}:{number}: is no record; `toolgen verify` says what is damaged") from error
