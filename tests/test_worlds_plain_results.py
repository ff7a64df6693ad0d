"""Declared results keep to what their definitions tell."""

from __future__ import annotations

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value
from generator.worlds.plain_results import plain_result, without_rivals

TEXT: JsonObject = {"type": "string"}
FREE: JsonObject = {"type": "object", "additionalProperties": {"type": "integer"}}
THING: JsonObject = {
    "type": "object",
    "properties": {"id": TEXT, "inner": {"type": "object", "properties": {"a": TEXT}}},
}
CASES: list[tuple[JsonObject, JsonValue]] = [
    (FREE, {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 0}),
    ({**FREE, "minProperties": 1}, {**FREE, "minProperties": 1}),
    ({"type": "array", "items": FREE}, {"type": "array", "items": {**FREE, "maxProperties": 0}, "maxItems": 0}),
    (THING, {"type": "object", "properties": {"id": TEXT}}),
    ({**THING, "required": ["inner"]}, {**THING, "required": ["inner"]}),
    ({"type": "array", "items": THING}, {"type": "array", "items": {"type": "object", "properties": {"id": TEXT}}}),
    (
        {"type": "object", "properties": {"one": {"type": "object", "properties": {"a": TEXT}}}},
        {"type": "object", "properties": {"one": {"type": "object", "properties": {"a": TEXT}}}},
    ),
    (
        {"type": "object", "properties": {"id": TEXT, "of": {"$ref": "#/$defs/T"}}, "$defs": {"T": THING}},
        {"type": "object", "properties": {"id": TEXT}, "$defs": {"T": {"type": "object", "properties": {"id": TEXT}}}},
    ),
]


@pytest.mark.parametrize(("schema", "narrowed"), CASES)
def test_what_is_told_too_little_is_left_out(schema: JsonObject, narrowed: JsonValue) -> None:
    assert plain_result(schema) == narrowed
    assert plain_result(schema) is plain_result(schema)


@pytest.mark.parametrize("schema", [schema for schema, _ in CASES])
def test_a_plain_result_is_a_result(schema: JsonObject) -> None:
    validator, context = validator_for(schema), Context(purpose="result")
    assert all(
        validator.is_valid(synthesize_value(plain_result(schema), seed=seed, context=context)) for seed in range(20)
    )


@pytest.mark.parametrize(
    ("value", "required", "arguments", "kept"),
    [
        ({"currentTemperature": 14, "humidity": 3}, [], {"temperature": 4}, {"humidity": 3}),
        ({"currentTemperature": 4, "humidity": 3}, [], {"temperature": 4}, {"currentTemperature": 4, "humidity": 3}),
        ({"currentTemperature": 14, "humidity": 3}, ["currentTemperature"], {"temperature": 4}, None),
        ({"currentTemperature": 14}, [], {"temperature": 4}, None),
        ({"temperature": 5, "humidity": 3}, [], {"temperature": 4}, None),
        ([1], [], {"temperature": 4}, None),
    ],
)
def test_what_was_given_is_not_told_anew(
    value: JsonValue, required: list[str], arguments: JsonObject, kept: JsonValue
) -> None:
    assert without_rivals(value, {"required": required}, arguments) == (value if kept is None else kept)
