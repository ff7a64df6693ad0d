"""The examiner's loop: every rule over a record, verdicts on tool definitions kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue
from generator.records.record import Record
from generator.tools.catalog import Catalog
from generator.validation.practice_records import DOCUMENT_RULE, unstorable
from generator.validation.rule import Finding, Rule
from generator.validation.rules import RULES
from generator.validation.shape import SHAPE_RULES, has_written_shape
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation
from generator.validation.view import Order, RecordView

_Asked = tuple[tuple[Rule, Severity], ...]


Load = Callable[[JsonObject], JsonObject]
"""Brings a record of some format to the canonical document."""


class _Plan(NamedTuple):
    """Which rules are asked of what, with their severities."""

    of_records: _Asked
    of_shaped_records: _Asked
    """Without the rules that a record of the written shape cannot break."""
    of_tools: _Asked
    of_orders: _Asked


@lru_cache(maxsize=2)
def _plan(generated: bool) -> _Plan:
    asked = [(rule, severity) for rule in RULES.values() if (severity := rule.severity_in(generated)) is not None]
    of_tools = tuple(each for each in asked if each[0].find_in_tool)
    of_orders = tuple(each for each in asked if each[0].find_in_order)
    apart = {DOCUMENT_RULE.code, *(rule.code for rule, _ in (*of_tools, *of_orders))}
    of_records = tuple(each for each in asked if each[0].code not in apart)
    of_shaped_records = tuple(each for each in of_records if each[0].code not in SHAPE_RULES)
    return _Plan(of_records, of_shaped_records, of_tools, of_orders)


def check(document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True) -> list[Violation]:
    """Return every violation in a record; [] where it passes.

    Args:
        document: the record as parsed JSON, of whatever shape.
        catalog: the tools with their result schemas; without it results are not checked against schemas.
        generated: whether the record is held to all that toolgen demands of what it writes, or is only read.
    """
    broken = [DOCUMENT_RULE.violation(finding, "error") for finding in unstorable(document)]
    return broken or list(_violations(RecordView(document, catalog=catalog, generated=generated)))


def check_line(
    line: bytes,
    *,
    catalog: Catalog | None = None,
    generated: bool | Callable[[JsonValue], bool] = True,
    load: Load | None = None,
) -> list[Violation]:
    """Check one line of JSONL; a line that is not JSON is one violation.

    `generated` may be a function of the parsed document, for records of several origins; `load` brings a record
    of another format to the canonical document, into which the violations then point.
    """
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        message = f"this line is not JSON, as each record is: {error.msg} at column {error.pos + 1}"
        return [DOCUMENT_RULE.violation(Finding("", message), "error")]
    if load is not None and isinstance(document, dict) and not any(unstorable(document)):
        document = load(document)
    held = generated if isinstance(generated, bool) else generated(document)
    try:
        orjson.dumps(document)  # what was parsed from JSON is JSON; it can only nest too deeply
    except TypeError:
        return check(document, catalog=catalog, generated=held)
    return list(_violations(RecordView(document, catalog=catalog, generated=held)))


def validate_record(
    record: Record | JsonValue, *, catalog: Catalog | None = None, generated: bool = True
) -> list[Violation]:
    """Return every violation in a `Record` or in a record's parsed JSON; see `check`."""
    document = record.to_dict() if isinstance(record, Record) else record
    return check(document, catalog=catalog, generated=generated)


def _violations(record: RecordView) -> Iterator[Violation]:
    plan = _plan(record.generated)
    for rule, severity in plan.of_shaped_records if has_written_shape(record.document) else plan.of_records:
        for finding in rule.find(record):
            yield rule.violation(finding, severity)
    yield from _order_violations(record.order, record.generated)
    for index, tool in enumerate(record.tools):
        for rule, severity, finding in _tool_findings(tool, record.generated):
            yield rule.violation(finding, severity, f"/tools/{index}")


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


def _tool_findings(tool: ToolView, generated: bool) -> list[tuple[Rule, Severity, Finding]]:
    """Return what the rules find in one definition, found once and kept with its view."""
    kept: dict[bool, list[tuple[Rule, Severity, Finding]]] = tool.kept
    if generated not in kept:
        kept[generated] = [
            (rule, severity, finding)
            for rule, severity in _plan(generated).of_tools
            if rule.find_in_tool is not None
            for finding in rule.find_in_tool(tool)
        ]
    return kept[generated]
