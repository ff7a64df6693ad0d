"""A table is tried whole by one test, and what fails of it is told row by row."""

from __future__ import annotations

import inspect

import pytest

from tests.tables import each_row


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    tried = []

    @each_row("number, text", [(1, "a"), pytest.param(2, "b", id="two"), (3, "c"), (4, "d")])
    def test(number: int, text: str, given: int) -> None:
        tried.append((number, text, given))
        if number == 3:
            pytest.skip("of no use")
        assert number % 2

    assert list(inspect.signature(test).parameters) == ["given"]
    with pytest.raises(BaseExceptionGroup, match="3 of 4 rows") as raised:
        test(given=7)
    assert tried == [(1, "a", 7), (2, "b", 7), (3, "c", 7), (4, "d", 7)]
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["row two"], ["row 3-'c'"], ["row 4-'d'"]]


def test_tables_multiply_and_rows_are_called_as_they_are_told() -> None:
    @each_row("one", {"x": 1, "y": 2}, ids=["first", "second"])
    @each_row("other", [1, 2], ids=lambda number: f"no. {number}")
    def test(one: str, other: int) -> None:
        assert (one, other) != ("y", 2)

    with pytest.raises(BaseExceptionGroup) as raised:
        test()
    (outer,) = raised.value.exceptions
    assert isinstance(outer, BaseExceptionGroup)
    assert outer.__notes__ == ["row second"]
    assert [failure.__notes__ for failure in outer.exceptions] == [["row no. 2"]]


def test_a_table_that_is_none_is_refused() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        each_row("one", [])
    with pytest.raises(AssertionError, match="needs a test of its own"):
        each_row("one", [pytest.param(1, marks=pytest.mark.slow)])
    with pytest.raises(ValueError, match="shorter"):
        each_row("one, other", [(1, 2), (1,)])
