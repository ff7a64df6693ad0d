"""Pruning: what nothing refers to goes, what anything may refer to stays, and the same values are accepted."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import jsonschema_rs
import orjson
import pytest
from jsonschema import Draft202012Validator

from generator.formats.openai import dump
from generator.schemas.pruning import pruned
from generator.tools import Tool
from tests.suite_cases import SUITE
from tests.tables import each_row

Json = Any  # parsed JSON
DIALECT = "https://json-schema.org/draft/2020-12/schema"
A = {"type": "string"}
WIDE = {"type": "object", "properties": {"deep": {"$defs": {"in": A}, "items": {"$ref": "#/$defs/W/$defs/own"}}},
        "$defs": {"own": A, "idle": {"type": "null"}}}  # fmt: skip

PRUNED = [
    ("nothing refers to it", {"$defs": {"A": A}}, {}),
    ("a circle of two", {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}, {}),
    ("itself alone", {"type": "object", "$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}}, {"type": "object"}),
    ("one of two", {"$ref": "#/$defs/A", "$defs": {"A": A, "B": A}}, {"$ref": "#/$defs/A", "$defs": {"A": A}}),
    ("a boolean", {"$ref": "#/$defs/A", "$defs": {"A": True, "B": False}},
     {"$ref": "#/$defs/A", "$defs": {"A": True}}),
    ("both holders", {"$ref": "#/definitions/A", "$defs": {"A": A}, "definitions": {"A": A}},
     {"$ref": "#/definitions/A", "definitions": {"A": A}}),
    ("of a whole document", {"$ref": "#/components/schemas/A", "components": {"schemas": {"A": A, "B": A},
                                                                             "responses": {"C": {}}}},
     {"$ref": "#/components/schemas/A", "components": {"schemas": {"A": A}}}),
    ("a document of nothing", {"components": {"schemas": {"A": A}, "responses": {"C": {}}}}, {}),
    ("in a property", {"properties": {"a": {"$defs": {"A": A}}, "b": {}}}, {"properties": {"a": {}, "b": {}}}),
    ("properties of such names", {"properties": {"$defs": {"$defs": {"A": A}}, "definitions": {"type": "null"}}},
     {"properties": {"$defs": {}, "definitions": {"type": "null"}}}),
    ("in a definition that is used", {"$ref": "#/$defs/W", "$defs": {"W": WIDE}},
     {"$ref": "#/$defs/W", "$defs": {"W": {"type": "object",
                                           "properties": {"deep": {"items": {"$ref": "#/$defs/W/$defs/own"}}},
                                           "$defs": {"own": A}}}}),
    ("an anchor of another name", {"$ref": "#a", "$defs": {"A": {"$anchor": "a"}, "B": {"$anchor": "b"}}},
     {"$ref": "#a", "$defs": {"A": {"$anchor": "a"}}}),
    ("the dialect of all", {"$schema": DIALECT, "type": "object"}, {"type": "object"}),
    ("the dialect with its sign", {"$schema": DIALECT + "#"}, {}),
]  # fmt: skip

KEPT = [
    ("nothing there", {"type": "object", "properties": {"a": A}, "required": []}),
    ("empty holders", {"$defs": {}, "definitions": {}, "components": {"schemas": {}}}),
    ("holders that are none", {"$defs": 3, "definitions": [A], "components": "x"}),
    ("another dialect", {"$schema": "http://json-schema.org/draft-07/schema#"}),
    ("by pointer", {"items": {"$ref": "#/$defs/A"}, "$defs": {"A": A}}),
    ("by a pointer with escapes", {"$ref": "#/$defs/a~1b%25~0", "$defs": {"a/b%~": A}}),
    ("into it", {"$ref": "#/$defs/A/properties/x", "$defs": {"A": {"properties": {"x": A}}}}),
    ("into a list in it", {"$ref": "#/$defs/A/anyOf/1", "$defs": {"A": {"anyOf": [A, True]}}}),
    ("in a chain", {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/C"}, "C": A}}),
    ("where it stands in another", {"$ref": "#/$defs/A/$defs/B", "$defs": {"A": {"$defs": {"B": A}}}}),
    ("the holder itself", {"properties": {"a": {"$ref": "#/$defs"}}, "$defs": {"A": A, "B": A}}),
    ("by anchor", {"$ref": "#a", "$defs": {"A": {"items": {"$anchor": "a"}}}}),
    ("by dynamic anchor", {"items": {"$dynamicRef": "#n"}, "$defs": {"A": {"$dynamicAnchor": "n"}}}),
    ("by every dynamic anchor", {"$ref": "#/$defs/L", "$defs": {
        "L": {"$id": "l", "items": {"$dynamicRef": "#n"}, "$defs": {"n": {"$dynamicAnchor": "n"}}},
        "mine": {"$dynamicAnchor": "n", "type": "string"}}}),
    ("by id", {"$id": "http://x/root", "$ref": "item", "$defs": {"A": {"$id": "item", "type": "string"}}}),
    ("by id and pointer", {"$ref": "item#/$defs/B", "$defs": {"A": {"$id": "item", "$defs": {"B": A}}}}),
    ("by the id of the whole", {"$id": "http://x/r", "$ref": "http://x/r#/$defs/A", "$defs": {"A": A}}),
    ("relative to an inner id", {"properties": {"a": {"$id": "in", "$ref": "#/$defs/A", "$defs": {"A": A}}}}),
    ("as a discriminator says", {"discriminator": {"mapping": {"a": "#/$defs/A"}}, "$defs": {"A": A}}),
    ("from an unknown keyword", {"x-later": {"$ref": "#/$defs/A"}, "$defs": {"A": A}}),
    ("as data", {"default": {"$defs": {"A": A}}, "const": {"definitions": {"B": A}}}),
]  # fmt: skip


@each_row(("schema", "expected"), [case[1:] for case in PRUNED], ids=[case[0] for case in PRUNED])
def test_what_nothing_refers_to_goes(schema: Json, expected: Json) -> None:
    before = copy.deepcopy(schema)
    assert pruned(schema) == expected
    assert schema == before
    assert pruned(expected) is expected


@each_row("schema", [case[1] for case in KEPT], ids=[case[0] for case in KEPT])
def test_what_anything_may_refer_to_stays_to_the_byte(schema: Json) -> None:
    assert pruned(schema) is schema


NAMES = ["A", "B", "C", "a/b"]
LEAVES = [{"type": "string"}, {"type": "integer"}, {"minLength": 2}, {"maximum": 3}, True, {}]


def drawn(chance: random.Random, depth: int) -> Json:
    """A schema with definitions anywhere."""
    if depth == 0:
        return copy.deepcopy(chance.choice(LEAVES))
    node: dict[str, Json] = {}

    def by_name(names: list[str]) -> Json:
        return {name: drawn(chance, depth - 1) for name in chance.sample(names, chance.randrange(len(names)))}

    if chance.random() < 0.5:
        node[chance.choice(["items", "not", "additionalProperties"])] = drawn(chance, depth - 1)
    if chance.random() < 0.5:
        node[chance.choice(["allOf", "anyOf"])] = [drawn(chance, depth - 1) for _ in range(chance.randint(1, 2))]
    if chance.random() < 0.5:
        node["properties"] = by_name(["p", "$defs", "definitions"])
    for holder in ("$defs", "definitions"):
        if chance.random() < 0.4:
            node[holder] = by_name(NAMES)
    return node


def places(schema: Json) -> Iterator[tuple[Json, str]]:
    """Every schema with the pointer to it."""
    waiting: list[tuple[Json, str]] = [(schema, "#")]
    while waiting:
        node, at = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield node, at
        for keyword, part in node.items():
            if keyword in ("items", "not", "additionalProperties"):
                waiting.append((part, f"{at}/{keyword}"))
            elif keyword in ("allOf", "anyOf"):
                waiting += [(one, f"{at}/{keyword}/{number}") for number, one in enumerate(part)]
            elif keyword in ("properties", "$defs", "definitions"):
                waiting += [(one, f"{at}/{keyword}/{name.replace('/', '~1')}") for name, one in part.items()]


def with_references(schema: Json, chance: random.Random) -> Json:
    """Let some schemas refer to others below them in the list of all, so that no value is looked at for ever."""
    found = list(places(schema))
    chance.shuffle(found)
    for number, (node, _) in enumerate(found[:-1]):
        if chance.random() < 0.4:
            target, at = chance.choice(found[number + 1 :])
            name = f"n{len(at)}_{number}"
            form = chance.choice(["pointer", "anchor", "dynamic", "id"])
            if form == "pointer" or any(key in target for key in ("$anchor", "$dynamicAnchor", "$id")) or at == "#":
                node["$ref"] = at
            elif form == "anchor":
                target["$anchor"], node["$ref"] = name, f"#{name}"
            elif form == "dynamic":
                target["$dynamicAnchor"], node["$dynamicRef"] = name, f"#{name}"
            else:
                target["$id"] = node["$ref"] = f"http://schemas.test/{name}"
    return schema


INSTANCES = [None, True, 1, 5, "", "long text", [], ["x"], [1, "yy", [3]], {}, {"p": "x"}, {"p": 9, "$defs": "z"},
             {"definitions": {"p": [1]}, "p": {"p": "abc"}}, {"q": [None], "$defs": {"definitions": 4}}]  # fmt: skip


def verdicts(schema: Json, instances: list[Json]) -> list[bool] | None:
    try:
        validator = jsonschema_rs.Draft202012Validator(schema)
    except jsonschema_rs.ValidationError:
        return None
    return [validator.is_valid(instance) for instance in instances]


def test_the_same_values_are_accepted() -> None:
    chance, smaller, judged = random.Random(7), 0, 0
    for _ in range(700):
        schema = with_references(drawn(chance, 3), chance)
        before = orjson.dumps(schema)
        shown = pruned(schema)
        assert orjson.dumps(schema) == before
        assert pruned(shown) == shown
        expected = verdicts(schema, INSTANCES)
        if expected is not None:
            judged += len(set(expected)) == 2
            smaller += shown is not schema
            assert verdicts(shown, INSTANCES) == expected
    assert min(smaller, judged) > 150


def judged_by_reference(schema: Json, instances: list[Json]) -> list[bool] | None:
    try:
        return [Draft202012Validator(schema).is_valid(instance) for instance in instances]
    except re.error:  # a pattern of another dialect
        return None


@pytest.mark.skipif(not SUITE.exists(), reason="the suite is not here")
def test_the_suite_of_json_schema_is_judged_alike() -> None:
    smaller = 0
    for path in sorted((SUITE / "draft2020-12").glob("*.json")):
        for case in orjson.loads(path.read_bytes()):
            schema, instances = case["schema"], [test["data"] for test in case["tests"]]
            if not isinstance(schema, dict) or "http://localhost:1234" in orjson.dumps(schema).decode():
                continue
            shown = pruned(schema)
            smaller += shown is not schema
            assert verdicts(shown, instances) == verdicts(schema, instances), case["description"]
            assert judged_by_reference(shown, instances) == judged_by_reference(schema, instances)
    assert smaller > 0


def test_many_definitions_take_little_time() -> None:
    names = [f"d{number}" for number in range(3000)]
    chain = {name: {"$ref": f"#/$defs/{after}"} for name, after in pairwise(names)}
    schema = {"$ref": "#/$defs/d1500", "$defs": {**chain, "d2999": A}}
    assert len(pruned(schema)["$defs"]) == 1500


def test_a_record_shows_a_tool_without_them_and_a_tool_file_keeps_them() -> None:
    parameters = {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": A, "B": A}}
    tool = Tool(name="f", description="F.", parameters=parameters, result_schema={}, result_origin="domain")
    assert list(tool.shown["function"]["parameters"]["$defs"]) == ["A"]
    written = dump([tool]).document
    assert list(written[0]["function"]["parameters"]["$defs"]) == ["A", "B"]
