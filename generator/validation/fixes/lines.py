"""Mending lines of JSON, each by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonValue, dump_line
from generator.validation.examiner import check_line
from generator.validation.fixes.exact import say_the_same
from generator.validation.fixes.mending import mend
from generator.validation.lines import LONGEST_LINE
from generator.validation.repeated_keys import repeated_keys
from generator.validation.rule import Finding
from generator.validation.rules import DOCUMENT_RULE, RULES
from generator.validation.standard import Reader, Reading, Standard
from generator.validation.tally import NOTHING_READ, Read
from generator.validation.verdict import Violation
from generator.validation.view import RecordView

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
    text = None if errors else dump_line(mended.document) if changed else line.rstrip(b"\r\n") + b"\n"
    read = NOTHING_READ if errors else _read_of(RecordView(mended.document))
    return MendedLine(number, before, mended.document, text, mended.fixes, errors, form, read)


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
