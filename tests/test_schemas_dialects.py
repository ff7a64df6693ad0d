"""Dialects in, JSON Schema 2020-12 out: what is changed, what is kept, what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.schemas.dialects import Normalized, normalize_parameters, normalize_schema
from generator.schemas.validators import schema_problems
from tests.tables import each_row


def property_of(schema: Any) -> Normalized:
    """Read a schema as the only, described property of some parameters."""
    described = {"description": "d", **schema} if isinstance(schema, dict) else schema
    return normalize_parameters({"type": "object", "properties": {"p": described}})


def read_property(schema: Any) -> Any:
    normalized = property_of(schema)
    assert normalized.is_usable, normalized.notes
    found = normalized.schema["properties"]["p"]
    return {name: value for name, value in found.items() if name != "description"}


@each_row(
    ("given_type", "meant"),
    [
        ("dict", {"type": "object"}),
        ("HashMap", {"type": "object"}),
        ("OBJECT", {"type": "object"}),
        ("float", {"type": "number"}),
        ("double", {"type": "number"}),
        ("NUMBER", {"type": "number"}),
        ("int", {"type": "integer"}),
        ("long", {"type": "integer"}),
        ("Bigint", {"type": "integer"}),
        ("String", {"type": "string"}),
        ("str", {"type": "string"}),
        ("Boolean", {"type": "boolean"}),
        ("bool", {"type": "boolean"}),
        ("tuple", {"type": "array"}),
        ("ArrayList", {"type": "array"}),
        ("list[str]", {"type": "array", "items": {"type": "string"}}),
        ("Array<String>", {"type": "array", "items": {"type": "string"}}),
        ("string[]", {"type": "array", "items": {"type": "string"}}),
        (["list[int]", "null"], {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}),
        ("any", {}),
        ("", {}),
        (["str"], {"type": "string"}),
        (["int", "long"], {"type": "integer"}),
        ("date", {"type": "string", "format": "date"}),
        ("datetime", {"type": "string", "format": "date-time"}),
    ],
)
def test_type_names_become_json_types(given_type: Any, meant: dict[str, Any]) -> None:
    assert read_property({"type": given_type}) == meant


@each_row(
    ("older", "current"),
    [
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 1}),
        ({"type": "integer", "maximum": 1, "exclusiveMaximum": False}, {"type": "integer", "maximum": 1}),
        ({"type": "integer", "divisibleBy": 5}, {"type": "integer", "multipleOf": 5}),
        (
            {"type": "array", "items": [{"type": "float"}], "additionalItems": {"type": "int"}},
            {"type": "array", "prefixItems": [{"type": "number"}], "items": {"type": "integer"}},
        ),
        (
            {"type": "array", "items": [{"type": "int"}], "additionalItems": False},
            {"type": "array", "prefixItems": [{"type": "integer"}], "items": False},
        ),
        ({"type": "array", "items": []}, {"type": "array"}),
        ({"type": "array", "items": "string"}, {"type": "array", "items": {"type": "string"}}),
        (
            {"dependencies": {"a": ["b"], "c": {"type": "dict"}}},
            {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"type": "object"}}},
        ),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (
            {"type": ["string", "integer"], "minLength": 2, "minimum": 3, "title": "T"},
            {"anyOf": [{"type": "string", "minLength": 2}, {"type": "integer", "minimum": 3}], "title": "T"},
        ),
        (
            {"type": "string", "nullable": True, "maxLength": 9},
            {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]},
        ),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"enum": ["a"], "nullable": True}, {"enum": ["a"]}),
        (
            {"oneOf": [{"type": "int"}], "nullable": True, "title": "T"},
            {"anyOf": [{"oneOf": [{"type": "integer"}]}, {"type": "null"}], "title": "T"},
        ),
        (
            {"type": "array", "items": {"type": "int"}, "additionalItems": True},
            {"type": "array", "items": {"type": "integer"}},
        ),
        ({"type": "integer", "exclusiveMinimum": True}, {"type": "integer"}),
        (
            {"type": ["integer", "null"], "default": 5.0},
            {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 5.0},
        ),
        ({"anyOf": [True, False]}, {"anyOf": [{}, {"not": {}}]}),
        (
            {"type": ["string", "null"], "enum": ["a", None]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
        ),
        ({"type": ["string", "null"], "enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"type": "object", "properties": []}, {"type": "object", "properties": {}}),
        ({"type": "string", "minLength": None, "enum": None}, {"type": "string"}),
        ({"type": "string", "required": False}, {"type": "string"}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}, {"type": "string"}),
        (
            {"allOf": [{"minLength": 1}], "type": ["string", "null"]},
            {"allOf": [{"minLength": 1}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]},
        ),
    ],
)  # fmt: skip
def test_older_keywords_become_current_ones(older: dict[str, Any], current: dict[str, Any]) -> None:
    assert read_property(older) == current


@each_row(
    "kept",
    [
        {"type": "string", "default": None},
        {"type": "integer", "default": "many"},
        {"type": "string", "format": "color", "optional": True},
        {"type": "array", "items": {}, "x_unit": "kg"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "T"},
        {"const": {"type": "FLOAT", "required": True}},
        {"enum": [1, "1", None, {"type": "dict"}]},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"},
        {},
    ],
)
def test_what_no_consumer_trips_over_is_kept(kept: dict[str, Any]) -> None:
    assert read_property(kept) == kept


def test_properties_named_like_keywords_are_properties() -> None:
    names = ["type", "properties", "items", "enum", "required", "$ref", "definitions", "nullable", "description"]
    parameters = {
        "type": "object",
        "properties": {name: {"type": "STRING", "description": name} for name in names},
        "required": names,
    }
    normalized = normalize_parameters(parameters)
    assert normalized.is_usable
    assert list(normalized.schema["properties"]) == names
    assert all(
        part == {"type": "string", "description": name} for name, part in normalized.schema["properties"].items()
    )
    assert normalized.schema["required"] == names


def test_values_are_not_read_as_schemas() -> None:
    default = {"type": "dict", "properties": {"a": {"type": "float"}}}
    assert read_property({"type": "object", "default": default, "examples": [default]})["default"] == default


@pytest.mark.parametrize("nothing", [None, {}, [], True])
def test_no_parameters_are_an_empty_object(nothing: Any) -> None:
    assert normalize_parameters(nothing).schema == {"type": "object", "properties": {}}


def test_root_always_has_type_and_properties() -> None:
    assert normalize_parameters({"type": "dict"}).schema == {"type": "object", "properties": {}}
    assert normalize_parameters({"properties": {}}).schema == {"type": "object", "properties": {}}


def test_bare_map_of_parameters() -> None:
    bare = {"city": {"type": "str", "description": "The city"}, "type": {"type": "str", "description": "A kind"}}
    assert normalize_parameters(bare).schema == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "The city"},
            "type": {"type": "string", "description": "A kind"},
        },
    }


def test_root_reference_is_copied_and_recursion_is_kept() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/Node"}}}
    schema = normalize_parameters({"$ref": "#/definitions/Node", "definitions": {"Node": node}}).schema
    assert schema["type"] == "object"
    assert schema["properties"]["next"]["$ref"] == "#/$defs/Node"
    assert schema["$defs"]["Node"]["properties"]["next"]["$ref"] == "#/$defs/Node"


def test_references_follow_what_moved() -> None:
    inner = {"type": ["object", "null"], "properties": {"b": {"type": "string"}}}
    properties = {"a": inner, "c": {"$ref": "#/properties/a/properties/b"}, "t": {"items": [{"type": "int"}]},
                  "u": {"$ref": "#/properties/t/items/0"}}  # fmt: skip
    schema = normalize_parameters({"type": "object", "properties": properties}).schema
    assert schema["properties"]["c"]["$ref"] == "#/properties/a/anyOf/0/properties/b"
    assert schema["properties"]["u"]["$ref"] == "#/properties/t/prefixItems/0"


def test_references_to_anchors_and_to_the_whole() -> None:
    properties = {"a": {"$ref": "#named"}, "b": {"$ref": "#"}, "c": {"$ref": "#/$defs/a~1b%20c"}}
    definitions = {"x": {"$anchor": "named", "type": "int"}, "a/b c": {"type": "str"}}
    normalized = normalize_parameters({"type": "object", "properties": properties, "$defs": definitions})
    assert normalized.is_usable
    assert schema_problems(normalized.schema) == []


def test_references_of_a_schema_with_an_identity_are_left_to_the_validator() -> None:
    schema = {
        "$id": "https://example.com/p",
        "type": "object",
        "properties": {"a": {"$ref": "p#/$defs/x"}},
        "$defs": {"x": {}},
    }
    assert normalize_parameters(schema).schema["properties"]["a"]["$ref"] == "p#/$defs/x"


def test_a_root_that_refers_on_and_on_is_refused() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    errors = [note.message for note in normalize_parameters(schema).notes if note.level == "error"]
    assert errors == ["the root refers on and on"]


def test_a_missing_description_becomes_the_name_in_words_at_every_level() -> None:
    inner = {"type": "object", "properties": {"userID": {"type": "string", "description": "  "}}}
    normalized = normalize_parameters({"type": "object", "properties": {"home_address": inner}})
    outer = normalized.schema["properties"]["home_address"]
    assert outer["description"] == "home address"
    assert outer["properties"]["userID"]["description"] == "user ID"
    assert {note.pointer for note in normalized.notes} == {
        "/properties/home_address", "/properties/home_address/properties/userID"
    }  # fmt: skip


def test_result_schemas_get_no_descriptions() -> None:
    assert normalize_schema({"type": "dict", "properties": {"a": {"type": "float"}}}).schema == {
        "type": "object",
        "properties": {"a": {"type": "number"}},
    }


def test_required_flags_move_to_their_object() -> None:
    parameters = {
        "type": "object",
        "properties": {"a": {"type": "string", "required": True}, "b": {"type": "string", "required": False}},
    }
    schema = normalize_parameters(parameters).schema
    assert schema["required"] == ["a"]
    assert all("required" not in part for part in schema["properties"].values())


def test_required_names_declared_properties_once() -> None:
    normalized = normalize_parameters(
        {"type": "object", "properties": {"a": {"type": "string", "description": "d"}}, "required": ["a", "z", "a"]}
    )
    assert normalized.schema["required"] == ["a"]
    assert [(note.pointer, note.level) for note in normalized.notes] == [
        ("/required", "changed"),
        ("/required", "lost"),
    ]


def test_required_of_an_open_object_is_kept() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}, "required": ["z"]}
    assert read_property(schema)["required"] == ["z"]


def test_control_tokens_leave_descriptions() -> None:
    normalized = property_of({"type": "string", "description": "Ends with <|im_end|> or [/INST] or </think>."})
    assert normalized.schema["properties"]["p"]["description"] == "Ends with im_end or INST or think."


def test_control_tokens_leave_defaults_and_examples() -> None:
    read = read_property(
        {"type": "object", "default": {"a": ["<|im_end|>"]}, "examples": ["[INST]"], "title": "[INST]"}
    )
    assert read == {"type": "object", "title": "INST"}


def test_control_tokens_cannot_be_assembled_from_their_remains() -> None:
    normalized = property_of({"type": "string", "description": "<|<|im_end|>|> " * 3 + "[[INST]INST]"})
    text = normalized.schema["properties"]["p"]["description"]
    assert "<|im_end|>" not in text
    assert "[INST]" not in text


@each_row(
    ("schema", "at", "word"),
    [
        ({"type": "wat"}, "/properties/p/type", "not known"),
        ({"type": 7}, "/properties/p/type", "no type name"),
        ({"type": []}, "/properties/p/type", "not known"),
        ({"type": ["string", "wat"]}, "/properties/p/type", "wat"),
        ({"required": 5}, "/properties/p/required", "no list of names"),
        ({"required": [1]}, "/properties/p/required", "no list of names"),
        ({"enum": []}, "/properties/p/enum", "empty"),
        ({"type": "integer", "enum": ["1"]}, "/properties/p/enum", "of the type integer"),
        ({"enum": ["<|im_end|>"]}, "/properties/p/enum", "control token"),
        ({"const": {"a": ["</think>"]}}, "/properties/p/const", "control token"),
        ({"properties": {"[INST]": {}}}, "/properties/p/properties", "control token"),
        ({"$ref": "#/$defs/none"}, "/properties/p/$ref", "points to nothing"),
        ({"$ref": "https://example.com/schema"}, "/properties/p/$ref", "points to nothing"),
        ({"$ref": "#/properties/p"}, "/properties/p/$ref", "leads back"),
        ({"items": 5}, "/properties/p/items", "a schema is an object"),
        ({"anyOf": [None]}, "/properties/p/anyOf/0", "a schema is an object"),
        (5, "/properties/p", "a schema is an object"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(schema: Any, at: str, word: str) -> None:
    errors = [note for note in property_of(schema).notes if note.level == "error"]
    assert [note.pointer for note in errors] == [at]
    assert word in errors[0].message
    assert errors[0].remedy


@pytest.mark.parametrize("root", ["text", 5, [1], {"type": "string"}, {"type": ["string", "null"]}, {"type": "wat"}])
def test_parameters_that_are_no_object_are_refused(root: Any) -> None:
    assert not normalize_parameters(root).is_usable


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        ({"type": "integer", "default": "many"}, "not of the type"),
        ({"type": "string", "default": None}, "not of the type"),
        ({"type": "string", "enum": ["a"], "default": "b"}, "not in `enum`"),
        ({"types": "string"}, "no keyword"),
    ],
)
def test_what_is_odd_is_reported_and_kept(schema: dict[str, Any], word: str) -> None:
    normalized = property_of(schema)
    assert [word in note.message for note in normalized.notes] == [True]
    assert normalized.notes[0].level in ("advice", "deviation")


KEYWORDS = st.sampled_from(
    [
        "type",
        "properties",
        "items",
        "required",
        "enum",
        "anyOf",
        "allOf",
        "description",
        "default",
        "nullable",
        "$ref",
        "$defs",
        "definitions",
        "additionalProperties",
        "dependencies",
        "exclusiveMinimum",
        "minimum",
        "const",
        "not",
    ]
)
TYPES = st.sampled_from(
    [
        "string",
        "dict",
        "float",
        "OBJECT",
        "ARRAY",
        "any",
        "null",
        "integer",
        "wat",
        "list[int]",
        "Optional[str]",
        "int, optional",
        "dict[str, list[int]] | None",
    ]
)
LEAVES = st.none() | st.booleans() | st.integers(-3, 9) | TYPES | st.sampled_from(["#", "#/$defs/type", "a", "<|x|>"])
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=250, deadline=None)
@given(JSON)
def test_any_json_is_read_or_refused_and_never_changed(schema: Any) -> None:
    before = json.dumps(schema)
    for read in (normalize_parameters, normalize_schema):
        read(schema)
    assert json.dumps(schema) == before


@settings(max_examples=250, deadline=None)
@given(JSON)
def test_the_working_form_is_its_own_working_form(schema: Any) -> None:
    once = normalize_parameters({"type": "object", "properties": {"p": schema, "type": {"type": "string"}}})
    if not once.is_usable or schema_problems(once.schema):
        return
    again = normalize_parameters(once.schema)
    assert again.schema == once.schema
    assert [note for note in again.notes if note.level not in ("advice", "deviation")] == []
    assert again.schema["type"] == "object"
    assert isinstance(again.schema["properties"], dict)
