"""When and where things of a result happen."""

from __future__ import annotations

from datetime import date

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import distinct, settle
from generator.results.moments import done_today, not_yet, now, place_in_time

TODAY = date(2026, 1, 15)


def test_a_deed_is_done_on_the_reference_date_at_its_own_time() -> None:
    value = {
        "created_at": "2024-03-01T08:09:10Z",
        "starts_at": "2026-05-01T08:00:00Z",
        "expires_at": "x",
        "flat": "a_at",
    }
    assert done_today(value, TODAY) == {**value, "created_at": "2026-01-15T08:09:10Z"}


@pytest.mark.parametrize(
    ("thing", "placed"),
    [
        ({"date_filed": "2026-01-20"}, {"date_filed": "2026-01-10"}),
        ({"date_filed": "2025-01-20"}, {"date_filed": "2025-01-20"}),
        ({"estimated_delivery": "2026-01-05"}, {"estimated_delivery": "2026-01-26"}),
        ({"due_date": "2026-02-05"}, {"due_date": "2026-02-05"}),
        ({"date": "2026-01-20", "transaction_id": "T1"}, {"date": "2026-01-10", "transaction_id": "T1"}),
        ({"date": "2026-01-20", "title": "Concert"}, {"date": "2026-01-20", "title": "Concert"}),
        ({"due_date": "soon", "date_filed": "2026-13-45"}, {"due_date": "soon", "date_filed": "2026-13-45"}),
    ],
)
def test_the_past_lies_before_the_reference_date_and_the_future_after(thing: JsonObject, placed: JsonObject) -> None:
    assert place_in_time({"entries": [thing]}, TODAY, None) == {"entries": [placed]}


def test_an_arrival_follows_its_departure_within_hours_on_the_day_asked_for() -> None:
    flight = {"departure": "2026-02-01T22:30:00Z", "arrival": "2026-01-01T03:20:00Z"}
    assert place_in_time(flight, TODAY, "2026-03-01") == {
        "departure": "2026-03-01T22:30:00Z",
        "arrival": "2026-03-02T02:35:00Z",
    }


def test_entries_of_one_name_stand_once() -> None:
    books = {"books": [{"title": "A", "n": 1}, {"title": "B"}, {"title": "A", "n": 2}]}
    assert distinct(books) == {"books": [{"title": "A", "n": 1}, {"title": "B"}]}
    assert distinct({"numbers": [1, 1]}) == {"numbers": [1, 1]}


def test_addresses_are_in_the_place_that_was_asked_for() -> None:
    hotels = {"hotels": [{"address": "4 Elm Street, Lisbon, Portugal"}, {"address": "1 Rue Oslo"}, {"name": "x"}]}
    assert settle(hotels, "Oslo")["hotels"] == [
        {"address": "4 Elm Street, Oslo"},
        {"address": "1 Rue Oslo"},
        {"name": "x"},
    ]


def test_the_present_is_the_reference_date() -> None:
    assert now({"current_time": "2025-12-22T16:12:36Z"}, TODAY, asked=False) == {"current_time": "2026-01-15T16:12:36Z"}
    assert now({"start_time": "2025-12-22T16:12:36Z"}, TODAY, asked=True) == {"start_time": "2025-12-22T16:12:36Z"}


def test_a_tool_that_is_asked_for_the_time_tells_the_present() -> None:
    assert now({"datetime": "2025-12-22T16:12:36Z"}, TODAY, asked=True) == {"datetime": "2026-01-15T16:12:36Z"}
    assert now({"datetime": "2025-12-22T16:12:36Z"}, TODAY, asked=False) == {"datetime": "2025-12-22T16:12:36Z"}


@pytest.mark.parametrize(
    ("asked", "told", "status"),
    [
        ("2026-03-01", ["on_time", "boarding"], "on_time"),
        ("2026-03-01", ["scheduled", "boarding"], "scheduled"),
        ("2026-03-01", ["boarding"], "boarding"),
        ("2026-01-15", ["on_time", "boarding"], "boarding"),
        (None, ["on_time", "boarding"], "boarding"),
    ],
)
def test_no_flight_of_another_day_is_boarding(asked: str | None, told: list[JsonValue], status: str) -> None:
    assert not_yet({"status": "boarding"}, TODAY, asked, told) == {"status": status}
