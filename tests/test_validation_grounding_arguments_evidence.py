"""Values written in other ways than they are said: formulas, signs, zones, bounds, coordinates, choices, defaults."""

from __future__ import annotations

from typing import Any

from tests.tables import each_row
from tests.test_validation_grounding import evidence_level

Json = Any  # parsed JSON
NUMBER = {"type": "number"}


def described(text: str) -> Json:
    return {"description": text}


FOUND: list[tuple[str, Json, Json]] = [
    ("the integral of f(x) = 3x^2 from 1 to 2", "3x**2", {}),
    ("the integral of y = x² + 1", "x**2+1", {}),
    ("the derivative of 2x^2 - 4x", "lambda x: 2*x**2 - 4*x", {}),
    ("the scale of C sharp major", "C#", {}),
    ("write to ann at example dot org", "ann@example.org", {}),
    ("from New York time", "America/New_York", {}),
    ("using fewer than 5 ingredients", 4, {}),
    ("for more than 5 players", 6, {}),
    ("at (33.4484 N, 112.0740 W)", -112.074, {}),
    ("twice as long as usual, which is 20 minutes", 40, {}),
    ("half of the 500 I have", 250, {}),
    ("void invoice 2188", "INV-2188", {}),
    ("with backstage access", "Backstage Pass", {"enum": ["Backstage Pass", "Parking Pass"]}),
    ("how many carbs", "Carbohydrates", {"enum": ["Carbohydrates", "Protein"]}),
    ("avoid toll roads", "tolls", {"enum": ["tolls", "ferries"]}),
    ("Drop it", -9.81, described("The acceleration. Default value is -9.81 (Earth's gravity)")),
    ("Measure it", 1.256e-06, described("Its value is default approximated to be 0.000001256 H/m")),
    ("Measure it", 8.854e-12, described("Default is 8.854 x 10^-12 F/m")),
    ("Measure it", 0.01, described("Default is permeability in free space, 0.01")),
    ("Rank it", 2024, described("The season, default is the current season, 2024")),
]
NOT_FOUND: list[tuple[str, Json, Json]] = [
    ("the integral of f(x) = 3x^2 from 1 to 2", "3x**3", {}),
    ("the scale of C major", "C#", {}),
    ("from Boston time", "America/New_York", {}),
    ("using 5 ingredients", 4, {}),
    ("using fewer than 5 ingredients", 6, {}),
    ("at (33.4484 N, 112.0740 E)", -112.074, {}),
    ("as long as usual, which is 20 minutes", 40, {}),
    ("void invoice 2189", "INV-2188", {}),
    ("with valet service", "Backstage Pass", {"enum": ["Backstage Pass", "Parking Pass"]}),
    ("Measure it", 5, described("Default is 4, at most 5")),
    ("at 6:30 PM for two", 6, described("How many people.")),
]


@each_row(("asked", "value", "schema"), FOUND)
def test_a_value_written_in_another_way_is_found(asked: str, value: Json, schema: Json) -> None:
    assert evidence_level(asked, value, schema) in ("normalised", "overlap", "schema")


@each_row(("asked", "value", "schema"), NOT_FOUND)
def test_another_value_is_not(asked: str, value: Json, schema: Json) -> None:
    assert evidence_level(asked, value, schema) is None


def test_a_number_of_a_time_is_one_where_the_schema_speaks_of_times() -> None:
    assert evidence_level("at 6:30 PM for two", 6, described("The hour.")) is not None
    assert evidence_level("at 6:30 PM for 6", 6, described("How many people.")) == "literal"
