"""How different the values of a parameter are is counted in little room, and told where it is often enough given."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.runs.spread import Spread, spreads, values_used
from tests.test_authors_llm_author import TABLE, WEATHER

TOOLS = {tool.name: tool for tool in (WEATHER, TABLE)}


def counted(cities: list[str]) -> Counter[str]:
    calls = [{"name": "get_weather", "arguments": {"city": city, "unit": "celsius"}} for city in cities]
    return Counter(name for _, name in values_used(calls, TOOLS))


@pytest.mark.parametrize(("distinct", "uses"), [(1, 10), (3, 30), (12, 12), (200, 400), (900, 3_000)])
def test_distinct_values_are_estimated_closely(distinct: int, uses: int) -> None:
    (found,) = spreads(counted([f"city {number % distinct}" for number in range(uses)])).values()
    assert found.uses == uses
    assert found.distinct == pytest.approx(distinct, rel=0.06)


def test_more_values_than_buckets_are_as_many_as_uses() -> None:
    assert spreads(counted([f"city {number}" for number in range(40_000)]))["get_weather.city"].distinct == 40_000


def test_choices_flags_and_unknown_tools_are_not_counted() -> None:
    calls = [{"name": "get_weather", "arguments": {"unit": "celsius", "city": "Oslo"}}, {"name": "x", "arguments": {}}]
    assert len(values_used(calls, TOOLS)) == 1


def test_the_narrowest_comes_first_and_rare_ones_say_nothing() -> None:
    dinners = [
        {"name": "book_table", "arguments": {"restaurant": f"R{number}", "guests": 2, "day": f"2026-01-{number:02}"}}
        for number in range(10, 20)
    ]
    counts = Counter(name for _, name in values_used(dinners, TOOLS)) + counted(["Oslo"] * 9)
    assert list(spreads(counts).items()) == [
        ("book_table.guests", Spread(uses=10, distinct=1)),
        ("book_table.day", Spread(uses=10, distinct=10)),
        ("book_table.restaurant", Spread(uses=10, distinct=10)),
    ]
