"""Values in human form."""

from datetime import date

import pytest

from generator.authors.offline.fields import make_field
from generator.authors.offline.saying import Several, Unsayable, Voice, draw_voice, say
from generator.authors.offline.units import unit_of, with_unit
from generator.streams import stream

VOICE = Voice(stream(1))


@pytest.mark.parametrize(
    ("name", "schema", "value", "said"),
    [
        ("date", {"type": "string", "format": "date"}, "2026-03-14", "March 14, 2026"),
        ("start", {"type": "string", "format": "date-time"}, "2026-03-14T15:30:00Z", "March 14, 2026 at 3:30 PM UTC"),
        ("start", {"type": "string", "format": "date-time"},
         "2026-03-14T00:05:00+02:00", "March 14, 2026 at 12:05 AM (UTC+2)"),
        ("expires", {"type": "string", "description": "Date in MM/DD/YYYY"}, "03/04/2026", "March 4, 2026"),
        ("expires", {"type": "string", "description": "Date in DD/MM/YYYY"}, "03/04/2026", "April 3, 2026"),
        ("expires", {"type": "string", "description": "The date"}, "03/04/2026", "03/04/2026"),
        ("date", {"type": "string"}, "2026-02-31", "2026-02-31"),
        ("trip", {"type": "string", "enum": ["one_way"]}, "one_way", "one-way"),
        ("kind", {"type": "string", "enum": ["PULL_REQUEST"]}, "PULL_REQUEST", "pull request"),
        ("order", {"type": "string", "enum": ["asc", "desc"]}, "desc", "descending"),
        ("format", {"type": "string", "enum": ["csv"]}, "csv", "CSV"),
        ("currency", {"type": "string", "enum": ["USD"]}, "USD", "USD"),
        ("unit", {"type": "string", "enum": ["fahrenheit"]}, "fahrenheit", "Fahrenheit"),
        ("mode", {"type": "string", "enum": ["readOnly"]}, "readOnly", "read only"),
        ("cuisine", {"type": "string"}, "pet_friendly", "pet friendly"),
        ("user_id", {"type": "string"}, "sara_doe_496", "sara_doe_496"),
        ("email", {"type": "string"}, "ana_b@example.com", "ana_b@example.com"),
        ("path", {"type": "string"}, "src/my_file.py", "src/my_file.py"),
        ("population", {"type": "integer"}, 213000000, "213,000,000"),
        ("order_id", {"type": "integer"}, 213000, "213000"),
        ("year", {"type": "integer"}, 2026, "2026"),
        ("ratio", {"type": "number"}, 5.0, "5"),
        ("interest_rate", {"type": "number"}, 0.05, "5%"),
        ("interest_rate", {"type": "number"}, 5, "5"),
        ("cities", {"type": "array", "items": {"type": "string"}}, ["Rome", "Paris", "Oslo"], "Rome, Paris and Oslo"),
        ("matrix", {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}, [[1, 2], [3,
         4]], "(1, 2) and (3, 4)"),
        ("person", {"type": "object"}, {"first_name": "Ana", "last_name": "Ruiz", "age": 31}, "Ana Ruiz and age 31"),
        ("city", {"type": "string"}, Several(["Rome", "Paris"]), "Rome and Paris"),
    ],
)  # fmt: skip
def test_says(name, schema, value, said):
    assert say(value, make_field(name, schema), VOICE) == said


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, None),
        ({"type": "string"}, "  "),
        ({"type": "array"}, []),
        ({"type": "object"}, {}),
        ({"type": "object"}, {"a": {"b": 1}}),
        ({"type": "object"}, {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}),
        ({"type": "array"}, list(range(13))),
        ({"type": "array"}, [[1], {"a": 2}]),
    ],
)
def test_refuses_what_nobody_would_say(schema, value):
    with pytest.raises(Unsayable):
        say(value, make_field("thing", schema), VOICE)


def test_a_voice_keeps_its_date_style():
    field = make_field("date", {"type": "string", "format": "date"})
    styles = {say("2026-09-03", field, draw_voice(stream(seed), None)) for seed in range(60)}
    assert styles == {"September 3, 2026", "September 3rd, 2026", "3 September 2026", "Sept 3, 2026"}


def test_the_year_stays_where_it_is_another():
    field = make_field("date", {"type": "string", "format": "date"})
    voice = Voice(stream(1), date(2026, 3, 2))
    assert say("2026-03-14", field, voice) == "March 14"
    assert say("2027-03-14", field, voice) == "March 14, 2027"
    assert say("2026-01-14", field, voice) == "January 14, 2026"


@pytest.mark.parametrize(
    ("name", "description", "unit"),
    [
        ("weight", "Weight in kilograms.", "kg"),
        ("area", "The area in square feet", "square feet"),
        ("speed", "Speed (m/s)", "m/s"),
        ("acceleration", "Acceleration in meters per second squared", "m/s²"),
        ("duration_minutes", "", "minutes"),
        ("temperature", "Temperature in degrees Celsius", "degrees"),
        ("ratio", "The ratio in question", ""),
    ],
)
def test_finds_units(name, description, unit):
    assert unit_of(name, description, "measure") == unit


@pytest.mark.parametrize(
    ("said", "unit", "text"),
    [("5", "km", "5 km"), ("5", "%", "5%"), ("1", "hours", "1 hour"), ("1", "feet", "1 foot"), ("2", "feet", "2 feet")],
)
def test_puts_units(said, unit, text):
    assert with_unit(said, unit) == text
