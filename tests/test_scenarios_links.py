"""Links read their value from an earlier result, or say why they cannot."""

from __future__ import annotations

import pytest

from generator.records.calls import Draft, Exchange, ToolResult
from generator.scenarios.links import BrokenLink, linked_arguments, linked_value
from generator.scenarios.scenario import Best, Link, PlannedCall
from tests.record_examples import WEATHER

FOUND = ToolResult("find_place", {"places": [{"city": "Oslo", "days": 3}]})
FAILED = ToolResult("find_place", error_type="RESOURCE_NOT_FOUND", error_message="There is none.")


def _history(*results: ToolResult) -> tuple[Exchange, ...]:
    return (Exchange(Draft(request="Where?"), results),)


def test_a_linked_argument_comes_from_the_earlier_result() -> None:
    call = PlannedCall(WEATHER, {"days": 2}, links=(Link("city", 0, 0, ("places", 0, "city")),))
    assert linked_arguments(call, _history(FOUND)) == {"days": 2, "city": "Oslo"}


@pytest.mark.parametrize(
    ("link", "results", "message"),
    [
        (Link("city", 1, 0, ()), (FOUND,), "no call 0 was made in step 1"),
        (Link("city", 0, 1, ()), (FOUND,), "no call 1 was made in step 0"),
        (Link("city", 0, 0, ("places", 4)), (FOUND,), "has no 4"),
        (Link("city", 0, 0, ("places", "city")), (FOUND,), "has no 'city'"),
        (Link("city", 0, 0, ("places", 0, "city", "name")), (FOUND,), "has no 'name'"),
        (Link("city", 0, 0, ("places",)), (FAILED,), "find_place failed"),
    ],
)
def test_a_broken_link_says_why(link: Link, results: tuple[ToolResult, ...], message: str) -> None:
    with pytest.raises(BrokenLink, match=message):
        linked_value(link, _history(*results))


FLIGHTS = ToolResult("find_flights", {"flights": [
    {"id": "B", "price": 90.5, "day": "2026-02-01"}, {"id": "A", "price": 40, "day": "2026-01-30"},
    {"id": "C", "price": 200, "day": "2026-03-09"},
]})  # fmt: skip


@pytest.mark.parametrize(
    ("best", "found"),
    [
        (Best("price", most=False), "A"),
        (Best("price", most=True), "C"),
        (Best("day", most=False), "A"),
        (Best("day", most=True), "C"),
    ],
)
def test_the_best_entry_is_found_by_its_values(best: Best, found: str) -> None:
    assert linked_value(Link("flight", 0, 0, ("flights", best, "id")), _history(FLIGHTS)) == found


@pytest.mark.parametrize(
    "entries",
    [
        [{"id": "A", "price": 4}],
        [{"id": "A", "price": 4}, {"id": "B", "price": 4}, {"id": "C", "price": 9}],
        [{"id": "A", "price": 4}, {"id": "B"}],
        [{"id": "A", "price": 4}, {"id": "B", "price": "4"}],
        [],
        "none",
    ],
    ids=["nothing to choose from", "two are first", "one has no price", "prices of two types", "empty", "no list"],
)
def test_where_no_entry_is_best_the_link_is_broken(entries: object) -> None:
    result = ToolResult("find_flights", {"flights": entries})
    with pytest.raises(BrokenLink, match="flight: the result of find_flights has no"):
        linked_value(Link("flight", 0, 0, ("flights", Best("price", most=False), "id")), _history(result))
