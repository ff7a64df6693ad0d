"""Validators: one verdict, bounded in time, closed to network and files, in agreement with jsonschema."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.schemas.strict import closed
from generator.schemas.validators import (
    DISAGREEMENTS,
    BoundedCache,
    InvalidSchema,
    SchemaProblem,
    divides_by_fractions,
    divisions_of,
    schema_problems,
    validator_for,
)
from tests.bounded import bounded
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

Json = Any  # parsed JSON

SUITE = SHARED / "json-schema-test-suite"


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, "x", [SchemaProblem("", "type", "'x' is not of type 'integer'")]),
        (
            {"properties": {"a": {"minimum": 3}}, "required": ["b"]},
            {"a": 1},
            [
                SchemaProblem("", "required", "'b' is a required property"),
                SchemaProblem("/a", "minimum", "1 is less than the minimum of 3"),
            ],
        ),
        ({"format": "date"}, "2026-02-30", [SchemaProblem("", "format", "'2026-02-30' is not a 'date'")]),
        ({"items": {"const": 1}}, [1, 2], [SchemaProblem("/1", "const", "1 was expected")]),
        (False, 1, [SchemaProblem("", "false schema", "False schema does not allow 1")]),
        ({"properties": {"a/b~": {"type": "null"}}}, {"a/b~": 1},
         [SchemaProblem("/a~1b~0", "type", "1 is not of type 'null'")]),
    ],
)  # fmt: skip
def test_problems_name_place_keyword_and_reason(schema: Json, value: Json, expected: list[SchemaProblem]) -> None:
    assert validator_for(schema).problems(value) == expected
    assert not validator_for(schema).is_valid(value)


def test_formats_can_be_left_unasserted() -> None:
    schema = {"type": "string", "format": "email"}
    assert not validator_for(schema).is_valid("nobody")
    assert validator_for(schema, formats=False).is_valid("nobody")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {"\udfff": "a"}, {1: 2}, {1, 2}, object()])
def test_what_is_not_json_is_not_valid(value: Json) -> None:
    text = {"type": ["number", "string"], "maxLength": 3}
    validator = validator_for({"type": ["number", "string", "object"], "maxLength": 3, "additionalProperties": text})
    assert not validator.is_valid(value)
    assert validator.problems(value)


@each_row("pattern", ["^(a+)+$", "^(a|aa)+$", "^(?=a)(a+)+$", r"^(a+)+\1$", "(x+x+)+y"])
@each_row("keyword", ["pattern", "patternProperties", "propertyNames"])
def test_no_pattern_takes_exponential_time(pattern: str, keyword: str) -> None:
    text = "a" * 5000 + "x" * 5000 + "!"
    schema, value = {
        "pattern": ({"type": "string", "pattern": pattern}, text),
        "patternProperties": ({"patternProperties": {pattern: False}, "additionalProperties": False}, {text: 1}),
        "propertyNames": ({"propertyNames": {"pattern": pattern}}, {text: 1}),
    }[keyword]
    with bounded(20):  # hangs for ages where the engine is not bounded
        assert validator_for(schema).problems(value)


@each_row(
    "schema",
    [
        {"$ref": "https://example.com/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "other.json"},
        {"$ref": "#/$defs/nothing"},
        {"$id": "https://example.com/a", "$ref": "b"},
        {"type": "text"},
        {"type": "string", "pattern": "("},
        {"pattern": "(a{1000}){1000}"},
        {"properties": []},
        {"required": ["a", "a"]},
        {"minimum": "3"},
        {"const": "\ud800"},
        3,
        None,
        "object",
    ],
)
def test_bad_schemas_are_refused_with_reasons(schema: Json) -> None:
    problems = schema_problems(schema)
    assert problems
    assert all(problem.message for problem in problems)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        True,
        False,
        {"$ref": "#"},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/x", "type": "object"},
        {"$defs": {"a": {"$anchor": "here", "type": "string"}}, "$ref": "#here"},
        {"definitions": {"a": {}}, "properties": {"b": {"$ref": "#/definitions/a"}}},
        {"properties": {"type": {"type": "string"}, "required": {}, "$ref": {}}},
        {"x_mine": 1, "discriminator": {}},
    ],
)
def test_good_schemas_have_no_problem(schema: Json) -> None:
    assert schema_problems(schema) == []
    validator_for(schema)


def test_a_bad_schema_raises_where_a_validator_is_asked_for() -> None:
    with pytest.raises(InvalidSchema, match="nothing"):
        validator_for({"$ref": "#/$defs/nothing"})


def test_deep_schemas_are_refused_and_deep_values_judged() -> None:
    schema: Json = {}
    for _ in range(3000):
        schema = {"not": schema}
    assert schema_problems(schema)
    value: Json = []
    for _ in range(3000):
        value = [value]
    assert validator_for({"type": "array"}).is_valid(value)
    assert not validator_for({"type": "object"}).is_valid(value)
    assert validator_for({"type": "object"}).problems(value)


def test_equal_schemas_share_a_validator() -> None:
    first, second = {"type": "string", "minLength": 1}, {"minLength": 1, "type": "string"}
    assert validator_for(first) is validator_for(second) is validator_for(first)
    assert validator_for(first) is not validator_for({"type": "string", "minLength": 2})


def test_the_cache_forgets_what_was_used_longest_ago() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"properties": {"a": {"type": "integer"}}}, {"a": 0.5}, {"/a"}),
        ({"properties": {"a": {"type": "number"}}}, {"a": 0.5}, set()),
        ({"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, {"a": 0.5}, {"/a"}),
        ({"properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "number"}]}}}, {"a": 0.5}, set()),
        ({"items": {"$ref": "#/$defs/i"}, "$defs": {"i": {"type": "integer"}}}, [0.5, 1], {"/0"}),
    ],
)
def test_type_problems_look_into_branches(schema: Json, value: Json, expected: set[str]) -> None:
    assert validator_for(schema).type_problems(value) == expected


A = {"properties": {"a": {}}}


@each_row(
    ("schema", "value", "admitted"),
    [
        (A, {"a": 1}, True),
        (A, {"b": 1}, False),
        ({"type": "object"}, {"b": 1}, True),
        ({"type": "object", "properties": {}}, {"b": 1}, True),
        ({**A, "additionalProperties": True}, {"b": 1}, True),
        ({**A, "additionalProperties": {"type": "string"}}, {"b": "x"}, True),
        ({**A, "additionalProperties": {"type": "string"}}, {"b": 1}, False),
        ({**A, "patternProperties": {"^x": {}}}, {"x1": 1}, True),
        ({**A, "patternProperties": {"^x": {}}}, {"b": 1}, False),
        ({**A, "unevaluatedProperties": True}, {"b": 1}, True),
        ({"properties": {"a": A}}, {"a": {"b": 1}}, False),
        ({"items": A}, [{"a": 1}, {"b": 1}], False),
        ({"prefixItems": [A]}, [{"b": 1}], False),
        ({"additionalProperties": A}, {"x": {"b": 1}}, False),
        ({"allOf": [A, {"properties": {"b": {}}}]}, {"a": 1, "b": 1}, True),
        ({"allOf": [A, {"properties": {"b": {}}}]}, {"c": 1}, False),
        ({"anyOf": [A, {"properties": {"b": {}}}]}, {"b": 1}, True),
        ({"anyOf": [A, {"properties": {"b": {}}}]}, {"c": 1}, False),
        ({"$ref": "#/$defs/a", "$defs": {"a": A}}, {"a": 1}, True),
        ({"$ref": "#/$defs/a", "$defs": {"a": A}}, {"b": 1}, False),
        ({"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": A}}, {"x": {"b": 1}}, False),
        ({"properties": {"x": {"$ref": "#"}}}, {"x": {"x": {"b": 1}}}, False),
        ({"properties": {"x": {"$ref": "#"}}}, {"x": {"x": {}}}, True),
        ({**A, "not": {"properties": {"a": A}, "required": ["a"]}}, {"a": {"b": 1}}, False),
        ({**A, "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {}}}}, {"a": 1, "b": 1}, True),
        ({**A, "if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": {}}}}, {"a": 2, "b": 1}, False),
    ],
)
def test_closed_schemas_admit_what_is_declared_or_allowed(schema: Json, value: Json, admitted: bool) -> None:
    before = json.dumps(schema)
    assert validator_for(closed(schema)).is_valid(value) is admitted
    assert json.dumps(schema) == before


def test_closing_twice_changes_nothing_more() -> None:
    schema = {"properties": {"a": {"anyOf": [A, {"type": "null"}]}}}
    assert closed(closed(schema)) == closed(schema)


def suite_cases() -> list[tuple[str, Json, Json, bool, bool]]:
    """Every case of the official suite for 2020-12: name, schema, value, verdict, and whether formats are asserted."""
    cases = []
    for path in sorted(SUITE.rglob("*.json")):
        relative = path.relative_to(SUITE)
        if "draft2020-12" in relative.parts and "remotes" not in relative.parts:
            for group in json.loads(path.read_text(encoding="utf-8")):
                name = f"{relative.stem}: {group['description']}"
                cases += [
                    (name, group["schema"], test["data"], test["valid"], "format" in relative.parts)
                    for test in group["tests"]
                ]
    return cases


@needs_shared
def test_verdicts_on_the_official_suite_are_right_and_differences_from_jsonschema_are_explained() -> None:
    compared = 0
    for name, schema, value, expected, formats in suite_cases():
        if schema_problems(schema) or "localhost" in str(schema.get("$schema") if isinstance(schema, dict) else ""):
            continue  # references outside the document, and dialects of the suite's own
        compared += 1
        assert validator_for(schema, formats=formats).is_valid(value) is expected, (name, schema, value)
        if oracle_verdict(schema, value) != expected and not formats:
            assert any(f'"{keyword}"' in json.dumps(schema) for keyword in DISAGREEMENTS), (name, schema, value)
    assert compared > 2000


def oracle_verdict(schema: Json, value: Json, **options: Json) -> bool | None:
    """What jsonschema says; None where it fails, as Python's `re` does over some patterns of ECMA 262."""
    try:
        return bool(jsonschema.Draft202012Validator(schema, **options).is_valid(value))
    except (re.error, RecursionError):
        return None


@pytest.mark.parametrize(
    ("keyword", "schema", "value", "decided"),
    [
        ("pattern", {"pattern": "^a$"}, "a\n", False),
        ("pattern", {"pattern": r"^\d$"}, "\u0663", False),
        ("patternProperties", {"patternProperties": {"^a$": False}}, {"a\n": 1}, True),
        ("format", {"format": "email"}, "a@", False),
        ("format", {"format": "regex"}, r"\Z", False),
        ("dependencies", {"dependencies": {"a": ["b"]}}, {"a": 1}, False),
    ],
)
def test_each_known_difference_is_one(keyword: str, schema: Json, value: Json, decided: bool) -> None:
    assert keyword in DISAGREEMENTS
    assert validator_for(schema).is_valid(value) is decided
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    assert oracle_verdict(schema, value, format_checker=checker) is (not decided)
    assert bool(validator_for(schema).problems(value)) is not decided


@pytest.mark.parametrize(
    ("schema", "value", "both"),
    [
        ({"multipleOf": 0.01}, 0.07, False),
        ({"multipleOf": 0.01}, 0.25, True),
        ({"properties": {"a": {"items": {"multipleOf": 0.1}}}}, {"a": [0.5, 0.3]}, False),
        ({"multipleOf": 5}, 15, True),
        ({"multipleOf": 2.0}, 6, True),
    ],
)
def test_both_must_accept_where_fractions_divide(schema: Json, value: Json, both: bool) -> None:
    assert validator_for(schema).is_valid(value) is both
    assert bool(validator_for(schema).problems(value)) is not both
    assert oracle_verdict(schema, value) is both
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(value)


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([0.5, 2.5, "", "a", "bb", "ccc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
SCHEMAS = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"]),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "const": VALUES,
            "minimum": st.integers(-3, 3),
            "exclusiveMaximum": st.integers(-3, 3),
            "multipleOf": st.integers(1, 3),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b", "c{2}"]),
            "minItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "required": st.lists(NAMES, unique=True, max_size=2),
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "additionalProperties": inner | st.booleans(),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "unevaluatedProperties": st.booleans(),
        },
    ),
    max_leaves=6,
)


@settings(max_examples=250, deadline=None)
@given(SCHEMAS, VALUES)
def test_jsonschema_agrees(schema: Json, value: Json) -> None:
    validator = validator_for(schema)
    oracle = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(value) == oracle.is_valid(value)
    worded = {(str(error.validator or "false schema"), error.message) for error in oracle.iter_errors(value)}
    assert {(problem.keyword, problem.message) for problem in validator.problems(value)} == worded


NUMBERS = st.sampled_from([0, 1, 7, -3, 0.1, 0.3, 0.07, 4.1, 4.7, 2.5, 1e300, True])
DIVISORS = st.sampled_from([0.1, 0.01, 0.5, 2, 2.0, 3])
PLACES = st.fixed_dictionaries({"multipleOf": DIVISORS}) | st.just({"type": ["number", "boolean"]}) | st.just(True)
SCHEMAS_DIVISIONS_SCHEMAS = st.recursive(
    PLACES,
    lambda inner: st.builds(
        lambda members, items: {"properties": members, "items": items, "minItems": 0},
        st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        inner.filter(lambda schema: schema is not True),
    ),
    max_leaves=6,
)
SCHEMAS_DIVISIONS_VALUES = st.recursive(
    NUMBERS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner), max_leaves=6
)


@settings(max_examples=150)
@given(SCHEMAS_DIVISIONS_SCHEMAS.filter(lambda schema: schema is not True), SCHEMAS_DIVISIONS_VALUES)
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
