"""LLMAuthor: each step is asked of a model, checked like any record, and sent back with what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from pydantic import ValidationError

from generator.authors.author import NoDraft
from generator.authors.llm.draft_checks import (
    is_asked,
    later_calls,
    plan_violations,
    unsaid_evidence,
)
from generator.authors.llm.prompts import Prompts, instructions_of
from generator.authors.llm.response_formats import (
    BadAnswer,
    Envelope,
    Model,
    Question,
    draft_envelope,
    following_envelope,
    read_object,
    reply_envelope,
    without_absent,
)
from generator.authors.llm.variables import kind_variables, question_text
from generator.backends.backend import Completion, Unavailable
from generator.backends.budget import NOTHING_SPENT, Spending, Spent
from generator.job_choices import Proof
from generator.jsontext import JsonObject
from generator.records import Draft, DraftCall, Exchange
from generator.scenarios.results import foreseen
from generator.scenarios.scenario import Scenario, Step
from generator.validation.verdict import Violation

Examine = Callable[[Scenario, tuple[Exchange, ...], Draft], Sequence[Violation]]
"""Checks a draft as part of the record it would make; gives the violations it causes."""

UNEXPLAINED = "TC201"
"""The rule that every argument comes from somewhere."""
_CONSENTING = frozenset({"confirm", "agree"})
_CONSENT = "confirm_before_write"
"""The kind whose instructions serve a question for consent, and the yes to it, in records of any kind."""
_LONGEST_ECHO = 4_000
"""Characters of a bad answer that are sent back with its violations; more would only cost tokens."""
_MOST_PROBLEMS = 20
_LONGEST_PROBLEM = 400
"""Characters. What is wrong with an answer quotes it, goes back to the model, and is paid for once more."""


def shortened(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the first of the violations, what is long in them cut."""
    for violation in islice(violations, _MOST_PROBLEMS):
        yield violation.model_copy(update={"message": _cut(violation.message), "pointer": _cut(violation.pointer)})


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_PROBLEM else text[:_LONGEST_PROBLEM] + "…"


class Unusable(Exception):
    """An answer that cannot be used: why in a word, and what is wrong with it."""

    def __init__(self, reason: str, violations: Sequence[Violation]) -> None:
        self.reason = reason
        self.violations = tuple(shortened(violations))
        super().__init__(reason)


def repair_messages(prompts: Prompts, completion: Completion, problems: Sequence[str]) -> tuple[JsonObject, ...]:
    """Return what goes back to the model; an answer that was cut or empty is asked for again without its text."""
    text = prompts.render("repair", {"problems": list(dict.fromkeys(problems))})
    said = next((call.arguments for call in completion.calls), completion.text)[:_LONGEST_ECHO]
    echo: tuple[JsonObject, ...] = ({"role": "assistant", "content": said},) if said.strip() else ()
    return (*echo, {"role": "user", "content": text})


class LLMAuthor:
    """Writes steps with a model; `tries` is the most answers asked for one step."""

    name = "llm"

    def __init__(
        self, model: Model, prompts: Prompts, examine: Examine, *, tries: int = 3, proof: Proof = "any"
    ) -> None:
        self._model = model
        self._prompts = prompts
        self._examine = examine
        self._tries = tries
        self._proof = proof
        self._spending: dict[tuple[int, int], Spending] = {}

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Ask for one step; violations go back to the model between the tries.

        Raises:
            NoDraft: no answer passed; it carries the violations of every try.
            BackendError: the server refuses for good.
        """
        if not is_asked(scenario, history):
            return self._foregone(scenario, history)
        envelope = _envelope(scenario, history)
        messages = self._opening(scenario, history)
        spending = self._spending.setdefault((scenario.index, scenario.attempt), Spending())
        found: list[Violation] = []
        for repetition in range(self._tries):
            question = Question(
                messages, envelope.schema, envelope.strict, salt=f"{scenario.seed}.{len(history)}.{repetition}"
            )
            completion = await self._answer(question, spending)
            try:
                draft = self._read(completion, scenario, history, envelope)
            except Unusable as unusable:
                spending.unusable(unusable.reason, completion)
                self._model.verdicts.unusable(completion, unusable.reason, unusable.violations[0].message)
                found.extend(unusable.violations)
                messages = (*messages, *self._repair(completion, unusable))
            else:
                spending.used(completion)
                self._model.verdicts.used(completion)
                return draft
        raise NoDraft("LM001", f"no usable answer in {self._tries} tries", found=found)

    def spent(self, scenario: Scenario) -> Spent:
        """Return what this attempt has cost, and close its account."""
        account = self._spending.pop((scenario.index, scenario.attempt), None)
        return NOTHING_SPENT if account is None else account.close()

    def _opening(self, scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[JsonObject, ...]:
        return opening(self._prompts, scenario, history)

    def _foregone(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Return the draft of a step in which nobody speaks: its calls follow from the results, or from the plan.

        Raises:
            NoDraft: the calls break a rule.
        """
        draft = Draft(calls=foreseen(scenario, history) or _planned(scenario, history))
        if found := self._examine(scenario, history, draft):
            raise NoDraft("LM010", "the calls that follow from the results break a rule", found=found)
        return draft

    async def _answer(self, question: Question, spending: Spending) -> Completion:
        try:
            return await self._model.ask(question)
        except Unavailable as error:
            spending.failed(error.failed)
            spending.unusable(error.reason)
            raise NoDraft("LM002", str(error)) from error

    def _read(
        self, completion: Completion, scenario: Scenario, history: tuple[Exchange, ...], envelope: Envelope
    ) -> Draft:
        step = scenario.steps[len(history)]
        draft = read_draft(completion, step, envelope)
        if self._proof == "text":
            draft = without_evidence(draft)
        violations = [*plan_violations(scenario, history, draft), *self._examine(scenario, history, draft)]
        if any(each.rule == UNEXPLAINED for each in violations):
            violations += unsaid_evidence(scenario, history, draft)
        if violations:
            raise Unusable(f"rule_{violations[0].rule}", violations)
        return draft

    def _repair(self, completion: Completion, unusable: Unusable) -> tuple[JsonObject, ...]:
        return repair_messages(self._prompts, completion, [violation.message for violation in unusable.violations])


def _envelope(scenario: Scenario, history: tuple[Exchange, ...]) -> Envelope:
    step = scenario.steps[len(history)]
    if step.request:
        later = len(later_calls(scenario, history)) if step.calls and not scenario.free else 0
        return draft_envelope(step, later)
    return following_envelope(step) if step.calls else reply_envelope()


def _planned(scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[DraftCall, ...]:
    """Return the planned calls of a step, with the evidence that came with the request."""
    asked, first = _last_request(history)
    return tuple(
        DraftCall(
            name=call.tool.name,
            arguments=call.arguments,
            evidence=tuple(each for each in asked.later if each.call == number),
        )
        for number, call in enumerate(scenario.steps[len(history)].calls, start=first + 1)
    )


def _last_request(history: tuple[Exchange, ...]) -> tuple[Draft, int]:
    """Return the draft in which the user last spoke, and how many calls have followed it without a word of theirs."""
    followed = 0
    for each in reversed(history):
        if each.draft.request is not None:
            return each.draft, followed
        followed += len(each.draft.calls)
    return Draft(), 0


def opening(prompts: Prompts, scenario: Scenario, history: tuple[Exchange, ...]) -> tuple[JsonObject, ...]:
    """Return the messages that ask for step number `len(history)` the first time."""
    instructions = prompts.render(
        instructions_of(_CONSENT if scenario.steps[len(history)].act in _CONSENTING else scenario.kind),
        kind_variables(scenario, history),
    )
    name, variables = question_text(scenario, history, instructions)
    return ({"role": "user", "content": prompts.render(name, variables)},)


def read_draft(completion: Completion, step: Step, envelope: Envelope) -> Draft:
    """Return the draft an answer holds.

    Raises:
        Unusable: the answer is cut, refused, filtered, empty, no JSON, or not of the asked shape.
    """
    try:
        answer = read_object(completion, envelope.schema["required"])
    except BadAnswer as error:
        raise Unusable(error.reason, [Violation(rule="LM003", pointer="", message=str(error))]) from error
    try:
        draft = Draft.model_validate(answer)
    except ValidationError as error:
        raise Unusable("wrong_shape", list(map(_shape_violation, error.errors()))) from error
    return _settled(draft, step)


def _shape_violation(error: object) -> Violation:
    detail = error if isinstance(error, dict) else {}
    place = ".".join(map(str, detail.get("loc", ())))
    return Violation(
        rule="LM004", pointer="", message=f"in your JSON, {place}: {detail.get('msg', 'has the wrong shape')}"
    )


def without_evidence(draft: Draft) -> Draft:
    """Leave out what the model says of where its values come from: what was said alone may explain them."""
    calls = tuple(call.model_copy(update={"evidence": ()}) for call in draft.calls)
    return draft.model_copy(update={"calls": calls, "later": ()})


def _settled(draft: Draft, step: Step) -> Draft:
    """Keep what the step asks for; a null that a schema does not admit is read as absent, as the strict form has it."""
    schemas = {call.tool.name: call.tool.parameters for call in step.calls}
    calls = tuple(
        call.model_copy(update={"arguments": without_absent(call.arguments, schemas.get(call.name))})
        for call in (draft.calls if step.request or step.calls else ())
    )
    return Draft(
        request=(draft.request or "").strip() if step.request else None,
        calls=calls,
        later=draft.later if step.request else (),
        reply=(draft.reply or "").strip() if step.reply else None,
    )
