"""Ranges of a call: numbers between their bounds, entries between two days, things of one year."""

from __future__ import annotations

from datetime import date

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.results.ranges import asked_days, between_days, bounds_of, days_asked, of_year, within

REFERENCE = date(2026, 1, 15)


@pytest.mark.parametrize(
    ("arguments", "bounds"),
    [
        ({"max_price": 90}, [("price", True, 90)]),
        ({"priceMin": 20}, [("price", False, 20)]),
        ({"budget_max": 90.5}, [("price", True, 90.5)]),
        ({"price_range": {"min": 20, "max": 50}}, [("price", False, 20), ("price", True, 50)]),
        ({"rating_range": [3, 5]}, [("rating", False, 3), ("rating", True, 5)]),
        ({"price_range": "$20-50"}, [("price", False, 20), ("price", True, 50)]),
        ({"min": 1, "maximum": 6}, [("", False, 1), ("", True, 6)]),
        ({"max_price": True, "from_account": 7, "price_range": "cheap", "range": {}}, []),
    ],
)
def test_bounds_are_read_however_they_are_written(arguments: JsonObject, bounds: list[tuple[str, bool, float]]) -> None:
    assert [(bound.field, bound.above, bound.number) for bound in bounds_of(arguments)] == bounds


@pytest.mark.parametrize("low", [0, 20, 49])
def test_numbers_lie_between_their_bounds(low: int) -> None:
    rooms: list[JsonValue] = [{"price": price, "seats": 900} for price in (1, 30, 60, 400.5)]
    found = within({"rooms": rooms, "total": 4}, {"price_range": {"min": low, "max": 50}})
    assert all(low <= room["price"] <= 50 and room["seats"] == 900 for room in found["rooms"])
    assert found["total"] == 4


def test_a_number_that_is_drawn_lies_between_bare_bounds() -> None:
    bounds = {"min": 1, "max": 6}
    assert 1 <= within({"result": 812}, bounds, drawn=True)["result"] <= 6
    assert 1 <= within(812, bounds, drawn=True) <= 6
    assert within({"result": 812}, bounds)["result"] == 812


def test_what_a_call_gives_is_not_moved() -> None:
    assert within({"max_price": 90, "price": 200}, {"max_price": 90, "price": 200}) == {"max_price": 90, "price": 200}


@pytest.mark.parametrize(
    ("known", "days"),
    [
        ({"start_date": "2026-01-02", "end_date": "2026-01-05"}, ("2026-01-02", "2026-01-05")),
        ({"since": "2025-12-20T10:00:00Z"}, ("2025-12-20", "2026-01-15")),
        ({"start": "2026-01-02", "end": "2026-01-01"}, None),
        ({"start_date": "2026-02-31"}, None),
        ({"start_date": "soon", "until": 5}, None),
        ({}, None),
    ],
)
def test_the_days_of_a_call_are_read(known: JsonObject, days: tuple[str, str] | None) -> None:
    found = asked_days(known, REFERENCE)
    assert (None if found is None else tuple(day.isoformat() for day in found)) == days


def test_entries_lie_between_the_days_asked_about() -> None:
    days = (date(2025, 12, 1), date(2025, 12, 10))
    entries: list[JsonValue] = [
        {"id": number, "created_at": moment, "due_date": "2026-03-01"}
        for number, moment in enumerate(("2024-05-01T10:00:00Z", "2025-12-03T11:00:00Z", "2026-02-01T12:00:00Z"))
    ]
    found = between_days({"orders": entries}, days)["orders"]
    assert all("2025-12-01" <= entry["created_at"][:10] <= "2025-12-10" for entry in found)
    assert found[1]["created_at"] == "2025-12-03T11:00:00Z"
    assert found[0]["created_at"].endswith("T10:00:00Z")
    assert {entry["due_date"] for entry in found} == {"2026-03-01"}


def test_a_daily_list_has_one_entry_for_each_day() -> None:
    length = days_asked({"forecast": [{}]}, (date(2026, 1, 20), date(2026, 1, 24)))
    assert length is not None and (length.number, length.exact) == (5, True)
    assert days_asked({"orders": [{}]}, (date(2026, 1, 20), date(2026, 1, 24))) is None
    assert days_asked({"forecast": [{}]}, None) is None


def test_things_are_of_the_year_asked_for() -> None:
    assert of_year({"songs": [{"year": 1970}, {"name": "a"}]}, {"year": 1999})["songs"] == [
        {"year": 1999},
        {"name": "a"},
    ]
    assert of_year({"songs": [{"year": 1970}]}, {"year": True})["songs"] == [{"year": 1970}]


@pytest.mark.parametrize("value", [None, 3, "a", [], {}, {"rows": []}, {"rows": [3, None]}, {"rows": [{}]}])
def test_any_value_is_borne(value: JsonValue) -> None:
    days = (date(2026, 1, 1), date(2026, 1, 2))
    for fixed in (within(value, {"max_a": 3}), between_days(value, days), of_year(value, {"year": 1999})):
        assert fixed == value
