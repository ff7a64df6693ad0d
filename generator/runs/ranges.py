"""Ranges of indices: how a part of a job is named, what several leave out, and indices in a row in little room."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import overload

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


class Stretches(Sequence[int]):
    """The indices of some ranges, one behind the other."""

    def __init__(self, ranges: Iterable[range]) -> None:
        self._ranges = [each for each in ranges if each]
        self._ends = list(accumulate(map(len, self._ranges)))

    def within(self, bounds: range) -> Stretches:
        """Return those indices that lie within a range."""
        cut = ((max(each.start, bounds.start), min(each.stop, bounds.stop)) for each in self._ranges)
        return Stretches(range(start, stop) for start, stop in cut if start < stop)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._ranges)

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[int]: ...
    def __getitem__(self, place: int | slice) -> int | Sequence[int]:
        """Return the index at a place, counted from the first, or those of a slice."""
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        found = bisect_right(self._ends, at)
        return self._ranges[found][at - self._ends[found]]
