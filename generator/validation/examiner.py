"""The examiner: records and lines of records, read as far as the rules need it, and what the rules find in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue, may_hold_long_numbers, read_integers, with_floats, within_64_bits
from generator.records import Record
from generator.validation.line_text import RepeatedKey, in_own_words, read_compact, repeated_keys
from generator.validation.rule import Finding, RecordRule, Rule, rules_of
from generator.validation.rules import DOCUMENT_RULE, RULES
from generator.validation.shape import SHAPE_RULES, SMALL, has_written_shape, oversized, unstorable
from generator.validation.specifications import qwen3
from generator.validation.specifications.practice import kind_under_way
from generator.validation.tool_view import ToolView
from generator.validation.verdict import NOTHING_READ, Read, Reading, Severity, Standard, Violation, weaker
from generator.validation.view import Order, RecordView, Scope

_BARE = Standard()


def check(document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True) -> list[Violation]:
    """Return every violation in a record; [] where it passes.

    Args:
        document: the record as parsed JSON, of whatever shape.
        catalog: the tools with their result schemas; without it results are not checked against schemas.
        generated: whether the record is held to all that toolgen demands of what it writes, or is only read.
    """
    return examine(document, catalog=catalog, generated=generated)[0]


def examine(
    document: JsonValue,
    *,
    catalog: Catalog | None = None,
    generated: bool = True,
    told_besides: Callable[[RecordView], JsonObject] | None = None,
) -> tuple[list[Violation], RecordView | None]:
    """Return every violation in a record as `check` does, and the view that was read, with all that was found out.

    There is no view of what cannot be stored as JSON. `told_besides` returns what the metadata are to tell of the
    record besides: it is added to those of the document before any rule is asked.
    """
    broken = [DOCUMENT_RULE.violation(finding, "error") for finding in unstorable(document)]
    if broken:
        return [*broken, *_long_integers(document, generated)], None
    view = RecordView(document, catalog=catalog, generated=generated)
    if told_besides is not None:
        document["metadata"].update(told_besides(view))
    return violations_of([view])[0], view


def validate_record(
    record: Record | JsonValue, *, catalog: Catalog | None = None, generated: bool = True
) -> list[Violation]:
    """Return every violation in a `Record` or in a record's parsed JSON; see `check`."""
    document = record.to_dict() if isinstance(record, Record) else record
    return check(document, catalog=catalog, generated=generated)


def check_under_way(document: JsonValue, coming: frozenset[str], *, catalog: Catalog | None = None) -> list[Violation]:
    """Return what is wrong with the kind of a record as far as it has come, when these tools are still to be called."""
    rule = RULES["TC114"]
    view = RecordView(document, catalog=catalog, generated=True)
    return [rule.violation(finding, "error") for finding in kind_under_way(view, coming)]


class CheckedLine(NamedTuple):
    """What came of one line."""

    form: str
    """The format it was read in; "" for none."""
    violations: list[Violation]
    read: Read = NOTHING_READ


def check_line(line: bytes, standard: Standard = _BARE) -> tuple[str, list[Violation]]:
    """Check one line of JSONL; return the format it was read in ("" for none) and what is wrong."""
    checked = read_and_check(line, standard)
    return checked.form, checked.violations


def read_and_check(line: bytes, standard: Standard = _BARE) -> CheckedLine:
    """Check one line of JSONL, and count what was read of it.

    A line that is not JSON is one violation. Where the standard has a reader, violations point into the
    canonical record that it made of the line.
    """
    return read_and_check_all((line,), standard)[0]


def read_and_check_all(lines: Iterable[bytes], standard: Standard = _BARE) -> list[CheckedLine]:
    """Check some lines of JSONL as `read_and_check` does each of them, each rule asked of all of them in turn."""
    opened = [_open(line, standard) for line in lines]
    found = iter(violations_of([each.view for each in opened if each.view is not None], standard.rules))
    return [_close(each, each.violations if each.view is None else next(found), standard) for each in opened]


class _Line(NamedTuple):
    """A record as its line was read."""

    document: JsonValue
    written: bytes
    """Its compact JSON, maybe without its definitions."""
    tools: list[ToolView] | None
    """Its definitions, where they are known already."""
    repeated_keys: tuple[RepeatedKey, ...] = ()


class _Opened(NamedTuple):
    """A line that was read, before the rules are asked."""

    form: str
    """The format it was read in; "" for none."""
    view: RecordView | None
    """The record as the rules look at it; None where it is not one, and all is found."""
    violations: list[Violation] = []  # noqa: RUF012  # never changed
    """What was found already, where there is no view."""
    given: JsonValue = None
    """The record as it stood in the line."""
    read: JsonValue = None
    """What was made of it, where another one was."""


def _open(line: bytes, standard: Standard) -> _Opened:
    """Read a line as far as the rules need it."""
    compact = read_compact(line) if standard.judge is None else None
    if compact is not None:
        return _open_record(_Line(compact.document, compact.rest, compact.tools), standard)
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        message = f"this line is not JSON, as each record is: {error.msg} at column {error.pos + 1}"
        return _Opened("", None, [DOCUMENT_RULE.violation(Finding("", message), "error")])
    written = _write(document)
    if written is None:
        return _Opened("", None, check(document, catalog=standard.catalog))
    if (exact := _with_long_integers(line, written)) is not None:
        return _Opened("", None, check(exact, catalog=standard.catalog))
    repeated = repeated_keys(line, written)
    if standard.judge is not None:
        return _Opened("", None, [*_repeated(repeated), *standard.judge(document)])
    return _open_record(_Line(document, written, None, repeated), standard)


def _open_record(line: _Line, standard: Standard) -> _Opened:
    """Bring a record to the canonical form."""
    if standard.reader is None:
        return _open_canonical(line, Reading("", line.document), standard)
    reading = standard.reader(line.document)
    if reading.document is line.document:
        return _open_canonical(line, reading, standard)
    document = reading.document
    written = _write(document) or _write(document := with_floats(document))
    if written is None:
        found = check(document, catalog=standard.catalog)
        return _Opened(reading.form, None, found, line.document)
    return _open_canonical(_Line(document, written, None, line.repeated_keys), reading, standard, line)


def _open_canonical(line: _Line, reading: Reading, standard: Standard, given: _Line | None = None) -> _Opened:
    """Look at a canonical record, which reading may have made of another one that was `given`."""
    first, read = (line.document, None) if given is None else (given.document, line.document)
    if len(line.written) > SMALL and (broken := list(oversized(line.document))):
        found = [DOCUMENT_RULE.violation(finding, "error") for finding in broken]
        return _Opened(reading.form, None, found, first, read)
    view = RecordView(
        line.document,
        catalog=standard.catalog,
        generated=standard.holds_as_written(line.document),
        repeated_keys=line.repeated_keys,
        unread=reading.problem,
        tools=line.tools,
        written=line.written,
    )
    view.beside = reading.beside
    return _Opened(reading.form, view, [], first, read)


def _close(opened: _Opened, violations: list[Violation], standard: Standard) -> CheckedLine:
    """Tell what was found in a line in the words of the line itself."""
    read = NOTHING_READ if opened.view is None else _read_of(opened.view)
    if violations and opened.read is not None:
        violations = in_own_words(violations, opened.given, opened.read)
    if opened.form in _WITH_RULES_OF_THEIR_OWN:
        told: Severity = "error" if standard.form_is_told else "warning"
        as_written = _violations_as_written(opened.form, opened.given, told)
        violations = [*as_written, *(each for each in violations if each.rule not in _REPLACED)]
    return CheckedLine(opened.form, violations, read)


_WITH_RULES_OF_THEIR_OWN = frozenset({"openai", "openai-finetune", "qwen3", "qwen3-text"})
"""Formats of which reading mends what is judged on the record as it stands (seeds/002; seeds/003, 2 and 3).

OpenAI's calls get ids of nine characters and their arguments as objects; Qwen3's tags lose any space inside.
"""
_REPLACED = frozenset({"DF004", "DF005"})
"""Rules of the canonical form in whose place these formats have their own."""
_AS_OPENAI = ("OA121", "OA122", "OA123")


@cache
def _rules_as_written(form: str) -> tuple[Rule[RecordView], ...]:
    """Return the rules of a format; those of requests take long to read, and few files need them."""
    if form.startswith("qwen3"):
        return rules_of("qwen3", qwen3.AS_WRITTEN)
    from generator.validation.entities.chat_requests import OWN_MESSAGE_RULES

    return tuple(rule for rule in OWN_MESSAGE_RULES if rule.code in _AS_OPENAI)


def _violations_as_written(form: str, document: JsonValue, at_most: Severity) -> Iterator[Violation]:
    """Yield what a record breaks as it stands, before it is brought to the canonical form.

    Args:
        form: the name of the format that it was read in.
        document: the record as parsed JSON.
        at_most: "error" where the user has said what format it is, else "warning".
    """
    view = RecordView(document, generated=False)
    for rule in _rules_as_written(form):
        severity = weaker(rule.read or "error", at_most)
        yield from (rule.violation(finding, severity) for finding in rule.find(view))


def _read_of(view: RecordView) -> Read:
    """Count what was read of a record."""
    calls, tools = len(view.calls), len(view.tools)
    silent = bool(tools) and not calls and "kind" not in view.metadata
    return Read(calls, len(view.results), tools, silent, tuple(view.beside))


def _long_integers(document: JsonValue, generated: bool) -> Iterator[Violation]:
    """Yield what the rule for integers finds in a document that holds some beyond 64 bits."""
    try:
        readable = within_64_bits(document)
    except RecursionError:  # it nests too deeply, which has been told
        return
    if next(unstorable(readable), None) is None and (severity := _OF_INTEGERS.severity_in(generated)) is not None:
        for finding in _OF_INTEGERS.find(RecordView(readable, generated=generated)):
            yield _OF_INTEGERS.violation(finding, severity)


_OF_INTEGERS = RULES["ADM010"]


def _with_long_integers(line: bytes, written: bytes) -> JsonValue | None:
    """Read a line again where it holds integers beyond 64 bits, which the fast reader makes fractions; else None."""
    if line.startswith(written) or not may_hold_long_numbers(line):
        return None
    try:
        document = read_integers(line)
    except (ValueError, RecursionError):
        return None
    return document if _write(document) is None else None


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
    asked = _asked(generated)
    of_tools = tuple(each for each in asked if each[0].find_in_tool)
    of_orders = tuple(each for each in asked if each[0].find_in_order)
    of_records = [each for each in asked if _is_of_records(each[0], chosen)]
    of_shaped_records = [each for each in of_records if each[0].code not in SHAPE_RULES]
    return _Plan(_by_scope(of_records), _by_scope(of_shaped_records), of_tools, of_orders)


def _asked(generated: bool) -> list[tuple[RecordRule, Severity]]:
    """Return the rules that are asked of records written, or of those that are read, with their severities."""
    return [(rule, severity) for rule in RULES.values() if (severity := rule.severity_in(generated)) is not None]


def _is_of_records(rule: RecordRule, chosen: frozenset[str] | None) -> bool:
    """Say whether a rule is asked of whole records, not of documents, tools or orders alone, and is a chosen one."""
    if rule.code == DOCUMENT_RULE.code or rule.find_in_tool or rule.find_in_order:
        return False
    return not chosen or rule.code in chosen


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
