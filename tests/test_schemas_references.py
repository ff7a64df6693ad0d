"""References that lead back to themselves over the same value admit nothing; recursion into parts is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from generator.schemas.references import NOTHING, Branches, without_loops

Json = Any  # parsed JSON
NEVER = {"allOf": [NOTHING]}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "#"}, NEVER),
        ({"anyOf": [{"$ref": "#"}, {"type": "string"}]}, {"anyOf": [NEVER, {"type": "string"}]}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
         {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": NEVER}}),
        ({"properties": {"a": {"not": {"$ref": "#/properties/a"}}}}, {"properties": {"a": {"not": NEVER}}}),
    ],
)  # fmt: skip
def test_a_loop_becomes_nothing(schema: Json, expected: Json) -> None:
    assert without_loops(schema) == expected


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"properties": {"next": {"$ref": "#"}}},
        {"items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        {"anyOf": [{"$ref": "#/$defs/x"}, {"$ref": "#/$defs/x"}], "$defs": {"x": {"allOf": [{"$ref": "#/$defs/y"}]}}},
        {"$dynamicAnchor": "n", "allOf": [{"properties": {"a": {"$dynamicRef": "#n"}}}]},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
    ],
)
def test_what_ends_is_the_schema_itself(schema: Json) -> None:
    assert without_loops(schema) is schema


def test_a_document_of_several_resources_is_told() -> None:
    assert Branches({"$id": "https://example.com/a", "$defs": {"b": {"$anchor": "b"}}}).is_one_resource
    assert not Branches({"$defs": {"b": {"$id": "https://example.com/b"}}}).is_one_resource
