"""Keys that an object names twice are found, whatever the spelling of the line, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validation.examiner import check_line
from generator.validation.repeated_keys import repeated_keys
from tests.test_validation_fuzz import ANY_JSON, LOOSE

Json = Any  # parsed JSON


def found(line: str) -> list[tuple[str, int]]:
    data = line.encode()
    return [(each.pointer, each.times) for each in repeated_keys(data, orjson.dumps(orjson.loads(data)))]


@pytest.mark.parametrize(
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
