"""Divisions: what is found without asking jsonschema is what jsonschema finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.schemas.validators import divides_by_fractions, divisions_of, validator_for

NUMBERS = st.sampled_from([0, 1, 7, -3, 0.1, 0.3, 0.07, 4.1, 4.7, 2.5, 1e300, True])
DIVISORS = st.sampled_from([0.1, 0.01, 0.5, 2, 2.0, 3])
PLACES = st.fixed_dictionaries({"multipleOf": DIVISORS}) | st.just({"type": ["number", "boolean"]}) | st.just(True)
SCHEMAS = st.recursive(
    PLACES,
    lambda inner: st.builds(
        lambda members, items: {"properties": members, "items": items, "minItems": 0},
        st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        inner.filter(lambda schema: schema is not True),
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    NUMBERS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=6
)


@settings(max_examples=150)
@given(SCHEMAS.filter(lambda schema: schema is not True), VALUES)
def test_holds_where_jsonschema_finds_every_multiple(schema: Any, value: Any) -> None:
    divisions = divisions_of(schema)
    assert divisions is not None
    refused = [error for error in Draft202012Validator(schema).iter_errors(value) if error.validator == "multipleOf"]
    assert divisions.hold_in(value) is not bool(refused)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"anyOf": [{"multipleOf": 0.1}]},
        {"not": {"multipleOf": 0.1}},
        {"$ref": "#/$defs/tenth", "$defs": {"tenth": {"multipleOf": 0.1}}},
        {"prefixItems": [{"multipleOf": 0.1}]},
        {"additionalProperties": {"multipleOf": 0.1}},
        {"items": {"pattern": "a", "multipleOf": 0.1}},
        {"items": [{"multipleOf": 0.1}]},
        {"properties": {"a": False}},
    ],
)
def test_says_nothing_where_other_keywords_have_a_say(schema: Any) -> None:
    assert divisions_of(schema) is None


def test_leaves_in_doubt_what_overflows() -> None:
    divisions = divisions_of({"multipleOf": 0.1})
    assert divisions is not None
    with pytest.raises(OverflowError):
        divisions.hold_in(10**400)
    with pytest.raises(OverflowError):
        divisions.hold_in(1.7e308)
    assert validator_for({"multipleOf": 0.5}).is_valid(1e300)


@pytest.mark.parametrize(
    ("schema", "fractions"),
    [
        ({"properties": {"a": {"multipleOf": 0.1}}}, True),
        ({"anyOf": [{"multipleOf": 0.5}]}, True),
        ({"multipleOf": 2.0}, False),
        ({"multipleOf": 5}, False),
        (True, False),
    ],
)
def test_knows_a_fraction_wherever_it_stands(schema: Any, fractions: bool) -> None:
    assert divides_by_fractions(schema) is fractions
