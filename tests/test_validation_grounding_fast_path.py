"""The short look never hides what the full look finds."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from generator.validation import RULES, check
from generator.validation.grounding.answers.answer import answers
from generator.validation.grounding.fast_path import holds_figure
from generator.validation.rule import Finding
from generator.validation.view import RecordView
from tests.record_examples import KINDS
from tests.tables import each_row

Json = Any  # parsed JSON

OF_GROUNDING = [code for code in RULES if "TC201" <= code <= "TC208"]
PLAYED: list[Json] = [
    json.loads(line) for line in Path(__file__).with_name("played.jsonl").read_text(encoding="utf-8").splitlines()
]


def found(document: Json, *, is_looked_at_in_full: bool) -> list[Finding]:
    record = RecordView(document)
    if is_looked_at_in_full:
        record.has_verbatim_arguments = False
        for answer in answers(record):
            answer.has_verbatim_figures = False
    return [finding for code in OF_GROUNDING for finding in RULES[code].find(record)]


def spoilt(document: Json) -> Json:
    """Exchange the words of each answer and the numbers of each call for others."""
    spoilt = copy.deepcopy(document)
    for message in spoilt["messages"]:
        if message["role"] == "assistant" and message["content"]:
            message["content"] = message["content"].replace("1", "4").replace("0", "7").replace("the ", "the Grand ")
        for call in message.get("tool_calls", ()):
            arguments = call["function"]["arguments"]
            arguments.update({name: value + 1 for name, value in arguments.items() if type(value) is int})
    return spoilt


@each_row("name", KINDS)
@each_row("change", [copy.deepcopy, spoilt])
def test_examples(name: str, change: Any) -> None:
    document = change(KINDS[name]())
    assert found(document, is_looked_at_in_full=False) == found(document, is_looked_at_in_full=True)


@pytest.mark.parametrize("change", [copy.deepcopy, spoilt])
def test_records_of_a_model(change: Any) -> None:
    for document in map(change, PLAYED):
        assert found(document, is_looked_at_in_full=False) == found(document, is_looked_at_in_full=True)


def test_an_answer_before_any_other_message_is_read() -> None:
    document = KINDS["simple"]()
    document["messages"].insert(0, {"role": "assistant", "content": "It is 17:45 on March 3 in Quito, Mr Jones: 4711."})
    del document["messages"][1]
    assert "TC202" in [each.rule for each in check(document)]


HEARD = 'Book it for February 3. {"at":"2026-01-26T18:30:00","price":58.9,"total":1343,"from":"09:00","id":"H-77"}'


def is_held(answer: str, word: str) -> bool:
    words = answer.split()
    return holds_figure(words, words.index(word), HEARD)


@each_row(
    ("answer", "word"),
    [
        ("at 6:30 PM.", "6:30"),
        ("from 9 AM, daily", "9"),
        ("from 9 a.m.", "9"),
        ("on January 26, at noon", "26,"),
        ("on 26 January", "26"),
        ("on the 26th January 2026", "26th"),
        ("on January 26, 2026", "26,"),
        ("on February 3", "3"),
        ("for $58.90;", "$58.90;"),
        ("1,343 in all", "1,343"),
        ("with 1343°C", "1343°C"),
        ("it is H-77.", "H-77."),
    ],
)
def test_what_stands_there_is_found(answer: str, word: str) -> None:
    assert is_held(answer, word)


@each_row(
    ("answer", "word"),
    [
        ("at 6:30 AM.", "6:30"),
        ("at 6:30, AM", "6:30,"),
        ("at 18:30 PM", "18:30"),
        ("from 9 PM", "9"),
        ("at 6:30 pm-ish", "6:30"),
        ("on January 27", "27"),
        ("on January 26, 2027", "26,"),
        ("on 26 January 2027", "26"),
        ("on the 26th of January", "26th"),
        ("January 26 February", "26"),
        ("for $58.80;", "$58.80;"),
        ("1,344 in all", "1,344"),
        ("on 2026-01-18", "2026-01-18"),
        ("at 6:30", "6:30"),
        ("at 6pm", "6pm"),
        ("it is H-78.", "H-78."),
    ],
)
def test_what_may_be_another_is_left_to_the_full_look(answer: str, word: str) -> None:
    assert not is_held(answer, word)
