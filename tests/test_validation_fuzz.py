"""Whatever JSON comes in, the examiner answers with violations and never falls over."""

from __future__ import annotations

import json
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.records.record import Record
from generator.validation import check, check_line
from tests.record_examples import CATALOG, KINDS

Json = Any  # parsed JSON

WORDS = st.sampled_from(
    ["messages", "tools", "role", "content", "tool_calls", "function", "name", "arguments", "id", "type", "metadata"]
    + ["parameters", "properties", "required", "items", "$ref", "#", "anyOf", "enum", "assistant", "tool", "user", "kind"]
    + ["statuses", "strict", "object", "error", "message", "tool_call_id", "get_weather", "simple", "aB3dE6gH9"]
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
    assert check_line(line, catalog=CATALOG, generated=generated) == check(again, catalog=CATALOG, generated=generated)


@LOOSE
@given(st.binary(max_size=60))
def test_any_bytes_are_a_line(line: bytes) -> None:
    check_line(line)
