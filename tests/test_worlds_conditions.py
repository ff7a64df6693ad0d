"""Conditions: every operator, what absent sides mean, any and not, faults."""

from __future__ import annotations

from typing import Any

import pytest

from generator.jsontext import JsonValue
from generator.worlds.conditions import OPERATORS, UNARY, compile_conditions
from generator.worlds.rows import Worded
from tests.domains_library import compiler, scope
from tests.tables import each_row

NAMES: dict[str, Any] = {
    "n": 7, "t": "Red Sea", "list": ["a", "b"], "empty": [], "none": None, "yes": True, "at": "2026-01-15T09:30",
    "w": Worded("a", ("the first",), ()),
}  # fmt: skip

HOLDS: list[tuple[JsonValue, bool]] = [
    (["$n", "=", 7], True),
    (["$n", "=", 7.0], True),
    (["$n", "=", "7"], False),
    (["$yes", "=", 1], False),
    (["$yes", "=", True], True),
    (["$n", "!=", 8], True),
    (["$yes", "!=", 1], True),
    (["$none", "=", None], True),
    (["$n", "<", 8], True),
    (["$n", "<", 7], False),
    (["$n", "<=", 7], True),
    (["$n", ">", 6], True),
    (["$n", ">=", 8], False),
    (["$at", ">", "2026-01-15"], True),
    (["$n", "<", "x"], False),
    (["$none", "<", 1], False),
    (["$t", "is", "red sea"], True),
    (["$t", "is", "red"], False),
    (["$w", "in", "$list"], True),
    (["$n", "in", [6, 7]], True),
    (["$yes", "in", [1]], False),
    (["$n", "not in", [6, 7]], False),
    (["$list", "has", "a"], True),
    (["$list", "has", "$w"], True),
    (["$t", "has", "R"], False),
    (["$list", "has all", ["a", "b"]], True),
    (["$list", "has all", ["a", "c"]], False),
    (["$list", "has any", ["c", "b"]], True),
    (["$list", "has any", "c"], False),
    (["$t", "contains", "SEA"], True),
    (["$t", "starts", "red"], True),
    (["$t", "starts", "sea"], False),
    (["$t", "like", "sea red"], True),
    (["$list", "like", "b"], True),
    (["$t", "like", "blue sea"], False),
    (["$at", "on", "2026-01-15"], True),
    (["$at", "on", "2026-01-16"], False),
    (["$n", "given"], True),
    (["$none", "given"], False),
    (["$missing", "given"], False),
    (["$missing", "missing"], True),
    (["$n", "missing"], False),
    (["$empty", "empty"], True),
    (["$list", "empty"], False),
    (["$list", "not empty"], True),
    (["$missing", "=", 1], False),
    (["$n", "=", "$missing"], False),
    ([], True),
    ([["$n", "=", 7], ["$t", "is", "red sea"]], True),
    ([["$n", "=", 7], ["$t", "is", "x"]], False),
    ([{"any": [[["$n", "=", 1]], [["$n", "=", 7]]]}], True),
    ([{"any": []}], False),
    ([{"any": [["$n", "=", 1]]}], False),
    ([{"not": [["$n", "=", 1]]}], True),
    ([{"not": [["$n", "=", 7]]}], False),
]


@each_row(("lines", "expected"), HOLDS, ids=[str(lines) for lines, _ in HOLDS])
def test_conditions(lines: JsonValue, expected: bool) -> None:
    known = compiler(*NAMES, "missing")
    assert compile_conditions(lines, (), known)(scope(**NAMES)) is expected
    assert known.faults.found == []


def test_every_operator_is_tried() -> None:
    tried = {lines[1] for lines, _ in HOLDS if len(lines) > 1 and isinstance(lines[1], str)}
    assert {*OPERATORS, *UNARY} <= tried


def books(where: JsonValue, **given: Any) -> int:
    """How many books of the library fulfil a `where`."""
    known = compiler("year", "tag", "title")
    at = scope(**given)
    test = compile_conditions(where, (), known, "book")
    assert known.faults.found == []
    return sum(test(at.inside(row)) for row in at.world.table("book").values())


def test_the_right_side_of_a_where_is_never_a_field_of_the_row() -> None:
    rows = scope().world.table("book").values()
    year = next(iter(rows)).fields["year"]
    assert books([["year", "=", "$year"]], year=year) == 1
    assert books([["year", "=", "$year"]]) == len(rows), "an argument that was not given asks nothing"


def test_what_was_not_given_asks_nothing_wherever_it_stands() -> None:
    every = books([])
    assert books([{"not": [["tags", "has", "$tag"]]}]) == every
    assert books([{"not": [["tags", "has", "$tag"]]}], tag="novel") == every - books(
        [["tags", "has", "$tag"]], tag="novel"
    )
    assert books([{"any": [[["tags", "has", "$tag"]], [["title", "=", "$title"]]]}]) == every
    either = [{"any": [[["tags", "has", "$tag"]], [["title", "=", "$title"]]]}]
    assert books(either, tag="crime") == books([["tags", "has", "$tag"]], tag="crime")


FAULTS: list[tuple[JsonValue, str, tuple[Any, ...], str]] = [
    (5, "a condition is a list", (), ""),
    ([["$n", "=="]], "unknown operator '=='", (0, 1), ""),
    ([["$n", "contians", 1]], "unknown operator 'contians'", (0, 1), "contains"),
    ([["$n", "giben"]], "unknown operator 'giben'", (0, 1), "given"),
    ([["$n"]], "a condition is [left", (0,), ""),
    ([{"all": []}], "a condition is [left", (0,), ""),
    ([{"any": [[["$lsit", "=", 1]]]}], "unknown name '$lsit'", (0, "any", 0, 0, 0), "$list"),
    ([{"not": [["$n", "=", "$lsit"]]}], "unknown name '$lsit'", (0, "not", 0, 2), "$list"),
]


@pytest.mark.parametrize(("lines", "what", "path", "nearest"), FAULTS)
def test_faults(lines: JsonValue, what: str, path: tuple[Any, ...], nearest: str) -> None:
    known = compiler("n", "list")
    assert compile_conditions(lines, ("when",), known)(scope(n=1)) in (True, False)
    fault = known.faults.found[0]
    assert what in fault.what
    assert fault.path == ("when", *path)
    assert nearest in fault.remedy


def test_fields_that_are_none_are_faults() -> None:
    known = compiler()
    compile_conditions([["titel", "=", 1], ["book.x", "=", 1]], ("where",), known, "book")
    assert [(fault.what, fault.path) for fault in known.faults.found] == [
        ("unknown field of book 'titel'", ("where", 0, 0)),
        ("unknown field of book 'x'", ("where", 1, 0)),
    ]
    assert "title" in known.faults.found[0].remedy
