"""Arrays and values spread over lines are read as one record a line, whatever the pieces they come in."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.datasets import lines
from generator.datasets.lines import as_lines
from generator.errors import StorageError
from generator.validation.lines import read_lines

Json = Any  # parsed JSON

RECORDS: list[Json] = [
    {"messages": [{"role": "user", "content": 'He said "[{" and \\ left.\n'}], "tools": []},
    {"a": [[1], [{"b": {}}]], "c": "]}"},
    {"d": "\\"},
]


def lines_of(text: str | bytes) -> list[bytes]:
    data = text.encode() if isinstance(text, str) else text
    return as_lines(io.BufferedReader(io.BytesIO(data)), "x.json").read().splitlines()


def read(text: str | bytes) -> list[Json]:
    return [
        json.loads(line)
        for line in as_lines(io.BufferedReader(io.BytesIO(text.encode() if isinstance(text, str) else text)), "x")
        .read()
        .split(b"\n")
        if line.strip()
    ]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_the_elements_of_an_array_are_records(indent: int | None) -> None:
    assert read(json.dumps(RECORDS, indent=indent)) == RECORDS


def test_a_mark_and_white_space_before_an_array_are_none() -> None:
    assert read("\ufeff\n  " + json.dumps(RECORDS, indent=2)) == RECORDS


def test_objects_spread_over_lines_are_records() -> None:
    assert read("\n".join(json.dumps(record, indent=2) for record in RECORDS)) == RECORDS
    assert read("".join(json.dumps(record, indent=2) for record in RECORDS)) == RECORDS


def test_lines_of_records_stay_byte_for_byte() -> None:
    text = b'{"a":1,  "b":2}\n\n{"c":\n{"d":3}\r\n'
    assert as_lines(io.BufferedReader(io.BytesIO(text)), "x").read() == text


def test_blank_lines_before_the_first_record_are_counted() -> None:
    text = b'\n \n\n{"a":1}\n'
    lines = list(read_lines(as_lines(io.BufferedReader(io.BytesIO(text)), "x")))
    assert lines == [(4, b'{"a":1}\n')]


def test_a_line_that_was_cut_costs_the_lines_after_it_nothing() -> None:
    text = b'{"messages": [{"role": "us\n{"a": 1}\n'
    assert as_lines(io.BufferedReader(io.BytesIO(text)), "x").read() == text
    text = b'{"messages": [{"role": "user"}]\n{"a": 1}\n'
    assert as_lines(io.BufferedReader(io.BytesIO(text)), "x").read() == text


@pytest.mark.parametrize("torn", [b'{"torn": ', b'{"torn": [', b'{"torn": 1,', b"{", b'{"torn'])
def test_a_line_torn_anywhere_is_one_bad_line(torn: bytes) -> None:
    text = torn + b'\n{"a": 1}\n{"b": 2}\n'
    assert as_lines(io.BufferedReader(io.BytesIO(text)), "x").read() == text


def test_an_object_with_its_only_record_on_a_line_is_spread() -> None:
    assert read('{"data": [\n{"a": 1}\n]}') == [{"data": [{"a": 1}]}]


def test_the_bytes_of_a_record_stay_as_they_are() -> None:
    text = b'[ {"a":  1, "a": 2}, {"n": 12345678901234567890123} ]'
    assert lines_of(text) == [b'{"a":  1, "a": 2}', b'{"n": 12345678901234567890123}']


def test_a_line_end_inside_a_text_stays_forbidden() -> None:
    (line,) = as_lines(io.BufferedReader(io.BytesIO(b'[{"a": "x\ny"}]')), "x").read().rstrip(b"\n").split(b"\n")
    with pytest.raises(json.JSONDecodeError):
        json.loads(line)


@pytest.mark.parametrize("text", ["[1, 2]", '["a", {"b": 1}]', '[{"b": 1} oops {"c": 2}]', '[{"b": 1}, null]'])
def test_what_is_no_record_is_not_passed_over(text: str) -> None:
    strange = [line for line in lines_of(text) if not line.startswith(b"{")]
    assert strange


@pytest.mark.parametrize("text", ["[", '[{"a": 1}', '[{"a": 1}, {"b": "', '{\n"a": [1,\n'])
def test_what_ends_early_is_told(text: str) -> None:
    with pytest.raises(StorageError, match="ends early"):
        lines_of(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(st.sampled_from('a"\\[]{},: \n'), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.lists(st.dictionaries(st.text(max_size=3), JSON, max_size=3), min_size=1, max_size=4),
    st.sampled_from([None, 0, 2]),
    st.integers(1, 9),
)
def test_the_size_of_the_pieces_changes_nothing(records: list[Json], indent: int | None, size: int) -> None:
    text = json.dumps(records, indent=indent).encode()
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    spread = b"".join(lines._Spread("x").lines(pieces))
    assert [json.loads(line) for line in spread.split(b"\n") if line.strip()] == records
