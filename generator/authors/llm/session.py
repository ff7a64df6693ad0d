"""The LLM session: author, backend and log of answers of a job with a model, put together and opened.

The shortest question proves server, key and model before anything depends on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Protocol, TypeVar

from generator.assets import asset_folder
from generator.authors.llm.author import LLMAuthor
from generator.authors.llm.domain_author import DomainAuthor, DomainDraft, Try, faults_of
from generator.authors.llm.draft_checks import examiner
from generator.authors.llm.prompts import Prompts, load_prompts
from generator.authors.llm.response_formats import FormatFallback, Model
from generator.authors.llm.results import ResultWriter
from generator.authors.llm.second_opinion import SecondOpinion
from generator.backends.admission import Notify, nobody
from generator.backends.answers import AnswerFile, AnswerLog, EarlierAnswers, LoggedBackend, TakenOverBackend
from generator.backends.backend import Backend, CompletionRequest, ModelOptions, RequestRefused, Unavailable, Verdicts
from generator.backends.batches.wanted import Outstanding, RoundBackend, Wanted
from generator.backends.budget import Budget, Limits
from generator.backends.http import open_backend
from generator.backends.protocols.protocol import require_free
from generator.backends.server import ServerOptions, protocol_of
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.errors import BackendError, UsageError
from generator.job import Job
from generator.jsontext import JsonObject, digest
from generator.runs.summary import RESPONSE_FORMAT_NOTES, RESPONSE_MODE_NOTE
from generator.tools import Tool

T = TypeVar("T")

GRACE = 8.0
"""Seconds; containers are killed ten seconds after they were asked to end."""


class Notes(Protocol):
    """Keeps texts by name from one session of a run to the next."""

    def note(self, name: str) -> str | None:
        """Return a text that was noted with the run, or None."""
        ...

    def set_note(self, name: str, value: str) -> None:
        """Note a text with the run, at once."""
        ...


@dataclass(frozen=True, slots=True)
class StoredSession:
    """What a run keeps of its session: the answers, and how the server was asked."""

    answers: AnswerFile
    notes: Notes


@dataclass(frozen=True, slots=True)
class Writers:
    """Whoever writes the records of a run, and looks at them."""

    author: LLMAuthor
    answerer: ResultWriter | None
    reviewer: SecondOpinion | None


@dataclass(frozen=True, slots=True)
class Models:
    """The models that a run asks."""

    writer: Model
    reviewer: Model | None
    """Gives second opinions; None where nobody does."""


def writers_of(job: Job, catalog: Catalog, prompts: Prompts, models: Models) -> Writers:
    """Return whoever writes the records of a run with these models, and looks at them."""
    examine = examiner(catalog, LLMAuthor.name)
    return Writers(
        author=LLMAuthor(models.writer, prompts, examine, tries=job.tries, proof=job.proof),
        answerer=ResultWriter(models.writer, prompts) if job.results == "model" else None,
        reviewer=None if models.reviewer is None else SecondOpinion(models.reviewer, prompts, job.verify),
    )


@dataclass(frozen=True, slots=True)
class LLMSession:
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
    given: Mapping[str, JsonObject] = field(default_factory=dict)
    """Domains as far as a model has written them before, by the name they will have: only what they lack is asked."""
    passed_over: frozenset[str] = frozenset()
    """Keys of tools that a model was asked about before and did not describe: it is not asked again."""
    wanted: Wanted | None = None
    """Takes what is not answered yet, where it is asked in batches; None where the server is asked at once."""

    @asynccontextmanager
    async def open(self, job: Job, catalog: Catalog, stored: StoredSession) -> AsyncIterator[Writers]:
        """Open the way to whoever writes the records of a run, whose answers are kept in its file of them."""
        async with self.asking(job, stored) as models:
            yield writers_of(job, catalog, self.prompts, models)

    @asynccontextmanager
    async def asking(self, job: Job, stored: StoredSession) -> AsyncIterator[Models]:
        """Open the way to the models of a run, whose answers are kept in its file of them."""
        self.verdicts.begin()
        async with (
            self._asking(job, stored) as fallback_of,
            self._reviewing(job, stored, fallback_of) as reviewer,
        ):
            yield Models(fallback_of(job.model), reviewer)

    @asynccontextmanager
    async def _reviewing(
        self, job: Job, stored: StoredSession, fallback_of: Callable[[str], FormatFallback]
    ) -> AsyncIterator[Model | None]:
        """Open the way to the model that gives second opinions; None where nobody is asked."""
        model = job.verify_model or job.model
        if job.verify == "off":
            yield None
        elif self.second is None:
            yield fallback_of(model)
        else:
            other = replace(self, server=self.second)
            async with other._asking(job.model_copy(update={"model": ""}), stored) as other_of:
                yield other_of(model)

    def write_domains(
        self, job: Job, catalog: Catalog, stored: StoredSession, try_out: Try, stopping: Callable[[], bool]
    ) -> Catalog:
        """Return the catalog with the domains that the model writes for the tools of which nobody has written one.

        A run that is to stop meanwhile gets the catalog as it is: what was answered is kept, and asked no more.

        Raises:
            BackendError: the server refuses for good, or none of its answers can be used.
            LimitError: a limit is reached.
        """
        left = {
            name: tuple(tool for tool in tools if tool.key not in self.passed_over)
            for name, tools in lacking_domains(catalog).items()
        }
        lacking = {name: tools for name, tools in left.items() if tools}
        if not lacking or not job.write_domains:
            return catalog
        written = asyncio.run(self._written(job, lacking, stored, try_out, stopping))
        return catalog if written is None else with_domains(catalog, written)

    async def _written(
        self,
        job: Job,
        lacking: Mapping[str, tuple[Tool, ...]],
        stored: StoredSession,
        try_out: Try,
        stopping: Callable[[], bool],
    ) -> list[Domain] | None:
        """Have the domains of some toolsets written; None where the run is to stop before they are."""
        self.verdicts.begin()
        domains: list[Domain] = []
        waiting: list[Outstanding] = []
        async with self._asking(job, stored) as fallback_of:
            fallback = fallback_of(job.model)
            for name, tools in lacking.items():
                writer = DomainAuthor(
                    fallback, self.prompts, try_out, tries=job.tries, on_part=partial(self._tell, name)
                )
                task = asyncio.create_task(writer.write(tools, name, self.given.get(name, {}), lambda raw: None))
                try:
                    draft = await _unless(stopping, task)
                except Outstanding as outstanding:  # in a round the other toolsets are asked as well
                    waiting.append(outstanding)
                    continue
                if draft is None:
                    return None
                domains += self._usable(draft, tools, name)
        if waiting:
            raise waiting[0]
        return domains

    def _usable(self, draft: DomainDraft, tools: tuple[Tool, ...], name: str) -> list[Domain]:
        """Return the domain that a model has written, none where it cannot be used."""
        for note in draft.notes:
            self._tell(name, note)
        domain, faults = faults_of(draft.raw, tools, name)
        return [domain] if domain is not None and domain.tools and not faults else []

    def _tell(self, name: str, part: str) -> None:
        self.notify(f"the model writes the domain {name}: {part}")

    @asynccontextmanager
    async def _asking(self, job: Job, stored: StoredSession) -> AsyncIterator[Callable[[str], FormatFallback]]:
        """Open the way to the server of a run, behind the log of its answers: a fallback for each model."""
        with _log(stored.answers, self.answers) as log:
            async with self._backend(log) as backend:
                asked = TakenOverBackend(stored.answers, backend) if stored.answers.is_taken_over else backend
                yield cache(partial(self._fallback, job, asked, stored))

    @asynccontextmanager
    async def _backend(self, log: AnswerLog) -> AsyncIterator[Backend]:
        if self.wanted is not None:
            yield RoundBackend(log, self.wanted, self.server, self.verdicts)
            return
        from generator.backends.http import open_backend

        async with (
            open_backend(self.server, budget=self.budget, verdicts=self.verdicts, notify=self.notify) as backend,
            LoggedBackend(backend, log, self.grace, keep_thoughts=self.keep_thoughts) as logged,
        ):
            yield logged

    def _fallback(self, job: Job, backend: Backend, stored: StoredSession, model: str) -> FormatFallback:
        """Begin with the response mode in which this server and model were last asked, or in which parts were."""
        notes = stored.notes
        place = f"{RESPONSE_FORMAT_NOTES}{self.server.masked_url} {model}"
        modes = protocol_of(self.server).modes
        noted = notes.note(place)
        if noted is None and stored.answers.is_taken_over:
            noted = notes.note(RESPONSE_MODE_NOTE)
        mode = next((each for each in modes if each == noted), modes[0])

        def note(mode: str) -> None:
            notes.set_note(place, mode)
            if model == job.model:
                notes.set_note(RESPONSE_MODE_NOTE, mode)

        if model == job.model and notes.note(RESPONSE_MODE_NOTE) != mode:
            notes.set_note(RESPONSE_MODE_NOTE, mode)
        return FormatFallback(
            backend,
            replace(model_of(job), model=model),
            modes=modes,
            mode=mode,
            on_mode=note,
            verdicts=self.verdicts,
            served=() if self.wanted is None else self.wanted.served(self.server, model),
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


def prepare_session(
    job: Job,
    server: ServerOptions,
    folder: Path | None,
    answers: Path | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen, so one for all calls is safe
    notify: Notify = nobody,
    keep_thoughts: bool = False,
    second: ServerOptions | None = None,
    at_once: bool = True,
) -> tuple[Job, LLMSession]:
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
        at_once: whether the servers are asked in this session; files of requests need no key.

    Raises:
        UsageError: no model is named, the URL is none, a key is missing, a prompt cannot be used, or the extra body
            says again what every request says.
    """
    if not job.model:
        raise UsageError("--author llm needs a model: give --model, by the name its server knows")
    prompts = load_prompts(folder or asset_folder("prompts"))
    require_free(protocol_of(server), model_of(job))
    for each in (server, second) if at_once else ():
        if each is not None:
            each.require_usable()
    session = LLMSession(server, prompts, answers, notify, Budget(limits), keep_thoughts=keep_thoughts, second=second)
    return job.model_copy(update={"prompts": digest(dict(prompts.sources))}), session


def model_of(job: Job) -> ModelOptions:
    """Return what every request of a job says besides its messages."""
    return ModelOptions(
        job.model, job.max_output_tokens, job.temperature, job.top_p, job.reasoning_effort, job.extra_body
    )


_SAID = "Say: ready"
_LONGEST = 64
"""Tokens of the answer, what is thought included."""
_TRIES = 2


def greet(session: LLMSession, job: Job) -> int:
    """Ask the model of a job, with all its options, for a word, and return how many tokens that took.

    Raises:
        BackendError: the server does not answer, or refuses the key, the model or an option.
        LimitError: a limit leaves no room for it.
    """
    model = replace(model_of(job), max_output_tokens=min(_LONGEST, job.max_output_tokens))
    request = CompletionRequest(model, ({"role": "user", "content": _SAID},))

    async def asked() -> int:
        server = replace(session.server, tries=_TRIES)
        async with open_backend(server, budget=session.budget, notify=session.notify) as backend:
            try:
                answer = await backend.complete(request)
            except (RequestRefused, Unavailable) as error:
                raise BackendError(f"{server.masked_url}: {error}") from error
            return answer.prompt_tokens + answer.completion_tokens

    return asyncio.run(asked())
