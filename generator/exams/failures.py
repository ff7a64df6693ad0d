"""Failures as records to read: the messages before a turn, the model's answer, and beside it what was expected."""

from __future__ import annotations

from typing import NamedTuple

from generator.exams.grades import Grade
from generator.exams.questions import HeldOut
from generator.grading.turns import turns_of
from generator.jsontext import JsonObject, read_exactly

EXAM = "exam"
"""The key of the metadata under which a failure tells of itself; `toolgen show` prints it."""


class Failure(NamedTuple):
    """A turn that is not right."""

    model: str
    grade: Grade
    answer: bytes
    """The messages of the model as JSON: its answer, or of a whole conversation all that followed the first words."""


def failure_record(failure: Failure, record: HeldOut) -> JsonObject:
    """Return a failure as a record that ends with the model's answer."""
    document, grade = record.document, failure.grade
    messages: list[JsonObject] = document["messages"]
    turn = next((each for each in turns_of(document) if each.number == grade.turn), None)
    before = list(turn.prefix) if turn is not None else []
    expected = [turn.expected] if turn is not None else [each for each in messages if each["role"] == "assistant"]
    metadata = document.get("metadata")
    told = {
        "model": failure.model,
        "where": record.where,
        "record": record.name,
        "turn": grade.turn,
        "reward": round(grade.reward, 6),
        "reasons": list(grade.reasons),
        "expected": expected,
    }
    return {
        "messages": [*before, *read_exactly(failure.answer)],
        "tools": document["tools"],
        "metadata": {**(metadata if isinstance(metadata, dict) else {}), EXAM: told},
    }
