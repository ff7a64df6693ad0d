"""What is told of a run: few lines, whatever there is."""

from __future__ import annotations

from generator.reports.summary import coverage_lines, most_rejected
from generator.runs.summary import Coverage, RuleCount, Share, ToolCoverage


def test_most_rejected_names_a_few_tools() -> None:
    assert most_rejected(RuleCount(rejected=9, tools={"a": 5, "b": 3, "c": 1})) == "a, b, c"
    assert most_rejected(RuleCount(rejected=9, tools={"a": 5, "b": 3, "c": 1, "d": 1})) == "a, b, c and 1 more"


def test_the_lines_count_the_rest_and_are_few_whatever_there_is() -> None:
    unused = ToolCoverage(optional_parameters=Share(), enum_values=Share(), unused=("b",))
    coverage = Coverage(
        tools=Share(used=2, all=3),
        evidence_levels={"literal": 3, "normalised": 1},
        calls_per_record={str(number): number for number in range(40)},
        errors={"RATE_LIMIT_EXCEEDED": 2},
        kinds={"simple": {"a": 1, "b": 2}},
        by_tool={f"tool{number}": unused for number in range(2400)},
    )
    lines = [f"{entry.label:<12}{entry.text}" for entry in coverage_lines(coverage)]
    assert lines[0] == "grounding   literal 75.0%, normalised 25.0%"
    assert "kind x tool simple 2 of 3" in lines
    assert "errors      RATE_LIMIT_EXCEEDED: 2" in lines
    assert lines[-1].endswith("and 2,395 more")
    assert max(map(len, lines)) < 400


def test_nothing_is_said_of_no_records() -> None:
    assert list(coverage_lines(Coverage())) == []
