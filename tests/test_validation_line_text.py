"""The text of a line: definitions read once, keys named twice, ids as the file has them."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.datasets.origin import any_format
from generator.formats import FORMATS
from generator.jsontext import dump_line
from generator.validation.examiner import check_line
from generator.validation.line_text import read_compact, repeated_keys
from generator.validation.verdict import Standard, brief
from tests.record_examples import KINDS, simple
from tests.tables import each_row
from tests.test_validation_fuzz import ANY_JSON, LOOSE

Json = Any  # parsed JSON
SHOWN = [each for each in KINDS if KINDS[each]()["tools"]]


@each_row("name", SHOWN)
@each_row("ending", [b"", b"\n", b"\r\n"])
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


@each_row(
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


def found(line: str) -> list[tuple[str, int]]:
    data = line.encode()
    return [(each.pointer, each.times) for each in repeated_keys(data, orjson.dumps(orjson.loads(data)))]


@each_row(
    ("line", "expected"),
    [
        ('{"a":1}', []),
        ('{"a":1,"a":1}', [("/a", 2)]),
        ('{"a":1,"b":2,"a":3,"a":4}', [("/a", 3)]),
        ('{"a":1, "\\u0061":2}', [("/a", 2)]),
        ('{"a" :1,"a"\t: 2}', [("/a", 2)]),
        ('[{"a":{"b":[{"c":1,"c":2}]}}]', [("/0/a/b/0/c", 2)]),
        ('{"a":{"x":1,"x":2},"b":{"y":1,"y":1}}', [("/a/x", 2), ("/b/y", 2)]),
        ('{"a/b":1,"a/b":2}', [("/a~1b", 2)]),
        ('{"":1,"":2}', [("/", 2)]),
        ('{"a":"\\u003a","a":"b"}', [("/a", 2)]),
        ('{"a":"\\u003A:","a":"\\u003a\\u003a:"}', [("/a", 2)]),
        ('{"a":"x:y:z","b":"{\\"c\\":1,\\"c\\":2}"}', []),
        ('{"a": "\\u003a \\u003c"}', []),
        ('{"a":' + "9" * 300 + ',"a":1}', [("/a", 2)]),
    ],
)
def test_repeated_keys_are_found_with_their_places(line: str, expected: list[tuple[str, int]]) -> None:
    assert found(line) == expected


def test_a_deep_value_that_is_lost_is_no_danger() -> None:
    assert found('{"a":' + "[" * 1000 + "]" * 1000 + ',"a":1}') in ([("/a", 2)], [("", 2)])


def test_a_line_with_a_repeated_key_is_a_violation() -> None:
    said = b'{"role":"user","content":"Hi.","content":"Ho."},{"role":"assistant","content":"Hm."}'
    (violation,) = check_line(b'{"messages":[' + said + b'],"tools":[]}')[1]
    assert (violation.rule, violation.severity, violation.pointer) == ("TC115", "error", "/messages/0/content")
    assert "'content' is given 2 times" in violation.message


@LOOSE
@given(ANY_JSON, st.sampled_from([None, 1]), st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : ")]))
def test_no_line_without_a_repeated_key_is_suspected(
    value: Json, indent: int | None, ascii_alone: bool, separators: tuple[str, str]
) -> None:
    line = json.dumps(value, ensure_ascii=ascii_alone, indent=indent, separators=separators, default=str)
    try:
        written = orjson.dumps(orjson.loads(line.encode("utf-8", "surrogatepass")))
    except (ValueError, TypeError):
        return
    assert repeated_keys(line.encode("utf-8", "surrogatepass"), written) == ()


@LOOSE
@given(ANY_JSON, st.text(max_size=4), ANY_JSON)
def test_every_repeated_key_is_found(value: Json, key: str, other: Json) -> None:
    try:
        parts = [json.dumps(each) for each in (key, value, other)]
        line = f"[1, {{{parts[0]}: {parts[1]}, {parts[0]}: {parts[2]}}}]".encode()
        written = orjson.dumps(orjson.loads(line))
    except (ValueError, TypeError):
        return
    assert any(each.key == key for each in repeated_keys(line, written))


def messages_of(document: Json) -> str:
    return "\n".join(each.message for each in check_line(orjson.dumps(document), Standard(reader=any_format))[1])


def unanswered() -> Json:
    """A record whose last call has no result."""
    document = simple()
    del document["messages"][3:], document["metadata"]
    return document


@pytest.mark.parametrize("own", ["call_WhatEver-7", "call_aB3dE6gH9", "chatcmpl-tool-0", "呼び出し一"])
def test_the_ids_of_openai_are_those_of_the_file(own: str) -> None:
    document = unanswered()
    call = document["messages"][-1]["tool_calls"][0]
    call |= {"id": own}
    call["function"]["arguments"] = orjson.dumps(call["function"]["arguments"]).decode()
    assert f"the call {brief(own)}" in messages_of(document)


def test_the_ids_of_anthropic_are_those_of_the_file() -> None:
    dump = FORMATS["anthropic"].dump_record
    assert dump is not None
    document = orjson.loads(orjson.dumps(dump(unanswered())).replace(b"toolu_", b"toolu_01"))
    assert "the call 'toolu_01" in messages_of(document)


@pytest.mark.parametrize("name", ["bfcl", "llamafactory", "ms-swift"])
def test_where_the_file_has_no_ids_functions_are_named(name: str) -> None:
    dump = FORMATS[name].dump_record
    assert dump is not None
    assert "the call 'get_weather'" in messages_of(dump(unanswered()))


def test_text_keeps_its_script_and_hides_nothing() -> None:
    assert brief("请给玫瑰浇水, größer") == "'请给玫瑰浇水, größer'"
    assert brief("a\x1b[2J\u202eb\U000e0041\ud800\n") == "'a\\x1b[2J\\u202eb\\U000e0041\\ud800\\n'"
