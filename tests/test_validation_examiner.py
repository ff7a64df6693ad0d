"""Rules are asked of some records in turn: each is judged as it would be by itself, and freed when it is done with."""

from __future__ import annotations

import gc
from typing import Any

import orjson
import pytest

from generator.datasets.readers import any_format
from generator.jsontext import dump_line
from generator.validation import lines
from generator.validation.examiner import examine, read_and_check, read_and_check_all, violations_of
from generator.validation.lines import check_batch
from generator.validation.verdict import Standard
from generator.validation.view import RecordView
from tests.record_examples import CATALOG, KINDS, simple

Json = Any  # parsed JSON


def odd_lines() -> list[bytes]:
    """Lines of every sort between one another: whole records, broken ones, other formats, and what is no record."""
    broken = simple()
    broken["messages"][-1]["content"] = "It is 99 degrees in Oslo."
    unknown = simple()
    unknown["messages"][2]["tool_calls"][0]["function"]["name"] = "nobody"
    spoken = {"messages": [{"role": "user", "content": "Hi"}], "tools": None}
    asked = {"question": [[{"role": "user", "content": "Hi"}]], "function": []}
    whole = [dump_line(kind()) for kind in KINDS.values()]
    others = [orjson.dumps(each) for each in (broken, unknown, spoken, asked, [], 1)]
    return [*whole, b"{", *others, b'{"messages":[],"messages":[]}', whole[0], b"[" * 300 + b"]" * 300]


@pytest.mark.parametrize(
    "standard",
    [
        Standard(CATALOG),
        Standard(CATALOG, "read", any_format),
        Standard(None, "written"),
        Standard(None, rules=frozenset({"TC101", "OA014"})),
    ],
    ids=["auto", "read", "written", "chosen"],
)
def test_lines_that_are_checked_together_are_judged_as_each_by_itself(standard: Standard) -> None:
    given = odd_lines()
    together = read_and_check_all(given, standard)
    assert together == [read_and_check(line, standard) for line in given]
    assert any(each.violations for each in together)
    assert not all(each.violations for each in together)


def test_records_that_are_asked_about_together_may_be_held_to_different_rules() -> None:
    documents = [kind() for kind in KINDS.values()]
    documents[1]["messages"][-1]["content"] = ""
    views = [RecordView(each, generated=written) for each in documents for written in (True, False)]
    found = violations_of(views)
    assert found == [
        list(violations_of([RecordView(each, generated=written)])[0]) for each in documents for written in (True, False)
    ]
    assert [bool(each) for each in found].count(True) == 2


@pytest.mark.parametrize(("most", "size"), [(1, 10**6), (3, 10**6), (10**6, 1), (10**6, 5000)])
def test_how_many_lines_are_checked_together_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch, most: int, size: int
) -> None:
    batch: lines.Batch = [(number, line) for number, line in enumerate(odd_lines(), start=1)]
    batch.insert(2, (99, None))
    expected = check_batch(batch, Standard(CATALOG))
    monkeypatch.setattr(lines, "_LINES_TOGETHER", most)
    monkeypatch.setattr(lines, "_BYTES_TOGETHER", size)
    assert check_batch(batch, Standard(CATALOG)) == expected


def test_a_record_is_freed_when_it_is_done_with_without_a_look_for_garbage() -> None:
    gc.collect()
    gc.disable()
    before = [each for each in gc.get_objects() if isinstance(each, RecordView)]  # those of other tests
    try:
        for kind in KINDS.values():
            examine(kind())
        after = [each for each in gc.get_objects() if isinstance(each, RecordView)]
        assert [each for each in after if not any(each is other for other in before)] == []
    finally:
        gc.enable()
