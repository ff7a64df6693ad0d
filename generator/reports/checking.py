"""The check of data sets as one report: tasks in, the lines of any report out while it runs, and its verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generator.datasets.checking import Expected, Task, account, check_all, unmet
from generator.errors import ToolgenError
from generator.garbage_collection import take_for_kept
from generator.reports.sarif import SarifReport
from generator.reports.violations import (
    AnnotationReport,
    JsonLinesReport,
    Limit,
    Report,
    Statistics,
    Verdict,
    not_checked,
    summary_line,
)
from generator.validation.verdict import Tally

REPORTS: dict[str, Callable[[], Report]] = {
    "json": JsonLinesReport,
    "sarif": SarifReport,
    "github": AnnotationReport,
    "statistics": Statistics,
}
"""What writes the findings where another report is asked for than that for people, by the name of its option."""


@dataclass(slots=True)
class CheckReport:
    """Checks tasks, and writes of what is found while it is found."""

    tasks: Sequence[Task]
    report: Report
    limit: Limit
    expected: Expected
    strict: bool
    tally: Tally = field(default_factory=Tally)
    by_origin: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    failure: ToolgenError | None = None
    """What kept them from being read to the end."""

    def lines(self, jobs: int) -> Iterator[str]:
        """Check everything and yield the lines of the report, but for those that come last."""
        yield from self.report.begin()
        take_for_kept()
        try:
            for origin, findings in check_all(self.tasks, jobs):
                self.tally.merge(findings.tally)
                self.by_origin[origin.name].merge(findings.tally)
                yield from self.report.add(origin.name, self.limit.admit(findings.located))
        except ToolgenError as error:
            self.failure = error

    def verdict(self) -> Verdict:
        """Sum up."""
        failure = self.failure
        unchecked = tuple(task.origin.name for task in self.tasks if task.lacks_catalog)
        found = [unmet(name, tally, self.expected) for name, tally in self.by_origin.items()] if not failure else []
        missed = tuple(filter(None, found))
        code = failure.exit_code if failure is not None else self._exit_code(missed)
        return Verdict(self.tally, unchecked, self.limit.held_back, code, str(failure or ""), missed)

    def _exit_code(self, missed: tuple[str, ...]) -> int:
        failed = self.tally.errors or (self.strict and self.tally.warnings) or missed or not self.tally.records
        return 1 if failed else 0


def closing_lines(verdict: Verdict) -> Iterator[str]:
    """Yield what was counted, and what is missed."""
    if verdict.held_back:
        yield f"... and {verdict.held_back:,} more violations"
    if unchecked := not_checked(verdict):
        yield unchecked
    yield summary_line(verdict)
    yield account(verdict.tally)
    for missed in verdict.unmet:
        yield f"error: {missed}"
    if not verdict.tally.records and not verdict.failure:
        yield "error: there is no record to check"
