"""A job with a model behind it: author, backend and log of answers, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from generator.assets import asset_folder
from generator.authors.author import NoDraft
from generator.authors.llm.author import LLMAuthor, opening
from generator.authors.llm.domain_author import DomainWriter
from generator.authors.llm.domain_draft import faults_of
from generator.authors.llm.ladder import Ladder
from generator.authors.llm.opinion import SecondOpinion, blind_prompt, judge_prompt
from generator.authors.llm.plan import is_asked
from generator.authors.llm.prompts import Prompts, load_prompts
from generator.authors.llm.results import ResultWriter, results_prompt
from generator.authors.llm.variables import question_text
from generator.authors.offline import OfflineAuthor
from generator.backends.admission import Notify, nobody
from generator.backends.answer_file import AnswerFile, EarlierAnswers
from generator.backends.answers import AnswerLog, LoggedBackend
from generator.backends.limits import Budget, Limits
from generator.backends.model import ModelOptions
from generator.backends.protocols import protocol_of, require_free
from generator.backends.server import ServerOptions
from generator.backends.verdicts import Verdicts
from generator.domain_writing import try_out
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.errors import UsageError
from generator.job import Job
from generator.jsontext import JsonObject, digest
from generator.record import Producer, examiner
from generator.records.calls import Exchange
from generator.runs.prospects import Prospects
from generator.runs.store import RunStore
from generator.runs.summary import RUNG_NOTE
from generator.scenarios.answering import answer_calls
from generator.scenarios.scenario import Scenario
from generator.tools.tool import Tool

T = TypeVar("T")

GRACE = 8.0
"""Seconds; containers are killed ten seconds after they were asked to end."""


@dataclass(frozen=True, slots=True)
class Live:
    """What a job with a model needs besides its tools, and the account of what it costs."""

    server: ServerOptions
    prompts: Prompts
    answers: Path | None = None
    """The folder of another run whose answers may serve."""
    notify: Notify = nobody
    """Is told of what the user waits for."""
    budget: Budget = field(default_factory=Budget)
    verdicts: Verdicts = field(default_factory=Verdicts)
    grace: float = GRACE
    """Seconds that a run which is to stop waits for the requests in flight."""
    keep_thoughts: bool = False
    """Whether what the model thought before it answered is kept with its answers."""
    second: ServerOptions | None = None
    """The server of whoever gives second opinions; None where it is the same."""

    @asynccontextmanager
    async def open(
        self, job: Job, catalog: Catalog, store: RunStore, answers: AnswerFile, prospects: Prospects
    ) -> AsyncIterator[Producer]:
        """Open the producer of a run whose answers are kept in its file of them."""
        self.verdicts.begin()
        async with self._asking(job, store, answers) as ladder_of:
            ladder = ladder_of(job.model)
            examine = examiner(catalog, LLMAuthor.name)
            author = LLMAuthor(ladder, self.prompts, examine, tries=job.tries, proof=job.proof)
            answerer = ResultWriter(ladder, self.prompts) if job.results == "model" else None
            async with self._reviewing(job, store, answers, ladder_of) as reviewer:
                yield Producer(job, catalog, author, reviewer=reviewer, answerer=answerer, prospects=prospects)

    @asynccontextmanager
    async def _reviewing(
        self, job: Job, store: RunStore, answers: AnswerFile, ladder_of: Callable[[str], Ladder]
    ) -> AsyncIterator[SecondOpinion | None]:
        """Open the way to whoever gives second opinions; None where nobody is asked."""
        model = job.verify_model or job.model
        if job.verify == "off":
            yield None
        elif self.second is None:
            yield SecondOpinion(ladder_of(model), self.prompts, job.verify)
        else:
            other = replace(self, server=self.second)
            async with other._asking(job.model_copy(update={"model": ""}), store, answers) as other_of:
                yield SecondOpinion(other_of(model), self.prompts, job.verify)

    def settle(
        self, job: Job, catalog: Catalog, store: RunStore, answers: AnswerFile, stopping: Callable[[], bool]
    ) -> Catalog:
        """Return the catalog with the domains that the model writes for the tools of which nobody has written one.

        A run that is to stop meanwhile gets the catalog as it is: what was answered is kept, and asked no more.

        Raises:
            BackendError: the server refuses for good, or none of its answers can be used.
            LimitError: a limit is reached.
        """
        lacking = {name: tools for name, tools in lacking_domains(catalog).items() if tools}
        if not lacking or not job.write_domains:
            return catalog
        written = asyncio.run(self._written(job, lacking, store, answers, stopping))
        return catalog if written is None else with_domains(catalog, written)

    async def _written(
        self,
        job: Job,
        lacking: Mapping[str, tuple[Tool, ...]],
        store: RunStore,
        answers: AnswerFile,
        stopping: Callable[[], bool],
    ) -> list[Domain] | None:
        """Have the domains of some toolsets written; None where the run is to stop before they are."""
        self.verdicts.begin()
        domains: list[Domain] = []
        async with self._asking(job, store, answers) as ladder_of:
            ladder = ladder_of(job.model)
            for name, tools in lacking.items():
                writer = DomainWriter(ladder, self.prompts, try_out, tries=job.tries, on_part=partial(self._tell, name))
                task = asyncio.create_task(writer.write(tools, name, {}, lambda raw: None))
                draft = await _unless(stopping, task)
                if draft is None:
                    return None
                for note in draft.notes:
                    self._tell(name, note)
                domain, faults = faults_of(draft.raw, tools, name)
                if domain is not None and domain.tools and not faults:
                    domains.append(domain)
        return domains

    def _tell(self, name: str, part: str) -> None:
        self.notify(f"the model writes the domain {name}: {part}")

    @asynccontextmanager
    async def _asking(self, job: Job, store: RunStore, answers: AnswerFile) -> AsyncIterator[Callable[[str], Ladder]]:
        """Open the way to the server of a run, behind the log of its answers: a ladder for each model."""
        from generator.backends.http import open_backend

        with _log(answers, self.answers) as log:
            async with (
                open_backend(self.server, budget=self.budget, verdicts=self.verdicts, notify=self.notify) as backend,
                LoggedBackend(backend, log, self.grace, keep_thoughts=self.keep_thoughts) as logged,
            ):
                yield cache(partial(self._ladder, job, logged, store))

    def _ladder(self, job: Job, backend: LoggedBackend, store: RunStore, model: str) -> Ladder:
        """Begin on the rung that this server and model were last asked on."""
        place = f"rung of {self.server.masked_url} {model}"
        rungs = protocol_of(self.server).modes
        noted = store.note(place)
        rung = next((each for each in rungs if each == noted), rungs[0])

        def note(rung: str) -> None:
            store.set_note(place, rung)
            if model == job.model:
                store.set_note(RUNG_NOTE, rung)

        if model == job.model and store.note(RUNG_NOTE) != rung:
            store.set_note(RUNG_NOTE, rung)
        return Ladder(
            backend, replace(model_of(job), model=model), rungs=rungs, rung=rung, on_rung=note, verdicts=self.verdicts
        )


_POLL = 0.2


async def _unless(stopping: Callable[[], bool], task: asyncio.Task[T]) -> T | None:
    """Wait for a task, and end it where it is to stop; None then."""
    while not task.done():
        await asyncio.wait({task}, timeout=_POLL)
        if stopping() and not task.done():
            task.cancel()
            await asyncio.wait({task})
            return None
    return task.result()


def lacking_domains(catalog: Catalog) -> dict[str, tuple[Tool, ...]]:
    """Return the tools of which no domain speaks, by the name that their domain will have."""
    known = {domain.name for domain in catalog.domains}
    return {
        f"model-{toolset}" if toolset else "model": tuple(tool for tool in tools if tool.domain not in known)
        for toolset, tools in catalog.toolsets.items()
    }


def with_domains(catalog: Catalog, domains: Sequence[Domain]) -> Catalog:
    """Return a catalog whose tools are spoken of by these domains too."""
    lacking = lacking_domains(catalog)
    named = {
        tool.key: domain.name
        for domain in domains
        for tool in lacking.get(domain.name, ())
        if tool.name in domain.tools
    }
    tools = tuple(
        tool.model_copy(update={"domain": named[tool.key]}) if tool.key in named else tool for tool in catalog.tools
    )
    return Catalog(tools=tools, domains=(*catalog.domains, *domains))


@contextmanager
def _log(own: AnswerFile, earlier: Path | None) -> Iterator[AnswerLog]:
    if earlier is None:
        yield own
        return
    with closing(EarlierAnswers(own, earlier)) as log:
        yield log


def go_live(
    job: Job,
    server: ServerOptions,
    folder: Path | None,
    answers: Path | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen, so one for all calls is safe
    notify: Notify = nobody,
    keep_thoughts: bool = False,
    second: ServerOptions | None = None,
) -> tuple[Job, Live]:
    """Complete a job for the llm author: its prompts, which decide its records, and its server, which does not.

    Args:
        job: what to generate.
        server: who is asked.
        folder: prompts of the user's own.
        answers: the folder of another run whose answers may serve.
        limits: what the session may spend; they decide no record either.
        notify: is told of what the user waits for.
        keep_thoughts: whether what the model thought is kept with its answers.
        second: who gives second opinions, where it is another server.

    Raises:
        UsageError: no model is named, the URL is none, a key is missing, a prompt cannot be used, or the extra body
            says again what every request says.
    """
    if not job.model:
        raise UsageError("--author llm needs a model: give --model, by the name its server knows")
    prompts = load_prompts(folder or asset_folder("prompts"))
    server.require_usable()
    require_free(protocol_of(server), model_of(job))
    if second is not None:
        second.require_usable()
    live = Live(server, prompts, answers, notify, Budget(limits), keep_thoughts=keep_thoughts, second=second)
    return job.model_copy(update={"prompts": digest(dict(prompts.sources))}), live


def model_of(job: Job) -> ModelOptions:
    """Return what every request of a job says besides its messages."""
    return ModelOptions(
        job.model, job.max_output_tokens, job.temperature, job.top_p, job.reasoning_effort, job.extra_body
    )


AFTERWARDS = ("results", "verify/blind", "verify/judge")
"""Prompts that are asked of calls or records that are written already."""
_STAND_IN = "your JSON lacks a non-empty 'request'"


def prompt_messages(prompts: Prompts, scenario: Scenario, name: str, number: int | None = None) -> list[JsonObject]:
    """Return the exact messages of one prompt for a scenario; what the model would have said before is a stand-in.

    Args:
        prompts: the templates.
        scenario: whose record is written.
        name: the prompt; `repair` is shown after the first one that is asked.
        number: the step, counted from 0; None takes the first that asks with this prompt.

    Raises:
        UsageError: the scenario, or its step, has no such prompt.
    """
    if name in AFTERWARDS:
        return _afterwards(prompts, scenario, name, number)
    met: list[str] = []
    for own, history in _asked(scenario):
        met.append(f"{own} in step {len(history)}")
        if name not in (own, "repair") or number not in (None, len(history)):
            continue
        messages = list(opening(prompts, scenario, history))
        if name == "repair":
            messages.append({"role": "user", "content": prompts.render("repair", {"problems": [_STAND_IN]})})
        return messages
    place = name if number is None else f"{name} in step {number}"
    own = f"scenario {scenario.index} is of kind {scenario.kind}: its prompts are {', '.join(met)} and repair"
    raise UsageError(f"{own}, not {place}")


def _afterwards(prompts: Prompts, scenario: Scenario, name: str, number: int | None) -> list[JsonObject]:
    """Return what is asked of a record, or of the calls of its step, when they are written."""
    *_, (_, before) = _asked(scenario)
    history = (*before, _stand_in(scenario, before))
    if name == "verify/judge":
        return [{"role": "user", "content": judge_prompt(prompts, scenario, history)}]
    steps = [place for place, each in enumerate(history) if each.draft.calls and number in (None, place)]
    if not steps:
        raise UsageError(f"scenario {scenario.index} is of kind {scenario.kind}: no call is made in that step")
    place = steps[0]
    if name == "verify/blind":
        return [{"role": "user", "content": blind_prompt(prompts, scenario, history, place)}]
    return [{"role": "user", "content": results_prompt(prompts, scenario, history[:place], history[place].draft)}]


def _stand_in(scenario: Scenario, history: tuple[Exchange, ...]) -> Exchange:
    """Return the next step of a scenario as the offline author writes it."""
    try:
        draft = OfflineAuthor().write(scenario, history)
    except NoDraft as refusal:
        raise UsageError(f"scenario {scenario.index} has no stand-in: {refusal}; choose another") from refusal
    return Exchange(draft, answer_calls(scenario, draft, scenario.steps[len(history)], history))


def _asked(scenario: Scenario) -> Iterator[tuple[str, tuple[Exchange, ...]]]:
    """Yield the prompt of each step that is asked for, with what went before it as the offline author writes it."""
    history: tuple[Exchange, ...] = ()
    for _ in scenario.steps:
        if is_asked(scenario, history):
            yield question_text(scenario, history)[0], history
        history = (*history, _stand_in(scenario, history))
