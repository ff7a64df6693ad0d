"""Values by what they mean: what is the same under a schema, and what is not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from generator.grading.values import reader_of, same_value

Json = Any
NUMBER, TEXT, SET = {"type": "number"}, {"type": "string"}, {"type": "array", "uniqueItems": True}
DAY, MOMENT, TIME = ({"type": "string", "format": form} for form in ("date", "date-time", "time"))
UNIT = {"enum": ["Celsius", "Fahrenheit"]}
EITHER = {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]}


def of(name: str, schema: Json, **others: Json) -> Json:
    return {"type": "object", "properties": {name: schema}, **others}


SAME = [
    (NUMBER, 2, 2.0),
    ({"type": "integer"}, 2, 2.0),
    ({}, [1, {"a": 2.0}], [1.0, {"a": 2}]),
    (DAY, "2025-02-23", "2025-02-23T00:00:00"),
    (MOMENT, "2025-02-23T00:00:00Z", "2025-02-23T00:00:00+00:00"),
    (MOMENT, "2025-02-23T00:00:00Z", "2025-02-23t01:30:00.000+01:30"),
    (MOMENT, "2025-02-23T00:00:00", "2025-02-23 00:00"),
    (TIME, "09:30", "09:30:00"),
    (TIME, "09:30:00Z", "10:30:00+01:00"),
    (of("city", TEXT), {"city": "Paris"}, {"city": " paris "}),
    (of("city", TEXT), {"city": "New  York"}, {"city": "new york"}),
    (of("city", TEXT), {"city": "Zürich"}, {"city": "Zu\u0308rich"}),
    (of("body", TEXT), {"body": "See you soon. Uma"}, {"body": "see you soon. Uma\n"}),
    ({"format": "uuid"}, "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    (SET, ["a", "b"], ["b", "a"]),
    (of("unit", {**UNIT, "default": "Celsius"}), {}, {"unit": "Celsius"}),
    (of("in", of("n", {"default": 5})), {"in": {}}, {"in": {"n": 5.0}}),
    (of("note", {"type": ["string", "null"]}), {}, {"note": None}),
    (of("note", EITHER), {}, {"note": None}),
    ({"$ref": "#/$defs/x", "$defs": {"x": SET}}, [1, 2], [2, 1]),
    ({"allOf": [{"type": "array"}, {"uniqueItems": True}]}, [1, 2], [2, 1]),
    ({"anyOf": [{"type": "string"}, SET]}, [1, 2], [2, 1]),
]
DIFFERENT = [
    (NUMBER, 2, "2"),
    (NUMBER, 1, True),
    ({}, 0, False),
    ({}, None, False),
    ({}, 9007199254740993, 9007199254740992.0),
    (TEXT, "2025-02-23", "2025-02-23T00:00:00"),
    (DAY, "2025-02-23", "2025-02-23T10:00:00"),
    (DAY, "2025-02-23", "23.02.2025"),
    (DAY, "2025-02-30", "2025-02-31"),
    (MOMENT, "2025-02-23T00:00:00", "2025-02-23T00:00:00Z"),
    (MOMENT, "2025-02-23T00:00:00Z", "2025-02-23T00:00:00.5Z"),
    (UNIT, "celsius", "Celsius"),
    ({"type": "string", "pattern": "^[A-z]+$"}, "abc", "ABC"),
    ({"format": "email"}, "a@x.org", "A@x.org"),
    (of("order_id", TEXT), {"order_id": "abc"}, {"order_id": "Abc"}),
    (of("filePath", TEXT), {"filePath": "notes"}, {"filePath": "Notes"}),
    (of("city", TEXT), {"city": "W-12a"}, {"city": "w-12A"}),
    (of("city", TEXT), {"city": "src/main"}, {"city": "src/Main"}),
    (of("stock", TEXT), {"stock": "AAPL"}, {"stock": "aapl"}),
    (of("body", TEXT), {"body": "See you soon"}, {"body": "SEE YOU SOON"}),
    (of("body", TEXT), {"body": "one  two"}, {"body": "one two"}),
    ({"type": "array"}, ["a", "b"], ["b", "a"]),
    (SET, ["a", "a"], ["a"]),
    (of("unit", {**UNIT, "default": "Celsius"}), {}, {"unit": "Fahrenheit"}),
    (of("unit", {**UNIT, "default": "Celsius"}, required=["unit"]), {}, {"unit": "Celsius"}),
    (of("note", {"type": "string"}), {}, {"note": None}),
    (of("note", {"type": ["string", "null"]}, required=["note"]), {}, {"note": None}),
    (of("note", {"type": ["string", "null"], "default": "x"}), {}, {"note": None}),
    ({}, {}, {"further": 1}),
    ({}, math.nan, math.nan),
    ({}, {1, 2}, {1, 2}),
]


@pytest.mark.parametrize(("schema", "one", "other"), SAME)
def test_these_mean_the_same(schema: Json, one: Json, other: Json) -> None:
    assert same_value(one, other, schema)
    assert same_value(other, one, schema)


@pytest.mark.parametrize(("schema", "one", "other"), DIFFERENT)
def test_these_mean_something_else(schema: Json, one: Json, other: Json) -> None:
    assert not same_value(one, other, schema)
    assert not same_value(other, one, schema)


ENDLESS = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}}


@pytest.mark.parametrize("schema", [ENDLESS, {"$ref": "#"}, {"properties": []}, {"type": 5, "required": 7}, [], 3, "x"])
def test_any_schema_reads_any_value(schema: Json) -> None:
    deep: Json = []
    for _ in range(10_000):
        deep = [deep]
    for value in (deep, {"a": {"a": {"a": [1]}}}, {1: 2}, object(), b"x", math.inf, 10**5000):
        reader_of(schema).read(value)
