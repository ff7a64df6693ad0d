"""The envelope binds arguments to each tool, in strict form where there is one."""

from __future__ import annotations

import pytest

from generator.authors.llm.response_schemas import draft_envelope, following_envelope, strict_form, without_absent
from generator.jsontext import JsonObject
from generator.scenarios.scenario import PlannedCall, Step
from generator.schemas.validators import schema_problems, validator_for
from generator.tools.tool import Tool


def tool(name: str, parameters: JsonObject) -> Tool:
    return Tool(name=name, description="Does it.", parameters=parameters, result_schema={}, result_origin="domain")


WEATHER = tool(
    "get_weather",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["city"],
    },
)
FREE = tool("store", {"type": "object", "properties": {"data": {"type": "object"}}, "required": ["data"]})


def test_optional_parameters_become_nullable_and_required() -> None:
    form = strict_form(WEATHER.parameters)
    assert form is not None
    assert form["required"] == ["city", "days", "tags"]
    assert form["additionalProperties"] is False
    assert form["properties"]["days"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    "schema",
    [
        FREE.parameters,
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}},
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"$ref": "#/$defs/A"},
        True,
    ],
)
def test_a_free_form_has_no_strict_form(schema: object) -> None:
    assert strict_form(schema) is None


def test_the_envelope_holds_exactly_the_planned_calls() -> None:
    envelope = draft_envelope(Step(request=True, calls=(PlannedCall(WEATHER, {}), PlannedCall(WEATHER, {}))))
    assert envelope.strict
    assert not schema_problems(envelope.schema)
    validator = validator_for(envelope.schema)
    call = {"name": "get_weather", "arguments": {"city": "Oslo", "days": None, "tags": None}, "evidence": []}
    assert validator.is_valid({"request": "Oslo?", "calls": [call, call]})
    assert not validator.is_valid({"request": "Oslo?", "calls": [call]})
    assert not validator.is_valid({"request": "Oslo?", "calls": [call, {**call, "name": "other"}]})


def test_calls_that_follow_come_without_a_message() -> None:
    step = Step(calls=(PlannedCall(WEATHER, {}), PlannedCall(WEATHER, {})), act="go on")
    following = following_envelope(step)
    assert following.strict
    assert following.schema["required"] == ["calls"]
    assert following.schema["properties"]["calls"] == draft_envelope(step).schema["properties"]["calls"]


def test_tools_without_a_strict_form_are_bound_as_they_are() -> None:
    envelope = draft_envelope(Step(request=True, calls=(PlannedCall(WEATHER, {}), PlannedCall(FREE, {}))))
    assert not envelope.strict
    assert WEATHER.parameters in [
        branch["properties"]["arguments"] for branch in envelope.schema["properties"]["calls"]["items"]["anyOf"]
    ]


def test_nulls_of_the_strict_form_are_read_as_absent() -> None:
    assert without_absent({"city": "Oslo", "days": None, "tags": ["a"]}, WEATHER.parameters) == {
        "city": "Oslo",
        "tags": ["a"],
    }


def test_a_null_that_the_schema_wants_is_kept() -> None:
    schema = {"type": "object", "properties": {"until": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
    assert without_absent({"until": None}, schema) == {"until": None}
    assert without_absent({"unknown": None, "city": None}, WEATHER.parameters | {"required": ["city"]}) == {
        "unknown": None,
        "city": None,
    }
