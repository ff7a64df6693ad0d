"""What changed between two folders: records added, removed, changed and kept, and their tools.

Both files of records have them in the order of their indices, so one record of each is held at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

import orjson

from generator.reports.page.source import Source, index_of
from generator.runs.folder import RunFolder
from generator.runs.record_files import open_records, record_files
from generator.validation.lines import read_lines

ADDED, REMOVED, CHANGED, SAME = "added", "removed", "changed", "same"
SORTS = (ADDED, REMOVED, CHANGED, SAME)


@dataclass(slots=True)
class Changes:
    """How one folder differs from the one before."""

    before: str
    """The name of the folder before."""
    records: Counter[str] = field(default_factory=Counter)
    """Records by what became of them."""
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    """The same by kind."""
    tools: dict[str, str] = field(default_factory=dict)
    """What became of a tool, for those that are not the same."""
    figures: tuple[tuple[str, str, str], ...] = ()
    """What is told of both in figures: what, before, now."""


@dataclass(frozen=True, slots=True)
class _Line:
    index: int
    digest: bytes
    kind: str


def compare(before: Source, now: Source) -> Changes:
    """Compare two folders.

    Raises:
        StorageError: the records of one cannot be read.
    """
    changes = Changes(before.name, tools=_tools(before, now), figures=tuple(_figures(before, now)))
    older, newer = _lines(before.folder), _lines(now.folder)
    old, new = next(older, None), next(newer, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.index < new.index):
            _count(changes, REMOVED, old)
            old = next(older, None)
        elif old is None or new.index < old.index:
            _count(changes, ADDED, new)
            new = next(newer, None)
        else:
            _count(changes, SAME if old.digest == new.digest else CHANGED, new)
            old, new = next(older, None), next(newer, None)
    return changes


def _count(changes: Changes, sort: str, line: _Line | None) -> None:
    changes.records[sort] += 1
    if line is not None:
        changes.kinds.setdefault(line.kind, Counter())[sort] += 1


def _lines(folder: RunFolder) -> Iterator[_Line]:
    """Yield the records that tell their index; others have no counterpart."""
    with open_records(record_files(folder.path)) as stream:
        for _, line in read_lines(stream):
            try:
                document = orjson.loads(line or b"")
            except orjson.JSONDecodeError:
                continue  # `read_records` counts what is no record
            index = index_of(document) if isinstance(document, dict) else None
            if index is not None:
                yield _Line(index, blake2b(line or b"", digest_size=8).digest(), str(document["metadata"].get("kind")))


def _tools(before: Source, now: Source) -> dict[str, str]:
    old, new = _fingerprints(before), _fingerprints(now)
    found = {name: ADDED for name in new if name not in old}
    found |= {name: REMOVED for name in old if name not in new}
    return found | {name: CHANGED for name, there in new.items() if old.get(name, there) != there}


def _fingerprints(source: Source) -> Mapping[str, tuple[str, str]]:
    return {tool.name: (tool.fingerprint, str(tool.result_schema)) for tool in source.tools}


def _figures(before: Source, now: Source) -> Iterator[tuple[str, str, str]]:
    old, new = before.summary, now.summary
    counts = (
        ("records", old.records, new.records),
        ("attempts rejected", old.rejected, new.rejected),
        ("tools called", old.coverage.tools.used, new.coverage.tools.used),
        ("values of enumerations used", old.coverage.enum_values.used, new.coverage.enum_values.used),
        ("tokens, median of a record", old.lengths.median, new.lengths.median),
        ("tokens paid for", old.tokens.prompt + old.tokens.completion, new.tokens.prompt + new.tokens.completion),
    )
    for what, then, here in counts:
        yield what, f"{then:,}", f"{here:,}"
    for what, then_told, here_told in (("seed", before.job.get("seed"), now.job.get("seed")),):
        yield what, str(then_told), str(here_told)
