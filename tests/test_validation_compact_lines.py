"""Lines that are cut around their definitions are read as the whole line is, or not at all."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from generator.jsontext import dump_line
from generator.validation.compact_lines import read_compact
from generator.validation.examiner import check_line
from generator.validation.standard import Standard
from tests.record_examples import KINDS

Json = Any  # parsed JSON
SHOWN = [each for each in KINDS if KINDS[each]()["tools"]]


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_compact_line_is_read_whole(name: str, ending: bytes) -> None:
    line = dump_line(KINDS[name]()).rstrip(b"\n")
    compact = read_compact(line + ending)
    assert compact is not None
    assert compact.document == orjson.loads(line)
    assert list(compact.document) == list(orjson.loads(line))
    assert [view.raw for view in compact.tools] == compact.document["tools"]


def test_without_metadata_as_well() -> None:
    document = KINDS["simple"]()
    del document["metadata"]
    compact = read_compact(dump_line(document))
    assert compact is not None
    assert compact.document == document


def test_equal_definitions_share_one_view() -> None:
    first, second = (read_compact(dump_line(KINDS["simple"]())) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.tools[0] is second.tools[0]


def nested(document: Json) -> bytes:
    """A record whose own definitions are none, and whose arguments look like them."""
    document["messages"][2]["tool_calls"][0]["function"]["arguments"] = {
        "a": 1,
        "tools": document["tools"],
        "metadata": {},
    }
    document["tools"] = ["\x7f"]
    return dump_line(document)


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(KINDS["simple"]()).encode(),
        dump_line(KINDS["simple"]()).replace(b'"role":"user"', b'"role":"tool","role":"user"'),
        dump_line(KINDS["simple"]()).replace(b'"tools":[', b'"tools":[],"tools":['),
        dump_line(KINDS["simple"]()).replace(b'"messages":[', b'"messages":[12345678901234567890123,'),
        dump_line(KINDS["simple"]()).replace(b'"parameters":{', b'"parameters":{"a":1.0e2,'),
        dump_line(KINDS["simple"]())[:-3],
        nested(KINDS["simple"]()),
        nested(KINDS["simple"]()).replace(b'"\x7f"', b'"\\u007f"'),
        b"",
        b',"tools":[{"type":"function","function":{}}],"metadata":{',
        b'{"tools":[]}',
    ],
)  # fmt: skip
def test_any_other_line_is_left_to_be_read_in_full(line: bytes) -> None:
    assert read_compact(line) is None


def test_what_a_line_says_twice_is_found_all_the_same() -> None:
    line = dump_line(KINDS["simple"]()).replace(b'"role":"user"', b'"role":"tool","role":"user"')
    assert "TC115" in [each.rule for each in check_line(line, Standard())[1]]
