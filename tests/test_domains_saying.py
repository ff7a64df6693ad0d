"""What of a schema a sentence can say: narrowed, and every value of it still one of the schema's."""

from __future__ import annotations

import pytest

from generator.domains.saying import is_nested, sayable
from generator.jsontext import JsonObject
from generator.schemas.validators import validator_for
from generator.values import synthesize_value

TEXT: JsonObject = {"type": "string"}
PLACE: JsonObject = {
    "type": "object",
    "properties": {"city": TEXT, "zip": TEXT, "note": TEXT, "free": {"type": "object"}, "more": TEXT},
}
ROOT: JsonObject = {"$defs": {"Place": PLACE, "Loop": {"$ref": "#/$defs/Loop"}}}
KEPT: list[tuple[JsonObject, list[str]]] = [
    (PLACE, ["city", "zip", "note"]),
    ({**PLACE, "required": ["more"]}, ["more"]),
    ({"$ref": "#/$defs/Place"}, ["city", "zip", "note"]),
    ({"anyOf": [{"type": "null"}, PLACE]}, ["city", "zip", "note"]),
    ({"oneOf": [{"type": "object", "maxProperties": 0}, {**PLACE, "required": ["zip"]}]}, ["zip"]),
]


@pytest.mark.parametrize(("schema", "kept"), KEPT)
def test_of_an_object_the_required_parts_are_said_or_the_first_few(schema: JsonObject, kept: list[str]) -> None:
    said = sayable(schema, ROOT)
    assert said is not None
    assert list(said["properties"]) == said["required"] == kept
    assert is_nested(said)


NEVER: list[JsonObject] = [
    {},
    {"type": "null"},
    {"type": "object"},
    {"type": "object", "additionalProperties": TEXT},
    {**PLACE, "required": ["free"]},
    {**PLACE, "required": ["unknown"]},
    {"type": "array", "items": {"type": "object"}},
    {"type": "array", "items": {"type": "boolean"}},
    {"type": "array"},
    {"type": "string", "format": "binary"},
    {"enum": [{"a": 1}]},
    {"anyOf": [{"type": "null"}, {"type": "object"}]},
    {"$ref": "#/$defs/Loop"},
    {"$ref": "#/$defs/Unknown"},
]


@pytest.mark.parametrize("schema", NEVER)
def test_what_tells_no_plain_value_cannot_be_said(schema: JsonObject) -> None:
    assert sayable(schema, ROOT) is None


def test_what_nests_too_deeply_cannot_be_said() -> None:
    schema: JsonObject = TEXT
    for _ in range(4):
        schema = {"type": "array", "items": schema}
    assert sayable(schema, {}) is not None
    assert sayable({"type": "array", "items": schema}, {}) is None


def test_few_objects_are_listed_unless_more_are_required() -> None:
    for least, most in ((None, 2), (1, 2), (3, 3)):
        schema: JsonObject = {"type": "array", "items": PLACE, **({"minItems": least} if least else {})}
        said = sayable(schema, {})
        assert said is not None and said["maxItems"] == most
        assert is_nested(said)
    plain = sayable({"type": "array", "items": TEXT}, {})
    assert plain is not None and "maxItems" not in plain and not is_nested(plain)


@pytest.mark.parametrize("schema", [PLACE, {"type": "array", "items": PLACE}, *(schema for schema, _ in KEPT)])
def test_values_of_the_narrowed_schema_are_values_of_the_schema(schema: JsonObject) -> None:
    said, whole = sayable(schema, ROOT), validator_for({**ROOT, "allOf": [schema]})
    assert all(whole.is_valid(synthesize_value({**ROOT, "allOf": [said]}, seed=seed)) for seed in range(20))
