"""The short look never hides what the full look finds."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from generator.validation import RULES, check
from generator.validation.grounding.answers.answer import answers
from generator.validation.rule import Finding
from generator.validation.view import RecordView
from tests.record_examples import KINDS

Json = Any  # parsed JSON

OF_GROUNDING = [code for code in RULES if "TC201" <= code <= "TC208"]
PLAYED: list[Json] = [
    json.loads(line) for line in Path(__file__).with_name("played.jsonl").read_text(encoding="utf-8").splitlines()
]


def found(document: Json, *, is_looked_at_in_full: bool) -> list[Finding]:
    record = RecordView(document)
    if is_looked_at_in_full:
        record.has_plain_arguments = False
        for answer in answers(record):
            answer.has_plain_figures = False
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


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("change", [copy.deepcopy, spoilt])
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
