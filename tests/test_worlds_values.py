"""Values of domain files: every operator with good, absent and unfit parts; what is shown of rows; faults."""

from __future__ import annotations

from typing import Any

import pytest

from generator.jsontext import JsonValue
from generator.worlds.rows import ABSENT, Worded
from generator.worlds.values import OPERATORS, compile_value, exposed
from tests.domains_library import compiler, scope
from tests.tables import each_row

NAMES: dict[str, Any] = {
    "n": 7, "half": 2.5, "t": "Red Sea", "empty": "", "yes": True, "none": None,
    "day": "2026-01-31", "at": "2026-01-15T09:30:00Z",
    "list": [3, 1, 2, 1], "rows": [{"a": 2, "b": "x"}, {"a": 1, "b": "y"}, {"b": "z"}], "o": {"k": 1},
    "w": Worded({"tag": "novel"}, ("the novels",), ()),
}  # fmt: skip

GOOD: list[tuple[JsonValue, JsonValue]] = [
    ("plain", "plain"),
    ("$$5", "$5"),
    ("$n", 7),
    ("$o.k", 1),
    ("$rows.0.b", "x"),
    ("$rows.b", ["x", "y", "z"]),
    ("$rows.last.b", "z"),
    ("$list.first", 3),
    ("$list.-1", 1),
    ([1, "$n", "$missing"], [1, 7]),
    ({"a": "$n", "b": "$missing", "c": None}, {"a": 7, "c": None}),
    ("$w.value", {"tag": "novel"}),
    ("$w.tag", "novel"),
    ("$today", "2026-01-15"),
    ("$now", "2026-01-15T08:07:07Z"),
    ({"$if": [["$n", ">", 5], "much", "little"]}, "much"),
    ({"$if": [["$n", ">", 9], "much", "little"]}, "little"),
    ({"$or": ["$missing", "$none", "$n"]}, 7),
    ({"$pick": ["$t", {"Red Sea": 1, "else": 2}]}, 1),
    ({"$pick": ["$n", {"1": 1, "else": 2}]}, 2),
    ({"$pick": ["$yes", {"true": "on"}]}, "on"),
    ({"$calc": "ceil(n / 2)"}, 4),
    ({"$calc": "o.k + half"}, 3.5),
    ({"$text": "{t} has {n}"}, "Red Sea has 7"),
    ({"$each": ["$rows", {"$calc": "a * 2"}]}, [4, 2]),
    ({"$each": ["$list", "$it"]}, [3, 1, 2, 1]),
    ({"$where": ["$rows", [["a", ">", 1]]]}, [{"a": 2, "b": "x"}]),
    ({"$sort": ["$rows", "a"]}, [{"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"b": "z"}]),
    ({"$sort": ["$rows", "-b"]}, [{"b": "z"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}]),
    ({"$count": "$list"}, 4),
    ({"$sum": "$list"}, 7),
    ({"$sum": ["$rows", "a"]}, 3),
    ({"$sum": [[0.1, 0.2]]}, 0.3),
    ({"$average": "$list"}, 1.75),
    ({"$least": "$list"}, 1),
    ({"$most": ["$rows", "b"]}, "z"),
    ({"$distinct": "$list"}, [3, 1, 2]),
    ({"$distinct": [[1, True, [1], [1]]]}, [1, True, [1]]),
    ({"$shift": ["$day", 1]}, "2026-02-01"),
    ({"$shift": ["$day", 1, "months"]}, "2026-02-28"),
    ({"$shift": ["2024-02-29", 1, "years"]}, "2025-02-28"),
    ({"$shift": ["$at", 90, "minutes"]}, "2026-01-15T11:00:00Z"),
    ({"$shift": ["23:30", 1, "hours"]}, "00:30"),
    ({"$shift": ["2026-01-15 09:30", -1]}, "2026-01-14 09:30"),
    ({"$between": ["2026-01-15", "$day"]}, 16),
    ({"$between": ["2026-01-15T08:00", "2026-01-15T09:30", "hours"]}, 1.5),
    ({"$form": ["$day", "%d.%m.%Y"]}, "31.01.2026"),
    ({"$form": ["$at", "%Y-%m-%d %H:%M"]}, "2026-01-15 09:30"),
    ({"note": {"$text": "{empty}"}, "tag": {"$text": "x-{empty}"}}, {"note": "", "tag": "x-"}),
    ({"$only": [{"a": 1, "b": 2}, ["b", "c"]]}, {"b": 2}),
    ({"$only": [[{"a": 1, "b": 2}, {"a": 3}], ["a"]]}, [{"a": 1}, {"a": 3}]),
    ({"$only": [{"a": 1}, "$missing"]}, {"a": 1}),
    ({"$day": "$at"}, "2026-01-15"),
    ({"$clock": "$at"}, "09:30"),
    ({"$round": [2.567, 1]}, 2.6),
    ({"$round": 2.5}, 2),
    ({"$lower": "$t"}, "red sea"),
    ({"$upper": "$t"}, "RED SEA"),
    ({"$join": ["$list", "-"]}, "3-1-2-1"),
    ({"$join": [[True, 1.5]]}, "true, 1.5"),
    ({"$split": "a, b"}, ["a", "b"]),
    ({"$split": ["a|b", "|"]}, ["a", "b"]),
    ({"$first": ["$list", 2]}, [3, 1]),
    ({"$first": ["$list", -3]}, []),
    ({"$merge": ["$o", {"k": 2, "l": 3}]}, {"k": 2, "l": 3}),
    ({"$not": "$yes"}, False),
    ({"$string": 5}, "5"),
    ({"$string": True}, "true"),
    ({"$number": "12"}, 12),
    ({"$number": "1.5"}, 1.5),
    ({"$number": "1e3"}, 1000.0),
    ({"$length": "$t"}, 7),
    ({"$words": "$t"}, 2),
    ({"$draw": {"from": ["one"]}}, "one"),
]


@each_row(("spec", "expected"), GOOD, ids=[str(spec)[:50] for spec, _ in GOOD])
def test_values(spec: JsonValue, expected: JsonValue) -> None:
    known = compiler(*NAMES, "missing")
    at = scope(**NAMES)
    assert exposed(compile_value(spec, ("here",), known)(at), at) == expected
    assert known.faults.found == []


def test_every_operator_is_tried() -> None:
    tried = {key for spec, _ in GOOD if isinstance(spec, dict) for key in spec if key.startswith("$")}
    assert {*OPERATORS, "$draw"} <= tried


ALONE = ("$if", "$or", "$calc", "$text", "$pick", "$each", "$where", "$sort")


@each_row("name", [name for name in OPERATORS if name not in ("$if", "$or", "$pick")])
@each_row("part", ["$missing", "$none", {"a": 1}, [[]], "$member"])
def test_operators_of_absent_and_unfit_parts_have_no_result_or_a_plain_one(name: str, part: JsonValue) -> None:
    """No part makes an operator raise, and no result shows how Python writes a row."""
    known = compiler("missing", "none", "member")
    low, _ = OPERATORS[name][1]
    spec = {name: "missing" if name == "$calc" else "{missing}" if name == "$text" else [part, *["x"] * (low - 1)]}
    at = scope(none=None, member=next(iter(scope().world.table("member").values())))
    value = compile_value(spec, (), known)(at)
    assert "object at" not in repr(exposed(value, at))
    if part == "$missing" and name != "$not":
        assert value is ABSENT


FAULTS: list[tuple[JsonValue, str, tuple[Any, ...], str]] = [
    ({"$cuont": "$list"}, "unknown operator '$cuont'", ("$cuont",), "$count"),
    ("$lsit", "unknown name '$lsit'", (), "$list"),
    ("$me.nmae", "unknown field of member 'nmae'", (), "name"),
    ("$me|ful", "unknown view 'ful'", (), "full"),
    ({"$if": [[], 1]}, "$if takes a list of 3 parts", ("$if",), ""),
    ({"a": [{"$calc": "1 +"}]}, "is no formula", ("a", 0, "$calc"), ""),
    ({"$calc": "lsit + 1"}, "unknown name '$lsit'", ("$calc",), "$list"),
    ({"$pick": ["$list", 5]}, "`$pick` takes", ("$pick", 1), ""),
    ({"$if": [[["$list", "==", 1]], 1, 2]}, "unknown operator '=='", ("$if", 0, 0, 1), "="),
]


@pytest.mark.parametrize(("spec", "what", "path", "nearest"), FAULTS)
def test_faults_tell_their_place_and_the_nearest_name(
    spec: JsonValue, what: str, path: tuple[Any, ...], nearest: str
) -> None:
    known = compiler("list")
    compile_value(spec, ("top",), known)(scope(list=[]))
    (fault,) = known.faults.found
    assert what in fault.what
    assert fault.path == ("top", *path)
    assert nearest in fault.remedy


def test_rows_are_shown_by_their_views_and_references_by_ids() -> None:
    at = scope()
    loan = next(iter(at.world.table("loan").values()))
    at.names["loan"] = loan
    known = compiler(loan="loan")
    full = compile_value("$loan|full", (), known)(at)
    book = at.world.row(loan.fields["book"])
    assert full == {
        "loan_id": loan.fields["id"],
        "title": book.fields["title"],
        "due_date": loan.fields["due"],
        "status": "overdue" if loan.fields["due"] < "2026-01-15" else "active",
    }
    assert exposed(loan, at) == {**loan.fields, "book": book.fields["id"]}
    assert exposed({"rows": [loan.fields["book"]]}, at) == {"rows": [book.fields["id"]]}
    assert compile_value("$loan.member.name", (), known)(at) == at.get("me").fields["name"]
    assert known.faults.found == []


def test_the_same_arguments_draw_the_same() -> None:
    known = compiler()
    value = compile_value({"$draw": {"integer": [0, 10**9]}}, ("tools", "x"), known)
    other = compile_value({"$draw": {"integer": [0, 10**9]}}, ("tools", "y"), known)
    assert value(scope(args={"a": 1, "b": 2})) == value(scope(args={"b": 2, "a": 1}))
    drawn = {
        value(scope(args={"a": 1})),
        value(scope(args={"a": 2})),
        value(scope(seed=8, args={"a": 1})),
        other(scope(args={"a": 1})),
    }
    assert len(drawn) == 4
