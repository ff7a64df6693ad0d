"""What a rule is: a row of its document's table, and the small function that finds what breaks it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, NamedTuple, TypeVar

from generator.assets import asset_file
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation, weaker
from generator.validation.view import Order, RecordView, Scope

Parts = str | list[str | list[str | int]]
"""A text, or the parts of a long one."""
Places = Mapping[str, Parts]
"""JSON pointer to the JSON that stands there; a last part `-` appends to an array."""

LEFT_OUT = "(left out)"
"""Stands in an example for a key that is not there; no JSON is written so."""
_UNCHANGED = "(as it was)"
_SHOWN = 160
_OFF = "off"


@dataclass(frozen=True, slots=True)
class Row:
    """What is told of one rule."""

    code: str
    summary: str
    """What holds where the rule is kept, in one line."""
    source: str
    """The document and section that demands it."""
    written: Severity | None
    """Severity in what toolgen writes; None: the rule is asked where the tool is loaded instead."""
    read: Severity | None
    """Severity in what other people wrote; None: the rule is not asked there."""
    reason: str
    """What goes wrong where the rule is broken."""
    bad: Parts | Places
    """What breaks the rule alone."""
    good: Parts | Places
    """What just passes."""
    name: str = ""
    """The error code the source gives it, which starts its messages."""
    record: str = "called"
    """The record that the places of both examples are changed in: one that calls, fails, speaks ..."""
    shared: Places = field(default_factory=dict)
    """The places that both examples change first."""

    def lines(self, example: Parts | Places) -> tuple[str, ...]:
        """Show one of the two examples: its text, or each place that they differ in, with what stands there."""
        if not isinstance(self.bad, Mapping) or not isinstance(self.good, Mapping):
            return (joined(example),) if not isinstance(example, Mapping) else ()
        return tuple(f"{where or '/'}  {_shown(example, where)}" for where in {**self.bad, **self.good})


def _shown(example: Parts | Places, where: str) -> str:
    if not isinstance(example, Mapping) or where not in example:
        return _UNCHANGED
    text = joined(example[where])
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"


def joined(parts: Parts) -> str:
    """Return the text that parts are of."""
    return parts if isinstance(parts, str) else "".join(map(_repeated, parts))


def _repeated(part: str | list[str | int]) -> str:
    if isinstance(part, str):
        return part
    text, times = str(part[0]), int(part[1])
    return "".join(text.replace("#", str(number)) for number in range(times))


@cache
def rows(document: str) -> dict[str, Row]:
    """Return the rows of a document's rules by their codes."""
    table = tomllib.loads(asset_file(f"rules/{document}.toml").read_text("utf-8"))
    return {code: _row(code, told) for code, told in table.items()}


def _row(code: str, told: dict[str, object]) -> Row:
    severities = {which: None if told[which] == _OFF else told[which] for which in ("written", "read")}
    return Row(code=code, **{**told, **severities})  # type: ignore[arg-type]  # tests hold the tables to these fields


View = TypeVar("View")


class Finding(NamedTuple):
    """One place that breaks a rule: a JSON pointer, and what is wrong there."""

    pointer: str
    message: str
    at_most: Severity = "error"
    """How sure the rule is of this place, where it is less sure than of others."""


Find = Callable[[View], Iterator[Finding]]
"""Finds what breaks a rule in a record or another entity."""


@dataclass(frozen=True, slots=True)
class Rule(Generic[View]):
    """One rule over a view of a record or another entity. Its function never raises, whatever JSON that holds."""

    row: Row
    find: Find[View]
    severity: Severity | None
    """Severity in what toolgen writes; None: the rule is asked where the tool is loaded instead."""
    read: Severity | None
    """Severity in what other people wrote; None: the rule is not asked there."""

    @property
    def code(self) -> str:
        """The code of the rule."""
        return self.row.code

    def severity_in(self, generated: bool) -> Severity | None:
        """Return the severity in a written (`generated`) or a read record; None where the rule is not asked."""
        return self.severity if generated else self.read

    def violation(self, finding: Finding, severity: Severity, prefix: str = "") -> Violation:
        """Make the violation of a finding."""
        message = f"{self.row.name}: {finding.message}" if self.row.name else finding.message
        held = weaker(severity, finding.at_most)
        return Violation(rule=self.row.code, pointer=prefix + finding.pointer, message=message, severity=held)


class Check(NamedTuple):
    """The function of a rule over records, and what it speaks of."""

    find: Find[RecordView]
    scope: Scope = ""
    """The part of the view that the rule speaks of: where it is empty or false, the rule finds nothing."""
    find_in_tool: Find[ToolView] | None = None
    """The same over one tool definition, where it speaks of nothing else: its verdict is kept per definition."""
    find_in_order: Find[Order] | None = None
    """The same over the order of turns, where it speaks of nothing else: its verdict is kept per order."""


def of_tools(find: Find[ToolView]) -> Check:
    """Make the check of a rule that speaks of a single tool definition."""

    def find_in_record(record: RecordView) -> Iterator[Finding]:
        for index, tool in enumerate(record.tools):
            for finding in find(tool):
                yield Finding(f"/tools/{index}{finding.pointer}", finding.message)

    return Check(find_in_record, find_in_tool=find)


def of_orders(find: Find[Order]) -> Check:
    """Make the check of a rule that speaks of the order of turns alone."""

    def find_in_record(record: RecordView) -> Iterator[Finding]:
        yield from find(record.order)

    return Check(find_in_record, find_in_order=find)


@dataclass(frozen=True, slots=True)
class RecordRule(Rule[RecordView]):
    """One rule over records, with what its check says of it."""

    scope: Scope = ""
    find_in_tool: Find[ToolView] | None = None
    find_in_order: Find[Order] | None = None

    def check(self, record: RecordView) -> Iterator[Violation]:
        """Yield every violation of this rule in a record."""
        severity = self.severity_in(record.generated)
        if severity is not None:
            for finding in self.find(record):
                yield self.violation(finding, severity)


def record_rules(document: str, checks: Mapping[str, Check]) -> dict[str, RecordRule]:
    """Bind the rows of a document to the checks of records, by their codes."""
    bound = [(rows(document)[code], check) for code, check in checks.items()]
    return {row.code: RecordRule(row, check.find, row.written, row.read, *check[1:]) for row, check in bound}


def rules_of(document: str, checks: Mapping[str, Find[View]]) -> tuple[Rule[View], ...]:
    """Bind the rows of a document to what finds what breaks them in one kind of entity."""
    bound = [(rows(document)[code], find) for code, find in checks.items()]
    return tuple(Rule(row, find, row.written, row.read) for row, find in bound)


def ask(rules: Iterable[Rule[View]], view: View, prefix: str = "") -> Iterator[Violation]:
    """Yield what the rules find in what was read, which stands at `prefix`."""
    for rule in rules:
        if rule.read is not None:
            yield from (rule.violation(finding, rule.read, prefix) for finding in rule.find(view))
