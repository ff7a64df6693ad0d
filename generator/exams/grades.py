"""What one answer is worth: the metrics that apply to its turn, each call and parameter in it, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from generator.jsontext import JsonObject


class Metric(NamedTuple):
    """What is counted in turns, or in those of them to which it applies."""

    name: str
    summary: str
    of: str
    """The turns to which it applies."""
    wanted: bool = True
    """Whether more of it is better."""


METRICS: tuple[Metric, ...] = (
    Metric("right", "the whole turn is right", "all turns"),
    Metric("right_call", "calls the right tools, each as often as it must", "turns that call"),
    Metric("right_arguments", "gives every argument the right value", "turns with the right calls"),
    Metric("missing_call", "lacks a call", "turns that call", wanted=False),
    Metric("needless_call", "makes a call that is not called for", "all turns", wanted=False),
    Metric("asks", "asks back instead of calling", "turns that must ask"),
    Metric(
        "contradicts", "contradicts the results, or leaves out what they say", "answers after results", wanted=False
    ),
    Metric("doubtful", "says what nobody can hold against the record", "answers in words", wanted=False),
    Metric("end_state", "the world ends as the record leaves it", "whole conversations"),
    Metric("last_answer", "the last answer is right", "whole conversations"),
    Metric("stopped", "ends early: too many calls, or no answer", "whole conversations", wanted=False),
    Metric("no_answer", "empty, cut off at the token limit, or refused", "all turns", wanted=False),
)
"""In the order in which they are told."""

Outcome = Literal["right", "wrong", "missing", "needless"]
"""What became of a call: as it must be, with wrong arguments, not made, or made and not called for."""


@dataclass(frozen=True, slots=True)
class GradedCall:
    """One call that was called for or made."""

    tool: str
    outcome: Outcome
    parameters: Mapping[str, bool] = field(default_factory=dict)
    """Whether each parameter has the right value, of a call that was called for and made."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What one turn is worth."""

    record: int
    """The place of the record in the exam."""
    turn: int
    """The number of the assistant's turn, from 0."""
    reward: float
    outcomes: Mapping[str, bool]
    """The metrics that apply, and whether each is so."""
    calls: tuple[GradedCall, ...] = ()
    reasons: tuple[str, ...] = ()
    """Why it is not right, in sentences."""

    def as_row(self, name: str, key: str, kind: str, model: str) -> JsonObject:
        """Return the grade as a line of `grades.jsonl`."""
        calls = [
            {"tool": call.tool, "outcome": call.outcome, "parameters": dict(call.parameters)} for call in self.calls
        ]
        return {
            "model": model,
            "record": name,
            "digest": key,
            "turn": self.turn,
            "kind": kind,
            "reward": round(self.reward, 6),
            "outcomes": dict(self.outcomes),
            "calls": calls,
            "reasons": list(self.reasons),
        }


def is_right(grade: Grade) -> bool:
    """Say whether the whole turn is right."""
    return grade.outcomes["right"]


def in_order(grades: Iterable[Grade]) -> list[Grade]:
    """Return the grades by record and turn, whatever the order in which the answers came."""
    return sorted(grades, key=lambda grade: (grade.record, grade.turn))
