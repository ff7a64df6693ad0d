"""Whatever JSON comes in, the examiner answers with violations and never falls over."""

from __future__ import annotations

import json
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.records import Record
from generator.validation import check, check_line
from generator.validation.verdict import Standard
from tests.record_examples import CATALOG, KINDS
from tests.tables import each_row

Json = Any  # parsed JSON

WORDS = st.sampled_from(
    "messages tools role content tool_calls function name arguments id type metadata parameters properties required "
    "items $ref # anyOf enum assistant tool user kind statuses strict object error message tool_call_id get_weather "
    "simple aB3dE6gH9".split()
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**400), max_value=10**400)
    | st.floats()
    | st.text(st.characters(codec=None), max_size=8)
    | WORDS
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=3), inner, max_size=5),
    max_leaves=25,
)
LOOSE = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


def places(value: Json) -> list[tuple[Json, Json]]:
    """Every container inside with each of its keys or indexes."""
    found: list[tuple[Json, Json]] = []
    waiting = [value]
    for node in waiting:
        if isinstance(node, dict | list):
            keys = list(node) if isinstance(node, dict) else range(len(node))
            found.extend((node, key) for key in keys)
            waiting.extend(node[key] for key in keys)
    return found


@st.composite
def mutated(draw: st.DrawFn) -> Json:
    """A valid record in which up to three places are changed, lost, doubled or swapped."""
    document = draw(st.sampled_from(list(KINDS.values())))()
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        holder, key = draw(st.sampled_from(found))
        action = draw(st.sampled_from(["change", "lose", "double", "take"]))
        if action == "lose":
            del holder[key]
        elif action == "double" and isinstance(holder, list):
            holder.insert(key, json.loads(json.dumps(holder[key], default=str)))
        else:
            other, name = draw(st.sampled_from(found))
            taken = action == "take" and (isinstance(other, dict) and name in other)
            holder[key] = json.loads(json.dumps(other[name])) if taken else draw(ANY_JSON)
    return document


@LOOSE
@given(ANY_JSON, st.booleans())
def test_any_value_is_examined(document: Json, generated: bool) -> None:
    assert check(document, catalog=CATALOG, generated=generated)


@LOOSE
@given(st.dictionaries(WORDS, ANY_JSON, max_size=5), st.booleans())
def test_any_object_is_examined(document: Json, generated: bool) -> None:
    check({"messages": [], "tools": [], **document}, catalog=CATALOG, generated=generated)


@LOOSE
@given(mutated(), st.booleans())
def test_any_broken_record_is_examined(document: Json, generated: bool) -> None:
    for violation in check(document, catalog=CATALOG, generated=generated):
        violation.model_dump_json()


@LOOSE
@given(mutated())
def test_what_passes_is_a_record(document: Json) -> None:
    if not [violation for violation in check(document) if violation.severity == "error"]:
        Record.model_validate(document)


@LOOSE
@given(mutated(), st.booleans())
def test_a_line_and_its_document_have_one_verdict(document: Json, generated: bool) -> None:
    try:
        line = orjson.dumps(document)
    except TypeError:
        return
    again = orjson.loads(line)
    standard = Standard(CATALOG, "written" if generated else "read")
    assert check_line(line, standard)[1] == check(again, catalog=CATALOG, generated=generated)


@LOOSE
@given(st.binary(max_size=60))
def test_any_bytes_are_a_line(line: bytes) -> None:
    check_line(line)


@each_row("depth", [100, 253, 254, 255, 500, 1023, 1024, 5000])
@each_row("generated", [True, False])
def test_depth_is_no_danger_anywhere(depth: int, generated: bool) -> None:
    text = "[" * depth + "]" * depth
    deep: Json = []
    for _ in range(depth - 1):
        deep = [deep]
    for pointer in ("content", "arguments", "parameters", "statuses"):
        for value in (text, deep, {"a": deep}, '{"a":' + text + "}"):
            document = KINDS["simple"]()
            holder = {
                "content": document["messages"][3],
                "arguments": document["messages"][2]["tool_calls"][0]["function"],
                "parameters": document["tools"][0]["function"],
                "statuses": document["metadata"],
            }[pointer]
            holder[pointer] = value
            for violation in check(document, catalog=CATALOG, generated=generated):
                violation.model_dump_json()


def test_deep_schemas_of_every_keyword_are_no_danger() -> None:
    for wrap in (
        lambda inner: {"properties": {"a": inner}},
        lambda inner: {"items": inner},
        lambda inner: {"anyOf": [inner]},
        lambda inner: {"allOf": [inner, {"properties": {"b": {}}}]},
        lambda inner: {"not": inner},
        lambda inner: {"$defs": {"a": inner}, "$ref": "#/$defs/a"},
    ):
        schema: Json = {"type": "integer"}
        for _ in range(70):
            schema = wrap(schema)
        document = KINDS["simple"]()
        document["tools"][0]["function"]["parameters"] = {"type": "object", "properties": {"city": schema}}
        check(document, catalog=CATALOG)
