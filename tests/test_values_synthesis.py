"""Values are valid, deterministic and bounded; contradictions are proven and named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.errors import GaveUp, Unsatisfiable
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value
from tests.bounded import bounded
from tests.tables import each_row

RESULT = Context(purpose="result")


def _tree(beside: dict[str, object]) -> dict[str, object]:
    """A tree of sums, whose definition is one of two objects, with something beside each reference to it."""
    part = {"$ref": "#/$defs/tree", **beside}
    leaf = {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]}
    sides = {"left": part, "right": part}
    both = {"type": "object", "properties": sides, "required": ["left", "right"], "additionalProperties": False}
    tree = {"type": "object", "oneOf": [leaf | {"additionalProperties": False}, both]}
    return {"type": "object", "properties": {"tree": part}, "required": ["tree"], "$defs": {"tree": tree}}


SCHEMAS: dict[str, object] = {
    "true": True,
    "empty": {},
    "every type": {"type": ["string", "null", "integer", "array", "object", "boolean", "number"]},
    "enum of any type": {"enum": [None, 1, "two", [3], {"four": 4}]},
    "const object": {"const": {"a": [1, 2, {"b": None}]}},
    "allOf bounds": {"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 4}, {"multipleOf": 2}]},
    "a recursive oneOf with its type": _tree({}),
    "a recursive oneOf with its type, and the type beside the reference": _tree({"type": "object"}),
    "names by two patterns behind a reference": {
        "type": "object",
        "propertyNames": {"$ref": "#/$defs/name"},
        "minProperties": 2,
        "$defs": {"name": {"type": "string", "allOf": [{"pattern": "^x-"}, {"pattern": "[a-z]{3}$"}]}},
    },
    "oneOf overlap": {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]},
    "anyOf and rest": {"type": "object", "required": ["a"], "anyOf": [{"required": ["b"]}, {"required": ["c"]}]},
    "not": {"type": "string", "not": {"enum": ["a", "b"]}, "minLength": 1},
    "not with properties": {"type": "object", "not": {"required": ["a"]}, "properties": {"a": {}, "b": {"const": 1}}},
    "if then else": {
        "type": "object",
        "properties": {"kind": {"enum": ["card", "cash"]}, "number": {"type": "string", "pattern": "^[0-9]{16}$"}},
        "required": ["kind"],
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": {"required": ["number"]},
        "else": {"not": {"required": ["number"]}},
    },
    "dependentRequired": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "dependentRequired": {"a": ["b"]},
    },
    "dependentSchemas": {
        "type": "object",
        "required": ["a"],
        "dependentSchemas": {"a": {"required": ["b"], "properties": {"b": {"type": "integer"}}}},
    },
    "unevaluatedProperties": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "allOf": [{"properties": {"b": {"type": "integer"}}, "required": ["b"]}],
        "unevaluatedProperties": False,
    },
    "unevaluatedItems": {
        "type": "array",
        "prefixItems": [{"type": "string"}],
        "unevaluatedItems": False,
        "minItems": 1,
    },
    "contains": {"type": "array", "contains": {"const": "x"}, "minContains": 2, "maxContains": 2, "minItems": 4},
    "contains beside items": {
        "type": "array",
        "items": {"multipleOf": 3},
        "contains": {"type": "integer", "multipleOf": 2},
    },
    "unique small domain": {
        "type": "array",
        "uniqueItems": True,
        "minItems": 11,
        "items": {"type": "integer", "minimum": 0, "maximum": 10},
    },
    "unique flags": {"type": "array", "uniqueItems": True, "minItems": 2, "items": {"type": "boolean"}},
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False, "minItems": 2},
    "patternProperties": {
        "type": "object",
        "minProperties": 2,
        "patternProperties": {"^x-[a-z]+$": {"type": "integer"}},
        "additionalProperties": False,
    },
    "propertyNames": {"type": "object", "minProperties": 3, "propertyNames": {"pattern": "^[A-Z]{3}$"}},
    "map": {"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 2, "maxProperties": 3},
    "maxProperties": {"type": "object", "properties": {n: {"type": "string"} for n in "abcdef"}, "maxProperties": 2},
    "few multiples in float": {"type": "number", "multipleOf": 0.01, "minimum": 0.065, "maximum": 0.085},
    "a fraction in an object": {
        "allOf": [{"enum": [{"a": 0.08}, {"a": 0.005}]}, {"properties": {"a": {"multipleOf": 0.01}}}]
    },
    "two grids": {"type": "number", "allOf": [{"multipleOf": 2.5}, {"multipleOf": 1.5}], "minimum": 1, "maximum": 10},
    "an integer beyond floats": {"type": "integer", "minimum": 2**53 + 1, "maximum": 2**53 + 1},
    "number that is no integer": {"type": "number", "not": {"type": "integer"}, "minimum": 1, "maximum": 2},
    "contained in part": {
        "type": "array",
        "items": {"type": "integer"},
        "contains": {"minimum": 100},
        "minContains": 2,
        "maxContains": 3,
        "minItems": 5,
    },
    "nothing contained": {
        "type": "array",
        "contains": {"type": "string"},
        "minContains": 0,
        "maxContains": 0,
        "minItems": 3,
    },
    "all lists of two flags": {
        "type": "array",
        "uniqueItems": True,
        "minItems": 4,
        "items": {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2},
    },
    "every text of a pattern": {
        "type": "array",
        "uniqueItems": True,
        "minItems": 4,
        "items": {"type": "string", "pattern": "^[ab]{2}$"},
    },
    "every name of a pattern": {"type": "object", "minProperties": 26, "propertyNames": {"pattern": "^[a-z]$"}},
    "names of two patterns": {
        "type": "object",
        "patternProperties": {"^a": {"type": "integer"}, "b$": {"minimum": 5}},
        "required": ["ab", "aa", "xb"],
    },
    "unevaluated beside anyOf": {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "anyOf": [
            {"properties": {"b": {"type": "string"}}, "required": ["b"]},
            {"properties": {"c": {"type": "string"}}, "required": ["c"]},
        ],
        "unevaluatedProperties": False,
    },
    "word boundaries": {"type": "string", "pattern": "\\bfoo\\b", "minLength": 10},
    "a group told again": {"type": "string", "pattern": "^(\\w+)\\s\\1$", "minLength": 7, "maxLength": 11},
    "a password": {
        "type": "string",
        "pattern": "^(?=.{8,}$)(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[@$!%*?&])[A-Za-z\\d@$!%*?&]+$",
    },
    "a data URI of a length": {
        "type": "string",
        "pattern": "^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+=*$",
        "minLength": 60,
        "maxLength": 80,
    },
    "format and pattern": {"type": "string", "format": "date", "pattern": "^2024-02"},
    "not a date that looks like one": {
        "type": "string",
        "not": {"format": "date"},
        "pattern": "^\\d{4}-\\d\\d-\\d\\d$",
    },
    "a list with doubles": {"type": "array", "not": {"uniqueItems": True}},
    "multipleOf in float": {"type": "number", "multipleOf": 0.01, "minimum": 0, "exclusiveMaximum": 1},
    "narrow open interval": {"type": "number", "exclusiveMinimum": 0.1, "exclusiveMaximum": 0.10001},
    "pattern with lengths": {"type": "string", "pattern": "^[A-Z]{2}-\\d+$", "minLength": 9, "maxLength": 9},
    "look-ahead": {"type": "string", "pattern": "^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,12}$"},
    "two patterns": {"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "z$"}]},
    "unanchored pattern": {"type": "string", "pattern": "b+c", "minLength": 12},
    "property escapes": {"type": "string", "pattern": "^\\p{Lu}\\p{Ll}+$"},
    "format with length": {"type": "string", "format": "email", "maxLength": 12},
    "recursion": {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                },
            }
        },
    },
    "recursion that must end": {
        "$ref": "#/$defs/tree",
        "$defs": {
            "tree": {
                "anyOf": [
                    {
                        "type": "object",
                        "required": ["l", "r"],
                        "properties": {s: {"$ref": "#/$defs/tree"} for s in "lr"},
                    },
                    {"type": "integer"},
                ]
            }
        },
    },
    "dynamicRef": {
        "$dynamicAnchor": "node",
        "type": "object",
        "properties": {"child": {"$dynamicRef": "#node"}, "value": {"type": "integer"}},
        "required": ["value"],
    },
    "anchor": {"$ref": "#here", "$defs": {"x": {"$anchor": "here", "type": "integer", "maximum": -5}}},
    "properties named like keywords": {
        "type": "object",
        "properties": {"type": {"type": "string"}, "properties": {"type": "integer"}, "items": {"type": "boolean"}},
        "required": ["type", "properties", "items"],
    },
    "names that need escapes": {"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"type": "object", "required": ["~"]}}},
    **{
        f"format {form}": {"type": "string", "format": form}
        for form in (
            "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri "
            "iri-reference uuid uri-template json-pointer relative-json-pointer regex"
        ).split()
    },
}


@each_row("name", SCHEMAS)
def test_value_satisfies_schema(name: str) -> None:
    schema = SCHEMAS[name]
    for seed in range(4):
        for context in (Context(), RESULT):
            value = synthesize_value(schema, seed=seed, context=context)
            assert validator_for(schema).is_valid(value), value  # type: ignore[arg-type]  # a schema is any JSON here
            assert "not" in name or "property escapes" in name or Draft202012Validator(schema).is_valid(value), value


UNSATISFIABLE: list[tuple[object, str, set[str]]] = [
    (False, "", set()),
    ({"not": {}}, "", {"not"}),
    ({"type": "integer", "minimum": 5, "maximum": 2}, "", {"minimum", "maximum"}),
    ({"type": "string", "minLength": 5, "maxLength": 2}, "", {"minLength", "maxLength"}),
    ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "", {"type"}),
    ({"const": 1, "enum": [2]}, "", {"const", "enum"}),
    ({"enum": ["a"], "type": "integer"}, "", {"enum", "type"}),
    ({"type": "array", "minItems": 3, "uniqueItems": True, "items": {"enum": [1, 2]}}, "", {"uniqueItems"}),
    ({"type": "array", "minItems": 2, "maxItems": 1}, "", {"minItems", "maxItems"}),
    ({"type": "object", "minProperties": 3, "maxProperties": 2}, "", {"minProperties", "maxProperties"}),
    ({"type": "object", "required": ["a"], "properties": {"a": False}}, "", {"required"}),
    ({"type": "object", "required": ["a"], "additionalProperties": False}, "", {"required", "additionalProperties"}),
    ({"type": "object", "required": ["a", "b"], "maxProperties": 1}, "", {"required", "maxProperties"}),
    ({"type": "integer", "multipleOf": 10, "minimum": 1, "maximum": 9}, "", {"multipleOf"}),
    ({"type": "array", "contains": {"type": "string"}, "items": {"type": "integer"}}, "", {"contains", "items"}),
    (
        {
            "type": "object",
            "required": ["age"],
            "properties": {"age": {"type": "integer", "minimum": 9, "maximum": 3}},
        },
        "/properties/age",
        {"minimum", "maximum"},
    ),
    (
        {"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}},
        "",
        {"$ref"},
    ),
]


@each_row(("schema", "pointer", "keywords"), UNSATISFIABLE)
def test_contradiction_is_proven_and_named(schema: object, pointer: str, keywords: set[str]) -> None:
    with pytest.raises(Unsatisfiable) as caught:
        synthesize_value(schema, seed=1)
    assert caught.value.pointer == pointer
    assert keywords <= set(caught.value.keywords)
    assert str(caught.value)


def test_a_fraction_that_one_judge_refuses_is_no_proof() -> None:
    """0.07 is a multiple of 0.01, and jsonschema says it is not: there is a value, and none that both accept."""
    with pytest.raises(GaveUp):
        synthesize_value({"type": "number", "multipleOf": 0.01, "minimum": 0.065, "maximum": 0.075}, seed=1)


def test_an_unsatisfiable_optional_part_does_not_refuse_the_whole() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 1}}}
    assert synthesize_value(schema, seed=1) == {}


def _nested(levels: int) -> object:
    schema: object = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


HOSTILE: dict[str, object] = {
    "deep nesting": _nested(50_000),
    "huge minItems": {"type": "array", "minItems": 10**9},
    "nested minItems": {"type": "array", "minItems": 999, "items": {"type": "array", "minItems": 999}},
    "huge minLength": {"type": "string", "minLength": 10**9},
    "huge minProperties": {"type": "object", "minProperties": 10**9},
    "huge minContains": {"type": "array", "contains": {"type": "integer"}, "minContains": 10**9},
    "exponential pattern": {"type": "string", "pattern": "^((a+)+)+b$", "minLength": 40},
    "long repeat": {"type": "string", "pattern": "^a{90000}$"},
    "doubling references": {
        "$ref": "#/$defs/d0",
        "$defs": {
            **{
                f"d{i}": {
                    "type": "object",
                    "required": ["x", "y"],
                    "properties": {s: {"$ref": f"#/$defs/d{i + 1}"} for s in "xy"},
                }
                for i in range(30)
            },
            "d30": {"type": "integer"},
        },
    },
    "exponential alternatives": {
        "allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(22)]
    },
    "reference to itself": {"$ref": "#"},
    "tiny grid": {"type": "number", "multipleOf": 1e-300, "minimum": 0.1, "maximum": 0.2},
    "far grid": {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 1e15},
}


@each_row("name", HOSTILE)
def test_hostile_schema_is_bounded(name: str) -> None:
    with bounded(30):
        try:
            value = synthesize_value(HOSTILE[name], seed=1)
        except (GaveUp, Unsatisfiable) as error:
            message = str(error)
        else:
            message = "valid" if validator_for(HOSTILE[name]).is_valid(value) else ""  # type: ignore[arg-type]  # any JSON
        assert message


_LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 3, "maxLength": 6},
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^[a-f]{2,4}$"},
        {"type": "integer"},
        {"type": "integer", "minimum": -5, "maximum": 5, "multipleOf": 5},
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        {"type": "boolean"},
        {"type": "null"},
        {"enum": ["a", 1, None]},
    ]
)
_NAMES = st.sampled_from(["city", "name", "start_date", "total", "items", "x", "email", "count"])


def _composed(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(
        st.builds(lambda items, least: {"type": "array", "items": items, "minItems": least}, inner, st.integers(0, 3)),
        st.builds(
            lambda properties, every: {
                "type": "object",
                "properties": properties,
                "required": list(properties) if every else [],
                "additionalProperties": not every,
            },
            st.dictionaries(_NAMES, inner, max_size=4),
            st.booleans(),
        ),
        st.builds(lambda parts: {"anyOf": parts}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda parts: {"oneOf": parts}, st.lists(inner, min_size=1, max_size=2)),
        st.builds(lambda left, right: {"allOf": [left, right]}, inner, inner),
        st.builds(lambda part: {"not": part}, inner),
    )


@settings(max_examples=200, deadline=None)
@given(schema=st.recursive(_LEAVES, _composed, max_leaves=8), seed=st.integers(0, 2**53 - 1))
def test_any_value_is_valid_and_repeatable(schema: dict[str, object], seed: int) -> None:
    try:
        value = synthesize_value(schema, seed=seed)
    except (Unsatisfiable, GaveUp):
        return
    assert validator_for(schema).is_valid(value)
    assert synthesize_value(schema, seed=seed) == value


def test_fixed_and_included_properties_are_given() -> None:
    schema = {
        "type": "object",
        "properties": {n: {"type": "string"} for n in ("city", "unit", "note", "day")},
        "required": ["city"],
    }
    context = Context(include=frozenset({"note"}), fixed={"unit": "celsius"})
    for seed in range(10):
        value = synthesize_value(schema, seed=seed, context=context)
        assert set(value) == {"city", "unit", "note"}
        assert value["unit"] == "celsius"
    assert set(synthesize_value(schema, seed=1, context=Context(include=frozenset()))) == {"city"}


def test_pins_hold_at_the_root_alone() -> None:
    schema = {"type": "array", "minItems": 2, "items": {"type": "object", "properties": {"a": {"type": "integer"}}}}
    value = synthesize_value(schema, seed=3, context=Context(fixed={"a": 777}, purpose="result"))
    assert all(element.get("a") != 777 for element in value)


def test_properties_keep_the_order_they_were_declared_in() -> None:
    names = ["zebra", "apple", "mango", "kiwi"]
    schema = {"type": "object", "properties": {n: {"type": "string"} for n in names}, "required": names}
    assert list(synthesize_value(schema, seed=1)) == names


def test_an_invalid_schema_is_refused() -> None:
    with pytest.raises(GaveUp, match="strnig"):
        synthesize_value({"type": "strnig"}, seed=1)


def test_a_reference_outside_the_schema_is_given_up_and_named() -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "https://example.com/other.json"}}, "required": ["x"]}
    with pytest.raises(GaveUp, match="cannot be used"):
        synthesize_value(schema, seed=1)


def test_a_random_stream_may_be_given_in_place_of_a_seed() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    stream = Random(5)
    values = [synthesize_value(schema, seed=stream)["city"] for _ in range(20)]
    assert len(set(values)) > 10


_SCRIPT = """
import json, sys
from generator.values import Context, synthesize_value
schema = {"type": "object", "properties": {n: {"type": t} for n, t in [("city", "string"), ("email", "string"),
    ("tags", "array"), ("meta", "object"), ("due_date", "string"), ("query", "string"), ("price", "number")]}}
out = [synthesize_value(schema, seed=s, locale=l, context=Context(purpose=p))
       for s in range(6) for l in ("en_US", "de_DE") for p in ("argument", "result")]
print(json.dumps(out, ensure_ascii=True))
"""


def test_same_seed_gives_same_bytes_in_any_process() -> None:
    root = Path(__file__).resolve().parents[1]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            cwd=root,
            env={"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("0", "UTC"), ("4242", "Asia/Tokyo"))
    }
    assert len(outputs) == 1
    assert len(next(iter(outputs))) > 1000
