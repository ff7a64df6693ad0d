"""Streams of records: any line is a record or a violation, and one line is in memory at a time."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from generator.errors import StorageError
from generator.jsontext import dump_line
from generator.validation import lines
from generator.validation.lines import Located, batches, read_lines
from generator.validation.verdict import Standard, Tally, is_written
from tests.lines_of_records import check_lines
from tests.record_examples import CATALOG, KINDS, simple
from tests.tables import each_row


def stream(*parts: bytes) -> io.BytesIO:
    return io.BytesIO(b"".join(parts))


def found(*parts: bytes, **options: Any) -> tuple[list[Located], Tally]:
    tally = Tally()
    return list(check_lines(stream(*parts), tally, Standard(**options))), tally


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"1\n2\n", [(1, b"1\n"), (2, b"2\n")]),
        (b"1\n\n  \n4", [(1, b"1\n"), (4, b"4")]),
        (b"\xef\xbb\xbf1\r\n2\r\n", [(1, b"1\r\n"), (2, b"2\r\n")]),
        (b"\xef\xbb\xbf\n2", [(2, b"2")]),
    ],
)
def test_lines_keep_their_numbers(text: bytes, expected: list[tuple[int, bytes]]) -> None:
    assert list(read_lines(stream(text))) == expected


@pytest.mark.parametrize("end", [b"", b"\n", b"\n{}\n"])
def test_a_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch, end: bytes) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10)
    monkeypatch.setattr(lines, "_SKIPPED_AT_ONCE", 4)
    numbers = list(read_lines(stream(b"1234567890\n", b"12345678901", end)))
    assert numbers == [(1, b"1234567890\n"), (2, None), *([(3, b"{}\n")] if end.endswith(b"}\n") else [])]


def test_a_line_too_long_for_a_record_is_one_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10)
    located, tally = found(b"x" * 50, b"\n")
    assert [(each.line, each.rule) for each in located] == [(1, "TC101")]
    assert (tally.records, tally.passed) == (1, 0)


def test_the_rest_goes_on_after_a_line_that_is_not_json() -> None:
    good = dump_line(simple())
    located, tally = found(good, b'{"messages": [\n', b"\xff\xfe\n", b"NaN\n", good, catalog=CATALOG)
    assert [(each.line, each.rule) for each in located] == [(2, "TC101"), (3, "TC101"), (4, "TC101")]
    assert (tally.records, tally.passed, tally.errors, tally.warnings) == (5, 2, 3, 0)
    assert tally.by_rule == {"TC101": 3}


def test_a_lone_surrogate_in_a_line_is_not_json() -> None:
    text = dump_line(simple()).replace(b"How is the weather", rb"How is \ud800")
    assert [each.rule for each in found(text)[0]] == ["TC101"]


def test_deep_nesting_in_a_line_is_one_violation() -> None:
    document = dump_line(simple()).rstrip()[:-1] + b',"deep":' + b"[" * 300 + b"]" * 300 + b"}"
    assert [each.rule for each in found(document, b"\n", b"[" * 5000)[0]] == ["TC101", "TC101"]


def test_numbers_beyond_64_bits_in_a_line_are_found() -> None:
    text = dump_line(simple()).replace(b'"city":"Rome"', b'"city":"Rome","days":123456789012345678901234567890')
    assert {each.rule for each in found(text, mode="read", rules=frozenset({"ADM009", "ADM010", "TC101"}))[0]} == {
        "ADM010",
        "TC101",
    }


def test_warnings_do_not_fail_a_record() -> None:
    document = simple()
    document["messages"][3]["content"] = "It is warm."
    document["messages"][4]["content"] = "It is warm in Rome."
    _, tally = found(dump_line(document), mode="read")
    assert (tally.records, tally.passed, tally.errors, tally.warnings) == (1, 1, 0, 1)


@pytest.mark.parametrize(
    ("mode", "with_metadata", "expected"),
    [
        ("auto", True, {"TC002"}),
        ("auto", False, set()),
        ("written", False, {"TC002"}),
        ("read", True, set()),
    ],
)
def test_modes_decide_which_rules_hold(mode: Any, with_metadata: bool, expected: set[str]) -> None:
    document = simple()
    document["messages"][2]["content"] = "Let me look."
    if not with_metadata:
        del document["metadata"]
    assert {each.rule for each in found(dump_line(document), mode=mode)[0]} == expected


def test_only_records_of_toolgen_claim_to_be_written() -> None:
    assert is_written(simple())
    for other in (None, 3, [], {}, {"metadata": 3}, {"metadata": {"kind": "simple"}}):
        assert not is_written(other)


class Endless(io.RawIOBase):
    """The same lines again and again, made as they are read."""

    def __init__(self, count: int) -> None:
        self._rest = self._lines(count)
        self._buffer = b""

    @staticmethod
    def _lines(count: int) -> Iterator[bytes]:
        texts = [dump_line(kind()) for kind in KINDS.values()]
        for number in range(count):
            yield texts[number % len(texts)]

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        part = self._buffer or next(self._rest, b"")
        size = min(len(part), len(target))
        target[:size], self._buffer = part[:size], part[size:]
        return size


def test_memory_does_not_grow_with_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BATCH_LINES", 16)

    def peak(count: int) -> int:
        tracemalloc.start()
        tally = Tally()
        assert list(check_lines(io.BufferedReader(Endless(count)), tally, Standard(CATALOG))) == []
        assert tally.passed == count
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(50)
    assert peak(1200) < peak(300) + 500_000


def test_a_line_with_a_catalog_has_its_results_checked() -> None:
    document = simple()
    document["messages"][3]["content"] = '{"temperature":"warm"}'
    document["messages"][4]["content"] = "It is warm in Rome."
    text = orjson.dumps(document)
    assert found(text)[0] == []
    assert [each.rule for each in found(text, catalog=CATALOG)[0]] == ["ADM113"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"", b" \t\r\n"])
def test_ends_of_lines_are_no_part_of_a_record(end: bytes) -> None:
    text = dump_line(simple()).rstrip()
    assert found(b"\xef\xbb\xbf" + text + end, catalog=CATALOG) == ([], found(text, catalog=CATALOG)[1])


@each_row(
    "line",
    [
        b'{"messages": NaN}',
        b'{"messages": Infinity}',
        b'{"messages": -Infinity}',
        rb'{"messages": "\ud800"}',
        rb'{"messages": "\udc00\ud800"}',
        b'{"messages": "\xff\xfe"}',
        b'{"messages": "\xed\xa0\x80"}',
        b"\xff\xfe{\x00}\x00",
        b'{"messages": [}',
        b"{'messages': []}",
        b'{"messages": []},',
        b'{"messages": []} {"messages": []}',
        b"[" * 100_000,
        b"9" * 10_000,
        b"\x00",
        b"\x1f\x8b\x08\x00",
    ],
)
def test_what_is_no_json_is_one_violation(line: bytes) -> None:
    located, tally = found(dump_line(simple()), line, b"\n", dump_line(simple()), catalog=CATALOG)
    rules = {each.rule for each in located}
    assert rules in ({"TC101"}, {"DF001", "TC102"}, {"DF001"})
    assert {each.line for each in located} == {2}
    assert (tally.records, tally.passed) == (3, 2)


def test_rules_that_are_not_chosen_do_not_count() -> None:
    broken = dump_line({"messages": 3})
    assert {each.rule for each in found(broken)[0]} == {"DF002", "TC102"}
    located, tally = found(broken, rules=frozenset({"TC102"}))
    assert [each.rule for each in located] == ["TC102"]
    assert (tally.errors, tally.warnings, tally.passed) == (0, 1, 1)


def test_each_batch_is_bounded_in_lines_and_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BATCH_LINES", 3)
    monkeypatch.setattr(lines, "BATCH_BYTES", 100)
    given = [(number, b"x" * size) for number, size in enumerate([1, 1, 1, 1, 200, 1, 60, 60, 1], start=1)]
    assert [[number for number, _ in batch] for batch in batches(given)] == [[1, 2, 3], [4, 5], [6, 7, 8], [9]]


def test_what_was_read_before_a_failure_is_checked() -> None:
    def failing() -> Iterator[tuple[int, bytes | None]]:
        yield 1, b"{}"
        raise StorageError("cut")

    given = batches(failing())
    assert next(given) == [(1, b"{}")]
    with pytest.raises(StorageError):
        next(given)
