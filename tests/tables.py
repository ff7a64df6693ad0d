"""Tables of many cheap rows, each table tried by one test: a test for each row costs more than the row does."""

from __future__ import annotations

import functools
import inspect
import reprlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

Test = Callable[..., None]
Row = tuple[str, dict[str, Any]]
"""What a row is called, and its arguments by name."""
_ENDS = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""What a row may fail with; one that skips would take the others with it."""


def each_row(
    names: str | Sequence[str], rows: Iterable[Any], ids: Callable[[Any], str] | Iterable[str] | None = None
) -> Callable[[Test], Test]:
    """Try all rows in one test, where `pytest.mark.parametrize`, which is told the same, makes a test of each.

    Every row is tried, whatever becomes of the others, and all that fail are named. For tests that leave no trace: what
    fixtures give is the same for all rows.
    """
    arguments = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    table = list(_named(arguments, list(rows), ids))
    assert table, "a table without rows shows nothing"

    def of_test(test: Test) -> Test:
        @functools.wraps(test)
        def tries_all(**fixtures: Any) -> None:
            failures = [failure for row in table if (failure := _failure(test, row, fixtures)) is not None]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} rows", failures)

        whole = inspect.signature(test)
        rest = [part for name, part in whole.parameters.items() if name not in arguments]
        tries_all.__signature__ = whole.replace(parameters=rest)  # type: ignore[attr-defined]  # what pytest reads
        return tries_all

    return of_test


def _named(arguments: list[str], rows: list[Any], ids: Callable[[Any], str] | Iterable[str] | None) -> Iterable[Row]:
    told = [None] * len(rows) if ids is None or callable(ids) else list(ids)
    for row, name in zip(rows, told, strict=True):
        is_param = isinstance(row, type(pytest.param()))
        assert not (is_param and row.marks), "a row with a mark needs a test of its own"
        values = row.values if is_param else row if len(arguments) > 1 else (row,)
        said = [str(ids(value) if callable(ids) else reprlib.repr(value)) for value in values]
        yield (row.id if is_param else None) or name or "-".join(said), dict(zip(arguments, values, strict=True))


def _failure(test: Test, row: Row, fixtures: dict[str, Any]) -> BaseException | None:
    name, arguments = row
    try:
        test(**fixtures, **arguments)
    except _ENDS as failure:
        failure.add_note(f"row {name}")
        return failure
    return None
