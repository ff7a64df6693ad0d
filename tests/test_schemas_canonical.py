"""Plain schemas: their form is the library's, byte for byte; whatever says more is left to the library."""

from __future__ import annotations

import json
from random import Random

from generator.jsontext import JsonValue
from generator.schemas.canonical import canonical_form, find_contradiction, plain_form
from tests.tables import each_row

_NAMES = "id name Name city count status tags items a b é \U0001f600 \ufffd".split()
_BOUNDS = {
    "string": {"format": ["date", "uri", "", "strange"], "pattern": ["^a$", ".*", "^[A-Z]{3}$"],
               "minLength": [0, 1, 5, 2.0], "maxLength": [0, 1, 5],
               "enum": [["b", "a"], ["é", "Z", "z"], ["x"], [], ["a", "a"], ["a", 1]]},
    "integer": {"minimum": [0, 1.5, -3, -0.0], "maximum": [0, 10, 100, 2**63], "format": ["int32"],
                "exclusiveMinimum": [1, True]},
    "number": {"minimum": [0, 1.5, 10], "exclusiveMaximum": [1, 10], "multipleOf": [0.01]},
    "boolean": {"enum": [[True]], "default": [False]},
    "null": {"description": ["nothing"], "minimum": [1]},
}  # fmt: skip
_LISTS = {"minItems": [0, 1, 2], "maxItems": [0, 1, 2, 3], "uniqueItems": [True], "description": ["some", 3]}


def _some(keywords: dict[str, list[JsonValue]], random: Random) -> dict[str, JsonValue]:
    return {key: random.choice(values) for key, values in keywords.items() if random.random() < 0.2}


def _schema(random: Random, depth: int = 0) -> JsonValue:
    chance = random.random()
    if depth > 2 or (depth and chance < 0.6):
        kind = random.choice(list(_BOUNDS))
        return {"type": kind, **_some(_BOUNDS[kind], random)} if chance < 0.59 else random.choice([{}, True, False])
    if depth and chance < 0.8:
        return {"type": "array", "items": _schema(random, depth + 1), **_some(_LISTS, random)}
    names = random.sample(_NAMES, random.randint(0, 5))
    schema: dict[str, JsonValue] = {"type": "object", "properties": {name: _schema(random, 2) for name in names}}
    schema["required"] = random.sample([*names, "other"], random.randint(0, len(names)))
    return schema | _some({"additionalProperties": [False, True, {}], "minProperties": [1], "default": [{}]}, random)


def test_the_form_is_the_librarys() -> None:
    random = Random(5)
    plain = 0
    for schema in [_schema(random) for _ in range(6_000)]:
        form = plain_form(schema)
        if form is not None:
            plain += 1
            assert json.dumps(form) == json.dumps(canonical_form(schema)), schema
    assert plain > 400


@each_row(
    "part",
    [{"$ref": "#"}, {"type": "string", "$id": "x"}, {"type": ["string"]}, {"type": "string", "x-unit": "m"},
     {"type": "string", "title": 3}, {"type": "string", "default": {"a": 1}}, {"type": "string", "examples": "a"},
     {"type": "object", "properties": {}, "additionalProperties": False},
     {"type": "array"}, {"type": "array", "items": [{"type": "string"}]},
     {"type": "string", "enum": ["a", "a"]}, {"type": "integer", "minimum": "1"},
     {"type": "integer", "minimum": 3, "maximum": 1},
     {"type": "string", "const": "a"}, {"type": "string", "pattern": "("}],
)  # fmt: skip
def test_what_says_more_is_not_plain(part: JsonValue) -> None:
    assert plain_form({"type": "object", "properties": {"a": part}}) is None


def test_what_is_deep_or_no_json_is_not_plain() -> None:
    schema: JsonValue = {"type": "string"}
    for _ in range(40):
        schema = {"type": "array", "items": schema}
    assert plain_form(schema) is None
    assert plain_form({"type": "object", "properties": {1: {"type": "string"}}}) is None


def test_canonical_form_proves_and_declines() -> None:
    assert canonical_form({"allOf": [{"type": "string"}, {"type": "integer"}]}) is False
    assert canonical_form({"type": "integer", "minimum": 1})["minimum"] == 1
    many = {"allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(40)]}
    assert canonical_form(many) is None
    assert find_contradiction({"type": "string"}) is None
