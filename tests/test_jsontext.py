"""Numbers that readers round: kept with their digits, or told; never another number in silence."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from generator.datasets.conversion import Conversion
from generator.datasets.origin import any_format
from generator.formats import FORMATS
from generator.formats.writing import Shaping
from generator.jsontext import altered_number, dump_exactly, dump_line, may_hold_long_numbers, read_exactly
from generator.validation.examiner import check_line
from generator.validation.verdict import Standard
from tests import record_examples
from tests.lines_of_records import mend_lines
from tests.tables import each_row

Json = Any  # parsed JSON

KEPT = [
    "18446744073709551616",
    "-9223372036854775809",
    "123456789012345678901234567890",
    "0.12345678901234567890123",
    "3.14159265358979323846264338327950288",
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "1.5",
    "0.30000000000000004",
    "1e-7",
]


@each_row("number", KEPT)
def test_a_number_is_written_as_it_was_read(number: str) -> None:
    text = f'{{"a":[{number}]}}'
    assert json.loads(dump_exactly(read_exactly(text)), parse_float=str, parse_int=str) == json.loads(
        text, parse_float=str, parse_int=str
    )
    assert dump_exactly(read_exactly(text.encode())).decode() == text


def test_texts_without_long_numbers_are_read_once() -> None:
    assert not may_hold_long_numbers(b'{"a": 1234567890123456, "b": "2026-01-15T09:00:00.000"}')
    assert may_hold_long_numbers('{"a": 0.12345678901234567}')
    assert may_hold_long_numbers(b"18446744073709551616")


def test_what_nests_too_deeply_is_refused_as_before() -> None:
    with pytest.raises(TypeError):
        dump_line(json.loads("[" * 400 + "18446744073709551616" + "]" * 400))


def test_numbers_beyond_every_float_are_told() -> None:
    for number in ("7" * 400, "1e400"):
        converted = Conversion("", Shaping(FORMATS["openai"]))([(1, record(number, kind="number"))])
        assert converted.lines == b"" and "infinity" in converted.bad[0].message
        assert [each.severity for each in check_line(record(number), Standard())[1]] == ["error"]


def record(number: str, *, as_text: bool = False, kind: str = "integer") -> bytes:
    """A line of a record that calls a tool with this number."""
    document = record_examples.simple()
    function = document["tools"][0]["function"]
    function["parameters"]["properties"]["number"] = {"type": kind, "description": "A number."}
    call = next(message for message in document["messages"] if message.get("tool_calls"))["tool_calls"][0]["function"]
    call["arguments"]["number"] = "NUMBER"
    if as_text:
        call["arguments"] = json.dumps(call["arguments"])
    return dump_line(document).replace(b'\\"NUMBER\\"' if as_text else b'"NUMBER"', number.encode())


LONG = ["-9223372036854775809", "18446744073709551616", "123456789012345678901234567890"]


@pytest.mark.parametrize("number", LONG)
def test_integers_beyond_64_bits_get_the_rule_for_integers_at_their_place(number: str) -> None:
    _, found = check_line(record(number), Standard())
    assert {(each.rule, each.pointer.rsplit("/", 1)[1], each.severity) for each in found} >= {
        ("ADM010", "number", "error")
    }
    assert not any(each.rule == "ADM009" for each in found)


@pytest.mark.parametrize("number", LONG)
def test_integers_in_arguments_as_text_do_so_as_well(number: str) -> None:
    for standard in (Standard(), Standard(reader=any_format)):
        _, found = check_line(record(number, as_text=True), standard)
        assert any(each.rule == "ADM010" and each.pointer.endswith("/number") for each in found)
        assert not any(each.rule == "ADM009" for each in found)


@pytest.mark.parametrize("number", ["9007199254740993", "-9007199254740995", "9223372036854775807"])
def test_integers_that_64_bits_hold_have_no_such_fault(number: str) -> None:
    _, found = check_line(record(number), Standard())
    assert not any(each.rule in ("ADM009", "ADM010") for each in found)


@pytest.mark.parametrize("number", ["3.14159265358979323846264338327950288", "0.1234567890123456789"])
def test_long_fractions_are_no_fault(number: str) -> None:
    for as_text in (False, True):
        plain, long = (check_line(record(each, as_text=as_text, kind="number"), Standard(reader=any_format))[1]
                       for each in ("0.5", number))  # fmt: skip
        assert [each.rule for each in long] == [each.rule for each in plain]


@each_row("number", [each for each in KEPT if len(each) > 16])
@each_row("target", ["deepfabric", "openai", "trl", "ms-swift", "llamafactory", "mistral", "qwen3"])
@each_row("as_text", [False, True])
def test_a_conversion_keeps_every_digit_or_says_that_it_cannot(number: str, target: str, as_text: bool) -> None:
    converted = Conversion("", Shaping(FORMATS[target]))([(1, record(number, as_text=as_text, kind="number"))])
    told = [bad for bad in converted.bad if number[:40] in bad.message]
    assert number.encode() in converted.lines or told


def test_records_with_long_numbers_are_converted() -> None:
    converted = Conversion("", Shaping(FORMATS["openai"]))([(1, record(KEPT[2], kind="number"))])
    assert converted.bad == [] and converted.written == 1


def test_a_number_that_was_rounded_is_found() -> None:
    text = b'{"a": 0.12345678901234567890123, "b": "12345678901234567890123"}'
    assert altered_number(text, orjson.dumps(orjson.loads(text))) == "0.12345678901234567890123"
    assert altered_number(text, text) == ""
    assert altered_number(b'{"id": "12345678901234567890123"}', b"{}") == ""


@each_row("number", [each for each in KEPT if len(each) > 16])
@each_row("as_text", [False, True])
def test_mending_keeps_every_digit_or_says_that_it_cannot(number: str, as_text: bool) -> None:
    import io

    (mended,) = mend_lines(io.BytesIO(record(number, as_text=as_text, kind="number")))
    assert mended.errors or (mended.text is not None and number.encode() in mended.text)
