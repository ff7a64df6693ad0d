"""What several schemas say of one value is met together, however they are reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value
from generator.values.merging import merged
from generator.values.plan import Plan
from tests.tables import each_row

Json = Any  # parsed JSON
RESULT = Context(purpose="result")
SEEDS = range(2)
X, LETTERS = {"pattern": "^x-"}, {"pattern": "[a-z]{3}$"}

NAMES: dict[str, tuple[Json, Json]] = {
    "allOf": ({"allOf": [X, LETTERS]}, {}),
    "a chain of references": (
        {"$ref": "#/$defs/a"},
        {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": {"type": "string", "allOf": [X, LETTERS]}},
    ),
    "allOf in allOf": ({"allOf": [{"allOf": [X, {"allOf": [LETTERS]}]}, {"maxLength": 9}]}, {}),
    "references in allOf": ({"allOf": [{"$ref": "#/$defs/p"}, {"$ref": "#/$defs/q"}]}, {"p": X, "q": LETTERS}),
    "a chain in allOf": (
        {"allOf": [{"$ref": "#/$defs/a"}, {"minLength": 6}]},
        {"a": {"allOf": [{"$ref": "#/$defs/b"}, LETTERS]}, "b": {"$ref": "#/$defs/c"}, "c": X},
    ),
    "anyOf behind a reference": (
        {"allOf": [{"$ref": "#/$defs/a"}, {"maxLength": 5}]},
        {"a": {"anyOf": [{"pattern": "^x-[a-z]+$"}, {"pattern": "^y-[0-9]+$"}]}},
    ),
    "a choice behind a reference": (
        {"allOf": [{"$ref": "#/$defs/e"}, {"pattern": "^b"}]},
        {"e": {"enum": ["ax", "bx", "by", "bz"]}},
    ),
}
"""What is said of names, and the definitions it needs."""

OBJECTS: dict[str, Callable[[Json], Json]] = {
    "of anything": lambda names: {"type": "object", "propertyNames": names, "minProperties": 3},
    "with patterns": lambda names: {
        "type": "object",
        "propertyNames": names,
        "minProperties": 2,
        "patternProperties": {"a": {"type": "integer"}, "^z": False},
    },
    "in allOf": lambda names: {"type": "object", "allOf": [{"propertyNames": names}, {"minProperties": 2}]},
    "of two rules of names": lambda names: {
        "type": "object",
        "allOf": [{"propertyNames": names}, {"propertyNames": {"maxLength": 12}}],
        "minProperties": 2,
    },
    "behind a reference in allOf": lambda names: {
        "type": "object",
        "properties": {"map": {"allOf": [{"$ref": "#/$defs/map"}, {"minProperties": 2}]}},
        "required": ["map"],
        "$defs": {"map": {"type": "object", "propertyNames": names}},
    },
}


def check(schema: Json) -> None:
    for seed in SEEDS:
        assert validator_for(schema).problems(synthesize_value(schema, seed=seed, context=RESULT)) == []


@each_row("within", OBJECTS)
@each_row("said", NAMES)
def test_names_meet_every_pattern_wherever_it_stands(within: str, said: str) -> None:
    names, definitions = NAMES[said]
    schema = OBJECTS[within](names)
    check({**schema, "$defs": {**schema.get("$defs", {}), **definitions}})


def _closed(properties: Json) -> Json:
    return {"properties": properties, "required": list(properties), "additionalProperties": False}


SHAPES: dict[str, Callable[[Json], Json]] = {
    "properties": lambda part: _closed({"left": part, "right": part}),
    "items": lambda part: _closed({"parts": {"type": "array", "items": part, "minItems": 1}}),
    "prefixItems": lambda part: _closed({"pair": {"type": "array", "prefixItems": [part, part], "minItems": 2}}),
    "values": lambda part: {"additionalProperties": part, "minProperties": 1, "propertyNames": {"pattern": "^p"}},
}
"""How a tree holds its parts."""

BESIDE: dict[str, Json] = {
    "nothing": {},
    "its type": {"type": "object"},
    "types": {"type": ["object", "null"]},
    "words": {"type": "object", "description": "A part."},
    "a bound": {"minProperties": 1},
    "allOf": {"allOf": [{"type": "object"}]},
}
"""What stands beside each reference to the tree."""


@each_row(
    ("shape", "beside", "nested"),
    [
        *((shape, beside, 1) for shape in ("properties", "items") for beside in BESIDE),
        *((shape, "its type", nested) for shape in SHAPES for nested in (1, 2, 3)),
    ],
)
@each_row("choice", ["oneOf", "anyOf"])
def test_a_tree_of_choices_comes_to_an_end(choice: str, shape: str, beside: str, nested: int) -> None:
    part = {"$ref": "#/$defs/tree", **BESIDE[beside]}
    tree: Json = {"type": "object", choice: [_closed({"value": {"type": "number"}}), SHAPES[shape](part)]}
    for level in range(1, nested):
        tree = {"type": "object", choice: [tree, _closed({f"deeper_{level}": part})]}
    check({"type": "object", "properties": {"tree": part}, "required": ["tree"], "$defs": {"tree": tree}})


@pytest.mark.parametrize("choice", ["oneOf", "anyOf"])
def test_trees_that_hold_each_other_come_to_an_end(choice: str) -> None:
    leaf = _closed({"value": {"type": "number"}})
    trees = {
        name: {"type": "object", choice: [leaf, _closed({other: {"$ref": f"#/$defs/{other}", "type": "object"}})]}
        for name, other in (("a", "b"), ("b", "a"))
    }
    check({"$ref": "#/$defs/a", "type": "object", "$defs": trees})


def test_merging_without_the_library_is_by_keyword() -> None:
    plan = Plan({}, {})
    wide = [{"anyOf": [{"required": [f"{a}{i}"]} for a in "ab"]} for i in range(40)]
    whole = merged(
        plan, [{"minimum": 1, "required": ["x"], "allOf": wide}, {"minimum": 3, "required": ["y"], "maximum": 9}]
    )
    assert (whole["minimum"], whole["maximum"], whole["required"]) == (3, 9, ["x", "y"])
