"""Every rule explains itself, and its examples are true: one breaks exactly that rule, the other one passes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from generator.assets import asset_folder
from generator.datasets.origin import any_format
from generator.validation import RULES, check
from generator.validation.entities import judging
from generator.validation.entities.judging import ENTITY_RULES
from generator.validation.examiner import check_line
from generator.validation.rule import Places, joined, rows
from generator.validation.rules import CHECKS
from generator.validation.verdict import Standard
from tests.checkout import CHECKOUT
from tests.record_examples import CATALOG, changed, failed, irrelevance, parallel, repeated, simple
from tests.tables import each_row

RECORDS = {
    "called": simple(),
    "failed": failed(),
    "parallel": parallel(),
    "repeated": repeated(),
    "spoken": irrelevance(),
}
"""What the tables of rules call the records that their examples start from."""
VALIDATION = CHECKOUT / "generator" / "validation"
DOCUMENTS = sorted(path.stem for path in asset_folder("rules").iterdir())
ROWS = {code: row for document in DOCUMENTS for code, row in rows(document).items()}
OF_RECORDS = [code for code in RULES if isinstance(ROWS[code].bad, Mapping)]
OF_LINES = [code for code in RULES if not isinstance(ROWS[code].bad, Mapping)]


def broken(code: str, example: Any) -> set[str]:
    """The rules that an example breaks: as a written record, or as a read one where only those are asked."""
    row = ROWS[code]
    places: Places = example
    document = changed(changed(RECORDS[row.record], row.shared), places)
    generated = row.written is not None
    return {violation.rule for violation in check(document, catalog=CATALOG, generated=generated)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_row_has_its_function_and_each_function_its_row(document: str) -> None:
    bound = {**CHECKS.get(document, {}), **judging.CHECKS.get(document, {})}
    assert set(bound) == set(rows(document))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_table_says_where_its_functions_are_bound(document: str) -> None:
    text = asset_folder("rules").joinpath(f"{document}.toml").read_text("utf-8")
    (said,) = re.findall(r"^# Their functions are bound to the codes in (.*)\.$", text, re.MULTILINE)
    bound = {
        path for path in VALIDATION.rglob("*.py") for code in rows(document) if f'"{code}": ' in path.read_text("utf-8")
    }
    assert said.split(", ") == sorted(str(path.relative_to(CHECKOUT)) for path in bound)


def test_every_document_has_its_table() -> None:
    assert {*CHECKS, *judging.CHECKS} == set(DOCUMENTS)
    assert set(ROWS) == {*RULES, *ENTITY_RULES}
    assert sum(len(rows(document)) for document in DOCUMENTS) == len(ROWS)


@each_row("code", ROWS)
def test_a_row_says_what_it_can_say(code: str) -> None:
    row = ROWS[code]
    assert {row.written, row.read} <= {"error", "warning", "note", None}
    assert row.written or row.read
    assert code.rstrip("0123456789") in {"DF", "OA", "ADM", "Q", "TC"}
    assert row.record in RECORDS
    assert isinstance(row.bad, Mapping) is isinstance(row.good, Mapping)


@each_row("name", RECORDS)
@each_row("generated", [True, False])
def test_the_records_that_examples_start_from_pass(name: str, generated: bool) -> None:
    assert check(RECORDS[name], catalog=CATALOG, generated=generated) == []


@each_row("code", OF_RECORDS)
def test_the_bad_example_breaks_exactly_its_rule(code: str) -> None:
    assert broken(code, ROWS[code].bad) == {code}


@each_row("code", OF_RECORDS)
def test_the_good_example_passes(code: str) -> None:
    assert broken(code, ROWS[code].good) == set()


@pytest.mark.parametrize("code", OF_LINES)
def test_lines_show_what_no_parsed_record_can(code: str) -> None:
    standard = Standard(reader=any_format)
    texts = [each if isinstance(each, str) else joined(each) for each in (ROWS[code].bad, ROWS[code].good)]
    found = [{each.rule for each in check_line(text.encode(), standard)[1]} for text in texts]
    assert [code in rules for rules in found] == [True, False]


@each_row("code", ROWS)
def test_reasons_are_sentences_of_their_own(code: str) -> None:
    reason = ROWS[code].reason
    assert reason[0].isupper() or not reason[0].isalpha()
    assert reason.endswith(".")
    assert reason != ROWS[code].summary


@each_row("code", ENTITY_RULES)
def test_examples_of_entities_differ(code: str) -> None:
    assert ROWS[code].bad != ROWS[code].good


def test_examples_are_shown_as_places_and_values() -> None:
    row = ROWS["DF004"]
    assert row.lines(row.bad) == ('/messages/2/tool_calls/0/function/arguments  "{\\"city\\": \\"Rome\\"}"',)
    assert ROWS["TC001"].lines(ROWS["TC001"].bad) == ("/messages/2/content  (left out)",)
    long = ROWS["ADM004"]
    assert long.lines(long.bad)[0].endswith("(1,003 characters)")
    untouched = ROWS["OA018"]
    assert untouched.lines(untouched.good) == ("/tools/-  (as it was)",)


def test_long_texts_are_written_in_parts() -> None:
    assert joined(["a", ["b#", 2], "c"]) == "ab0b1c"
