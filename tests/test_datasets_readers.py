"""Lines of any format are read without a fall, and what is canonical stays as it is."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.datasets.readers import FormatReader, any_format, is_canonical
from generator.formats import FORMATS
from generator.validation.entities import ENTITIES
from generator.validation.examiner import check_line
from generator.validation.verdict import Standard
from tests.record_examples import KINDS, simple
from tests.tables import each_row
from tests.test_validation_fuzz import ANY_JSON, places

Json = Any  # parsed JSON

WRITTEN = {name: known.dump_record for name, known in FORMATS.items() if known.dump_record and known.load_record}
FEW = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
READ = [name for name, known in FORMATS.items() if known.load_record]
KEYS = st.sampled_from(
    "messages conversations question function ground_truth query answers tools system chat text contents calls results "
    "from value role parts prompt completion parallel_tool_calls metadata tool call result request response".split()
)


@st.composite
def spoiled(draw: st.DrawFn) -> Json:
    """A record of some format in which up to three places hold anything else."""
    dump = WRITTEN[draw(st.sampled_from(list(WRITTEN)))]
    document = orjson.loads(orjson.dumps(dump(draw(st.sampled_from(list(KINDS.values())))())))
    for _ in range(draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        holder, key = draw(st.sampled_from(found))
        if draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = draw(ANY_JSON)
    return document


def examine(document: Json, standard: Standard) -> None:
    try:
        line = orjson.dumps(document)
    except TypeError:
        return
    for violation in check_line(line, standard)[1]:
        violation.model_dump_json()


@FEW
@given(spoiled())
def test_spoiled_records_of_any_format_are_examined(document: Json) -> None:
    examine(document, Standard(reader=any_format))


@each_row("name", WRITTEN)
def test_an_empty_list_or_object_in_any_place_is_examined(name: str) -> None:
    written = orjson.dumps(WRITTEN[name](simple()))
    for number in range(len(places(orjson.loads(written)))):
        for other in ([], {}):
            document = orjson.loads(written)
            holder, key = places(document)[number]
            holder[key] = other
            examine(document, Standard(reader=any_format))
            examine(document, Standard(reader=FormatReader(name)))


@FEW
@given(st.dictionaries(KEYS, ANY_JSON, max_size=5), st.sampled_from(READ))
def test_anything_is_read_in_any_format(document: Json, name: str) -> None:
    examine(document, Standard(reader=any_format))
    examine(document, Standard(reader=FormatReader(name)))


@FEW
@given(ANY_JSON | st.dictionaries(KEYS, ANY_JSON, max_size=5), st.sampled_from(list(ENTITIES)))
def test_anything_is_judged_as_any_entity(document: Json, name: str) -> None:
    examine(document, Standard(judge=ENTITIES[name]))


def with_text_arguments(document: Json, call_id: str | None = None) -> Json:
    for turn in document["messages"]:
        for call in turn.get("tool_calls", ()):
            call["function"]["arguments"] = orjson.dumps(call["function"]["arguments"]).decode()
            call["id"] = call_id or call["id"]
    return document


def without(document: Json, *keys: str) -> Json:
    return {key: value for key, value in document.items() if key not in keys}


@each_row(
    ("document", "canonical"),
    [
        (simple(), True),
        (without(simple(), "metadata"), True),
        (with_text_arguments(simple()), True),
        (without(with_text_arguments(simple()), "metadata"), True),
        (without(with_text_arguments(simple(), "call_1"), "metadata"), False),
        (with_text_arguments(simple(), "call_1"), False),
        ({**simple(), "tools": "[]"}, False),
        (KINDS["irrelevance"](), True),
        (without(KINDS["irrelevance"](), "metadata"), False),
        ({"messages": 3}, False),
        ({}, False),
    ],
)
def test_what_is_canonical_is_told_by_calls(document: Json, canonical: bool) -> None:
    assert is_canonical(document) is canonical


@each_row("name", WRITTEN)
@each_row("kind", KINDS)
def test_what_a_format_writes_is_read_as_that_format_or_one_that_reads_alike(name: str, kind: str) -> None:
    written = orjson.loads(orjson.dumps(WRITTEN[name](KINDS[kind]())))
    reading = any_format(written)
    assert reading.form
    again = any_format(reading.document)
    assert again.document == reading.document
