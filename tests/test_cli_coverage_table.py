"""What the screen says of coverage."""

from __future__ import annotations

from rich.console import Console

from generator.cli.coverage_table import coverage_lines, coverage_table
from generator.runs.covered import Coverage, Share, ToolCoverage


def test_the_table_shows_shares() -> None:
    coverage = Coverage(tools=Share(used=3, all=4), optional_parameters=Share(used=1000, all=2000))
    console = Console(width=80)
    with console.capture() as captured:
        console.print(coverage_table(coverage))
    lines = [line.split() for line in captured.get().splitlines() if line.strip()]
    assert ["tools", "called", "3", "4", "75.0%"] in lines
    assert ["optional", "parameters", "1,000", "2,000", "50.0%"] in lines
    assert ["enum", "values", "0", "0", "100.0%"] in lines


def test_the_lines_count_the_rest_and_are_few_whatever_there_is() -> None:
    unused = ToolCoverage(optional_parameters=Share(), enum_values=Share(), unused=("b",))
    coverage = Coverage(
        tools=Share(used=2, all=3),
        rungs={"literal": 3, "normalised": 1},
        calls_per_record={str(number): number for number in range(40)},
        errors={"RATE_LIMIT_EXCEEDED": 2},
        kinds={"simple": {"a": 1, "b": 2}},
        by_tool={f"tool{number}": unused for number in range(2400)},
    )
    lines = list(coverage_lines(coverage))
    assert lines[0] == "grounding   literal 75.0%, normalised 25.0%"
    assert "kind x tool simple 2 of 3" in lines
    assert "errors      RATE_LIMIT_EXCEEDED: 2" in lines
    assert lines[-1].endswith("and 2,395 more")
    assert max(map(len, lines)) < 400


def test_nothing_is_said_of_no_records() -> None:
    assert list(coverage_lines(Coverage())) == []
