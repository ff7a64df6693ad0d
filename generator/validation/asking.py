"""Asking: every rule over some records, verdicts on tool definitions and on orders of turns kept.

Each rule is asked of all the records in turn: what it needs, its code and its words, is then at hand for each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from generator.validation.rule import Finding, RecordRule
from generator.validation.rules import DOCUMENT_RULE, RULES
from generator.validation.shape import SHAPE_RULES, has_written_shape
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation
from generator.validation.view import Order, RecordView, Scope

_Asked = tuple[tuple[RecordRule, Severity], ...]
_Found = tuple[tuple[RecordRule, Severity, Finding], ...]


class _Plan(NamedTuple):
    """Which rules are asked of what, with their severities."""

    of_records: tuple[tuple[Scope, _Asked], ...]
    """By the part of the record that they speak of."""
    of_shaped_records: tuple[tuple[Scope, _Asked], ...]
    """Without the rules that a record of the written shape cannot break."""
    of_tools: _Asked
    of_orders: _Asked


@lru_cache(maxsize=8)
def _plan(generated: bool, chosen: frozenset[str] | None = None) -> _Plan:
    asked = [(rule, severity) for rule in RULES.values() if (severity := rule.severity_in(generated)) is not None]
    of_tools = tuple(each for each in asked if each[0].find_in_tool)
    of_orders = tuple(each for each in asked if each[0].find_in_order)
    apart = {DOCUMENT_RULE.code, *(rule.code for rule, _ in (*of_tools, *of_orders))}
    of_records = [each for each in asked if each[0].code not in apart and (not chosen or each[0].code in chosen)]
    of_shaped_records = [each for each in of_records if each[0].code not in SHAPE_RULES]
    return _Plan(_by_scope(of_records), _by_scope(of_shaped_records), of_tools, of_orders)


def _by_scope(asked: list[tuple[RecordRule, Severity]]) -> tuple[tuple[Scope, _Asked], ...]:
    groups: dict[Scope, list[tuple[RecordRule, Severity]]] = {}
    for rule, severity in asked:
        groups.setdefault(rule.scope, []).append((rule, severity))
    return tuple((scope, tuple(group)) for scope, group in groups.items())


def violations_of(records: Sequence[RecordView], chosen: frozenset[str] | None = None) -> list[list[Violation]]:
    """Return what is wrong with each record; where rules are chosen, the dear ones among the others are not asked."""
    found: list[list[Violation]] = [[] for _ in records]
    groups: dict[tuple[bool, bool], list[_Asking]] = {}
    for record, own in zip(records, found, strict=True):
        sort = record.generated, has_written_shape(record.document)
        groups.setdefault(sort, []).append((record, own))
    for (generated, is_shaped), group in groups.items():
        plan = _plan(generated, chosen)
        _ask(plan.of_shaped_records if is_shaped else plan.of_records, group)
        for record, own in group:
            own.extend(_order_violations(record.order, generated))
            for index, tool in enumerate(record.tools):
                kept = tool.kept.get(generated)
                for rule, severity, finding in _tool_findings(tool, generated) if kept is None else kept:
                    own.append(rule.violation(finding, severity, f"/tools/{index}"))
    return found


_Asking = tuple[RecordView, list[Violation]]
"""A record, and what was found in it so far."""


def _ask(rules: tuple[tuple[Scope, _Asked], ...], records: list[_Asking]) -> None:
    """Ask rules of records that have anything they speak of."""
    for scope, asked in rules:
        of_scope = [each for each in records if getattr(each[0], scope)] if scope else records
        if of_scope:
            for rule, severity in asked:
                find = rule.find
                for record, own in of_scope:
                    for finding in find(record):
                        own.append(rule.violation(finding, severity))


def _order_violations(order: Order, generated: bool) -> tuple[Violation, ...]:
    """Return what the rules find in an order of turns; those of usual length are found once and kept."""
    return _kept_order(order, generated) if len(order) <= _USUAL_LENGTH else _examine_order(order, generated)


def _examine_order(order: Order, generated: bool) -> tuple[Violation, ...]:
    return tuple(
        rule.violation(finding, severity)
        for rule, severity in _plan(generated).of_orders
        if rule.find_in_order is not None
        for finding in rule.find_in_order(order)
    )


_USUAL_LENGTH = 64
_kept_order = lru_cache(maxsize=4096)(_examine_order)


def _tool_findings(tool: ToolView, generated: bool) -> _Found:
    """Find what the rules find in one definition, and keep it with its view."""
    tool.kept[generated] = found = tuple(
        (rule, severity, finding)
        for rule, severity in _plan(generated).of_tools
        if rule.find_in_tool is not None
        for finding in rule.find_in_tool(tool)
    )
    return found
