"""Schemas nobody wrote: no crash, no invalid value, no refusal that a value refutes. See tests.fuzz.values for more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.schemas.validators import validator_for
from generator.values import synthesize_value
from tests.fuzz.schemas import DOCUMENTS, SCHEMAS
from tests.fuzz.values import outcome, run

Json = Any  # parsed JSON

FOUND: list[Json] = [
    # What was thought over after luck had failed gave another value the second time.
    {
        "type": "object",
        "required": ["city", "b", "a"],
        "oneOf": [
            {"type": "array"},
            {"additionalProperties": {"pattern": "^(?=.*\\d)[a-z\\d]{4,8}$", "format": "date", "minLength": 3}},
        ],
    },
    # Two conjuncts that list nothing in common.
    {
        "prefixItems": [
            {
                "propertyNames": {"maxItems": 0, "unevaluatedItems": {"type": "string", "format": "hostname"}},
                "properties": {
                    "count": {
                        "type": "object",
                        "allOf": [{"enum": [[{"city": 1e9}], [False], 7]}, {"enum": [{}]}],
                        "anyOf": [{"type": ["object"]}],
                        "not": {"const": {"tags": 0.5}},
                    }
                },
            }
        ]
    },
    {"properties": {"count": {"enum": [1]}}, "allOf": [{"properties": {"count": {"enum": [True]}}}]},
    # One look at a value may end by chance where another one never does.
    {"type": "array", "contains": {"$ref": "#/$defs/leaf"}, "$defs": {"leaf": {"$ref": "#/$defs/leaf"}}},
    # What is contained stands where the position says something as well.
    {"type": "array", "prefixItems": [{"type": "string"}, {"type": "object"}], "maxItems": 2,
     "contains": {"const": "x"}},
    {"type": "array", "prefixItems": [{}, {"type": ["object", "null"]}], "contains": {"type": ["object", "null"]},
     "maxContains": 1, "minItems": 2},
    {"type": "array", "prefixItems": [{"enum": [1, 2]}, {"enum": [1, 2]}], "uniqueItems": True, "minItems": 2,
     "contains": {"const": 2}},
]  # fmt: skip
"""Schemas that once gave something wrong, or nothing."""


@pytest.mark.parametrize("schema", FOUND)
def test_what_was_found_stays_mended(schema: Json) -> None:
    for seed in range(5):
        assert outcome(schema, seed) in ("value", "unsatisfiable")


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=DOCUMENTS, seed=st.integers(0, 2**53 - 1))
def test_any_schema_ends_well(schema: Json, seed: int) -> None:
    outcome(schema, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=SCHEMAS)
def test_a_conjunction_with_itself_changes_nothing(schema: Json) -> None:
    if "$ref" in repr(schema):
        return
    once, twice = outcome(schema), outcome({"allOf": [schema, schema]})
    assert {once, twice} != {"value", "unsatisfiable"}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(schema=SCHEMAS, seed=st.integers(0, 99))
def test_an_optional_property_never_stands_in_the_way(schema: Json, seed: int) -> None:
    if "$ref" in repr(schema):
        return
    whole = {"type": "object", "properties": {"x": schema}}
    assert validator_for(whole).is_valid(synthesize_value(whole, seed=seed))


@pytest.mark.slow
def test_thousands_of_schemas_end_well() -> None:
    tally, failures = run(3_000, seed=5)
    assert failures == []
    assert tally["value"] > 2_400
    assert tally["unsatisfiable"] > 100
    assert tally["gave up"] < 40
