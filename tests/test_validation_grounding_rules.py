"""Lengths: where reading ends before the record does, it is told."""

from __future__ import annotations

from typing import Any

from generator.validation import check
from generator.validation.grounding.arguments.grounded import MOST_SOURCES
from generator.validation.grounding.reading.words import LONGEST_TEXT
from tests.test_validation_grounding_arguments_grounded import record

Json = Any  # parsed JSON


def told(document: Json) -> list[tuple[str, str]]:
    return [(each.pointer, each.severity) for each in check(document, generated=False) if each.rule == "TC215"]


def test_a_text_that_is_not_read_to_its_end_is_told() -> None:
    asked = "How is Rome? " * (LONGEST_TEXT // 13 + 1)
    assert told(record(asked, {"city": "Rome"}, properties={"city": {}})) == [("/messages/0/content", "note")]
    assert told(record("How is Rome?", {"city": "Rome"}, properties={"city": {}})) == []


def test_messages_that_are_not_looked_back_to_are_told() -> None:
    document = record("How is Rome?", {"city": "Rome"}, properties={"city": {}})
    document["messages"][:0] = [{"role": "user", "content": "Hello."}] * MOST_SOURCES
    assert told(document) == [("/messages", "note")]


def test_values_that_are_not_looked_at_are_told() -> None:
    document = record("How is Rome?", {"cities": [f"City {number}" for number in range(300)]}, properties={})
    assert told(document) == [("/messages", "note")]
