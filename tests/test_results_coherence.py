"""Results that agree with their call and with themselves: echoes, lengths, totals, order, one small world."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import (
    LENGTH_LIMIT,
    Length,
    asked_length,
    count_entries,
    order_bounds,
    order_entries,
    resize,
)
from generator.results.echo import echo, known_values
from generator.results.ranges import within


def test_arguments_their_defaults_and_nested_values_are_known() -> None:
    parameters = {"properties": {"unit": {"type": "string", "default": "km"}, "city": {"type": "string"}}}
    arguments = {"city": "Oslo", "address": {"street": "Main St 1"}, "guests": [{"name": "Ann"}], "note": None}
    known = known_values(parameters, arguments)
    assert known["unit"] == "km" and known["city"] == "Oslo"
    assert known["street"] == "Main St 1" and known["name"] == "Ann"
    assert "note" not in known


def test_an_argument_stands_above_a_nested_value_of_its_name() -> None:
    assert known_values({}, {"city": "Oslo", "address": {"city": "Rome"}})["city"] == "Oslo"


@pytest.mark.parametrize("name", ["password", "access_token", "cvv", "api_key"])
def test_a_secret_is_never_repeated(name: str) -> None:
    assert known_values({}, {name: "hunter2"}) == {}


def test_listed_entries_repeat_texts_but_keep_their_own_names() -> None:
    value = {"places": [{"cuisine": "Thai", "name": "A"}, 3], "city": "Rome"}
    known = {"cuisine": "French", "name": "B", "city": "Oslo"}
    assert echo(value, known) == {"places": [{"cuisine": "French", "name": "A"}, 3], "city": "Oslo"}


def test_a_result_repeats_the_arguments_it_names() -> None:
    assert echo({"city": "Rome", "temperature": 3}, {"city": "Oslo", "days": 2}) == {"city": "Oslo", "temperature": 3}


@pytest.mark.parametrize(
    ("arguments", "length"),
    [
        ({"days": 5}, Length(5, exact=True)),
        ({"limit": 3}, Length(3, exact=False)),
        ({"maxResults": 4}, Length(4, exact=False)),
        ({"num_results": 2}, Length(2, exact=True)),
        ({"days": 400}, Length(LENGTH_LIMIT, exact=False)),
        ({"days": 0}, None),
        ({"days": True}, None),
        ({"temperature": 4}, None),
        ({}, None),
    ],
)
def test_arguments_say_how_long_a_list_shall_be(arguments: JsonObject, length: Length | None) -> None:
    assert asked_length(arguments) == length


def test_a_list_is_filled_up_to_an_exact_length_and_cut_to_a_limit() -> None:
    value = {"items": [1, 2, 3], "city": "Oslo"}
    assert resize(value, Length(5, exact=True), lambda number: number * 10)["items"] == [1, 2, 3, 30, 40]
    assert resize(value, Length(5, exact=False), lambda number: number)["items"] == [1, 2, 3]
    assert resize(value, Length(2, exact=False), lambda number: number)["items"] == [1, 2]


def test_a_result_with_two_lists_keeps_them() -> None:
    value = {"a": [1, 2], "b": [3], "total": 9}
    assert resize(value, Length(1, exact=True), lambda number: number) == value
    assert count_entries(value) == value


def test_a_total_counts_the_only_list() -> None:
    assert count_entries({"orders": [{}, {}], "total": 40, "page": 3}) == {"orders": [{}, {}], "total": 2, "page": 3}


def test_forecast_days_follow_each_other_and_ranks_count_up() -> None:
    days = {"forecast": [{"date": "2020-01-01"}, {"date": "2020-01-01"}]}
    ordered = order_entries(days, date(2026, 2, 28))
    assert [entry["date"] for entry in ordered["forecast"]] == ["2026-02-28", "2026-03-01"]
    ranks = order_entries({"teams": [{"rank": 9}, {"rank": 9}]}, date(2026, 1, 1))
    assert [entry["rank"] for entry in ranks["teams"]] == [1, 2]


def test_entries_lie_within_the_bounds_that_were_asked_for() -> None:
    value = {"rooms": [{"price": 300, "rating": 3.1}, {"price": 40, "rating": 4.9}, {"price_per_night": 900.5}]}
    found = within(value, {"max_price": 100, "minRating": 4.0, "maximum": 3, "max_guests": "two"})["rooms"]
    assert found[0]["price"] <= 100 and found[0]["rating"] == 4.0
    assert found[1] == {"price": 40, "rating": 4.9}
    assert found[2]["price_per_night"] <= 100
    assert within(value, {"city": "Oslo"}) == value


def test_bounds_are_in_order() -> None:
    assert order_bounds({"low": 9, "high": 1, "start_year": 1900}) == {"low": 1, "high": 9, "start_year": 1900}
    assert order_bounds({"low": "b", "high": 1}) == {"low": "b", "high": 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "total", "low", "high", "days"]), inner)
    ),
    max_leaves=12,
)


@given(JSON, st.dictionaries(st.sampled_from(["id", "limit", "days", "date"]), JSON))
def test_any_value_can_be_made_coherent(value: JsonValue, arguments: JsonObject) -> None:
    known = known_values({}, arguments)
    length = asked_length(arguments)
    for fixed in (
        echo(value, known),
        count_entries(value),
        order_bounds(value),
        order_entries(value, date(2026, 1, 1)),
        resize(value, length, lambda number: number) if length else value,
    ):
        assert type(fixed) is type(value)
