"""A record of the written shape breaks no rule of shape: the short cut never hides a violation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from generator.validation import RULES, shape
from generator.validation.shape import SHAPE_RULES, has_written_shape, unstorable
from generator.validation.view import RecordView
from tests.record_examples import KINDS
from tests.tables import each_row
from tests.test_validation_fuzz import LOOSE, mutated
from tests.test_validation_rules import BREAKS, Break


@pytest.mark.parametrize("name", KINDS)
def test_valid_records_have_the_shape(name: str) -> None:
    document = KINDS[name]()
    assert has_written_shape(document)
    del document["metadata"]
    assert has_written_shape(document)


@each_row("case", [each for each in BREAKS if each.code in SHAPE_RULES], ids=lambda case: case.code)
def test_what_breaks_a_rule_of_shape_lacks_the_shape(case: Break) -> None:
    assert not has_written_shape(case.document)


def test_the_rules_of_shape_exist() -> None:
    assert set(RULES) >= SHAPE_RULES


def test_only_a_hidden_number_makes_a_document_with_null_be_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[Any] = []
    monkeypatch.setattr(shape, "_first_unstorable", lambda root: walked.append(root) or iter(()))
    said = {"content": "the value is null", "left": None, "parts": [{"a": None}, "null"]}
    assert list(unstorable(said)) == [] and walked == []
    for hidden in (float("nan"), float("inf")):
        list(unstorable({**said, "b": [hidden]}))
    assert len(walked) == 2


@LOOSE
@given(mutated())
def test_no_record_of_the_shape_breaks_a_rule_of_shape(document: Any) -> None:
    if any(unstorable(document)) or not has_written_shape(document):
        return
    for generated in (True, False):
        record = RecordView(document, generated=generated)
        assert [finding for code in SHAPE_RULES for finding in RULES[code].check(record)] == []
