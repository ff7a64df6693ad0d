"""Readings: what is said can mean two values, both admitted by the schema and both to come."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest

from generator.scenarios.readings import can_be_ambiguous, readings_of
from generator.validation.kinds.possible import may_mean
from tests.replies_fixtures import make_tool

TODAY = date(2026, 1, 15)
SCHEMAS: list[tuple[str, dict[str, Any], bool]] = [
    ("city", {"type": "string"}, True),
    ("departureCity", {"type": "string"}, True),
    ("city_id", {"type": "string"}, False),
    ("city", {"type": "string", "enum": ["Rome", "Oslo"]}, False),
    ("city", {"type": "string", "pattern": "^[a-z]+$"}, False),
    ("due_date", {"type": "string", "format": "date"}, True),
    ("due_date", {"type": "string", "description": "As YYYY-MM-DD."}, True),
    ("birth_date", {"type": "string", "format": "date"}, False),
    ("due_date", {"type": "string", "description": "Whenever."}, False),
    ("time", {"type": "string", "description": "As HH:MM."}, True),
    ("to_currency", {"type": "string"}, True),
    ("to_currency", {"type": "string", "enum": ["EUR", "GBP"]}, False),
    ("count", {"type": "integer"}, False),
]


@pytest.mark.parametrize(("name", "schema", "ambiguous"), SCHEMAS)
def test_what_is_said_can_mean_both_values(name: str, schema: dict[str, Any], ambiguous: bool) -> None:
    tool = make_tool("serve", properties={name: schema})
    found = [reading for seed in range(30) for reading in readings_of(tool, TODAY, Random(seed))]
    assert bool(found) is ambiguous
    assert can_be_ambiguous(tool) or not found
    for reading in found:
        assert reading.values[0] != reading.values[1]
        assert all(may_mean(reading.said, value) for value in reading.values)


@pytest.mark.parametrize("day", [date(2026, 1, 15), date(2026, 9, 30), date(2026, 10, 1), date(2026, 12, 31)])
def test_days_that_can_be_read_in_two_ways_are_to_come(day: date) -> None:
    tool = make_tool("serve", properties={"day": {"type": "string", "format": "date"}})
    for seed in range(60):
        (reading,) = readings_of(tool, day, Random(seed))
        assert all(date.fromisoformat(value) > day for value in reading.values)


def test_nobody_asks_what_looks_back_for_a_day_to_come() -> None:
    properties = {"day": {"type": "string", "format": "date"}}
    assert not can_be_ambiguous(make_tool("get_history", "Get historical weather.", properties=properties))


def test_a_city_beside_its_state_is_not_ambiguous() -> None:
    text = {"type": "string"}
    assert can_be_ambiguous(make_tool("visit", properties={"city": text, "note": text}))
    assert not can_be_ambiguous(make_tool("visit", properties={"city": text, "state": text}))
    assert not can_be_ambiguous(make_tool("visit", properties={"city": text, "zipCode": text}))
