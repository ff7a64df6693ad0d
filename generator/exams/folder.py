"""The folder of an exam: what lies where, and which exam it is for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from generator.backends.answers import ANSWERS
from generator.disk import disk_errors, is_part, require_own, write_own
from generator.errors import JobError, StorageError, UsageError
from generator.exams.results import EXAM_VERSION, Exam, Plan
from generator.jsontext import JsonObject, dump_line, dump_pretty

_USERS_ALONE = 0o700


@dataclass(frozen=True, slots=True)
class ExamFolder:
    """The paths of one exam."""

    path: Path

    @property
    def plan(self) -> Path:
        """Which questions are asked of which models: what makes this exam the one it is."""
        return self.path / "plan.json"

    @property
    def exam(self) -> Path:
        """The results."""
        return self.path / "exam.json"

    @property
    def answers(self) -> Path:
        """Every answer, in the order they came."""
        return self.path / ANSWERS

    @property
    def grades(self) -> Path:
        """A line for each turn of each model."""
        return self.path / "grades.jsonl"

    @property
    def failures(self) -> Path:
        """The turns that are not right, as records that end with the model's answer."""
        return self.path / "failures.jsonl"

    @property
    def lock(self) -> Path:
        """The lock file, which stays when the exam ends, and is empty then."""
        return self.path / "exam.lock"

    def make(self) -> None:
        """Make the folder, for the user alone where it is not there yet.

        Raises:
            JobError: it holds something else.
            StorageError: it cannot be made, or a link or the like lies where a file of the exam belongs.
        """
        with disk_errors(self.path):
            self.path.mkdir(_USERS_ALONE, parents=True, exist_ok=True)
        self._require_usable()
        for path in (self.plan, self.exam, self.grades, self.failures):
            require_own(path)
        for path in (self.answers, self.lock):
            require_own(path, in_place=True)

    def _require_usable(self) -> None:
        if os.path.lexists(self.plan):
            return
        with disk_errors(self.path):
            strangers = sorted(item.name for item in self.path.iterdir() if item != self.lock and not is_part(item))
        if strangers:
            raise JobError(f"{self.path}: holds {strangers[0]!r} but no exam; give --out a new or empty folder")

    def begin(self, plan: Plan) -> bool:
        """Note which exam the folder is for; say whether it was begun before.

        Raises:
            JobError: it is for another one; the message says in what they differ.
            StorageError: what the folder says of its exam cannot be read.
        """
        if not self.plan.is_file():
            write_own(self.plan, [dump_pretty(plan.model_dump(mode="json")).encode()])
            return False
        held = read_plan(self.plan)
        if differs := held.differs_from(plan):
            raise JobError(
                f"{self.path}: holds an exam of {differs}; give --out another folder, where --answers {self.path} "
                "takes over the answers that still apply"
            )
        return True

    def publish(self, exam: Exam, grades: Iterable[JsonObject], failures: Iterable[JsonObject]) -> None:
        """Write the results, each file whole or not at all; the figures last, for what lies beside them is theirs."""
        write_own(self.grades, map(dump_line, grades))
        write_own(self.failures, map(dump_line, failures))
        write_own(self.exam, [dump_pretty(exam.model_dump(mode="json")).encode()])


def read_plan(path: Path) -> Plan:
    """Read what an exam asks of whom.

    Raises:
        StorageError: it cannot be read, or is not what toolgen writes.
    """
    with disk_errors(path):
        text = path.read_bytes()
    try:
        return Plan.model_validate_json(text)
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, this is no plan.json of an exam; give --out another folder") from error


def read_exam(folder: Path) -> Exam:
    """Read the results of an exam.

    Raises:
        UsageError: the folder holds none, or one of another version of toolgen.
        StorageError: they cannot be read, or are not what toolgen writes.
    """
    path = ExamFolder(folder).exam
    if not path.is_file():
        raise UsageError(f"{folder}: holds no {path.name}; give the folder of an exam that `toolgen evaluate` has made")
    with disk_errors(path):
        text = path.read_bytes()
    try:
        exam = Exam.model_validate_json(text)
    except ValidationError as error:
        raise StorageError(f"{path}: damaged, this is no exam.json of toolgen") from error
    if exam.version != EXAM_VERSION:
        raise UsageError(f"{path}: is of version {exam.version}, and this toolgen reads {EXAM_VERSION}")
    return exam
