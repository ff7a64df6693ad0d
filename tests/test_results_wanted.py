"""Lists come as the call wants them: filtered, ordered, of the fields asked for, about the words searched for."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.results.wanted import about_query, filtered, flagged, in_natural_order, selected, sorted_as_asked
from generator.tools.tool import Tool

PRICES: JsonObject = {"hotels": [{"price": 3, "rating": 4.5}, {"price": 1, "rating": 4.1}, {"price": 2, "rating": 4.9}]}
DAYS: JsonObject = {
    "issues": [{"created_at": "2025-01-02"}, {"created_at": "2025-03-01"}, {"created_at": "2024-05-05"}]
}


def tool_with(**properties: JsonObject) -> Tool:
    return Tool(
        name="get_things",
        description="Get things.",
        parameters={"type": "object", "properties": properties},
        result_schema={"type": "object"},
        result_origin="declared",
    )


def column(value: JsonValue, key: str, field: str) -> list[JsonValue]:
    return [entry[field] for entry in value[key]]


@pytest.mark.parametrize(
    ("arguments", "prices"),
    [
        ({"sort_by": "price"}, [1, 2, 3]),
        ({"sort": "price", "order": "desc"}, [3, 2, 1]),
        ({"sort_by": "price_low_to_high"}, [1, 2, 3]),
        ({"sortBy": "rating"}, [2, 3, 1]),
        ({"sort": "rating", "direction": "asc"}, [1, 3, 2]),
        ({"sort": "relevance"}, [3, 1, 2]),
        ({"order": "asc"}, [3, 1, 2]),
        ({}, [3, 1, 2]),
    ],
)
def test_a_list_is_in_the_order_asked_for(arguments: JsonObject, prices: list[int]) -> None:
    assert column(sorted_as_asked(PRICES, arguments), "hotels", "price") == prices


def test_the_newest_comes_first_unless_asked_otherwise() -> None:
    newest = ["2025-03-01", "2025-01-02", "2024-05-05"]
    assert column(sorted_as_asked(DAYS, {"sort": "created"}), "issues", "created_at") == newest
    oldest = sorted_as_asked(DAYS, {"orderBy": "CREATED_AT", "direction": "ASC"})
    assert column(oldest, "issues", "created_at") == newest[::-1]


@pytest.mark.parametrize(
    ("field", "values", "ordered"),
    [
        ("start_time", ["14:30", "09:00"], ["09:00", "14:30"]),
        ("due_date", ["2026-03-01", "2026-02-01"], ["2026-02-01", "2026-03-01"]),
        ("distance_km", [2.5, 0.4], [0.4, 2.5]),
        ("received_on", ["2025-08-01", "2025-12-01"], ["2025-12-01", "2025-08-01"]),
        ("date", ["2026-03-05", "2026-02-01"], ["2026-02-01", "2026-03-05"]),
        ("price", [3, 1], [3, 1]),
    ],
)
def test_a_list_comes_in_its_natural_order(field: str, values: list[JsonValue], ordered: list[JsonValue]) -> None:
    value: JsonObject = {"found": [{field: one} for one in values]}
    assert column(in_natural_order(value, date(2026, 1, 15)), "found", field) == ordered


def test_entries_are_in_the_state_asked_for_and_all_is_no_state() -> None:
    value: JsonObject = {"issues": [{"state": "open"}, {"state": "closed"}]}
    assert column(filtered(value, {"state": "closed"}), "issues", "state") == ["closed", "closed"]
    assert filtered(value, {"state": "all"}) == value
    assert filtered(value, {"owner": "ada"}) == value


def test_entries_hold_the_fields_asked_for_where_they_have_any() -> None:
    value: JsonObject = {"releases": [{"tag_name": "v1", "name": "One", "published_at": "2025-01-01"}], "total": 1}
    choosing = tool_with(fields={"type": "array", "items": {"type": "string"}})
    assert selected(value, choosing, {"fields": ["published_at", "tag_name"]})["releases"] == [
        {"tag_name": "v1", "published_at": "2025-01-01"}
    ]
    assert selected(value, choosing, {"fields": ["body"]}) == value
    assert selected(value, choosing, {}) == value
    assert selected(value, tool_with(fields={"type": "object"}), {"fields": ["tag_name"]}) == value


def test_the_fields_of_a_single_thing_may_be_named_in_one_text() -> None:
    value = {"symbol": "ACME", "price": 4, "volume": 9, "name": "Acme"}
    choosing = tool_with(symbol={"type": "string"}, Metrics={"type": "string"})
    assert selected(value, choosing, {"symbol": "ACME", "Metrics": "price, volume"}) == {
        "symbol": "ACME", "price": 4, "volume": 9,
    }  # fmt: skip
    assert selected(value, choosing, {"symbol": "ACME", "Metrics": "beta"}) == value


def test_a_flag_that_is_not_raised_takes_its_field_out() -> None:
    flagging = tool_with(include_reviews={"type": "boolean"}, show_price={"type": "boolean", "default": True})
    book = {"title": "A", "reviews": [], "price": 3}
    for value in (book, {"books": [book], "total": 1}):
        told = str(flagged(value, flagging, {}))
        assert "reviews" not in told and "price" in told
        assert flagged(value, flagging, {"include_reviews": True}) == value
        assert "price" not in str(flagged(value, flagging, {"show_price": False}))
    needed = flagging.model_copy(update={"result_schema": {"type": "object", "required": ["reviews"]}})
    assert flagged(book, needed, {}) == book


def found(noun: str, query: str, entries: list[JsonObject]) -> list[JsonObject]:
    parameters: JsonObject = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tool = Tool(name="search", description="Search.", parameters=parameters, result_schema={}, result_origin="derived")
    value = about_query({"found": entries}, tool, noun, {"query": query}, Random(1))
    return list(value["found"])


def test_what_is_found_speaks_of_the_words_searched_for() -> None:
    titles = [entry["title"] for entry in found("issue", "unpaid invoices", [{"title": "x"}, {"title": "y"}])]
    assert all("unpaid invoices" in title.lower() for title in titles)
    assert len(set(titles)) == 2
    (repository,) = found("repository", "unpaid invoices", [{"name": "x", "description": "y", "stars": 3}])
    assert "unpaid-invoices" in repository["name"]
    assert "unpaid invoices" in repository["description"].lower()
    assert repository["stars"] == 3


@pytest.mark.parametrize("query", ["is:open label:bug", "", "(  )"])
def test_a_query_without_words_leaves_what_is_found(query: str) -> None:
    assert found("issue", query, [{"title": "x"}]) == [{"title": "x"}]


def test_things_that_are_not_named_after_a_query_keep_their_names() -> None:
    assert found("restaurant", "sushi", [{"name": "Sakura House"}]) == [{"name": "Sakura House"}]
