"""What a page tells in figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.lengths import LengthCounts
from generator.reports.page.changes import compare
from generator.reports.page.rejections import reasons
from generator.reports.page.rendering import as_data, coded
from generator.reports.page.sections import heat_map, lengths_chart, reasons_anew, yield_of
from generator.reports.page.source import open_source
from generator.reports.page.visible import visible
from tests.report_pages import example_records, folder_of


def test_the_heat_map_has_the_least_used_tools_first_and_counts_all(tmp_path: Path) -> None:
    kinds = {"simple": {"a": 100, "b": 1}, "parallel": {"a": 10}}
    counts = {"asked": 1, "kept": 1, "rejected": 0, "given_up": 0}
    tools = {name: {"shown": 1, "called": 1} for name in ("a", "b", "unused")}
    summary = {"coverage": {"kinds": kinds}, "kinds": dict.fromkeys(kinds, counts), "tools": tools}
    heat = heat_map(open_source(folder_of(tmp_path, [], **summary)))
    assert [(name, [cell.count for cell in cells], total) for name, cells, total in heat.rows] == [
        ("unused", [0, 0], 0),
        ("b", [1, 0], 1),
        ("a", [100, 10], 110),
    ]
    assert [cell.shade for _, cells, _ in heat.rows for cell in cells] == [0, 0, 1, 0, 6, 3]


@pytest.mark.parametrize("longest", [1, 9, 240, 1001, 99_999, 3_000_000])
def test_lengths_come_in_few_columns_that_hold_every_record(longest: int) -> None:
    counts = LengthCounts()
    for part in range(1, 101):
        counts.add(max(1, longest * part // 100))
    chart = lengths_chart(counts)
    assert chart is not None
    assert len(chart.numbers) <= 25 and chart.total == 100


def test_a_rule_is_told_with_what_helps_and_with_unlike_examples(tmp_path: Path) -> None:
    source = folder_of(
        tmp_path, [], rules={"RUN001": {"rejected": 9, "tools": {"a": 9}}, "own": {"rejected": 1, "tools": {}}}
    )
    attempt = {"attempt": 0, "kind": "simple", "tools": ["a"]}
    found = [{"rule": "RUN001", "pointer": "", "message": f"message {number // 2}"} for number in range(20)]
    told = [json.dumps({"index": number, **attempt, "violations": [each]}) for number, each in enumerate(found)]
    (source / "rejections.jsonl").write_text("\n".join(["not JSON", *told]))
    (known, own), left_out = reasons(open_source(source))
    assert [example.message for example in known.examples] == ["message 0", "message 1", "message 2"]
    assert known.holds == "No two records of a run have the same request." and "more tools" in known.remedy
    assert (own.holds, own.examples, left_out) == ("A rule of the author.", (), 0)


def test_changes_are_counted_by_index(tmp_path: Path) -> None:
    records = example_records()
    before = open_source(folder_of(tmp_path / "one", records[1:]))
    records[2]["messages"][0]["content"] += "!"
    now = open_source(folder_of(tmp_path / "two", records[:-1]))
    found = compare(before, now)
    assert dict(found.records) == {"added": 1, "changed": 1, "removed": 1, "same": len(records) - 3}
    assert sum(sum(counts.values()) for counts in found.kinds.values()) == len(records)


def test_what_a_build_made_anew_is_told_by_its_reasons(tmp_path: Path) -> None:
    source = folder_of(tmp_path, [])
    assert reasons_anew(open_source(source)) is None
    (source / "manifest.json").write_text('{"kept": 5, "anew": {"a tool changed": 2}}')
    told = reasons_anew(open_source(source))
    assert told is not None and told.rows == [("kept", "5"), ("made anew: a tool changed", "2")]


def test_the_yield_of_a_build_is_that_of_what_it_made_anew(tmp_path: Path) -> None:
    source = folder_of(tmp_path, [], rejected=10, record_yield=0.9091)
    assert yield_of(open_source(source)) == 0.9091
    (source / "manifest.json").write_text('{"attempts": {"records": 30, "rejected": 10}}')
    assert yield_of(open_source(source)) == 0.75
    (source / "manifest.json").write_text('{"attempts": {"records": 0, "rejected": 0}}')
    assert yield_of(open_source(source)) is None


def test_hidden_characters_are_shown_and_others_stay() -> None:
    assert visible("a\u202eb\x00\n\tü😀") == "a⟨U+202E⟩b⟨U+0000⟩\n\tü😀"


def test_data_and_code_never_end_their_element() -> None:
    assert as_data({"a": "</script>&\u2028"}) == '{"a": "\\u003c/script\\u003e\\u0026\\u2028"}'
    assert coded("run `a <b>` now") == "run <code>a &lt;b&gt;</code> now"
