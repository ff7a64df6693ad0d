"""Refusals: what is wished for in vain is refused by the schema, and what is said in its place is admitted."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest

from generator.scenarios.refusals import can_refuse, refusals_of
from generator.schemas.validators import validator_for
from tests.kind_records import bundled
from tests.replies_fixtures import make_tool

TODAY = date(2026, 1, 15)
SCHEMAS: list[tuple[str, dict[str, Any], bool]] = [
    ("seating", {"type": "string", "enum": ["indoor", "bar"]}, True),
    ("wind_unit", {"type": "string", "enum": ["km/h", "mph"]}, True),
    ("seating", {"type": "string", "enum": ["indoor"]}, False),
    ("seating", {"type": "string", "enum": [f"table {number}" for number in range(9)]}, False),
    ("branch", {"type": "string", "enum": ["Northgate", "Hillside", "Old Town"]}, False),
    ("zyx", {"type": "string", "enum": ["a", "b"]}, False),
    ("guests", {"type": "integer", "minimum": 1, "maximum": 12}, True),
    ("guests", {"type": "integer", "minimum": 2}, True),
    ("guests", {"type": "integer", "minimum": 1}, False),
    ("seconds", {"type": "integer", "maximum": 10**12}, False),
    ("day", {"type": "string", "format": "date"}, True),
    ("day", {"type": "string"}, False),
    ("fun", {"type": "boolean"}, False),
]


@pytest.mark.parametrize(("name", "schema", "refusing"), SCHEMAS)
def test_what_people_wish_for_is_refused_by_the_schema(name: str, schema: dict[str, Any], refusing: bool) -> None:
    tool = make_tool("serve", properties={name: schema})
    found = [refusal for seed in range(20) for refusal in refusals_of(tool, TODAY, Random(seed))]
    assert can_refuse(tool) is bool(found) is refusing
    assert not [refusal for refusal in found if validator_for(schema).is_valid(refusal.value)]
    assert all(validator_for(schema).is_valid(refusal.mended) for refusal in found if refusal.mended is not None)


@pytest.mark.parametrize("day", [date(2026, 1, 15), date(2027, 12, 31), date(2028, 2, 29)])
def test_days_that_are_none_are_of_the_coming_months(day: date) -> None:
    tool = make_tool("serve", properties={"day": SCHEMAS[-3][1]})
    for seed in range(60):
        (refusal,) = refusals_of(tool, day, Random(seed))
        assert isinstance(refusal.mended, str)
        assert date.fromisoformat(refusal.mended) > day
        with pytest.raises(ValueError, match="day"):
            date.fromisoformat(str(refusal.value))


def test_most_bundled_tools_refuse_something() -> None:
    assert sum(can_refuse(tool) for tool in bundled().tools) > len(bundled().tools) * 0.7
