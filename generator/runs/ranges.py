"""Ranges of indices: how a part of a job is named, and what several of them leave out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from generator.errors import JobError

_WRITTEN = re.compile(r"([0-9]{1,10}):([0-9]{1,10})")


def read_range(text: str, count: int, place: str = "--range") -> range:
    """Return the indices that `A:B` names, A to B - 1, of a job of so many records.

    Raises:
        JobError: it is written otherwise, names none, or some that the job does not have.
    """
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise JobError(f"{place}: {text!a} is no range; write A:B, as in 0:{max(1, count // 4)}: from A up to B - 1")
    start, stop = map(int, found.groups())
    if start >= stop:
        raise JobError(f"{place}: {text} is empty; it goes from A up to B - 1, so B has to be above A")
    if stop > count:
        raise JobError(f"{place}: {text} is no part of the {count:,} records of the job: they are 0:{count}")
    return range(start, stop)


def range_text(indices: range) -> str:
    """Return a range as `read_range` reads it."""
    return f"{indices.start}:{indices.stop}"


def gaps(ranges: Iterable[range], count: int) -> list[range]:
    """Return what some ranges leave out of the first `count` indices, in order."""
    found, reached = [], 0
    for each in sorted(ranges, key=lambda one: one.start):
        if each.start > reached:
            found.append(range(reached, min(each.start, count)))
        reached = max(reached, each.stop)
    return [*found, range(reached, count)] if reached < count else found
