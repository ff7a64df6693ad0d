"""Verdicts: violations of rules, scenarios that yielded no record, and how values are named in messages."""

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


_SHOWN = 60
_LARGEST_SHOWN = 10**30

_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def kind_of(value: object) -> str:
    """Name the JSON type of a value, with its article."""
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def brief(value: object) -> str:
    """Show a value in a line, whatever its size: text is cut, containers and huge numbers are named.

    Text keeps its own script; what a screen would obey or hide (controls, overrides, tags) is shown as escapes.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        text = repr(value[:_SHOWN])
        return text if len(value) <= _SHOWN else f"{text[:-1]}...{text[-1]}"
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST_SHOWN):
        return str(value)
    return kind_of(value)
