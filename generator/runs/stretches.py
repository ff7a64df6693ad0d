"""Stretches: indices in order, of which those in a row take no room of their own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import overload


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
