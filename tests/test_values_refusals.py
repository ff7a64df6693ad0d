"""What no value satisfies is refused, with the place and the keywords that exclude each other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jsonschema_rs import canonical

from generator.errors import GaveUp, Unsatisfiable
from generator.values import Context, synthesize_value
from generator.values.emptiness import is_empty
from generator.values.refusals import refusal_of
from tests.tables import each_row

Json = Any  # parsed JSON

TABLE = [
    json.loads(line)
    for line in (Path(__file__).parent / "unsatisfiable.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Schemas that admit nothing, each with the JSON pointer of the contradiction and all keywords that are part of it."""


@each_row("row", TABLE, ids=lambda row: json.dumps(row["schema"])[:60])
def test_a_contradiction_is_proven_and_named(row: Json) -> None:
    for seed, context in ((1, Context()), (2, Context(name="get_order", purpose="result"))):
        with pytest.raises(Unsatisfiable) as caught:
            synthesize_value(row["schema"], seed=seed, context=context)
        assert caught.value.pointer == row["pointer"]
        assert sorted(caught.value.keywords) == row["keywords"]
        assert str(caught.value).startswith(f"{row['pointer'] or '/'}: ")


def test_the_table_is_long_and_broad() -> None:
    keywords = {keyword for row in TABLE for keyword in row["keywords"]}
    assert len(TABLE) >= 120
    assert len(keywords) >= 40


@each_row("row", TABLE, ids=lambda row: json.dumps(row["schema"])[:60])
def test_each_contradiction_goes_with_any_one_of_its_keywords(row: Json) -> None:
    """Naming a keyword that is no part of it would be wrong: without it nothing would be satisfied still."""
    schema, place = row["schema"], _at(row["schema"], row["pointer"])
    for keyword in row["keywords"]:
        if keyword not in place or "$ref" in row["keywords"] or "$dynamicRef" in row["keywords"] or row["pointer"]:
            continue
        less = {key: part for key, part in schema.items() if key != keyword}
        if "$schema" not in schema:
            assert not is_empty(less), keyword


def _at(schema: Json, pointer: str) -> Json:
    for part in pointer.split("/")[1:]:
        schema = schema[int(part)] if isinstance(schema, list) else schema[part]
    return schema


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (False, "/: the schema is false, which admits no value"),
        ({"type": "integer", "minimum": 5, "allOf": [{"maximum": 2}]},
         "/: type and minimum and maximum (at /allOf/0) contradict each other"),
        ({"type": "object", "required": ["n"], "properties": {"n": {"$ref": "#"}}},
         "/: $ref leads back to what holds it, so that every value would be endless"),
        ({"$ref": "#"}, "/: the reference leads back to itself, so that looking at a value never ends"),
        ({"type": "array", "contains": False}, "/: type and contains contradict each other"),
    ],
)  # fmt: skip
def test_refusals_say_why(schema: Json, message: str) -> None:
    with pytest.raises(Unsatisfiable) as caught:
        synthesize_value(schema, seed=1)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 1}}},
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "a^b"}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"type": "array", "items": {"type": "string", "pattern": "^a$", "minLength": 2}},
        {"anyOf": [{"type": "string", "pattern": "^(?!a)a"}, {"type": "integer"}]},
        {"anyOf": [{"$ref": "#"}, {"type": "string"}]},
        {"type": "object", "patternProperties": {"^a": {"type": "string", "pattern": "b^"}}},
    ],
)
def test_a_part_that_is_not_needed_may_admit_nothing(schema: Json) -> None:
    for seed in range(6):
        value = synthesize_value(schema, seed=seed, context=Context(purpose="result"))
        assert jsonschema_rs.is_valid(schema, value)
        assert value == synthesize_value(schema, seed=seed, context=Context(purpose="result"))


def test_a_proof_beyond_the_library_is_our_own() -> None:
    """The day the library proves these, the table still holds, but this says that we no longer need to."""
    beyond = [row["schema"] for row in TABLE if not _is_proven_by_library(row["schema"])]
    assert len(beyond) >= 15


def _is_proven_by_library(schema: Json) -> bool:
    form = jsonschema_rs.canonicalize(schema, validate_formats=True, offline=True)
    return bool(form.satisfiability() == canonical.Satisfiability.NO)


def test_what_cannot_be_decided_is_given_up_with_what_was_tried() -> None:
    schema = {"type": "string", "pattern": "^(.*)\\1\\1$", "minLength": 31, "maxLength": 32}
    with pytest.raises(GaveUp, match=r"none of 40 values drawn .* nor was a contradiction proven"):
        synthesize_value(schema, seed=1)


def test_refusing_asks_a_bounded_number_of_questions() -> None:
    asked = []

    def empty(schema: Json) -> bool:
        asked.append(schema)
        return True

    schema: Json = {"allOf": [{"properties": {f"p{i}": {"type": "string"}}, "minLength": i} for i in range(500)]}
    assert refusal_of(schema, empty).keywords
    assert len(asked) <= 150
