"""Ranges: how they are written, and what several of them leave out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import JobError
from generator.runs.ranges import Stretches, gaps, range_text, read_range
from tests.tables import each_row


@each_row(
    "text, message",
    [
        ("5:5", "5:5 is empty"),
        ("7:3", "7:3 is empty"),
        ("90:101", "90:101 is no part of the 100 records of the job: they are 0:100"),
        ("100:200", "no part of the 100"),
        ("", "'' is no range; write A:B, as in 0:25"),
        ("1-5", "is no range"),
        (":5", "is no range"),
        ("-1:5", "is no range"),
        ("1:5:2", "is no range"),
        ("1:5\n", "is no range"),
        ("\u0661:5", "is no range"),
        ("1:99999999999", "is no range"),
    ],
)
def test_a_range_that_is_none_is_told_in_one_message(text: str, message: str) -> None:
    with pytest.raises(JobError) as refusal:
        read_range(text, 100)
    assert message in str(refusal.value)
    assert str(refusal.value).startswith("--range: ")
    assert "\n" not in str(refusal.value)


def test_a_range_is_read_as_it_is_written() -> None:
    assert read_range("25:100", 100) == range(25, 100)
    assert range_text(read_range("0:1", 100)) == "0:1"


@each_row(
    "ranges, holes",
    [
        ([], ["0:100"]),
        ([range(100)], []),
        ([range(50, 100), range(50)], []),
        ([range(10, 20), range(15, 60), range(12, 14)], ["0:10", "60:100"]),
        ([range(30, 40), range(10)], ["10:30", "40:100"]),
    ],
)
def test_what_ranges_leave_out_is_told_in_order(ranges: list[range], holes: list[str]) -> None:
    assert [range_text(each) for each in gaps(ranges, 100)] == holes


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
