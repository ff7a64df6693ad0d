"""A job with a model behind it: author, backend and log of answers, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from generator.authors.llm.author import LLMAuthor, opening
from generator.authors.llm.envelope import draft_envelope, reply_envelope
from generator.authors.llm.ladder import RUNGS, Ladder, Question
from generator.authors.llm.prompts import Prompts
from generator.backends.answer import estimate_tokens
from generator.backends.answers import LoggedBackend
from generator.backends.openai import ServerOptions, open_backend
from generator.job import Job
from generator.jsontext import JsonObject
from generator.pipeline import Producer, examiner
from generator.runs.store import RunStore
from generator.scenarios.scenario import Scenario
from generator.tools.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Live:
    """What a job with a model needs besides its tools."""

    server: ServerOptions
    prompts: Prompts

    @asynccontextmanager
    async def open(self, job: Job, catalog: Catalog, store: RunStore) -> AsyncIterator[Producer]:
        """Open the producer of a run whose answers are kept in its store."""
        async with open_backend(self.server) as backend:
            yield Producer(job, catalog, self._author(job, catalog, LoggedBackend(backend, store), store))

    def _author(self, job: Job, catalog: Catalog, backend: LoggedBackend, store: RunStore) -> LLMAuthor:
        place = f"rung of {self.server.masked_url} {job.model}"
        noted = store.note(place)
        ladder = Ladder(
            backend,
            parameters(job),
            rung=noted if noted in RUNGS else RUNGS[0],
            on_rung=lambda rung: store.set_note(place, rung),
        )
        return LLMAuthor(ladder, self.prompts, examiner(catalog, LLMAuthor.name), tries=job.tries)


def parameters(job: Job) -> JsonObject:
    """Return what every request of a job says besides its messages."""
    return {"model": job.model, "max_tokens": job.max_tokens, "temperature": job.temperature}


def first_messages(prompts: Prompts, scenario: Scenario) -> tuple[JsonObject, ...]:
    """Return the exact messages that ask for the first step of a scenario."""
    return opening(prompts, scenario, ())


def estimate(job: Job, prompts: Prompts, scenario: Scenario) -> int:
    """Estimate the prompt tokens of the first request of a scenario, from its bytes."""
    step = scenario.steps[0]
    envelope = draft_envelope(step) if step.request else reply_envelope()
    question = Question(first_messages(prompts, scenario), envelope.schema, envelope.strict, salt="")
    return estimate_tokens({**parameters(job), "messages": list(question.messages)})
