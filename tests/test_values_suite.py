"""The official test suite: whatever has a valid value there gets one here, and both judges accept it."""

from __future__ import annotations

import jsonschema_rs
import pytest
from jsonschema_rs import canonical

from tests.shared_data import needs_shared
from tests.suite_cases import RUST, Case, cases, missed

SEEDS = (1, 2, 3)
KINDS = ("object", "array", "string", "integer", "number", "boolean", "null")
DRAFTS = ("draft7", "draft2020-12")

BEYOND_PYTHON = {
    "draft7": {
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and upper letter",
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and lower letter",
    },
    "draft2020-12": {
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and upper letter",
        "optional/ecmascript-regex.json: ECMA 262 regex escapes control codes with \\c and lower letter",
        "pattern.json: pattern with Unicode property escape requires unicode mode",
    },
}
"""Texts are asked for by a pattern that Python's `re` cannot read: jsonschema fails on every text."""

ELSEWHERE = {"draft7": 12, "draft2020-12": 21}
"""How many schemas refer to other documents, which are never fetched."""


def whole(draft: str, *, declared: bool) -> list[Case]:
    """Return the schemas that are one document."""
    return [case for case in cases(draft, declared=declared) if case.is_whole]


def misses(draft: str, *, declared: bool) -> dict[str, str]:
    """Return what is missed, and why."""
    found: dict[str, str] = {}
    for case in whole(draft, declared=declared):
        for seed in SEEDS:
            if said := missed(draft, case.schema, seed):
                found[case.name] = said
    return found


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_schema_with_a_valid_value_gets_one(draft: str) -> None:
    found = misses(draft, declared=True)
    assert set(found) == BEYOND_PYTHON[draft], found
    assert all("cannot judge" in said for said in found.values())


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_so_does_every_one_that_does_not_say_its_draft(draft: str) -> None:
    found = misses(draft, declared=False)
    assert set(found) == BEYOND_PYTHON[draft], found


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_what_lies_elsewhere_is_refused_and_named(draft: str) -> None:
    refused = [missed(draft, case.schema, 1) for case in cases(draft, declared=True) if not case.is_whole]
    assert len([said for said in refused if said.startswith("refused: the schema cannot be used")]) == ELSEWHERE[draft]


@needs_shared
@pytest.mark.parametrize("draft", DRAFTS)
def test_every_one_with_a_type_added_gets_a_value_where_there_is_one(draft: str) -> None:
    found: dict[str, str] = {}
    asked = 0
    for case in whole(draft, declared=True):
        if not isinstance(case.schema, dict) or "type" in case.schema:
            continue
        for kind in KINDS:
            typed = case.with_type(kind)
            if not _is_satisfiable(draft, typed.schema):
                continue
            asked += 1
            if said := missed(draft, typed.schema, 1):
                found[typed.name] = said
    assert asked > 900
    unjudged = {name: said for name, said in found.items() if "cannot judge" in said}
    assert len(found) - len(unjudged) <= asked * 0.002, found
    assert len(found) <= asked * 0.01, found


def _is_satisfiable(draft: str, schema: object) -> bool:
    dialect = jsonschema_rs.Draft7 if draft == "draft7" else jsonschema_rs.Draft202012
    form = jsonschema_rs.canonicalize(schema, draft=dialect, validate_formats=True, offline=True)
    return bool(form.satisfiability() == canonical.Satisfiability.YES)


@needs_shared
def test_the_judges_can_say_no() -> None:
    assert not RUST["draft7"]({"type": "string"}).is_valid(1)
    assert missed("draft7", {"enum": [1], "type": "string"}, 1).startswith("refused")
