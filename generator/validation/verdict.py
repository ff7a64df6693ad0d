"""Verdicts: violations of rules, and scenarios that yielded no record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from generator.boundary import BoundaryModel

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""How sure a finding is, the surest first: certain, likely, unsure."""


def weaker(first: Severity, second: Severity) -> Severity:
    """Return the one of two severities that is less sure."""
    return max(first, second, key=SEVERITIES.index)


DISAGREES, DOUBTS, UNHEARD = "VE001", "VE002", "VE003"
OPINION_RULES = (DISAGREES, DOUBTS, UNHEARD)
"""Rules that a second opinion breaks, on a record that passed every other: other calls, doubts, none to be had."""


class Violation(BoundaryModel):
    """One rule broken at one place."""

    rule: str
    """The rule's stable code, e.g. `DF002`."""
    pointer: str
    """JSON pointer into the record."""
    message: str
    severity: Severity = "error"


def errors_of(violations: Iterable[Violation]) -> list[Violation]:
    """Keep the violations that a record may not have; warnings it may."""
    return [violation for violation in violations if violation.severity == "error"]


class Rejection(BoundaryModel):
    """An attempt at a scenario that yielded no record, and why."""

    index: int
    attempt: int
    kind: str
    tools: tuple[str, ...]
    """Names of the tools the plan calls (or shows, where it calls none)."""
    violations: tuple[Violation, ...]
