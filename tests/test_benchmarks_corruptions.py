"""The benchmark of corruptions: each class applies, changes the record, and keeps to the rules of form."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from generator.validation import Violation
from tests.benchmarks.corruptions import measuring, set_aside
from tests.benchmarks.corruptions.bases import Base
from tests.benchmarks.corruptions.classes import CLASSES, classes_of
from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.measuring import Caught, Corrupted, caught, corrupted, new_findings, violations
from tests.benchmarks.corruptions.tables import families, full_table, short_table
from tests.wrong_answers import good_bases as bases

COUNT = 6
BY_NAME = {each.name: each for each in CLASSES}
LATER = {each.name for each in set_aside.CLASSES}
NAMES = [pytest.param(name, marks=pytest.mark.slow) if name in LATER else name for name in BY_NAME]


@cache
def made(name: str) -> list[Corrupted]:
    return corrupted(BY_NAME[name], bases(), COUNT, 0)


def test_there_are_classes_of_many_families() -> None:
    assert len(BY_NAME) == len(CLASSES) >= 30
    assert len({each.family for each in CLASSES}) >= 6
    assert all(each.wrong and "\n" not in each.wrong for each in CLASSES)


@pytest.mark.parametrize("name", NAMES)
def test_a_class_applies_and_changes_the_record_alone(name: str) -> None:
    records = made(name)
    assert len(records) == COUNT
    for base, record in records:
        assert record != base.record
        assert [message["role"] for message in record["messages"]][-1] == "assistant"
    assert len({json.dumps(record) for _, record in records}) == COUNT


def test_good_records_are_left_alone() -> None:
    before = json.dumps([base.record for base in bases()])
    for name in BY_NAME.keys() - LATER:
        made(name)
    assert json.dumps([base.record for base in bases()]) == before


@pytest.mark.parametrize("name", ["exchanged_between_calls", "number_digit", "needless_call", "answer_number"])
def test_corrupted_records_are_the_same_again(name: str) -> None:
    again = corrupted(BY_NAME[name], bases(), COUNT, 0)
    assert again == made(name)
    assert corrupted(BY_NAME[name], bases(), COUNT, 1) != again


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_of_form_is_broken(name: str) -> None:
    for base, record in made(name):
        known = {each.rule for each in violations(base.record, "written")}
        broken = {each.rule for each in violations(record, "written")} - known
        assert not {rule for rule in broken if rule.startswith(("DF", "OA", "ADM"))}


def test_a_record_that_loses_its_form_is_passed_over() -> None:
    def spoil(record: measuring.Json, rng: Random) -> measuring.Json:
        record["messages"][-1]["role"] = "robot"
        return record

    assert corrupted(Corruption("spoilt", "none", "no role", spoil), bases()[:20], COUNT, 0) == []


def test_what_the_good_record_is_blamed_for_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {
        "good": [("TC1", "/a", "old", "warning"), ("TC2", "/b", "old", "note")],
        "wrong": [
            ("TC1", "/a", "other words", "warning"),  # the same place
            ("TC1", "/moved", "old", "warning"),  # the same words
            ("TC1", "/new", "new", "warning"),
            ("TC2", "/b", "old", "error"),  # surer than before
        ],
    }

    def said(record: str, mode: str) -> list[Violation]:
        return [Violation(rule=r, pointer=p, message=m, severity=s) for r, p, m, s in found[record]]

    monkeypatch.setattr(measuring, "violations", said)
    assert [(each.rule, each.pointer) for each in new_findings("wrong", "good", "read")] == [
        ("TC1", "/new"),
        ("TC2", "/b"),
    ]
    counted = caught([Corrupted(Base("here", "one", "", "good"), "wrong")], "read")
    assert (counted.records, counted.surest, counted.rules) == (1, {"error": 1}, {"TC1": 1, "TC2": 1})


def test_tables_tell_shares() -> None:
    one = {"read": Caught(4)}
    one["read"].surest.update({"error": 1, "note": 2})
    measured = {"class": one}
    sums = families({"class": "family"}, measured)
    assert "| class | 4 | 75 % |" in short_table(measured, sums)
    assert "| **all** | 4 | 75 % |" in short_table(measured, sums)
    assert "| class | all is wrong | 4 | 25 % / 25 % / 75 % |" in full_table({"class": "all is wrong"}, measured, sums)


def test_further_classes_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "more.py"
    file.write_text("CLASSES = [('mine', 'own', 'nothing', lambda record, rng: None)]")
    (mine,) = classes_of(file)
    assert (mine.name, mine.apply({}, Random(0))) == ("mine", None)
