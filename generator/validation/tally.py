"""Tally: running counts of what was found in the lines of a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.validation.verdict import Severity, Violation


class Read(NamedTuple):
    """What was read of one line, or of many."""

    calls: int = 0
    results: int = 0
    tools: int = 0
    """Definitions of tools, as often as records show them."""
    silent: int = 0
    """Records that show tools and call none, and do not say that this is their kind."""
    columns: tuple[str, ...] = ()
    """Columns beside the record that nobody looked into."""


NOTHING_READ = Read()


@dataclass(slots=True)
class Tally:
    """What was found over all lines so far."""

    records: int = 0
    passed: int = 0
    """Records without an error; warnings and notes do not count."""
    errors: int = 0
    warnings: int = 0
    notes: int = 0
    rules: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    """Violations by rule and severity: a rule may be an error in one record and a warning in another."""
    broken_by: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    """Records by the rule that they break, each counted once."""
    formats: Counter[str] = field(default_factory=Counter)
    """Records by the format they were read in."""
    calls: int = 0
    results: int = 0
    tools: int = 0
    """Definitions of tools, as often as records show them."""
    silent: int = 0
    """Records that show tools and call none, and do not say that this is their kind."""
    columns: Counter[str] = field(default_factory=Counter)
    """Records by the columns beside them that nobody looked into."""

    def add(self, violations: Sequence[Violation], form: str = "", read: Read = NOTHING_READ) -> None:
        """Count one line, what was found in it, the format it was read in, and what was read of it."""
        self.records += 1
        if form:
            self.formats[form] += 1
        self.calls += read.calls
        self.results += read.results
        self.tools += read.tools
        self.silent += read.silent
        if read.columns:
            self.columns.update(read.columns)
        if not violations:
            self.passed += 1
            return
        kinds = Counter((violation.rule, violation.severity) for violation in violations)
        self.rules.update(kinds)
        self.broken_by.update(kinds.keys())
        found = Counter(violation.severity for violation in violations)
        self.errors += found["error"]
        self.warnings += found["warning"]
        self.notes += found["note"]
        self.passed += not found["error"]

    def take_back(self, rule: str, severity: Severity) -> None:
        """Count one note of one record less: it was told of another record."""
        for counts in (self.rules, self.broken_by):
            counts[rule, severity] -= 1
            if not counts[rule, severity]:
                del counts[rule, severity]
        self.notes -= severity == "note"

    def merge(self, other: Tally) -> None:
        """Add what was counted over other lines."""
        self.records += other.records
        self.passed += other.passed
        self.errors += other.errors
        self.warnings += other.warnings
        self.notes += other.notes
        self.rules.update(other.rules)
        self.broken_by.update(other.broken_by)
        self.formats.update(other.formats)
        self.calls += other.calls
        self.results += other.results
        self.tools += other.tools
        self.silent += other.silent
        self.columns.update(other.columns)

    @property
    def by_rule(self) -> dict[str, int]:
        """Violations by rule, the most frequent first, equals by their codes."""
        counts: Counter[str] = Counter()
        for (code, _), count in self.rules.items():
            counts[code] += count
        return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
