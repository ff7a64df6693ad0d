"""What a rule over one entity is: like a rule over records, with its reason and two examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from generator.validation.rule import Finding
from generator.validation.verdict import Severity, Violation, weaker

View = TypeVar("View")


@dataclass(frozen=True, slots=True)
class EntityRule(Generic[View]):
    """One rule over a view of an entity. Its function never raises, whatever JSON the entity holds."""

    code: str
    summary: str
    """What holds where the rule is kept, in one line."""
    source: str
    """The document and section that demands it."""
    find: Callable[[View], Iterator[Finding]]
    why: str
    """What goes wrong where the rule is broken."""
    bad: str
    """JSON that breaks the rule: the part of the entity that it speaks of."""
    good: str
    """The same part, where the rule is kept."""
    severity: Severity = "error"
    name: str = ""
    """The error code the source gives it, which starts its messages."""

    @property
    def read(self) -> Severity:
        """Severity in what is read; an entity is judged alike, whoever wrote it."""
        return self.severity

    def severity_in(self, generated: bool) -> Severity:
        """Return the severity; `generated` makes no difference for an entity."""
        return self.severity if generated else self.read

    def violation(self, finding: Finding, severity: Severity, prefix: str = "") -> Violation:
        """Make the violation of a finding."""
        message = f"{self.name}: {finding.message}" if self.name else finding.message
        held = weaker(severity, finding.at_most)
        return Violation(rule=self.code, pointer=prefix + finding.pointer, message=message, severity=held)
