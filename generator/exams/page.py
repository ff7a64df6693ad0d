"""The page of an exam: its tables, and the failures to read, as one HTML file that needs no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from generator.disk import disk_errors, write_whole
from generator.errors import UsageError
from generator.exams.failures import EXAM
from generator.exams.folder import ExamFolder, read_exam
from generator.exams.results import Exam, ModelResult
from generator.exams.tables import comparison_table, interval, kinds_table, metrics_table, percent, tools_table
from generator.formats.conversation import calls_of, function_of, messages_of
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.reports.page.rendering import render_exam
from generator.reports.page.sections import Fact

MOST_FAILURES = 500
_LONGEST = 2_000
_MOST_MESSAGES = 60


class Shown(NamedTuple):
    """A failure as the page shows it."""

    title: str
    reasons: list[str]
    said: list[tuple[str, str]]
    """Who says what: the messages, the model's answer, and what was expected."""


def is_exam(folder: Path) -> bool:
    """Say whether a folder is that of an exam."""
    return ExamFolder(folder).plan.is_file()


def write_page(folder: Path, output: Path) -> None:
    """Write what an exam found as one HTML file.

    Raises:
        UsageError: the folder holds no results, or the output is a folder or one of its files.
        StorageError: a file cannot be read or written.
    """
    exam, held = read_exam(folder), ExamFolder(folder)
    mine = (held.plan, held.exam, held.answers, held.grades, held.failures, held.lock)
    if output.is_dir():
        raise UsageError(f"{output}: is a folder; give -o the file to write")
    if any(output.exists() and each.exists() and output.samefile(each) for each in mine):
        raise UsageError(f"{output}: is a file of the exam; give -o another file")
    write_whole(output, render_exam(_told(exam, held)))


def _told(exam: Exam, folder: ExamFolder) -> Mapping[str, Any]:
    return {
        "name": folder.path.resolve().name,
        "exam": exam,
        "labels": [model.label for model in exam.models],
        "facts": [fact for model in exam.models for fact in _facts(model)],
        "notes": [note for model in exam.models for note in _notes(model)],
        **_tables(exam),
        "failures": islice(_failures(folder.failures), MOST_FAILURES),
        "failures_in_all": sum(_failed(model) for model in exam.models),
        "most": MOST_FAILURES,
    }


def _tables(exam: Exam) -> Mapping[str, Any]:
    answered = any(model.figures is not None for model in exam.models)
    return {
        "metrics": metrics_table(exam.models) if answered else None,
        "kinds": kinds_table(exam.models) if answered else None,
        "comparisons": comparison_table(exam.comparisons) if exam.comparisons else None,
        "tools": [tools_table(model, named=len(exam.models) > 1) for model in exam.models if model.tools],
    }


def _failed(model: ModelResult) -> int:
    right = model.figures.metrics["right"] if model.figures is not None else None
    return right.of - right.count if right is not None else 0


def _facts(model: ModelResult) -> Iterator[Fact]:
    if model.figures is not None:
        right = model.figures.metrics["right"]
        ends = interval(right.low, right.high)
        yield Fact(f"{model.label}: right turns", percent(right.share), f"of {right.of:,}; {ends}")
        yield Fact("mean reward", f"{model.figures.reward.mean:.3f}", f"of {model.figures.records:,} records")
    cost = f"cost {model.tokens.cost:,.4f}" if model.tokens.cost is not None else f"{model.tokens.answers:,} answers"
    yield Fact("tokens", f"{model.tokens.prompt + model.tokens.completion:,}", cost)


def _notes(model: ModelResult) -> Iterator[str]:
    if model.unanswered:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in model.unanswered.items())
        yield f"{model.label}: turns without an answer, which count in no figure: {reasons}."
    for count, where in ((model.in_text, "the text"), (model.in_thoughts, "the thoughts alone")):
        if count:
            yield f"{model.label}: {count:,} answers had their calls in {where}."


def _failures(path: Path) -> Iterator[Shown]:
    with disk_errors(path), path.open("rb") as lines:
        for line in lines:
            yield _shown(orjson.loads(line))


def _shown(document: JsonObject) -> Shown:
    told = document["metadata"][EXAM]
    messages = messages_of(document)
    left = len(messages) - _MOST_MESSAGES
    said = [*([("…", f"{left:,} messages before")] if left > 0 else []), *_spoken(messages[-_MOST_MESSAGES:])]
    expected = [(f"expected: {role}", text) for role, text in _spoken(told["expected"])]
    title = f"{told['model']} · {told['where']} · turn {told['turn'] + 1} · reward {told['reward']:.2f}"
    return Shown(title, told["reasons"], [*said, *expected])


def _spoken(messages: list[JsonObject]) -> Iterator[tuple[str, str]]:
    for message in messages:
        calls = calls_of(message)
        if message.get("content") or not calls:
            yield str(message.get("role")), _cut(message.get("content"))
        for call in calls:
            function = function_of(call)
            yield str(message.get("role")), _cut(f"→ {function.get('name')} {dump_compact(function.get('arguments'))}")


def _cut(text: JsonValue) -> str:
    said = text if isinstance(text, str) else dump_compact(text)
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}… ({len(said) - _LONGEST:,} more characters)"
