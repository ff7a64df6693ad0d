"""Sources: what each of them draws, bounds, settings, and faults with the nearest name."""

from __future__ import annotations

import re
from typing import Any

import pytest

from generator.jsontext import JsonValue
from generator.random_streams import stream
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.rows import ABSENT, NothingToDraw, Row, Worded, distinct
from generator.worlds.sources import SOURCES, compile_source
from tests.domains_library import compiler, desk, scope
from tests.tables import each_row


def drawn(spec: JsonValue, times: int = 60, **names: Any) -> list[Any]:
    """What a source draws, in a scope with these names."""
    known = compiler(*names)
    source = compile_source(spec, ("draw",), known)
    assert known.faults.found == []
    return [source(scope(**names), stream("test", number), {}) for number in range(times)]


DRAWS: list[tuple[JsonValue, Any]] = [
    ("plain", lambda value: value == "plain"),
    (5, lambda value: value == 5),
    ("$n", lambda value: value == 7),
    ({"$calc": "n + 1"}, lambda value: value == 8),
    ({"pool": "titles"}, lambda value: value.startswith("The ")),
    ({"pool": [1, 2]}, lambda value: value in (1, 2)),
    ({"integer": [3, 5]}, lambda value: value in (3, 4, 5)),
    ({"integer": [0, 20], "step": 5}, lambda value: value in (0, 5, 10, 15, 20)),
    ({"integer": ["$n", {"$calc": "n + 1"}]}, lambda value: value in (7, 8)),
    ({"integer": [0.5, 2.5]}, lambda value: value in (1, 2)),
    ({"integer": [-(2**53), 2**53]}, lambda value: abs(value) <= 2**53),
    ({"number": [1, 2]}, lambda value: 1 <= value <= 2 and round(value, 2) == value),
    ({"number": [1, 2], "decimals": 0}, lambda value: value in (1, 2)),
    ({"number": [0, 1], "step": 0.25}, lambda value: value in (0, 0.25, 0.5, 0.75, 1)),
    ({"day": [0, 3]}, lambda value: "2026-01-15" <= value <= "2026-01-18"),
    ({"day": [1, 1], "from": "2026-02-28"}, lambda value: value == "2026-03-01"),
    ({"day": [0, 9], "only": "weekdays"}, lambda value: value not in ("2026-01-17", "2026-01-18", "2026-01-24")),
    ({"day": [0, 0], "as": "%d.%m.%y, %A"}, lambda value: value == "15.01.26, Thursday"),
    ({"clock": ["08:00", "09:00"]}, lambda value: value in ("08:00", "08:30", "09:00")),
    ({"clock": ["08:00", "08:20"], "every": 10, "as": "%-I %p"}, lambda value: value == "8 AM"),
    ({"moment": [0, 1]}, lambda value: re.fullmatch(r"2026-01-1[56]T(0[89]|1\d|20):(00|15|30|45):00", value)),
    (
        {"moment": [0, 0], "hours": ["10:00", "10:00"], "as": "%Y-%m-%d %H:%M"},
        lambda value: value == "2026-01-15 10:00",
    ),
    ({"faker": "first_name"}, lambda value: value.isalpha()),
    ({"pattern": "L-[A-Z]{3}"}, lambda value: re.fullmatch("L-[A-Z]{3}", value)),
    ({"text": "number {n}"}, lambda value: value == "number 7"),
    ({"maybe": 0, "value": 1, "else": 2}, lambda value: value == 2),
    ({"maybe": 1, "value": {"integer": [4, 4]}}, lambda value: value == 4),
    ({"maybe": 0.5, "value": 1}, lambda value: value in (1, None)),
    (
        {"maybe": 1, "value": {"row": "book", "where": [["year", "<", 0]]}, "else": "none"},
        lambda value: value == "none",
    ),
    ({"chance": 1}, lambda value: value is True),
    (
        {"list": {"integer": [1, 3]}, "count": [1, 3]},
        lambda value: 1 <= len(value) <= 3 and len(set(value)) == len(value),
    ),
    ({"list": "x", "count": [0, 0]}, lambda value: value == []),
    ({"ref": "book"}, lambda value: value.entity == "book"),
    ({"ref": "book", "where": [["year", ">", 1]]}, lambda value: value.entity == "book"),
    ({"row": "loan"}, lambda value: value.entity == "loan"),
    ({"rows": "book", "count": [2, 4]}, lambda value: 2 <= len({row.number for row in value}) <= 4),
    (
        {"new": "book", "set": {"year": {"integer": [1, 1]}}},
        lambda value: value.number < 0 and value.fields["year"] == 1,
    ),
    ({"wording": "shelf"}, lambda value: isinstance(value, Worded) and value.value["tag"] in ("novel", "crime")),
    ({"schema": {"type": "integer", "minimum": 5, "maximum": 6}}, lambda value: value in (5, 6)),
    ({"one_of": [{"integer": [1, 1]}, "two"]}, lambda value: value in (1, "two")),
    ({"from": [1, "$n"]}, lambda value: value in (1, 7)),
    ({"from": ["a", "b"], "weights": [1, 0]}, lambda value: value == "a"),
]


def test_an_element_of_a_list_that_a_name_holds_is_drawn() -> None:
    assert set(drawn({"from": "$free"}, free=["9:00", "10:00"])) == {"9:00", "10:00"}
    for nothing in ([], "9:00", None):
        with pytest.raises(NothingToDraw, match=r"\$free is no list of values"):
            drawn({"from": "$free"}, free=nothing)


def test_a_list_that_nothing_holds_is_a_fault() -> None:
    for spec in ({"from": "$nowhere"}, {"from": "$free", "weights": [1]}, {"from": "free"}):
        known = compiler("free")
        compile_source(spec, ("draw",), known)
        assert known.faults.found, spec


@each_row(("spec", "fits"), DRAWS, ids=[str(spec)[:60] for spec, _ in DRAWS])
def test_sources(spec: JsonValue, fits: Any) -> None:
    values = drawn(spec, n=7)
    assert all(fits(value) for value in values), values[:5]
    assert repr(values) == repr(drawn(spec, n=7))


def test_every_source_is_tried() -> None:
    tried = {key for spec, _ in DRAWS if isinstance(spec, dict) for key in spec}
    assert set(SOURCES) <= tried


@pytest.mark.parametrize(
    ("spec", "many"),
    [
        ({"integer": [3, 5]}, 3),
        ({"pool": "titles"}, 8),
        ({"chance": 0.5}, 2),
        ({"from": [1, 2, 3]}, 3),
        ({"row": "book"}, 5),
        ({"clock": ["08:00", "09:00"]}, 3),
        ({"day": [0, 3]}, 4),
        ({"one_of": [1, 2]}, 2),
    ],
)
def test_all_that_can_be_drawn_is_drawn(spec: JsonValue, many: int) -> None:
    assert len({repr(value) for value in drawn(spec, 200)}) >= many


NOTHING: list[JsonValue] = [
    {"integer": [5, 3]},
    {"integer": [0.2, 0.8]},
    {"integer": ["$n", 3]},
    {"number": [5, 3]},
    {"number": ["$t", 3]},
    {"day": [3, 0]},
    {"day": [10**8, 10**8]},
    {"day": [0, 0], "from": "$t"},
    {"clock": ["09:00", "08:00"]},
    {"clock": ["$t", "09:00"]},
    {"row": "book", "where": [["year", "<", 0]]},
    {"rows": "book", "count": [50, 60]},
    {"ref": "book", "where": [["year", "<", 0]]},
    {"schema": False},
]


@each_row("spec", NOTHING, ids=str)
def test_where_nothing_can_be_drawn_it_says_so(spec: JsonValue) -> None:
    with pytest.raises(NothingToDraw):
        drawn(spec, 1, n=7, t="words")


FAULTS: list[tuple[JsonValue, str, tuple[Any, ...], str]] = [
    ({"integr": [1, 2]}, "unknown source 'integr'", (), "integer"),
    ({"integer": [1, 2], "stepp": 1}, "unknown setting of integer 'stepp'", ("stepp",), "step"),
    ({"pool": "titels"}, "unknown pool 'titels'", (), "titles"),
    ({"faker": "frist_name"}, "unknown provider 'frist_name'", (), "first_name"),
    ({"row": "lone"}, "unknown entity 'lone'", (), "loan"),
    ({"ref": "bok"}, "unknown entity 'bok'", (), "book"),
    ({"rows": "bok"}, "unknown entity 'bok'", (), "book"),
    ({"new": "bok"}, "unknown entity 'bok'", (), "book"),
    ({"new": "book", "set": {"yaer": 1}}, "unknown field of book 'yaer'", ("set", "yaer"), "year"),
    ({"wording": "shelv"}, "unknown wording 'shelv'", (), "shelf"),
    ({"row": "book", "where": [["yaer", "=", 1]]}, "unknown field of book 'yaer'", ("where", 0, 0), "year"),
    ({"integer": [1]}, "`integer` takes [from, to]", ("integer",), ""),
    ({"integer": ["$m", 3]}, "unknown name '$m'", ("integer", 0), ""),
    ({"from": []}, "`from` takes a list", ("from",), ""),
    ({"from": [1], "weights": [1, 2]}, "one number for each value", ("weights",), ""),
    ({"text": "{nmae}"}, "unknown name '$nmae'", (), "name"),
    ({"list": {"pool": "titels"}}, "unknown pool", ("list",), "titles"),
    ({"one_of": [1, {"pool": "titels"}]}, "unknown pool", ("one_of", 1), "titles"),
    ({"maybe": 0.5, "value": {"pool": "titels"}}, "unknown pool", ("value",), "titles"),
    ({"day": [0, 1], "as": "%Q"}, "a form of dates", ("as",), ""),
    ({}, "unknown source ''", (), ""),
]


@each_row(("spec", "what", "path", "nearest"), FAULTS, ids=[str(spec)[:50] for spec, *_ in FAULTS])
def test_faults(spec: JsonValue, what: str, path: tuple[Any, ...], nearest: str) -> None:
    known = compiler("name")
    source = compile_source(spec, ("draw",), known)
    (fault,) = known.faults.found
    assert what in fault.what
    assert fault.path == ("draw", *path)
    assert nearest in fault.remedy
    try:
        source(scope(), stream(1), {})
    except NothingToDraw as error:
        assert str(error)  # noqa: PT017 - either is right, nothing else is


@each_row("name", PROVIDERS)
def test_every_provider_draws_texts(name: str) -> None:
    assert all(isinstance(value, str) and value for value in drawn({"faker": name}, 5))


def test_draws_of_one_entity_differ_from_each_other() -> None:
    known = compiler()
    source = compile_source({"row": "book"}, (), known)
    at = scope()
    rows = list(at.world.table("book").values())
    for number in range(len(rows)):
        at.names[f"b{number}"] = source(at, stream(number), {})
    assert {row for row in at.names.values() if isinstance(row, Row)} == set(rows)
    with pytest.raises(NothingToDraw, match="no book"):
        source(at, stream(1), {})


def test_values_of_one_table_differ_as_far_as_there_are_any() -> None:
    taken: dict[Any, set[Any]] = {}
    values = [distinct(taken, "x", lambda random: random.randint(1, 5), stream(number)) for number in range(9)]
    assert set(values) == {1, 2, 3, 4, 5}
    assert distinct(taken, "y", lambda random: [1], stream(1)) == [1]


def test_from_is_a_source_and_a_setting() -> None:
    assert drawn({"from": "2026-03-01", "day": [0, 0]}, 1) == ["2026-03-01"]
    assert desk().faults == ()


def test_a_source_in_a_scope_without_the_row_is_absent() -> None:
    assert drawn("$n.x.y", 1, n=7) == [ABSENT]
