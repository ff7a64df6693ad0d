"""Stretches: a sequence of indices like any other, whatever lies between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.runs.stretches import Stretches

RANGES = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 8)), max_size=6)


@given(RANGES, st.slices(30))
def test_they_are_the_list_of_their_indices(parts: list[tuple[int, int]], some: slice) -> None:
    ranges = [range(start, start + size) for start, size in parts]
    whole = [index for each in ranges for index in each]
    found = Stretches(ranges)
    assert list(found) == whole
    assert len(found) == len(whole)
    assert [found[at] for at in range(-len(whole), len(whole))] == [*whole, *whole]
    assert list(found[some]) == whole[some]


def test_many_take_no_room() -> None:
    found = Stretches([range(10**9), range(2 * 10**9, 3 * 10**9)])
    assert len(found) == 2 * 10**9
    assert found[10**9] == 2 * 10**9
