"""The examiner's loop: every rule over a record, verdicts on tool definitions kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import orjson

from generator.jsontext import JsonValue
from generator.records.record import Record
from generator.tools.catalog import Catalog
from generator.validation.practice_records import DEEPEST, DOCUMENT_RULE
from generator.validation.rule import Finding, Rule
from generator.validation.rules import RULES
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, Violation
from generator.validation.view import RecordView

_Asked = tuple[tuple[Rule, Severity], ...]


@lru_cache(maxsize=2)
def _asked(generated: bool) -> tuple[_Asked, _Asked]:
    """Return the rules over records and the rules over tools that are asked, with their severities."""
    asked = [(rule, severity) for rule in RULES.values() if (severity := rule.severity_in(generated)) is not None]
    over_records = tuple((rule, severity) for rule, severity in asked if not rule.find_in_tool)
    over_tools = tuple((rule, severity) for rule, severity in asked if rule.find_in_tool)
    return tuple(each for each in over_records if each[0] is not DOCUMENT_RULE), over_tools


def check(document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True) -> list[Violation]:
    """Return every violation in a record; [] where it passes.

    Args:
        document: the record as parsed JSON, of whatever shape.
        catalog: the tools with their result schemas; without it results are not checked against schemas.
        generated: whether the record is held to all that toolgen demands of what it writes, or is only read.
    """
    record = RecordView(document, catalog=catalog, generated=generated)
    return list(DOCUMENT_RULE.check(record)) or list(_violations(record))


def check_line(
    line: bytes, *, catalog: Catalog | None = None, generated: bool | Callable[[JsonValue], bool] = True
) -> list[Violation]:
    """Check one line of JSONL; a line that is not JSON is one violation.

    `generated` may be a function of the parsed document, for records of several origins.
    """
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        message = f"this line is not JSON, of which each holds one record: {error.msg} at column {error.pos + 1}"
        return [DOCUMENT_RULE.violation(Finding("", message), "error")]
    held = generated if isinstance(generated, bool) else generated(document)
    record = RecordView(document, catalog=catalog, generated=held)
    # What was parsed from JSON lacks nothing of JSON; it can only nest too deeply.
    deep = line.count(b"{") + line.count(b"[") > DEEPEST
    return (list(DOCUMENT_RULE.check(record)) if deep else []) or list(_violations(record))


def validate_record(
    record: Record | JsonValue, *, catalog: Catalog | None = None, generated: bool = True
) -> list[Violation]:
    """Return every violation in a `Record` or in a record's parsed JSON; see `check`."""
    document = record.to_dict() if isinstance(record, Record) else record
    return check(document, catalog=catalog, generated=generated)


def _violations(record: RecordView) -> Iterator[Violation]:
    over_records, _ = _asked(record.generated)
    for rule, severity in over_records:
        for finding in rule.find(record):
            yield rule.violation(finding, severity)
    for index, tool in enumerate(record.tools):
        for rule, severity, finding in _tool_findings(tool, record.generated):
            yield rule.violation(finding, severity, f"/tools/{index}")


def _tool_findings(tool: ToolView, generated: bool) -> list[tuple[Rule, Severity, Finding]]:
    """Return what the rules find in one definition, found once and kept with its view."""
    kept: dict[bool, list[tuple[Rule, Severity, Finding]]] = tool.kept
    if generated not in kept:
        _, over_tools = _asked(generated)
        kept[generated] = [
            (rule, severity, finding)
            for rule, severity in over_tools
            if rule.find_in_tool is not None
            for finding in rule.find_in_tool(tool)
        ]
    return kept[generated]
