"""Rows and scopes: how a name is looked up, and how a path goes on from it."""

from __future__ import annotations

from typing import Any

from generator.worlds.rows import ABSENT, Ref, Row, Scope, Worded, resolved, step, stored
from tests.domains_library import scope, world
from tests.tables import each_row


def test_absent_is_false_and_says_what_it_is() -> None:
    assert not ABSENT
    assert repr(ABSENT) == "ABSENT"


def test_rows_are_the_same_by_entity_and_number() -> None:
    one, other = Row("book", 1, {"a": 1}), Row("book", 1, {"a": 2})
    assert one == other
    assert hash(one) == hash(other)
    assert one != Row("loan", 1, {})
    assert one != "book 1"
    assert repr(one) == "book 1"


@each_row(
    ("value", "key", "expected"),
    [
        ({"a": 1}, "a", 1),
        ({"a": 1}, "b", ABSENT),
        ([1, 2], "0", 1),
        ([1, 2], "-1", 2),
        ([1, 2], "5", ABSENT),
        ([1, 2], "first", 1),
        ([1, 2], "last", 2),
        ([], "first", ABSENT),
        ([{"a": 1}, {}, {"a": 2}], "a", [1, 2]),
        ([1], "--1", []),
        ([1], "²", []),
        ([1], "9" * 30, []),
        ("text", "a", ABSENT),
        (5, "a", ABSENT),
        (None, "a", ABSENT),
        (ABSENT, "a", ABSENT),
        (Worded({"a": 1}, (), ()), "a", 1),
        (Worded(5, (), ()), "value", 5),
    ],
)
def test_steps(value: Any, key: str, expected: Any) -> None:
    assert step(value, key, world()) == expected


def test_steps_of_rows() -> None:
    at = world()
    loan = next(iter(at.table("loan").values()))
    book = at.row(loan.fields["book"])
    assert step(loan, "due", at) == loan.fields["due"]
    assert step(loan, "book", at) == book
    assert step(loan, "member", at) == at.me
    assert step(loan, "loan", at) is loan
    assert step(loan, "nothing", at) is ABSENT
    at.remove(book)
    assert step(loan, "book", at) is ABSENT


def test_references_to_rows_that_are_gone_are_left_out() -> None:
    at = world()
    rows = list(at.table("book").values())
    refs = [row.ref for row in rows]
    at.remove(rows[1])
    assert resolved(refs, at) == [row for row in rows if row != rows[1]]
    assert resolved([1, 2], at) == [1, 2]
    assert resolved("x", at) == "x"


def test_what_fields_keep() -> None:
    row = Row("book", 3, {})
    kept = stored({"rows": [row, 1], "one": row, "word": Worded(5, (), ()), "text": "x"})
    assert kept == {"rows": [Ref("book", 3), 1], "one": Ref("book", 3), "word": 5, "text": "x"}


def test_names_are_looked_up_from_the_inside() -> None:
    outer = scope(a=1, b=2)
    inner = outer.inside({"b": 3, "c": 4}, d=5)
    assert [inner.get(name) for name in "abcd"] == [1, 3, 4, 5]
    assert inner.get("today") == "2026-01-15"
    assert inner.get("e") is ABSENT
    assert outer.get("c") is ABSENT
    assert Scope(world(), {"a": ABSENT}, outer).get("a") == 1
