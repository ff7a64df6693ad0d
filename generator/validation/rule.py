"""What a rule is: one small function with a code, its source and its severity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation, weaker
from generator.validation.view import Order, RecordView, Scope


class Finding(NamedTuple):
    """One place that breaks a rule: a JSON pointer, and what is wrong there."""

    pointer: str
    message: str
    at_most: Severity = "error"
    """How sure the rule is of this place, where it is less sure than of others."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule over records. Its function never raises, whatever JSON the record holds."""

    code: str
    summary: str
    """What holds where the rule is kept, in one line."""
    source: str
    """The document and section that demands it."""
    find: Callable[[RecordView], Iterator[Finding]]
    severity: Severity | None = "error"
    """Severity in a record that toolgen writes; None: the rule is asked where the tool is loaded instead."""
    read: Severity | None = "error"
    """Severity in a record of other people; None: the rule is not asked there."""
    name: str = ""
    """The error code the source gives it, which starts its messages."""
    find_in_tool: Callable[[ToolView], Iterator[Finding]] | None = None
    """The same rule over one tool definition, where it speaks of nothing else: its verdict is kept per definition."""
    find_in_order: Callable[[Order], Iterator[Finding]] | None = None
    """The same rule over the order of turns, where it speaks of nothing else: its verdict is kept per order."""
    scope: Scope = ""
    """The part of the view that the rule speaks of: where it is empty or false, the rule finds nothing."""

    def severity_in(self, generated: bool) -> Severity | None:
        """Return the severity in a written (`generated`) or a read record; None where the rule is not asked."""
        return self.severity if generated else self.read

    def violation(self, finding: Finding, severity: Severity, prefix: str = "") -> Violation:
        """Make the violation of a finding."""
        message = f"{self.name}: {finding.message}" if self.name else finding.message
        held = weaker(severity, finding.at_most)
        return Violation(rule=self.code, pointer=prefix + finding.pointer, message=message, severity=held)

    def check(self, record: RecordView) -> Iterator[Violation]:
        """Yield every violation of this rule in a record."""
        severity = self.severity_in(record.generated)
        if severity is not None:
            for finding in self.find(record):
                yield self.violation(finding, severity)


def tool_rule(
    code: str,
    summary: str,
    source: str,
    find: Callable[[ToolView], Iterator[Finding]],
    severity: Severity | None = "error",
    read: Severity | None = "error",
) -> Rule:
    """Make a rule out of one that speaks of a single tool definition."""

    def find_in_record(record: RecordView) -> Iterator[Finding]:
        for index, tool in enumerate(record.tools):
            for finding in find(tool):
                yield Finding(f"/tools/{index}{finding.pointer}", finding.message)

    return Rule(code, summary, source, find_in_record, severity, read, find_in_tool=find)


def order_rule(
    code: str,
    summary: str,
    source: str,
    find: Callable[[Order], Iterator[Finding]],
    severity: Severity | None = "error",
    read: Severity | None = "error",
) -> Rule:
    """Make a rule out of one that speaks of the order of turns alone."""

    def find_in_record(record: RecordView) -> Iterator[Finding]:
        yield from find(record.order)

    return Rule(code, summary, source, find_in_record, severity, read, find_in_order=find)
