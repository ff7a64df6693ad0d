"""The way of one record: planned, drafted, answered, assembled, checked; and the attempts at one index."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from generator.assembly import Provenance, assemble, message_count
from generator.authors.author import Answerer, Author, NoDraft
from generator.authors.llm.onward import cannot_go_on
from generator.authors.llm.plan import PLAIN_KINDS
from generator.authors.offline import OfflineAuthor
from generator.authors.opinion import NO_OPINION, Opinion, Reviewer
from generator.backends.spent import NOTHING, Spent, total_spent
from generator.domains.catalog import Catalog
from generator.errors import DataError
from generator.job import Job
from generator.jsontext import JsonObject, dump_compact, dump_line
from generator.records.calls import Draft, Exchange
from generator.records.record import Record
from generator.runs.outcome import Outcome, outcome_of
from generator.runs.prospects import Prospects
from generator.runs.read_back import Recall
from generator.runs.tally import NOT_PLANNED
from generator.scenarios.answering import answer_calls, world_after
from generator.scenarios.blueprint import PlanError
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import Scenario
from generator.tools.tool import Tool
from generator.validation import check, check_under_way, examine
from generator.validation.grounding import explain_view
from generator.validation.verdict import Rejection, Violation
from generator.validation.view import RecordView
from generator.version import VERSION
from generator.worlds.changes import told

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Made:
    """A document that passed every rule, and the scenario it was made from."""

    scenario: Scenario
    document: JsonObject
    view: RecordView
    """The document as it was examined."""
    history: tuple[Exchange, ...]


async def make_record(
    scenario: Scenario,
    author: Author,
    catalog: Catalog,
    provenance: Provenance,
    answers: Answerer | None = None,
) -> Made | Rejection:
    """Walk one scenario through drafting, results, assembly and checking."""
    history: tuple[Exchange, ...] = ()
    for step in scenario.steps:
        try:
            draft = await author.draft(scenario, history)
        except NoDraft as refusal:
            return reject(scenario, refusal.violations)
        results = answer_calls(scenario, draft, step, history)
        if answers is not None and results:
            results = await answers.written(scenario, history, draft, results)
        history = (*history, Exchange(draft, results))
    document = assemble(scenario, history, provenance)
    violations, view = examine(document, catalog=catalog)
    found = errors(violations)
    return reject(scenario, found) if found or view is None else Made(scenario, document, view, history)


def errors(violations: Iterable[Violation]) -> list[Violation]:
    """Keep the violations that a record may not have; warnings it may."""
    return [violation for violation in violations if violation.severity == "error"]


def reject(scenario: Scenario, violations: Iterable[Violation]) -> Rejection:
    """Return the rejection of one attempt."""
    tools = tuple(call.tool.name for call in scenario.calls) or tuple(tool.name for tool in scenario.tools)
    return Rejection(
        index=scenario.index,
        attempt=scenario.attempt,
        kind=scenario.kind,
        tools=tools,
        violations=tuple(violations),
    )


def provenance(author: str, catalog: Catalog) -> Provenance:
    """Return what the records of a run share."""
    return Provenance(author, VERSION, catalog.digest)


_UNSPOKEN = "All done."
"""Stands for the steps that are not written yet, where a draft is examined in the record it would make."""

OF_WHOLE_RECORDS = frozenset({"TC114", "TC211", "TC212"})
"""Rules that a record can keep only when its last step is written: what it is, and what became of each wish."""
OF_ORIGIN = frozenset({"TC201", "TC202", "TC203", "TC204"})
"""Rules that ask where values come from: told last, since they find fault with every value that is no value."""
_MESSAGE = re.compile("/messages/([0-9]+)")


def examiner(catalog: Catalog, author: str) -> Callable[[Scenario, tuple[Exchange, ...], Draft], list[Violation]]:
    """Return what examines one draft by every rule, as part of the record it would make.

    Where its values are those of the plan, the offline author writes the steps that follow. Where they are the
    model's own, nobody knows what follows: a neutral sentence ends the record, whose kind is judged as far as it has
    come. What is found is the draft's own.
    """
    made_by = provenance(author, catalog)

    def examine(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> list[Violation]:
        results = answer_calls(scenario, draft, scenario.steps[len(history)], history)
        written = (*history, Exchange(draft, results))
        completed = None if scenario.free or scenario.kind in PLAIN_KINDS else _completed(scenario, written)
        whole = completed is not None or len(written) == len(scenario.steps)
        if completed is None:
            completed = written if draft.reply is not None else (*written, Exchange(Draft(reply=_UNSPOKEN)))
        document = assemble(scenario, completed, made_by)
        found = errors(check(document, catalog=catalog))
        own = bool(scenario.system) + sum(map(message_count, written))
        kept = [one for one in found if _is_own(one, own) and (whole or one.rule not in OF_WHOLE_RECORDS)]
        if scenario.free and not whole:
            coming = {call.tool.name for step in scenario.steps[len(written) :] for call in step.calls}
            kept += check_under_way(document, frozenset(coming), catalog=catalog)
        kept += cannot_go_on(scenario, history, draft, results)
        return sorted(kept, key=lambda one: one.rule in OF_ORIGIN)

    return examine


def plan_fault(scenario: Scenario, catalog: Catalog, made_by: Provenance) -> Violation | None:
    """Return what is wrong with a plan whoever writes it: the first rule that its own wording breaks.

    Only of plans that are judged by how the offline author would go on: a model is not asked for what cannot pass.
    """
    if scenario.free or scenario.kind in PLAIN_KINDS or (whole := _completed(scenario, ())) is None:
        return None
    found = errors(check(assemble(scenario, whole, made_by), catalog=catalog))
    if not found:
        return None
    message = f"the plan breaks {found[0].rule} by itself: {found[0].message}"
    return Violation(rule=NOT_PLANNED, pointer=found[0].pointer, message=message)


def _completed(scenario: Scenario, written: tuple[Exchange, ...]) -> tuple[Exchange, ...] | None:
    """Return the conversation with its missing steps as the offline author writes them; None where it cannot."""
    author = OfflineAuthor()
    for step in scenario.steps[len(written) :]:
        try:
            draft = author.write(scenario, written)
        except NoDraft:
            return None
        written = (*written, Exchange(draft, answer_calls(scenario, draft, step, written)))
    return written


def _is_own(violation: Violation, messages: int) -> bool:
    """Say whether a violation lies in the first messages of a record, or in no message."""
    match = _MESSAGE.match(violation.pointer)
    return match is None or int(match[1]) < messages


class Producer:
    """Makes the record of any index of one job; pure for authors that need no server.

    Raises:
        JobError: the job asks for kinds that the catalog cannot serve.
    """

    def __init__(
        self,
        job: Job,
        catalog: Catalog,
        author: Author | None = None,
        *,
        reviewer: Reviewer | None = None,
        answerer: Answerer | None = None,
        prospects: Prospects | None = None,
    ) -> None:
        self._job = job
        self._catalog = catalog
        self._planner = Planner(job, catalog)
        self._author = OfflineAuthor() if author is None else author
        self._reviewer = reviewer
        self._answerer = answerer
        self._provenance = provenance(self._author.name, catalog)
        self._recall = Recall(job, catalog, self._planner)
        self._prospects = prospects
        """What is asked for no more, where the author may fail at a kind or a tool."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index with an author that never waits, until a record passes or the attempts are used up."""
        return finish(self.produce_waiting(index, first_attempt))

    def planned_kind(self, index: int) -> str:
        """Return the kind that the mix gives an index."""
        return self._planner.kind_at(index)

    def scenario(self, index: int, attempt: int = 0) -> Scenario:
        """Return the plan behind an attempt at an index.

        Raises:
            PlanError: this attempt cannot be planned.
        """
        return self._planner.plan(index, attempt)

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, waiting for the author."""
        rejections: list[Rejection] = []
        spent: list[Spent] = []
        for attempt in range(first_attempt, self._job.attempts):
            made, cost = await self._attempt_if_promising(index, attempt)
            if isinstance(made, Outcome):
                return replace(made, rejections=tuple(rejections), spent=total_spent([*spent, cost]))
            if made is not None:
                rejections.append(made)
                spent.append(cost.for_nothing())
        kind, last = self._planner.kind_at(index), self._job.attempts - 1
        return Outcome(index, last, kind, None, b"", (), (), tuple(rejections), total_spent(spent))

    async def _attempt_if_promising(self, index: int, attempt: int) -> tuple[Outcome | Rejection | None, Spent]:
        """Make an attempt; None where its kind or a tool of it was given up."""
        prospects = self._prospects
        if prospects is None:
            return await self._attempt(index, attempt)
        may_be_made = await prospects.turn(index, attempt)
        if not may_be_made or prospects.excludes(index, attempt, self._planned_calls(index, attempt)):
            return None, NOTHING
        made, cost = await self._attempt(index, attempt)
        prospects.heard(index, attempt, made if isinstance(made, Rejection) else None)
        return made, cost

    def _planned_calls(self, index: int, attempt: int) -> tuple[str, ...]:
        """Return the names of the tools that an attempt would call, where some tool was given up."""
        if self._prospects is None or not self._prospects.has_tool_given_up(index):
            return ()
        try:
            return tuple(call.tool.name for call in self._planner.plan(index, attempt).calls)
        except PlanError:
            return ()

    async def _attempt(self, index: int, attempt: int) -> tuple[Outcome | Rejection, Spent]:
        try:
            scenario = self._planner.plan(index, attempt)
        except PlanError as error:
            violation = Violation(rule=NOT_PLANNED, pointer="", message=str(error))
            lead = self._planner.lead_at(index, attempt)
            kind = self._planner.kind_at(index, attempt)
            rejection = Rejection(index=index, attempt=attempt, kind=kind, tools=(lead.name,), violations=(violation,))
            return rejection, NOTHING
        if self._author.name != OfflineAuthor.name and (fault := plan_fault(scenario, self._catalog, self._provenance)):
            return reject(scenario, (fault,)), NOTHING
        made = await make_record(scenario, self._author, self._catalog, self._provenance, self._answerer)
        spent = self._author.spent(scenario)
        if self._answerer is not None:
            spent = total_spent([spent, self._answerer.spent(scenario)])
        if isinstance(made, Rejection):
            return made, spent
        grounding = explain_view(made.view)
        opinion = await self._opinion(made, grounding)
        spent = total_spent([spent, opinion.spent])
        if opinion.violations:
            return reject(scenario, opinion.violations), spent
        return self._kept(made, grounding, opinion), spent

    async def _opinion(self, made: Made, grounding: JsonObject) -> Opinion:
        if self._reviewer is None:
            return NO_OPINION
        return await self._reviewer.opinion(made.scenario, made.history, made.document, grounding)

    def _kept(self, made: Made, grounding: JsonObject, opinion: Opinion) -> Outcome:
        scenario, document = made.scenario, made.document
        if opinion.asked:
            document["metadata"]["second_opinion"] = list(opinion.asked)
        if self._job.grounding and grounding:
            document["metadata"]["grounding"] = grounding
        if self._job.world:
            document["metadata"]["world"] = told(scenario.world, world_after(scenario, made.history))
        if self._job.metadata:
            line, metadata = dump_line(document), b""
        else:
            line = dump_line({key: document[key] for key in ("messages", "tools")})
            metadata = dump_compact(document["metadata"]).encode()
        return outcome_of(document, grounding, scenario.tools, line, metadata)

    def recall(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is (see `Recall`)."""
        return self._recall(line, metadata)


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits for anything, without an event loop.

    Raises:
        RuntimeError: it did wait, which an offline author must not.
    """
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("the author waited for something where it was promised not to")


def generate_records(tools: Iterable[Tool], count: int = 10, seed: int = 7, **options: Any) -> Iterator[Record]:
    """Yield `count` valid records over these tools: offline, no files.

    `options` are further fields of a Job (`mix`, `error_rate`, `locale`, `reference_date` ...).

    Raises:
        JobError: the options contradict themselves or the tools.
        DataError: an index yielded no record that passes every rule.
    """
    job = Job(name="library", count=count, seed=seed, **options)
    known = getattr(tools, "domains", ())
    producer = Producer(job, Catalog(tools=tuple(tools), domains=tuple(known)))
    seen: set[bytes] = set()
    for index in range(job.count):
        outcome = _unseen(producer, index, seen)
        if outcome.line is None:
            raise DataError(f"record {index} could not be made: {_reasons(outcome)}")
        seen.add(outcome.key)
        yield Record.model_validate_json(outcome.line)


def _unseen(producer: Producer, index: int, seen: set[bytes]) -> Outcome:
    outcome = producer.produce(index)
    while outcome.line is not None and outcome.key in seen:
        outcome = producer.produce(index, first_attempt=outcome.attempt + 1)
    return outcome


def _reasons(outcome: Outcome) -> str:
    found = {violation.message: None for rejection in outcome.rejections for violation in rejection.violations}
    return "; ".join(list(found)[:3]) or "every attempt repeated the request of an earlier record"
