"""Mending one record: fixes for what the rules find, until nothing more changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import orjson

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, JsonValue
from generator.validation.examiner import check
from generator.validation.fixes.fix import Fix
from generator.validation.fixes.table import FIXES
from generator.validation.limits import unstorable
from generator.validation.rules import RULES
from generator.validation.standard import is_written
from generator.validation.verdict import Violation
from generator.validation.view import RecordView

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
    held = is_written(document) if generated is None else generated
    if any(unstorable(document)):
        return Mended(document, (), tuple(_errors(document, catalog, held)))
    record: JsonValue = orjson.loads(orjson.dumps(document))
    used = _mend_all(record, unsafe=unsafe, held=held) if isinstance(record, dict) else []
    return Mended(record, tuple(dict.fromkeys(used)), tuple(_errors(record, catalog, held)))


def _mend_all(record: JsonObject, *, unsafe: bool, held: bool) -> list[str]:
    """Mend what is safe to mend, then, one by one, what is not, and what comes out of it."""
    used = _mend_safely(record)
    for _ in range(_MOST_ROUNDS if unsafe else 0):
        found = _broken(record, safe=False, held=held)
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


def _errors(document: JsonValue, catalog: Catalog | None, held: bool) -> list[Violation]:
    found = check(document, catalog=catalog, generated=held)
    return [violation for violation in found if violation.severity == "error"]
