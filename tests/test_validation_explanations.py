"""Every rule explains itself, and its examples are true: one breaks exactly that rule, the other one passes."""

from __future__ import annotations

import pytest

from generator.datasets.readers import any_format
from generator.validation import RULES, check
from generator.validation.entities import ENTITY_RULES
from generator.validation.examiner import check_line
from generator.validation.explanations import EXPLANATIONS
from generator.validation.explanations.explanation import Change
from generator.validation.explanations.records import CATALOG, changed, records
from generator.validation.standard import Standard

RECORDS = records()
OF_RECORDS = [code for code in RULES if code in EXPLANATIONS and not any(EXPLANATIONS[code].texts)]
OF_LINES = [code for code in RULES if code in EXPLANATIONS and any(EXPLANATIONS[code].texts)]


def broken(code: str, example: Change) -> set[str]:
    """The rules that an example breaks: as a written record, or as a read one where only those are asked."""
    explanation = EXPLANATIONS[code]
    document = changed(changed(RECORDS[explanation.record], explanation.shared), example)
    generated = RULES[code].severity is not None
    return {violation.rule for violation in check(document, catalog=CATALOG, generated=generated)}


def test_every_rule_is_explained() -> None:
    assert set(EXPLANATIONS) == set(RULES)


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("generated", [True, False])
def test_the_records_that_examples_start_from_pass(name: str, generated: bool) -> None:
    assert check(RECORDS[name], catalog=CATALOG, generated=generated) == []


@pytest.mark.parametrize("code", OF_RECORDS)
def test_the_bad_example_breaks_exactly_its_rule(code: str) -> None:
    assert broken(code, EXPLANATIONS[code].bad) == {code}


@pytest.mark.parametrize("code", OF_RECORDS)
def test_the_good_example_passes(code: str) -> None:
    assert broken(code, EXPLANATIONS[code].good) == set()


@pytest.mark.parametrize("code", OF_LINES)
def test_lines_show_what_no_parsed_record_can(code: str) -> None:
    standard = Standard(reader=any_format)
    found = [{each.rule for each in check_line(text.encode(), standard)[1]} for text in EXPLANATIONS[code].texts]
    assert [code in rules for rules in found] == [True, False]


@pytest.mark.parametrize("code", [*RULES, *ENTITY_RULES])
def test_reasons_are_sentences_of_their_own(code: str) -> None:
    why = EXPLANATIONS[code].why if code in RULES else ENTITY_RULES[code].why
    assert why[0].isupper() or not why[0].isalpha()
    assert why.endswith(".")
    assert why != (RULES.get(code) or ENTITY_RULES[code]).summary


@pytest.mark.parametrize("code", ENTITY_RULES)
def test_examples_of_entities_differ(code: str) -> None:
    assert ENTITY_RULES[code].bad != ENTITY_RULES[code].good


def test_examples_are_shown_as_places_and_values() -> None:
    explanation = EXPLANATIONS["DF004"]
    assert explanation.lines(explanation.bad) == (
        '/messages/2/tool_calls/0/function/arguments  "{\\"city\\": \\"Rome\\"}"',
    )
    assert EXPLANATIONS["TC001"].lines(EXPLANATIONS["TC001"].bad) == ("/messages/2/content  (left out)",)
    long = EXPLANATIONS["ADM004"]
    assert long.lines(long.bad)[0].endswith("(1,003 characters)")
    untouched = EXPLANATIONS["OA018"]
    assert untouched.lines(untouched.good) == ("/tools/-  (as it was)",)
