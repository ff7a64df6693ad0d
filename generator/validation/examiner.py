"""The examiner's loop: every rule over a record, verdicts on tool definitions kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonValue
from generator.records.record import Record
from generator.validation.entities.as_written import REPLACED, is_judged_as_written, violations_as_written
from generator.validation.limits import oversized
from generator.validation.practice_records import DOCUMENT_RULE, kind_under_way, unstorable
from generator.validation.repeated_keys import RepeatedKey, repeated_keys
from generator.validation.rule import Finding, Rule
from generator.validation.rules import RULES
from generator.validation.shape import SHAPE_RULES, has_written_shape
from generator.validation.standard import Standard
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation
from generator.validation.view import Order, RecordView, Scope

_Asked = tuple[tuple[Rule, Severity], ...]
_Found = tuple[tuple[Rule, Severity, Finding], ...]
_BARE = Standard()


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


def _by_scope(asked: list[tuple[Rule, Severity]]) -> tuple[tuple[Scope, _Asked], ...]:
    groups: dict[Scope, list[tuple[Rule, Severity]]] = {}
    for rule, severity in asked:
        groups.setdefault(rule.scope, []).append((rule, severity))
    return tuple((scope, tuple(group)) for scope, group in groups.items())


def check(document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True) -> list[Violation]:
    """Return every violation in a record; [] where it passes.

    Args:
        document: the record as parsed JSON, of whatever shape.
        catalog: the tools with their result schemas; without it results are not checked against schemas.
        generated: whether the record is held to all that toolgen demands of what it writes, or is only read.
    """
    return examine(document, catalog=catalog, generated=generated)[0]


def examine(
    document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True
) -> tuple[list[Violation], RecordView | None]:
    """Return every violation in a record as `check` does, and the view that was read, with all that was found out.

    There is no view of what cannot be stored as JSON.
    """
    broken = [DOCUMENT_RULE.violation(finding, "error") for finding in unstorable(document)]
    if broken:
        return broken, None
    view = RecordView(document, catalog=catalog, generated=generated)
    return list(_violations(view)), view


def check_under_way(document: JsonValue, coming: frozenset[str], *, catalog: Catalog | None = None) -> list[Violation]:
    """Return what is wrong with the kind of a record as far as it has come, when these tools are still to be called."""
    rule = RULES["TC114"]
    view = RecordView(document, catalog=catalog, generated=True)
    return [rule.violation(finding, "error") for finding in kind_under_way(view, coming)]


def check_line(line: bytes, standard: Standard = _BARE) -> tuple[str, list[Violation]]:
    """Check one line of JSONL; return the format it was read in ("" for none) and what is wrong.

    A line that is not JSON is one violation. Where the standard has a reader, violations point into the
    canonical record that it made of the line.
    """
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        message = f"this line is not JSON, as each record is: {error.msg} at column {error.pos + 1}"
        return "", [DOCUMENT_RULE.violation(Finding("", message), "error")]
    written = _write(document)
    if written is None:
        return "", check(document, catalog=standard.catalog)
    repeated = repeated_keys(line, written)
    if standard.judge is not None:
        return "", [*_repeated(repeated), *standard.judge(document)]
    form = problem = ""
    as_written: list[Violation] = []
    if standard.reader is not None:
        form, given, problem = standard.reader(document)
        if given is not document and _write(given) is None:
            return form, check(given, catalog=standard.catalog)
        as_written = list(violations_as_written(form, document, "error" if standard.form_is_told else "warning"))
        document = given
    if broken := [DOCUMENT_RULE.violation(finding, "error") for finding in oversized(document)]:
        return form, broken
    view = RecordView(
        document,
        catalog=standard.catalog,
        generated=standard.holds_as_written(document),
        repeated_keys=repeated,
        unread=problem,
    )
    found = _violations(view, standard.rules)
    if not is_judged_as_written(form):
        return form, list(found)
    return form, [*as_written, *(each for each in found if each.rule not in REPLACED)]


def _write(document: JsonValue) -> bytes | None:
    """Write what was parsed from JSON, and so is JSON; None where it nests too deeply to be written."""
    try:
        return orjson.dumps(document)
    except TypeError:
        return None


def _repeated(keys: tuple[RepeatedKey, ...]) -> Iterator[Violation]:
    rule = RULES["TC115"]
    for finding in rule.find(RecordView(None, repeated_keys=keys)) if keys else ():
        yield rule.violation(finding, "error")


def validate_record(
    record: Record | JsonValue, *, catalog: Catalog | None = None, generated: bool = True
) -> list[Violation]:
    """Return every violation in a `Record` or in a record's parsed JSON; see `check`."""
    document = record.to_dict() if isinstance(record, Record) else record
    return check(document, catalog=catalog, generated=generated)


def _violations(record: RecordView, chosen: frozenset[str] | None = None) -> Iterator[Violation]:
    """Yield what is wrong with a record; where rules are chosen, the dear ones among the others are not asked."""
    plan = _plan(record.generated, chosen)
    for scope, asked in plan.of_shaped_records if has_written_shape(record.document) else plan.of_records:
        if not scope or getattr(record, scope):
            for rule, severity in asked:
                for finding in rule.find(record):
                    yield rule.violation(finding, severity)
    yield from _order_violations(record.order, record.generated)
    for index, tool in enumerate(record.tools):
        for rule, severity, finding in tool.kept.get(record.generated) or _tool_findings(tool, record.generated):
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


def _tool_findings(tool: ToolView, generated: bool) -> _Found:
    """Return what the rules find in one definition, found once and kept with its view."""
    if generated not in tool.kept:
        tool.kept[generated] = tuple(
            (rule, severity, finding)
            for rule, severity in _plan(generated).of_tools
            if rule.find_in_tool is not None
            for finding in rule.find_in_tool(tool)
        )
    found: _Found = tool.kept[generated]
    return found
