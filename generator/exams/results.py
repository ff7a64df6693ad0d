"""The results of an exam as `exam.json` holds them, counted from the grades."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from pydantic import ConfigDict, Field

from generator.boundary import BoundaryModel
from generator.exams.grades import METRICS, Grade
from generator.exams.intervals import Cluster, Difference, Pair, difference, estimate
from generator.jsontext import JsonObject

EXAM_VERSION = 1
Mode = Literal["turns", "loop"]
"""Each turn asked after the record's own messages; or whole conversations, in which the model's own calls are made."""
Status = Literal["complete", "limited", "interrupted", "terminated", "failed"]
MOST_STEPS = 20
"""Calls of a whole conversation, unless the operator says otherwise."""
NO_TURN = -1
"""Stands for the turn of a whole conversation."""


class ExamModel(BoundaryModel):
    """A part of `exam.json`."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Asked(ExamModel):
    """A model as it is asked: what decides its answers."""

    label: str
    """What it is called in the results: its name, and a number where it stands there twice."""
    options: JsonObject
    """Its name on the server and the options that are sent with every request."""


class Plan(ExamModel):
    """Which questions are asked of which models."""

    version: int = EXAM_VERSION
    mode: Mode = "turns"
    questions: str
    """16 hex digits of the set of records."""
    records: int
    turns: int
    """Questions to each model."""
    most_steps: int | None = None
    """The most calls of a conversation, where whole ones are held."""
    models: tuple[Asked, ...]

    def differs_from(self, other: Plan) -> str:
        """Say what this exam is of and the other is not; "" where they are one."""
        if self.questions != other.questions:
            return f"other questions ({self.records:,} records, {self.turns:,} turns)"
        if (self.mode, self.most_steps) != (other.mode, other.most_steps):
            return "whole conversations (--loop, --most-steps)" if self.mode == "loop" else "single turns"
        if self.models != other.models:
            names = ", ".join(each.label for each in self.models)
            return f"other models or options of theirs ({names})"
        return "" if self.version == other.version else f"another version ({self.version})"


class Share(ExamModel):
    """How many of some turns, calls or parameters, and the interval in which the true share lies 95 times of 100."""

    count: int
    of: int
    share: float
    low: float
    high: float


class Mean(ExamModel):
    """The mean reward of some turns, 0 to 1, with its interval."""

    of: int
    mean: float
    low: float
    high: float


class Figures(ExamModel):
    """What is counted of some turns."""

    turns: int
    records: int
    reward: Mean
    metrics: dict[str, Share]
    """Those that apply to any of the turns, by name."""


class ToolFigures(ExamModel):
    """What became of the calls of one tool."""

    called_for: int
    called: Share | None
    """Calls that were made, of those called for."""
    right: Share | None
    """Calls with every argument right, of those called for."""
    needless: int
    """Calls that were made and not called for."""
    parameters: dict[str, Share]
    """Right values of each parameter, of the calls that were called for and made and that give it or must give it."""


class Tokens(ExamModel):
    """What the answers took."""

    answers: int = 0
    prompt: int = 0
    completion: int = 0
    estimated: int = 0
    """Answers whose tokens the server did not count."""
    cost: float | None = None


class ModelResult(ExamModel):
    """The results of one model."""

    label: str
    options: JsonObject
    server: str
    """The base URL without credentials."""
    answered: int
    """Questions that were answered, of those of the exam."""
    unanswered: dict[str, int] = Field(default_factory=dict)
    """Questions that the server was asked and gave no answer to, by reason; they count in no figure."""
    in_text: int = 0
    """Answers whose calls stood in the text, and not where calls belong."""
    in_thoughts: int = 0
    """Answers whose calls stood in the thoughts alone."""
    tokens: Tokens = Tokens()
    figures: Figures | None
    """Of all turns; null where none was answered."""
    kinds: dict[str, Figures]
    tools: dict[str, ToolFigures]


class Gap(ExamModel):
    """How much higher one model stands than another in the same turns."""

    difference: float
    low: float
    high: float
    better: int
    """Turns in which it is higher."""
    worse: int
    ties: int
    chance: float
    """How likely so uneven a split of the records is where neither is better (sign test over records)."""


class Against(ExamModel):
    """Two models in the turns that both answered."""

    before: str
    after: str
    turns: int
    right: Gap
    reward: Gap
    kinds: dict[str, Gap]
    """Of right turns, by kind."""
    verdict: Literal["better", "worse", "not told apart", "the same"]
    """Of right turns: whether the interval lies above or below zero, or holds it; or every turn is a tie."""


class Exam(ExamModel):
    """The results of an exam."""

    version: int = EXAM_VERSION
    toolgen: str
    status: Status
    plan: Plan
    left_out: dict[str, int]
    """Lines and records that are not asked, by reason."""
    models: tuple[ModelResult, ...]
    comparisons: tuple[Against, ...] = ()


def share_of(hits: Iterable[tuple[int, bool]]) -> Share | None:
    """Count what is so; each with the record that it belongs to. None where there is nothing to count."""
    by_record: dict[int, list[int]] = {}
    for record, hit in hits:
        held = by_record.setdefault(record, [0, 0])
        held[0] += hit
        held[1] += 1
    found = estimate([Cluster(total, count) for total, count in by_record.values()])
    if found is None:
        return None
    count, every = (sum(each[at] for each in by_record.values()) for at in (0, 1))
    value, low, high = (round(each, 6) for each in found)
    return Share(count=count, of=every, share=value, low=low, high=high)


def figures_of(grades: Sequence[Grade]) -> Figures | None:
    """Count some turns; None where there are none."""
    sums: dict[int, list[float]] = {}
    for grade in grades:
        held = sums.setdefault(grade.record, [0.0, 0])
        held[0] += grade.reward
        held[1] += 1
    found = estimate([Cluster(total, int(count)) for total, count in sums.values()])
    if found is None:
        return None
    value, low, high = (round(each, 6) for each in found)
    counted = {
        metric.name: share_of(
            (each.record, each.outcomes[metric.name]) for each in grades if metric.name in each.outcomes
        )
        for metric in METRICS
    }
    return Figures(
        turns=len(grades),
        records=len(sums),
        reward=Mean(of=len(grades), mean=value, low=low, high=high),
        metrics={name: share for name, share in counted.items() if share is not None},
    )


def by_kind(grades: Sequence[Grade], kinds: Sequence[str]) -> dict[str, Figures]:
    """Count the turns of each kind; `kinds` has that of each record."""
    groups: dict[str, list[Grade]] = {}
    for grade in grades:
        groups.setdefault(kinds[grade.record], []).append(grade)
    counted = {kind: figures_of(groups[kind]) for kind in sorted(groups)}
    return {kind: figures for kind, figures in counted.items() if figures is not None}


def by_tool(grades: Iterable[Grade]) -> dict[str, ToolFigures]:
    """Count the calls of each tool, and its parameters."""
    calls: dict[str, list[tuple[int, str]]] = {}
    parameters: dict[str, dict[str, list[tuple[int, bool]]]] = {}
    for grade in grades:
        for call in grade.calls:
            calls.setdefault(call.tool, []).append((grade.record, call.outcome))
            held = parameters.setdefault(call.tool, {})
            for name, hit in call.parameters.items():
                held.setdefault(name, []).append((grade.record, hit))
    return {tool: _of_tool(calls[tool], parameters[tool]) for tool in sorted(calls)}


def _of_tool(calls: Sequence[tuple[int, str]], parameters: Mapping[str, Sequence[tuple[int, bool]]]) -> ToolFigures:
    called_for = [(record, outcome) for record, outcome in calls if outcome != "needless"]
    counted = {name: share_of(parameters[name]) for name in sorted(parameters)}
    return ToolFigures(
        called_for=len(called_for),
        called=share_of((record, outcome != "missing") for record, outcome in called_for),
        right=share_of((record, outcome == "right") for record, outcome in called_for),
        needless=len(calls) - len(called_for),
        parameters={name: share for name, share in counted.items() if share is not None},
    )


class Mark(ExamModel):
    """A turn of an exam as `grades.jsonl` holds it, as far as another exam is compared with it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str
    record: str
    """What the record is called."""
    digest: str = ""
    """That of its messages and tools; exams of before call it by that alone."""
    turn: int
    kind: str
    reward: float
    outcomes: dict[str, bool]

    @property
    def place(self) -> tuple[str, int]:
        """The record, whatever it is called, and the turn: the same in each exam."""
        return self.digest or self.record, self.turn


def compare(before: Sequence[Mark], after: Sequence[Mark]) -> Against | None:
    """Compare two models in the turns that both answered; None where there are none."""
    pairs = _in_both(before, after)
    numbers = {record: number for number, record in enumerate(dict.fromkeys(mark.record for _, mark in pairs))}

    def gap(value: Callable[[Mark], float], kind: str | None = None) -> Gap | None:
        chosen = (pair for pair in pairs if kind is None or pair[1].kind == kind)
        found = difference(Pair(numbers[new.record], value(old), value(new)) for old, new in chosen)
        return None if found is None else _gap(found)

    right, reward = gap(_right), gap(lambda mark: mark.reward)
    if right is None or reward is None:
        return None
    kinds = sorted({mark.kind for _, mark in pairs})
    return Against(
        before=before[0].model,
        after=after[0].model,
        turns=len(pairs),
        right=right,
        reward=reward,
        kinds={kind: each for kind in kinds if (each := gap(_right, kind)) is not None},
        verdict=_verdict(right),
    )


def _in_both(before: Sequence[Mark], after: Sequence[Mark]) -> list[tuple[Mark, Mark]]:
    earlier = {mark.place: mark for mark in before}
    return [(earlier[mark.place], mark) for mark in after if mark.place in earlier]


def _right(mark: Mark) -> float:
    return float(mark.outcomes.get("right", False))


def _gap(found: Difference) -> Gap:
    return Gap(
        difference=round(found.value, 6),
        low=round(found.low, 6),
        high=round(found.high, 6),
        better=found.better,
        worse=found.worse,
        ties=found.ties,
        chance=round(found.chance, 6),
    )


def _verdict(gap: Gap) -> Literal["better", "worse", "not told apart", "the same"]:
    if not gap.better + gap.worse:
        return "the same"
    if gap.low > 0:
        return "better"
    return "worse" if gap.high < 0 else "not told apart"
