"""Older drafts are read as what they mean in 2020-12."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from generator.schemas.drafts import Draft, as_2020_12, as_written, draft_of
from generator.values import synthesize_value
from tests.tables import each_row

Json = Any  # parsed JSON
SEVEN = "http://json-schema.org/draft-07/schema#"


@each_row(
    ("schema", "draft"),
    [
        (True, Draft.DRAFT_2020_12),
        ({}, Draft.DRAFT_2020_12),
        ({"$schema": SEVEN}, Draft.DRAFT_7),
        ({"$schema": "https://json-schema.org/draft/2019-09/schema"}, Draft.DRAFT_2019_09),
        ({"$schema": "http://json-schema.org/draft-04/schema#"}, Draft.DRAFT_4),
        ({"$schema": "https://example.com/my-own"}, Draft.DRAFT_2020_12),
        ({"items": [{"type": "string"}]}, Draft.DRAFT_7),
        ({"properties": {"a": {"items": [{}]}}}, Draft.DRAFT_7),
        ({"properties": {"items": {"type": "array"}}}, Draft.DRAFT_2020_12),
        ({"const": {"items": []}}, Draft.DRAFT_2020_12),
        ({"items": [{}], "prefixItems": [{}]}, Draft.DRAFT_2020_12),
        ({"minimum": 1, "exclusiveMinimum": True}, Draft.DRAFT_4),
        ({"definitions": {"a": {"$id": "#a"}}, "$ref": "#a"}, Draft.DRAFT_7),
        ({"definitions": {"a": {}}, "$ref": "#/definitions/a"}, Draft.DRAFT_2020_12),
        ({"$ref": SEVEN}, Draft.DRAFT_7),
    ],
)
def test_the_draft_is_the_one_declared_or_the_one_spoken(schema: Json, draft: Draft) -> None:
    assert draft_of(schema) is draft


@each_row(
    ("draft", "old", "new"),
    [
        (Draft.DRAFT_7, {"items": [{"type": "string"}], "additionalItems": False},
         {"prefixItems": [{"type": "string"}], "items": False}),
        (Draft.DRAFT_7, {"items": [], "additionalItems": {"type": "null"}}, {"items": {"type": "null"}}),
        (Draft.DRAFT_7, {"items": {}, "additionalItems": False}, {"items": {}}),
        (Draft.DRAFT_7, {"dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
         {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"minProperties": 2}}}),
        (Draft.DRAFT_7, {"$ref": "#/definitions/a", "maxItems": 2, "definitions": {"a": {}}},
         {"$ref": "#/definitions/a", "definitions": {"a": {}}}),
        (Draft.DRAFT_2019_09, {"$ref": "#/$defs/a", "maxItems": 2, "$defs": {"a": {}}},
         {"$ref": "#/$defs/a", "maxItems": 2, "$defs": {"a": {}}}),
        (Draft.DRAFT_7, {"minContains": 2, "contains": {}, "unevaluatedItems": False}, {"contains": {}}),
        (Draft.DRAFT_6, {"if": {"minimum": 1}, "then": False, "const": 3}, {"const": 3}),
        (Draft.DRAFT_4, {"minimum": 1, "exclusiveMinimum": True, "maximum": 3, "exclusiveMaximum": False, "const": 1},
         {"exclusiveMinimum": 1, "maximum": 3}),
        (Draft.DRAFT_7, {"$id": "#a"}, {"$anchor": "a"}),
        (Draft.DRAFT_4, {"id": "http://example.com/a#"}, {"$id": "http://example.com/a"}),
        (Draft.DRAFT_7, {"properties": {"a": {"$ref": "#/definitions/dependencies"}},
                         "definitions": {"dependencies": {"dependencies": {"dependencies": {}}}}},
         {"properties": {"a": {"$ref": "#/definitions/dependencies"}},
          "definitions": {"dependencies": {"dependentSchemas": {"dependencies": {}}}}}),
        (Draft.DRAFT_7, {"properties": {"a": {"$ref": "#/definitions/dependencies/dependencies/dependencies"}},
                         "definitions": {"dependencies": {"dependencies": {"dependencies": {}}}}},
         {"properties": {"a": {"$ref": "#/definitions/dependencies/dependentSchemas/dependencies"}},
          "definitions": {"dependencies": {"dependentSchemas": {"dependencies": {}}}}}),
        (Draft.DRAFT_7, {"$ref": "#/components/schemas/dependencies", "definitions": {"dependencies": {}}},
         {"$ref": "#/components/schemas/dependencies", "definitions": {"dependencies": {}}}),
        (Draft.DRAFT_7, {"allOf": [{"$ref": "#/x-parts/items/0"}, {"$ref": "#/const/dependencies"}],
                         "x-parts": {"items": [{}]}, "const": {"dependencies": {}}},
         {"allOf": [{"$ref": "#/x-parts/items/0"}, {"$ref": "#/const/dependencies"}],
          "x-parts": {"items": [{}]}, "const": {"dependencies": {}}}),
        (Draft.DRAFT_7, {"allOf": [{"dependencies": {"a": {"items": [{}]}}},
                                   {"$ref": "#/allOf/0/dependencies/a/items/0"}]},
         {"allOf": [{"dependentSchemas": {"a": {"prefixItems": [{}]}}},
                    {"$ref": "#/allOf/0/dependentSchemas/a/prefixItems/0"}]}),
        (Draft.DRAFT_7, {"properties": {"a": {"$ref": "#/items/0"}}, "items": [{"type": "null"}]},
         {"properties": {"a": {"$ref": "#/prefixItems/0"}}, "prefixItems": [{"type": "null"}]}),
        (Draft.DRAFT_7, {"properties": {"items": {"const": {"items": []}}}},
         {"properties": {"items": {"const": {"items": []}}}}),
        (Draft.DRAFT_2019_09, {"$recursiveAnchor": True, "items": {"$recursiveRef": "#"}},
         {"$dynamicAnchor": "recursive-anchor", "items": {"$dynamicRef": "#recursive-anchor"}}),
    ],
)  # fmt: skip
def test_keywords_get_their_names_of_today(draft: Draft, old: Json, new: Json) -> None:
    before = repr(old)
    assert as_2020_12(old, draft) == new
    assert repr(old) == before


def test_a_schema_of_today_is_taken_as_it_is() -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "items": {}}
    assert as_2020_12(schema, draft_of(schema)) is schema


def test_places_are_told_as_they_were_written() -> None:
    schema = {"items": [{}, {"dependencies": {"a": ["b"]}}], "additionalItems": {"minimum": 1}}
    tell = as_written
    assert tell(schema, Draft.DRAFT_7, ("prefixItems", 1), "dependentRequired") == (("items", 1), "dependencies")
    assert tell(schema, Draft.DRAFT_7, ("items",), "minimum") == (("additionalItems",), "minimum")
    assert tell(schema, Draft.DRAFT_7, (), "items") == ((), "additionalItems")
    assert tell(schema, Draft.DRAFT_2020_12, ("items",), "minimum") == (("items",), "minimum")


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": SEVEN, "type": "array", "items": [{"type": "integer"}, {"type": "string"}], "minItems": 2,
         "additionalItems": False},
        {"$schema": SEVEN, "$ref": "#/definitions/a", "definitions": {"a": {"type": "integer"}}, "type": "string"},
        {"$schema": SEVEN, "type": "object", "required": ["card"], "dependencies": {"card": ["number"]}},
        {"$schema": SEVEN, "$ref": SEVEN},
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 3, "maximum": 4,
         "exclusiveMinimum": True},
        {"$schema": SEVEN, "type": "string", "contentEncoding": "base64", "contentMediaType": "application/json"},
    ],
)  # fmt: skip
def test_a_value_fits_the_draft_of_its_schema(schema: Json) -> None:
    judge = jsonschema_rs.validator_cls_for(schema)(schema, validate_formats=True)
    for seed in range(5):
        value = synthesize_value(schema, seed=seed)
        assert judge.is_valid(value), value
