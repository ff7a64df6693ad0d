"""Conversion of batches: total over whatever lines hold, in every format."""

from __future__ import annotations

from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.datasets.conversion import Conversion
from generator.formats.recognition import READ, WRITTEN
from generator.formats.writing import Shaping
from tests import record_examples
from tests.tables import each_row
from tests.test_formats_foreign import ANYTHING, KEYS

Json = Any  # parsed JSON
ALL = [Conversion(source, Shaping(known)) for known in WRITTEN.values() for source in ("", "deepfabric", "hermes")]


@settings(max_examples=60, deadline=None)
@given(line=st.dictionaries(KEYS, ANYTHING, max_size=5).map(orjson.dumps) | st.binary(max_size=40))
def test_every_line_is_written_or_told(line: bytes) -> None:
    for conversion in ALL:
        converted = conversion([(7, line)])
        assert (converted.written, len(converted.bad)) in {(1, 0), (0, 1)}
        assert all(bad.line == 7 and bad.message for bad in converted.bad)
        assert len(converted.lines.splitlines()) == converted.written


PARTS = st.sampled_from(["messages", "tools", "role", "content", "tool_calls", "tool_call_id", "id", "function"])


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_a_record_with_one_part_changed_is_written_or_told(data: st.DataObject) -> None:
    """What passes for a record can be written in every format: the writers rely on its shape alone."""
    document = record_examples.parallel_multiple()
    place, key = document, data.draw(st.sampled_from(["messages", "tools", "metadata"]))
    for _ in range(data.draw(st.integers(0, 5))):
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner:
            break
        place, key = inner, data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
    place[key] = data.draw(ANYTHING)
    line = orjson.dumps(document)
    for conversion in ALL[::3]:
        converted = conversion([(1, line)])
        assert converted.written + len(converted.bad) == 1


@each_row("source", READ)
def test_a_line_too_long_or_too_deep_is_told(source: str) -> None:
    conversion = Conversion(source, Shaping(WRITTEN["openai"]))
    deep = b'{"messages":[{"role":"user","content":' + b"[" * 900 + b"]" * 900 + b"}]}"
    converted = conversion([(1, None), (2, deep), (3, b"\xff"), (4, b'{"messages": NaN}')])
    assert [bad.line for bad in converted.bad] == [1, 2, 3, 4]
    assert converted.bad[0].message == "the line is too long for a record"


def test_what_nests_too_deeply_to_be_written_is_told() -> None:
    document = record_examples.simple()
    deep: Json = 1
    for _ in range(300):
        deep = [deep]
    document["metadata"]["deep"] = deep
    line = b'{"metadata":{"deep":' + b"[" * 300 + b"]" * 300 + b"}," + orjson.dumps(record_examples.simple())[1:]
    (bad,) = Conversion("", Shaping(WRITTEN["hermes"]))([(1, line.replace(b'"metadata":{"id"', b'"other":{"id"'))]).bad
    assert bad.message.startswith("the record cannot be written")
