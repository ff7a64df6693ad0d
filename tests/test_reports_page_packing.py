"""Records in the form in which a page holds them: small, whole as far as a page can show, bounded beyond."""

from __future__ import annotations

import json
from base64 import b64decode
from gzip import decompress

from generator.reports.page.packing import RECORDS_IN_CHUNK, Names, Packer
from tests.report_pages import Json, example_records


def unpacked(packer: Packer, records: list[Json], split: str = "") -> list[list[Json]]:
    """Pack records and return the lines of each chunk."""
    chunks = [chunk for record in records for chunk in packer.add(record, split)] + list(packer.close())
    return [[json.loads(line) for line in decompress(b64decode(chunk.records)).split(b"\n")] for chunk in chunks]


def with_arguments(arguments: Json) -> Json:
    call = {"id": "a", "function": {"name": "f", "arguments": arguments}}
    return {"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}], "tools": []}


def arguments_of(arguments: Json) -> list[list[str]]:
    ((_, record),) = unpacked(Packer(), [with_arguments(arguments)])
    found: list[list[str]] = record[6][0][2][0][2]
    return found


def test_arguments_are_leaves_with_their_pointers_and_exact_values() -> None:
    arguments = {"a/b": {"c~": [1, {"d": 12345678901234567890}]}, "e": [], "f": "x"}
    expected = [["/a~1b/c~0/0", "1"], ["/a~1b/c~0/1/d", "12345678901234567890"], ["/e", "[]"], ["/f", '"x"']]
    assert arguments_of(arguments) == expected
    assert arguments_of({}) == []
    assert arguments_of('{"not": "an object"}') == [["", '"{\\"not\\": \\"an object\\"}"']]


def test_what_is_too_large_is_cut_and_says_so() -> None:
    deep: Json = 1
    for _ in range(200):
        deep = {"d": deep}
    ((pointer, value),) = arguments_of(deep)
    assert pointer.count("/") == 16 and value.startswith('{"d":')
    assert len(arguments_of({str(number): number for number in range(5000)})) == 200
    ((_, text),) = arguments_of({"t": "x" * 50_000})
    assert len(text) < 21_000 and text.endswith("more characters)")
    ((_, record),) = unpacked(Packer(), [{"messages": [{"role": "user", "content": "x"}] * 500}])
    assert record[6][-1] == ["…", "300 more messages"]


def test_what_is_malformed_is_packed_as_it_is() -> None:
    odd = [{"role": 7, "content": [1]}, {"role": "tool", "content": {"a": 1}}, {"tool_calls": [{"function": 3}, 4]}]
    ((_, record),) = unpacked(Packer(), [{"messages": odd, "tools": ["x", {"function": []}], "metadata": []}])
    assert record[6][:2] == [["7", "[1]"], ["tool", '{"a":1}', "", "", ""]]


def test_a_chunk_holds_each_tool_once_and_so_many_records() -> None:
    records = example_records() * 200
    packer = Packer()
    chunks = unpacked(packer, records)
    assert [len(chunk) - 1 for chunk in chunks[:-1]] == [RECORDS_IN_CHUNK] * (len(records) // RECORDS_IN_CHUNK)
    assert sum(len(chunk) - 1 for chunk in chunks) == len(records) == packer.records
    for tools, *packed in chunks:
        assert len(tools) == len({json.dumps(tool) for tool in tools})
        assert all(0 <= place < len(tools) for record in packed for place in record[5])


def test_names_have_an_end() -> None:
    names = Names()
    assert [names.number_of("a"), names.number_of("b"), names.number_of("a")] == [0, 1, 0]
    for number in range(3000):
        names.number_of(f"masked {number}")
    assert names.number_of("one more") == -1 and len(names.numbers) == 2000
