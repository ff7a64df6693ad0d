"""Room: how much of the disk a run will take, told before it is begun."""

from __future__ import annotations

import shutil
from pathlib import Path

from generator.domains.catalog import Catalog
from generator.job import Job
from generator.record import Producer
from generator.scenarios.planner import Planner

_TRIED = 48
"""Records that are made to learn how long they are."""
_STORE = 1.25
"""Bytes of the run store, with the rejected attempts, for each byte of the records, as measured."""
WORTH_A_LOOK = 20_000
"""Records from which on a run looks beforehand whether the disk has room for them."""


def room_needed(job: Job, catalog: Catalog, planner: Planner, indices: range) -> int:
    """Estimate how many bytes the folder of an offline run takes, from a few records from all over its range."""
    producer = Producer(job, catalog, planner=planner)
    made = [producer.produce(index).line for index in indices[:: max(1, len(indices) // _TRIED)][:_TRIED]]
    sizes = [len(line) for line in made if line is not None]
    return round(sum(sizes) / max(1, len(sizes)) * (1 + _STORE) * len(indices))


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
