"""Result schemas that a model proposes: what is taken, in which form, and why the rest is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.authors.llm.proposals import BadProposal, read_proposal
from generator.schemas.validators import schema_problems, validator_for
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

TOOL = Tool(
    name="get_weather",
    description="Get the weather of a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}},
    result_schema={"type": "object"},
    result_origin="derived",
)
TEXT = {"type": "string", "description": "A text"}


def shape(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def proposed(schema: Any) -> Any:
    return read_proposal({"result_schema": schema}, TOOL)


def test_a_proposal_becomes_a_closed_schema() -> None:
    taken = proposed(
        {"type": "object", "properties": {"city": TEXT, "days": {"type": "array", "items": shape(a=TEXT)}}}
    )
    assert taken["required"] == ["city", "days"]
    assert taken["additionalProperties"] is False
    assert taken["properties"]["days"]["items"]["additionalProperties"] is False
    assert schema_problems(taken) == []
    value = synthesize_value(taken, seed=1, context=Context(name="get_weather", purpose="result"))
    assert validator_for(taken).is_valid(value)


def test_what_may_be_absent_stays_so() -> None:
    assert proposed({**shape(a=TEXT, b=TEXT), "required": ["a"]})["required"] == ["a"]


def test_older_and_looser_writings_are_read() -> None:
    taken = proposed(shape(price={"type": "number", "minimum": 0, "exclusiveMinimum": True}))
    assert taken["properties"]["price"]["exclusiveMinimum"] == 0


DEEP: dict[str, Any] = TEXT
for _ in range(5):
    DEEP = shape(inner=DEEP)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (None, ["lacks 'result_schema'"]),
        ([], ["lacks 'result_schema'"]),
        ({}, ["an object with `properties`"]),
        ({"type": "object", "properties": {}}, ["an object with `properties`"]),
        ({"type": "array", "items": TEXT}, ["an object with `properties`"]),
        (shape(a={"description": "anything"}), ["/properties/a", "needs one `type`"]),
        (shape(a={"type": ["string", "null"]}), ["/properties/a", "needs one `type`"]),
        (shape(a={"type": "null"}), ["not null"]),
        (shape(a={"type": "array"}), ["needs `items`"]),
        (shape(a={"type": "array", "items": [TEXT]}), ["needs `items`"]),
        (shape(a={"type": "object"}), ["needs `properties`"]),
        (shape(a={"type": "wat"}), ["/properties/a/type", "not known"]),
        (shape(a={"type": "string", "$ref": "#/$defs/x"}), ["`$ref` is not used here"]),
        (shape(**{"a b": TEXT}), ["'a b' is no field name"]),
        (shape(**{f"f{number}": TEXT for number in range(50)}), ["51 fields are too many"]),
        (shape(a={**TEXT, "description": "x" * 9000}), ["longer than 8,000 characters"]),
        (DEEP, ["nested deeper than 4"]),
        (shape(a={"type": "integer", "minimum": 3, "maximum": 1}), ["/properties/a", "no value satisfies"]),
        (shape(a={"type": "string", "pattern": "["}), ["/properties/a/pattern"]),
        (shape(a={"type": "string", "enum": ["<|im_end|>"]}), ["control token"]),
        (shape(a={"type": "array", "items": TEXT, "minItems": 10**6}), ["parts or more"]),
        (shape(a=True), ["needs one `type`"]),
    ],
)
def test_what_is_refused_says_why(schema: Any, words: list[str]) -> None:
    with pytest.raises(BadProposal) as caught:
        proposed(schema)
    assert [word for word in words if word not in str(caught.value)] == []
    assert {violation.rule for violation in caught.value.violations} == {"LM010"}


def test_an_endless_proposal_is_refused_soon() -> None:
    nested = '{"type":"object","properties":{"a":' * 60 + '{"type":"string"}' + "}}" * 60
    with pytest.raises(BadProposal):
        proposed(json.loads(nested))
