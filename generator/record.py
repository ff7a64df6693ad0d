"""The way of one record: planned, drafted, executed, assembled, checked; and the attempts at one index."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from generator.assembly import Provenance, assemble
from generator.authors.author import Answerer, Author, NoDraft, OfflineAuthor, Opinion, Reviewer
from generator.backends.batches.wanted import Outstanding
from generator.backends.budget import NOTHING_SPENT, Spent, total_spent
from generator.domains.catalog import Catalog
from generator.errors import DataError, JobError
from generator.formats.loading.tool_files import LoadedTools
from generator.job import Job
from generator.job_choices import DEFAULT_SEED, OfflineOptions
from generator.jsontext import JsonObject, dump_compact, dump_line
from generator.kinds import KINDS
from generator.lengths import TOO_LONG, open_counter
from generator.records import Draft, Exchange, Record, ToolResult
from generator.runs.job_file import job_of
from generator.runs.outcome import LONGEST_REQUEST, Outcome, key_of, outcome_of
from generator.runs.read_back import RecordReader
from generator.scenarios.planner import Planner, after_repeat
from generator.scenarios.results import answer_calls, world_after
from generator.scenarios.scenario import NOT_PLANNED, PlanError, Scenario, Step
from generator.suggestions import did_you_mean
from generator.tools import Tool
from generator.validation import examine
from generator.validation.grounding.arguments.grounded import explain_view
from generator.validation.verdict import Rejection, Violation, errors_of
from generator.validation.view import RecordView
from generator.worlds.world import changes_between

if TYPE_CHECKING:  # what a model alone needs is imported where one is asked
    from generator.runs.giving_up import Exclusions

T = TypeVar("T")
History = tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class Making:
    """What makes the records of a job out of their plans."""

    author: Author
    catalog: Catalog
    answerer: Answerer | None = None
    """Writes results in place of a world that does not know their tools."""
    tells_grounding: bool = True
    """Whether the metadata tell where every argument comes from."""
    tells_world: bool = False
    """Whether they tell the world before and after the calls."""
    is_repeat: Callable[[Scenario, bytes], Awaitable[bool]] | None = None
    """Says whether an earlier record has the request with this key, once it is written."""

    @property
    def provenance(self) -> Provenance:
        """What the records share."""
        return Provenance.of(self.author.name, self.catalog)


@dataclass(frozen=True, slots=True)
class AcceptedRecord:
    """A document that passed every rule as it stands, and the scenario it was made from."""

    scenario: Scenario
    document: JsonObject
    view: RecordView
    """The document as it was examined."""
    history: History


@dataclass(frozen=True, slots=True)
class Repeat:
    """A record that was left off when its last request was written: an earlier one has the same."""

    scenario: Scenario
    key: bytes
    request: str
    """What the user said last."""


async def make_record(scenario: Scenario, making: Making) -> AcceptedRecord | Repeat | Rejection:
    """Walk one plan through its steps: draft, execute; then assemble, check."""
    history: History = ()
    for step in scenario.steps:
        try:
            draft = await making.author.draft(scenario, history)
        except NoDraft as refusal:
            return reject(scenario, refusal.violations, history)
        if (key := await _repeated(scenario, step, history, draft, making)) is not None:
            return Repeat(scenario, key, last_request((*history, Exchange(draft))))
        history = (*history, Exchange(draft, await _execute(scenario, step, history, draft, making)))
    document = assemble(scenario, history, making.provenance)
    return _check(scenario, document, history, making)


async def _repeated(scenario: Scenario, step: Step, history: History, draft: Draft, making: Making) -> bytes | None:
    """Return the key of the record's request where this draft completes it, and an earlier record has the same."""
    later = scenario.steps[len(history) + 1 :]
    if making.is_repeat is None or not step.request or any(each.request for each in later):
        return None
    drafts = [*(exchange.draft for exchange in history), draft]
    key = key_of(each.request for each in drafts if each.request is not None)
    return key if await making.is_repeat(scenario, key) else None


async def _execute(
    scenario: Scenario, step: Step, history: History, draft: Draft, making: Making
) -> tuple[ToolResult, ...]:
    """Return the results of a draft's calls: those of the world, or of whoever writes in its place."""
    results = answer_calls(scenario, draft, step, history)
    if making.answerer is None or not results:
        return results
    return await making.answerer.written(scenario, history, draft, results)


def _check(scenario: Scenario, document: JsonObject, history: History, making: Making) -> AcceptedRecord | Rejection:
    """Examine a document as it will stand: what its metadata tell besides is found out before the rules are asked."""

    def told_besides(view: RecordView) -> JsonObject:
        grounding = explain_view(view) if making.tells_grounding else {}
        world = changes_between(scenario.world, world_after(scenario, history)) if making.tells_world else {}
        return {name: each for name, each in (("grounding", grounding), ("world", world)) if each}

    violations, view = examine(document, catalog=making.catalog, told_besides=told_besides)
    found = errors_of(violations)
    if found or view is None:
        return reject(scenario, found, history)
    return AcceptedRecord(scenario, document, view, history)


def last_request(history: History) -> str:
    """Return what the user said last, cut to what a rejection tells of it; "" where nothing was said."""
    said = [exchange.draft.request for exchange in history if exchange.draft.request is not None]
    return said[-1][:LONGEST_REQUEST] if said else ""


def reject(scenario: Scenario, violations: Iterable[Violation], history: History = ()) -> Rejection:
    """Return the rejection of one attempt, with what was drafted before it was given up."""
    return Rejection(
        index=scenario.index,
        attempt=scenario.attempt,
        kind=scenario.kind,
        tools=_planned_names(scenario),
        violations=tuple(violations),
        request=last_request(history),
        origins=scenario.origins if history else (),
    )


def _planned_names(scenario: Scenario) -> tuple[str, ...]:
    return tuple(call.tool.name for call in scenario.calls) or tuple(tool.name for tool in scenario.tools)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one attempt at an index, however it is to be settled."""

    made: Outcome | Rejection
    spent: Spent
    key: bytes
    """That of its request; empty where it was not written."""


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
        planner: Planner | None = None,
        reviewer: Reviewer | None = None,
        answerer: Answerer | None = None,
        exclusions: Exclusions | None = None,
        is_taken: Callable[[bytes], Awaitable[bool]] | None = None,
    ) -> None:
        self._job = job
        self._planner = Planner(job, catalog) if planner is None else planner
        self._making = Making(
            OfflineAuthor() if author is None else author,
            catalog,
            answerer,
            tells_grounding=job.grounding,
            tells_world=job.world,
            is_repeat=self._is_repeat,
        )
        self._reviewer = reviewer
        self._counter = open_counter(job.tokenizer)
        self._read_record = RecordReader(job, catalog, self._planner, self._counter)
        self._exclusions = exclusions
        """What is asked for no more, where the author may fail at a kind or a tool."""
        self._is_taken = is_taken
        """Says whether an earlier record of the run has the request with this key."""
        self._requests: dict[tuple[int, int], bytes] = {}
        """The keys of requests that were written, by index and attempt, where the indices are under way."""

    @property
    def cpu_seconds(self) -> float:
        """CPU time used in other processes so far."""
        return 0.0

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index with an author that never waits, until a record passes or the attempts are used up."""
        return finish(self.produce_waiting(index, first_attempt))

    def planned(self, index: int, attempt: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the tools that an attempt plans, and the parts of domain files that it is made of.

        Raises:
            PlanError: this attempt cannot be planned.
        """
        scenario = self._planner.plan(index, attempt)
        return _planned_names(scenario), scenario.origins

    def planned_kind(self, index: int) -> str:
        """Return the kind that the mix gives an index."""
        return self._planner.kind_at(index)

    def scenario(self, index: int, attempt: int = 0) -> Scenario:
        """Return the plan behind an attempt at an index.

        Raises:
            PlanError: this attempt cannot be planned.
        """
        return self._planner.plan(index, attempt)

    async def attempt(self, index: int, attempt: int) -> Attempt:
        """Make one attempt at an index, whatever came of others, waiting for the author."""
        made, spent = await self._attempt(index, attempt)
        return Attempt(made, spent, self._requests.pop((index, attempt), b""))

    async def produce_waiting(self, index: int, first_attempt: int = 0) -> Outcome:
        """Attempt one index, waiting for the author."""
        rejections: list[Rejection] = []
        requests: list[bytes] = []
        spent: list[Spent] = []
        for attempt in range(first_attempt, self._job.attempts):
            made, cost = await self._attempt_if_promising(index, attempt)
            key = self._requests.pop((index, attempt), b"")
            if isinstance(made, Outcome):
                cost = total_spent([*spent, cost])
                return replace(made, rejections=tuple(rejections), requests=tuple(requests), spent=cost)
            if made is not None:
                rejections.append(made)
                requests.append(key)
                spent.append(cost.for_nothing())
        kind, last = self._planner.kind_at(index), self._job.attempts - 1
        nothing = Outcome(index, last, kind, None, b"", (), ())
        return replace(nothing, rejections=tuple(rejections), requests=tuple(requests), spent=total_spent(spent))

    async def _attempt_if_promising(self, index: int, attempt: int) -> tuple[Outcome | Rejection | None, Spent]:
        """Make an attempt; None where its kind or a tool of it was given up."""
        exclusions = self._exclusions
        if exclusions is None:
            return await self._attempt(index, attempt)
        may_be_made = await exclusions.turn(index, attempt)
        if not may_be_made or exclusions.excludes(index, attempt, self._planned_calls(index, attempt)):
            return None, NOTHING_SPENT
        made, cost = await self._attempt(index, attempt)
        exclusions.note(index, attempt, made if isinstance(made, Rejection) else None)
        return made, cost

    def recall(self, index: int, rejections: Sequence[Rejection], attempt: int | None) -> None:
        """Take note of attempts that were made in an earlier round; `attempt` is the one that made a record."""
        if self._exclusions is not None:
            self._exclusions.recall(index, rejections, attempt)

    async def ask_ahead(self) -> None:
        """Go through the attempts that decide whether a kind is given up, for what they will ask."""
        for index, attempt in () if self._exclusions is None else self._exclusions.decisive():
            with suppress(Outstanding):
                await self._attempt(index, attempt)
            self._requests.pop((index, attempt), None)

    def _planned_calls(self, index: int, attempt: int) -> tuple[str, ...]:
        """Return the names of the tools that an attempt would call, where some tool was given up."""
        if self._exclusions is None or not self._exclusions.has_tool_given_up(index):
            return ()
        try:
            return tuple(call.tool.name for call in self._planner.plan(index, attempt).calls)
        except PlanError:
            return ()

    async def _attempt(self, index: int, attempt: int) -> tuple[Outcome | Rejection, Spent]:
        try:
            scenario = self._planner.plan(index, attempt)
        except PlanError as error:
            return self._unplanned(index, attempt, str(error)), NOTHING_SPENT
        making = self._making
        if making.author.name != OfflineAuthor.name:
            from generator.authors.llm.draft_checks import plan_fault

            fault = plan_fault(scenario, making.catalog, making.provenance)
            if fault is not None:
                return reject(scenario, (fault,)), NOTHING_SPENT
        made = self._within(await make_record(scenario, making))
        spent = making.author.spent(scenario)
        if making.answerer is not None:
            spent = total_spent([spent, making.answerer.spent(scenario)])
        if isinstance(made, AcceptedRecord) and self._reviewer is not None:
            made, opinion = await _reviewed(made, making, self._reviewer)
            spent = total_spent([spent, opinion.spent])
        return made if isinstance(made, Rejection) else self._outcome(made), spent

    def _within(self, made: AcceptedRecord | Repeat | Rejection) -> AcceptedRecord | Repeat | Rejection:
        """Reject a record that is longer than the job allows."""
        most = self._job.max_length
        if most is None or not isinstance(made, AcceptedRecord):
            return made
        tokens = self._counter.of_record(made.document)
        if tokens <= most:
            return made
        about = "about " if self._counter.estimates else ""
        message = f"the record has {about}{tokens:,} tokens, and --max-length allows {most:,}"
        return reject(made.scenario, (Violation(rule=TOO_LONG, pointer="", message=message),), made.history)

    def _unplanned(self, index: int, attempt: int, reason: str) -> Rejection:
        """Return the rejection of an attempt that cannot be planned."""
        violation = Violation(rule=NOT_PLANNED, pointer="", message=reason)
        lead = self._planner.lead_at(index, attempt)
        kind = self._planner.kind_at(index, attempt)
        return Rejection(index=index, attempt=attempt, kind=kind, tools=(lead.name,), violations=(violation,))

    def _outcome(self, made: AcceptedRecord | Repeat) -> Outcome:
        scenario = made.scenario
        planned = _planned_names(scenario)
        if isinstance(made, Repeat):
            left_off = Outcome(scenario.index, scenario.attempt, scenario.kind, None, made.key, (), (), planned=planned)
            return replace(left_off, request=made.request, origins=scenario.origins)
        document = made.document
        if self._job.metadata:
            line, metadata = dump_line(document), b""
        else:
            line = dump_line({key: document[key] for key in ("messages", "tools")})
            metadata = dump_compact(document["metadata"]).encode()
        outcome = outcome_of(document, explain_view(made.view), scenario.tools, line, metadata, counter=self._counter)
        return replace(outcome, planned=planned, request=last_request(made.history), origins=scenario.origins)

    async def _is_repeat(self, scenario: Scenario, key: bytes) -> bool:
        self._requests[scenario.index, scenario.attempt] = key
        return self._is_taken is not None and await self._is_taken(key)

    def read_record(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a stored line is (see `Recall`)."""
        return self._read_record(line, metadata)

    def recognise(self, line: bytes, metadata: bytes = b"") -> Outcome:
        """Return the outcome that a line is which was examined before."""
        return self._read_record.recognise(line, metadata)


async def _reviewed(
    made: AcceptedRecord, making: Making, reviewer: Reviewer
) -> tuple[AcceptedRecord | Rejection, Opinion]:
    """Have a second opinion on a record that passed; one that tells of it is examined again, as it then stands."""
    scenario, document = made.scenario, made.document
    opinion = await reviewer.opinion(scenario, made.history, document, explain_view(made.view))
    if opinion.violations:
        return reject(scenario, opinion.violations, made.history), opinion
    metadata, asked = document["metadata"], list(opinion.asked)
    if not asked or metadata.get("second_opinion") == asked:
        return made, opinion
    last = {name: metadata[name] for name in ("grounding", "world") if name in metadata}
    before = {name: each for name, each in metadata.items() if name not in last}
    document = {**document, "metadata": {**before, "second_opinion": asked, **last}}
    violations, view = examine(document, catalog=making.catalog)
    found = errors_of(violations)
    if found or view is None:
        return reject(scenario, found, made.history), opinion
    return replace(made, document=document, view=view), opinion


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


def generate_records(
    tools: Iterable[Tool],
    count: int = 10,
    seed: int = DEFAULT_SEED,
    *,
    kinds: Iterable[str] | None = None,
    **options: Unpack[OfflineOptions],
) -> Iterator[Record]:
    """Yield `count` valid records over these tools: offline, no files.

        for record in generate_records(load_tools("my_tools.json"), count=100, seed=7, kinds=["parallel"]):
            print(record.messages[-1].content)

    Args:
        tools: what `load_tools` gives, with the domains that speak of them; or any tools.
        count: how many records.
        seed: another one gives other records; equal arguments give equal records.
        kinds: the kinds of the records, in equal shares; each must be one that the tools can serve, where a `mix` gives
            the shares of those that they cannot to the others.
        options: further fields of a job; `job_choices.OfflineOptions` says what each means.

    Raises:
        JobError: the options contradict themselves or the tools, or one of them is none.
        DataError: an index yielded no record that passes every rule.
    """
    fields: dict[str, Any] = {"name": "library", "count": count, "seed": seed, **options}
    if kinds is not None:
        fields["mix"] = mix_of(kinds, fields.get("mix"))
    catalog = tools.catalog if isinstance(tools, LoadedTools) else Catalog(tools=tuple(tools))
    for line in record_lines(job_of(fields), catalog, every_kind=kinds is not None):
        yield Record.model_validate_json(line)


def mix_of(kinds: Any, mix: object = None) -> dict[str, float]:
    """Return the mix in which these kinds have equal weights; `kinds` is what a program gave: names, or one name.

    Raises:
        JobError: they are no names of kinds, or a mix is given as well.
    """
    if mix is not None:
        raise JobError("kinds and mix both say which kinds to make: give one of them")
    names = [kinds] if isinstance(kinds, str) else list(kinds) if isinstance(kinds, Iterable) else [kinds]
    if not names:
        raise JobError("kinds: it names none; leave it out for the default mix")
    for name in names:
        if not isinstance(name, str) or name not in KINDS:
            hint = did_you_mean(str(name), KINDS) or "`toolgen kinds` lists them"
            raise JobError(f"kinds: unknown kind {name!r}; {hint}")
    return dict.fromkeys(names, 1.0)


def record_lines(job: Job, catalog: Catalog, *, every_kind: bool = False) -> Iterator[bytes]:
    """Yield the records of an offline job as lines, one after the other, no two with the same request.

    Args:
        job: what to make.
        catalog: the tools to make it over.
        every_kind: whether each kind of the mix must be one that the tools can serve.

    Raises:
        JobError: the tools cannot serve what is asked for.
        DataError: an index yielded no record that passes every rule.
    """
    planner = Planner(job, catalog)
    if every_kind and planner.dropped:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in planner.dropped.items())
        raise JobError(f"these tools cannot serve what is asked for: {reasons}")
    seen: set[bytes] = set()

    async def is_taken(key: bytes) -> bool:
        return key in seen

    producer = Producer(job, catalog, planner=planner, is_taken=is_taken)
    for index in range(job.count):
        outcome = producer.produce(index)
        while outcome.line is None and outcome.key:
            outcome = producer.produce(index, after_repeat(outcome.attempt, job.attempts))
        if outcome.line is None:
            raise DataError(f"record {index} could not be made: {_reasons(outcome)}")
        seen.add(outcome.key)
        yield outcome.line


def _reasons(outcome: Outcome) -> str:
    found = {violation.message: None for rejection in outcome.rejections for violation in rejection.violations}
    return "; ".join(list(found)[:3]) or "every attempt repeated the request of an earlier record"
