"""What is said for a value, and what the examiner reads from it, are one thing written twice."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.expressions import express, expressible
from generator.validation.kinds.expressions import meaning

DAY: JsonObject = {"type": "string", "description": "Start date, YYYY-MM-DD."}
CLOCK: JsonObject = {"type": "string", "description": "Time of day as HH:MM."}


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("date", {"type": "string", "format": "date"}, "date"),
        ("start", DAY, "date"),
        ("start", {"type": "string", "description": "YYYY-MM-DDTHH:MM:SSZ"}, ""),
        ("time", CLOCK, "time"),
        ("time", {"type": "string", "description": "HH:MM:SS"}, ""),
        ("guests", {"type": "integer"}, "number"),
        ("year", {"type": "integer"}, ""),
        ("order_id", {"type": "integer"}, ""),
        ("guests", {"type": "integer", "enum": [2, 12]}, ""),
        ("guests", True, ""),
    ],
)
def test_what_has_everyday_names(name: str, schema: object, kind: str) -> None:
    assert expressible(name, schema) == kind


@pytest.mark.parametrize("offset", range(14))
@pytest.mark.parametrize(("schema", "planned"), [(DAY, "x"), (CLOCK, "x"), ({"type": "integer"}, None)])
def test_the_examiner_reads_what_the_plan_says(schema: JsonObject, planned: object, offset: int) -> None:
    today = date(2026, 2, 20) + timedelta(days=offset)
    for seed in range(80):
        random = Random(seed)
        value = random.choice((2, 7, 12, 19, 20, 47, 99, 100, 640, 999, 1000, 1300, 99_900)) if planned is None else "x"
        found = express("guests", schema, value, today, random)
        assert found is not None
        assert meaning(found.said, today) == found.value


def test_an_expression_keeps_to_the_bounds_of_its_schema() -> None:
    assert express("guests", {"type": "integer", "maximum": 10}, 12, date(2026, 1, 15), Random(1)) is None
