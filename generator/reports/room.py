"""Room: how much of the disk a run will take, told before it is begun."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from generator.compressed import packed
from generator.domains.catalog import Catalog
from generator.job import Job
from generator.jsontext import dump_pretty
from generator.random_streams import derive_seed
from generator.record import Producer
from generator.runs.outcome import Outcome
from generator.runs.packing import Packing
from generator.runs.record_files import Form
from generator.runs.rows import text_of
from generator.scenarios.planner import Planner

_TRIED = 128
"""Records that are made to learn how long they are, and what packing makes of them."""
_PAGES = 1.15
"""Bytes of the run store for each byte of the rows that it keeps, as measured: its pages are not full."""
_SUMMARY = 60_000
"""Bytes of the files that do not grow with the records, less the catalog, about."""
WORTH_A_LOOK = 20_000
"""Records from which on a run looks beforehand whether the disk has room for them."""


def room_needed(job: Job, catalog: Catalog, planner: Planner, indices: range) -> int:
    """Estimate how many bytes the folder of an offline run takes, from a few records from all over its range.

    They are those of a run whose store is not dropped yet.
    """
    producer = Producer(job, catalog, planner=planner)
    made = list(map(producer.produce, _chosen(indices)))
    published = _size(packed((each.line for each in made if each.line is not None), Form.of(job).names(0)[0]))
    rejections = (reason.model_dump_json(by_alias=True).encode() for each in made for reason in each.rejections)
    growing = published + _size(rejections) + _PAGES * _size_of_rows(made)
    return round(growing / max(1, len(made)) * len(indices)) + _size([dump_pretty(catalog.dump()).encode()]) + _SUMMARY


def _chosen(indices: range) -> list[int]:
    """Return some of the indices, one of each stretch: kinds come back at regular distances, so these are not."""
    tried = min(_TRIED, len(indices))
    starts = [number * len(indices) // tried for number in range(tried + 1)]
    return [indices[at + derive_seed("room", at) % (end - at)] for at, end in pairwise(starts)]


def _size_of_rows(made: Sequence[Outcome]) -> float:
    """Return how many bytes as many rows take in a store, which knows its first ones when it packs the others."""
    texts = list(map(text_of, made))
    known = next((number for number in range(len(texts)) if Packing.learned(texts[:number])), 0)
    packing = Packing.learned(texts[:known]) or Packing()
    rest = texts[known:]
    return _size(map(packing.pack, rest)) / max(1, len(rest)) * len(texts)


def _size(chunks: Iterable[bytes]) -> int:
    return sum(map(len, chunks))


def room_left(folder: Path) -> int:
    """Return how many bytes the disk of a folder, which need not exist, has left for this user."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free


def in_bytes(size: int) -> str:
    """Return a number of bytes as people read it."""
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{max(1, round(size / 1000)):,} kB"
