"""Mending records and lines of records: fixes for what the rules find, until nothing more changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue, dump_line
from generator.validation.examiner import check, check_line
from generator.validation.fixes import calls, structure, tools
from generator.validation.fixes.fix import Fix, say_the_same
from generator.validation.line_text import repeated_keys
from generator.validation.lines import LONGEST_LINE
from generator.validation.rule import Finding
from generator.validation.rules import DOCUMENT_RULE, RULES
from generator.validation.shape import unstorable
from generator.validation.verdict import NOTHING_READ, Read, Reader, Reading, Standard, Violation, is_written
from generator.validation.view import RecordView

_GROUPS = (
    structure.STRUCTURE_FIXES,
    tools.TOOL_FIXES,
    tools.PARAMETER_FIXES,
    calls.CALL_FIXES,
    calls.LINK_FIXES,
    structure.TURN_FIXES,
    calls.ARGUMENT_FIXES,
    structure.FIXES,
    calls.ERROR_FIXES,
)

FIXES: dict[str, Fix] = {fix.name: fix for group in _GROUPS for fix in sorted(group, key=lambda fix: not fix.is_safe)}
"""The fixes by name, in each group the safe ones first."""


def fixes_of(code: str) -> list[Fix]:
    """Return the fixes that mend what a rule finds."""
    return [fix for fix in FIXES.values() if code in fix.codes]


_MOST_ROUNDS = 12
"""A mend may bring out what another one mends; each round mends something, and few records need more than three."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of a record."""

    document: JsonValue
    """The record, mended as far as it can be."""
    fixes: tuple[str, ...]
    """The names of the fixes that changed it, in their order."""
    errors: tuple[Violation, ...]
    """What is still wrong with it; a record with errors is not to be written."""


def mend(
    document: JsonValue, *, catalog: Catalog | None = None, unsafe: bool = False, generated: bool | None = None
) -> Mended:
    """Mend a record: `mend(mend(x).document)` changes nothing more.

    Args:
        document: the record as parsed JSON, of whatever shape; it is not changed.
        catalog: the tools with their result schemas, for the last check.
        unsafe: whether fixes that may lose something run too.
        generated: whether the record is held to all that toolgen demands of what it writes; None: by its metadata.
    """
    if any(unstorable(document)):
        return Mended(document, (), tuple(_errors(document, catalog, generated)))
    record: JsonValue = orjson.loads(orjson.dumps(document))
    used = _mend_all(record, unsafe=unsafe, generated=generated) if isinstance(record, dict) else []
    return Mended(record, tuple(dict.fromkeys(used)), tuple(_errors(record, catalog, generated)))


def _is_held(document: JsonValue, generated: bool | None) -> bool:
    """Say whether a record is held to all that is demanded of what is written; None stands for what it claims now."""
    return is_written(document) if generated is None else generated


def _mend_all(record: JsonObject, *, unsafe: bool, generated: bool | None) -> list[str]:
    """Mend what is safe to mend, then, one by one, what is not, and what comes out of it."""
    used = _mend_safely(record)
    for _ in range(_MOST_ROUNDS if unsafe else 0):
        found = _broken(record, safe=False, held=_is_held(record, generated))
        fixed = next((fix.name for fix in _fixes(safe=False) if _changes(fix, record, found)), None)
        if fixed is None:
            break
        used += [fixed, *_mend_safely(record)]
    return used


def _mend_safely(record: JsonObject) -> list[str]:
    """Bring a record as near to the canonical form as its meaning allows, round by round."""
    used: list[str] = []
    for _ in range(_MOST_ROUNDS):
        found = _broken(record, safe=True, held=True)
        fixed = [fix.name for fix in _fixes(safe=True) if _changes(fix, record, found)]
        if not fixed:
            break
        used += fixed
    return used


def _broken(record: JsonObject, *, safe: bool, held: bool) -> set[str]:
    """Return the codes of the rules that are broken, of those that such fixes mend and that the record is held to."""
    view = RecordView(record, generated=held)
    codes = {code for fix in _fixes(safe=safe) for code in fix.codes if RULES[code].severity_in(held) is not None}
    return {code for code in codes if any(True for _ in RULES[code].find(view))}


def _changes(fix: Fix, record: JsonObject, found: set[str]) -> bool:
    """Run a fix where one of its rules is broken, and say whether it changed the record."""
    if found.isdisjoint(fix.codes):
        return False
    before = orjson.dumps(record)
    fix.mend(record)
    return orjson.dumps(record) != before


@cache
def _fixes(*, safe: bool) -> tuple[Fix, ...]:
    return tuple(fix for fix in FIXES.values() if fix.is_safe == safe)


def _errors(document: JsonValue, catalog: Catalog | None, generated: bool | None) -> list[Violation]:
    found = check(document, catalog=catalog, generated=_is_held(document, generated))
    return [violation for violation in found if violation.severity == "error"]


_LONG_NUMBER = re.compile(rb"[0-9][0-9.]{14}|[0-9.][eE]")
"""Numbers that a reader may round: of many digits, or with an exponent."""


@dataclass(frozen=True, slots=True)
class MendedLine:
    """What became of one line."""

    number: int
    """Lines count from 1."""
    before: JsonValue
    """The document as it was; None where the line is no JSON."""
    after: JsonValue
    text: bytes | None
    """The line to write, newline included; None where the record is not to be written."""
    fixes: tuple[str, ...]
    errors: tuple[Violation, ...]
    form: str = ""
    """The format that the record was brought from; "" where the line holds the record itself."""
    read: Read = NOTHING_READ
    """What is in the record that is written."""


@dataclass(frozen=True, slots=True)
class Mending:
    """How the lines of a stream are mended. Functions in it are named functions of a module, so that it can travel."""

    catalog: Catalog | None = None
    unsafe: bool = False
    generated: bool | None = None
    """These three are those of `mend`."""
    reader: Reader | None = None
    """Brings lines of other formats to canonical records; without it each line is mended as it stands."""

    def __call__(self, number: int, line: bytes | None) -> MendedLine:
        """Mend one line; None stands for one that is too long."""
        return _too_long(number) if line is None else _mend_line(number, line, self)


def _too_long(number: int) -> MendedLine:
    finding = Finding("", f"the line is longer than {LONGEST_LINE >> 20} MiB, too long for a record")
    return MendedLine(number, None, None, None, (), (DOCUMENT_RULE.violation(finding, "error"),))


def _mend_line(number: int, line: bytes, how: Mending) -> MendedLine:
    try:
        before = orjson.loads(line)
        written = orjson.dumps(before)
    except (ValueError, TypeError):
        return MendedLine(number, None, None, None, (), tuple(_errors_of(line, how.catalog)))
    reading = how.reader(before) if how.reader is not None else Reading("", before)
    form = "" if reading.document is before else reading.form
    mended = mend(reading.document, catalog=how.catalog, unsafe=how.unsafe, generated=how.generated)
    changed = bool(mended.fixes or form)
    errors = mended.errors or tuple(_of_the_text(line, written, unsafe=how.unsafe, changed=changed))
    if reading.problem and errors:
        errors = (_UNREAD.violation(Finding("", reading.problem), "error"), *errors)
    if errors:
        return MendedLine(number, before, mended.document, None, mended.fixes, errors, form)
    text = dump_line(mended.document) if changed else line.rstrip(b"\r\n") + b"\n"
    read = _read_of(RecordView(mended.document))
    return MendedLine(number, before, mended.document, text, mended.fixes, (), form, read)


def _read_of(view: RecordView) -> Read:
    return Read(len(view.calls), len(view.results), len(view.tools))


def _errors_of(line: bytes, catalog: Catalog | None) -> list[Violation]:
    _, violations = check_line(line, Standard(catalog=catalog))
    return [violation for violation in violations if violation.severity == "error"]


def _of_the_text(line: bytes, written: bytes, *, unsafe: bool, changed: bool) -> Iterator[Violation]:
    """Yield what only the text of the line tells: keys named twice, and digits that writing it again would lose."""
    keys = () if unsafe else repeated_keys(line, written)
    for finding in _REPEATED.find(RecordView(None, repeated_keys=keys)) if keys else ():
        yield _REPEATED.violation(finding, "error")
    if changed and not keys and _LONG_NUMBER.search(line) and not say_the_same(line, written):
        message = "a number has more digits than a mended record would keep, or a key is named twice"
        yield DOCUMENT_RULE.violation(Finding("", message), "error")


_REPEATED, _UNREAD = RULES["TC115"], RULES["TC116"]
