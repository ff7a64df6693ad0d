"""Links read their value from an earlier result, or say why they cannot."""

from __future__ import annotations

import pytest

from generator.records.calls import Draft, Exchange, ToolResult
from generator.scenarios.links import BrokenLink, linked_arguments, linked_value
from generator.scenarios.scenario import Link, PlannedCall
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
