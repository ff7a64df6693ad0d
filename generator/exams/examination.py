"""An exam from its questions to its published results: one model after the other, resumed where it was left.

Its preview tells how many requests it takes, an estimate of tokens and cost, and the first question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from pydantic import ValidationError

from generator.backends.answers import AnswerFile, AnswerLog, EarlierAnswers
from generator.backends.backend import Completion
from generator.backends.budget import NO_USAGE, Budget, Usage, estimate_tokens, estimate_words
from generator.disk import disk_errors
from generator.domains.catalog import Catalog
from generator.errors import BackendError, LimitError, StorageError, UsageError
from generator.exams.asking import Account, Asker, Examinee, Progress, Question, Sitting, remaining, request_of
from generator.exams.failures import Failure, failure_record
from generator.exams.folder import ExamFolder, read_exam
from generator.exams.grades import Grade, in_order, is_right
from generator.exams.marking import answer_of, as_canonical, mark
from generator.exams.questions import HeldOut, Questions, turns_to_ask
from generator.exams.results import (
    MOST_STEPS,
    NO_TURN,
    Against,
    Exam,
    Mark,
    ModelResult,
    Plan,
    Status,
    Tokens,
    by_kind,
    by_tool,
    compare,
    figures_of,
)
from generator.grading.turns import turns_of
from generator.jsontext import JsonObject, dump_compact, dump_exactly
from generator.runs.interruption import Interruption
from generator.runs.lock import run_lock
from generator.version import VERSION

if TYPE_CHECKING:
    from generator.exams.conversations import Conversation

OnProgress = Callable[[Progress], None]


def preview(questions: Questions, examinees: Sequence[Examinee]) -> JsonObject:
    """Return what an exam would send, without sending it; answers are taken to be as long as the records' own."""
    tokens = _tokens(questions)
    return {
        "records": len(questions.records),
        "turns": questions.turns,
        "requests": questions.turns * len(examinees),
        "models": [_of_model(each, tokens) for each in examinees],
        "first_question": _first(questions, examinees[0]),
    }


def _tokens(questions: Questions) -> Usage:
    found = NO_USAGE
    for record in questions.records:
        document = record.document
        for place in turns_to_ask(document["messages"]):
            prompt = estimate_tokens({"messages": document["messages"][:place], "tools": document["tools"]})
            found += Usage(prompt, estimate_words(dump_compact(document["messages"][place])))
    return found


def _of_model(examinee: Examinee, tokens: Usage) -> JsonObject:
    cost = {} if examinee.price is None else {"estimated_cost": round(examinee.price.of(tokens), 4)}
    told = {"estimated_prompt_tokens": tokens.prompt, "estimated_completion_tokens": tokens.completion, **cost}
    return {"model": examinee.label, "server": examinee.server.masked_url, **told}


def _first(questions: Questions, examinee: Examinee) -> JsonObject:
    document = questions.records[0].document
    place = turns_to_ask(document["messages"])[0]
    request = request_of(document["messages"][:place], document["tools"], examinee)
    return {"messages": list(request.messages), "tools": list(request.tools)}


def preview_text(told: JsonObject) -> str:
    """Return the preview in words."""
    lines = [f"{told['turns']:,} turns of {told['records']:,} records, {told['requests']:,} requests"]
    for each in told["models"]:
        cost = f", a cost of about {each['estimated_cost']:,.4f}" if "estimated_cost" in each else ""
        tokens = each["estimated_prompt_tokens"] + each["estimated_completion_tokens"]
        lines.append(f"{each['model']} at {each['server']}: about {tokens:,} tokens{cost}")
    question = told["first_question"]
    lines.append(f"the first question, with {len(question['tools']):,} tools:")
    lines += [f"  {message['role']}: {_said(message)}" for message in question["messages"]]
    return "\n".join([*lines, "nothing was sent"])


def _said(message: JsonObject) -> str:
    return str(message.get("content") or dump_compact(message.get("tool_calls", [])))


@dataclass(slots=True)
class Sheet:
    """What one model has answered so far, and what it is worth."""

    examinee: Examinee
    account: Account = field(default_factory=Account)
    grades: list[Grade] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    in_text: int = 0
    in_thoughts: int = 0

    def take(self, question: Question, document: JsonObject, completion: Completion) -> None:
        """Grade the answer to a question."""
        answer = answer_of(completion, document["tools"])
        turn = turns_of(document)[question.turn]
        grade = mark(question.place, document, turn, answer)
        self.grades.append(grade)
        self.in_text += answer.in_text and not completion.recovered
        self.in_thoughts += completion.recovered
        if not is_right(grade):
            said = as_canonical(answer.message, question.place, question.turn)
            self.failures.append(Failure(self.examinee.label, grade, _dumped([said])))

    def close(self, held: Conversation) -> None:
        """Grade a whole conversation."""
        grade = held.grade()
        self.grades.append(grade)
        if not is_right(grade):
            self.failures.append(Failure(self.examinee.label, grade, _dumped(held.messages)))


@dataclass(frozen=True, slots=True)
class Loop:
    """How whole conversations are held."""

    catalogs: Sequence[Catalog] = ()
    """What is known of the tools of the records."""
    most_steps: int = MOST_STEPS


def _dumped(messages: list[JsonObject]) -> bytes:
    """Write messages down; what nests too deeply to be written is told as that."""
    try:
        return dump_exactly(messages)
    except TypeError:
        return dump_exactly([{"role": "assistant", "content": "(an answer that nests too deeply to be written)"}])


@dataclass(frozen=True, slots=True)
class ExamReport:
    """What became of an exam."""

    exam: Exam
    resumed: int
    """Answers that were there before."""
    problem: LimitError | BackendError | None = None
    """What ended it early."""


@dataclass(slots=True)
class Examination:
    """One exam: its questions, whom they are put to, and where everything is kept."""

    questions: Questions
    examinees: Sequence[Examinee]
    folder: ExamFolder
    sitting: Sitting
    earlier: Path | None = None
    """The folder of another exam whose answers may serve."""
    against: Path | None = None
    """The folder of another exam to compare with."""
    loop: Loop | None = None
    """Set where whole conversations are held."""
    on_progress: OnProgress = lambda progress: None
    sheets: list[Sheet] = field(default_factory=list)
    budgets: dict[str, Budget] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """How many turns, or whole conversations, are graded of each model."""
        return self.questions.turns if self.loop is None else len(self.questions.records)

    @property
    def plan(self) -> Plan:
        """What makes this exam the one it is."""
        return Plan(
            mode="turns" if self.loop is None else "loop",
            questions=self.questions.digest,
            records=len(self.questions.records),
            turns=self.asked,
            most_steps=None if self.loop is None else self.loop.most_steps,
            models=tuple(examinee.asked for examinee in self.examinees),
        )

    def hold(self) -> ExamReport:
        """Ask what is not answered yet, grade all, and publish the results, also those of an exam that ends early.

        Raises:
            JobError: the folder holds something else, or another exam.
            UsageError: the exam to compare with is none, or shares no question.
            RunLockedError: another process works on it.
            StorageError: a file cannot be read or written.
        """
        before = self._earlier_marks()
        self.folder.make()
        with run_lock(self.folder.lock, "exam"):
            self.folder.begin(self.plan)
            self.sheets = [Sheet(examinee) for examinee in self.examinees]
            with Interruption() as interruption:
                problem = self._ask_all(interruption)
            status = _status(problem, interruption)
            exam = self._told(status, before)
            self.folder.publish(exam, self._rows(), self._failures())
        return ExamReport(exam, sum(sheet.account.replayed for sheet in self.sheets), problem)

    def _earlier_marks(self) -> list[Mark]:
        """Return the graded turns to compare with; none where there is no exam to compare with."""
        if self.against is None:
            return []
        marks, keys = marks_of(self.against), {record.key for record in self.questions.records}
        whole = self.loop is not None
        if not any(mark.place[0] in keys and (mark.turn == NO_TURN) is whole for mark in marks):
            what = "conversation" if whole else "turn"
            raise UsageError(
                f"--against {self.against}: has no {what} in common with this exam, so nothing can be compared; give "
                f"the same RECORDS{', and --loop to both or to none' if whole else ''}, or leave --against out"
            )
        return marks

    def _ask_all(self, interruption: Interruption) -> LimitError | BackendError | None:
        with ExitStack() as stack:
            own = stack.enter_context(AnswerFile(self.folder.answers))
            log: AnswerLog = own
            if self.earlier is not None:
                log = stack.enter_context(closing(EarlierAnswers(own, self.earlier)))
            try:
                for sheet in self.sheets:
                    if not interruption.asked():
                        asyncio.run(self._ask(sheet, log, interruption.asked))
            except (LimitError, BackendError) as problem:
                return problem
        return None

    async def _ask(self, sheet: Sheet, log: AnswerLog, stopping: Callable[[], bool]) -> None:
        examinee = sheet.examinee
        budget = Budget(remaining(self.sitting.limits, self.budgets, examinee.price))
        self.budgets[examinee.label] = budget
        asker = self._asker(sheet)
        await asker.ask(log, budget, self.sitting, stopping, self._tick)

    def _asker(self, sheet: Sheet) -> Asker:
        records = self.questions.records
        if self.loop is None:
            return Asker(sheet.examinee, records, sheet.take, account=sheet.account)
        from generator.exams.conversations import ConversationAsker, Worlds

        worlds, most = Worlds(records, self.loop.catalogs), self.loop.most_steps
        return ConversationAsker(
            sheet.examinee, records, sheet.take, account=sheet.account, worlds=worlds, most_steps=most,
            close=sheet.close,
        )  # fmt: skip

    def _tick(self) -> None:
        accounts = [sheet.account for sheet in self.sheets]
        self.on_progress(
            Progress(
                asked=self.asked * len(self.sheets),
                decided=sum(len(each.grades) + each.account.unanswered.total() for each in self.sheets),
                resumed=sum(each.replayed for each in accounts),
                tokens=sum(each.prompt + each.completion for each in accounts),
                estimated=any(each.estimated for each in accounts),
                cost=self._cost_in_all(),
            )
        )

    def _cost_in_all(self) -> float | None:
        """Return what the models cost whose price is known; None where there is none."""
        known = [cost for sheet in self.sheets if (cost := self._cost(sheet)) is not None]
        return sum(known) if known else None

    def _cost(self, sheet: Sheet) -> float | None:
        price, account = sheet.examinee.price, sheet.account
        return None if price is None else price.of(Usage(account.prompt, account.completion))

    def _told(self, status: Status, before: Sequence[Mark]) -> Exam:
        """Count everything."""
        for sheet in self.sheets:
            sheet.grades = in_order(sheet.grades)
        left_out = {
            "no record": len(self.questions.bad),
            "no turn": self.questions.silent,
            "twice": self.questions.twice,
        }
        return Exam(
            toolgen=VERSION,
            status=status,
            plan=self.plan,
            left_out={reason: count for reason, count in left_out.items() if count},
            models=tuple(self._result(sheet) for sheet in self.sheets),
            comparisons=tuple(self._comparisons(before)),
        )

    def _result(self, sheet: Sheet) -> ModelResult:
        account, examinee = sheet.account, sheet.examinee
        cost = self._cost(sheet)
        return ModelResult(
            label=examinee.label,
            options=examinee.options.given,
            server=examinee.server.masked_url,
            answered=len(sheet.grades),
            unanswered=dict(sorted(account.unanswered.items())),
            in_text=sheet.in_text,
            in_thoughts=sheet.in_thoughts,
            tokens=Tokens(
                answers=len(account.paid),
                prompt=account.prompt,
                completion=account.completion,
                estimated=account.estimated,
                cost=None if cost is None else round(cost, 6),
            ),
            figures=figures_of(sheet.grades),
            kinds=by_kind(sheet.grades, [record.kind for record in self.questions.records]),
            tools=by_tool(sheet.grades),
        )

    def _marks(self, sheet: Sheet) -> list[Mark]:
        return [Mark.model_validate(row) for row in self._rows_of(sheet)]

    def _comparisons(self, before: Sequence[Mark]) -> Iterator[Against]:
        """Compare each model with the one before it in another exam, and every other with the first of this one."""
        marks = [self._marks(sheet) for sheet in self.sheets] if before or len(self.sheets) > 1 else []
        for theirs, mine in _paired(marks, _by_model(before)):
            if theirs and mine and (found := compare(theirs, mine)) is not None:
                yield found

    def _rows(self) -> Iterator[JsonObject]:
        for sheet in self.sheets:
            yield from self._rows_of(sheet)

    def _rows_of(self, sheet: Sheet) -> Iterator[JsonObject]:
        records = self.questions.records
        for grade in sheet.grades:
            record = records[grade.record]
            yield grade.as_row(record.name, record.key, record.kind, sheet.examinee.label)

    def _failures(self) -> Iterator[JsonObject]:
        for sheet in self.sheets:
            for failure in sorted(sheet.failures, key=lambda each: (each.grade.record, each.grade.turn)):
                yield failure_record(failure, self._record(failure))

    def _record(self, failure: Failure) -> HeldOut:
        return self.questions.records[failure.grade.record]


def _status(problem: LimitError | BackendError | None, interruption: Interruption) -> Status:
    if interruption.status in ("interrupted", "terminated"):
        return interruption.status
    if problem is None:
        return "complete"
    return "limited" if isinstance(problem, LimitError) else "failed"


def _by_model(marks: Sequence[Mark]) -> Mapping[str, list[Mark]]:
    found: dict[str, list[Mark]] = {}
    for each in marks:
        found.setdefault(each.model, []).append(each)
    return found


def _paired(marks: list[list[Mark]], earlier: Mapping[str, list[Mark]]) -> Iterator[tuple[list[Mark], list[Mark]]]:
    """Yield what is compared with what: each model with that of another exam, then every other with the first."""
    for mine in filter(None, marks):
        yield earlier.get(mine[0].model) or next(iter(earlier.values()), []), mine
    for mine in marks[1:]:
        yield marks[0], mine


def marks_of(folder: Path) -> list[Mark]:
    """Return every graded turn of an exam.

    Raises:
        UsageError: the folder holds no exam, or one in which nothing was answered.
        StorageError: it cannot be read, or is not what toolgen writes.
    """
    read_exam(folder)
    path = ExamFolder(folder).grades
    with disk_errors(path):
        lines = path.read_bytes().splitlines()
    try:
        marks = [Mark.model_validate(orjson.loads(line)) for line in lines]
    except (orjson.JSONDecodeError, ValidationError) as error:
        raise StorageError(f"{path}: damaged, this is no grades.jsonl of toolgen") from error
    if not marks:
        raise UsageError(f"{folder}: in this exam nothing was answered, so nothing can be compared with it")
    return marks
