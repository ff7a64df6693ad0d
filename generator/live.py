"""A job with a model behind it: author, backend and log of answers, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from generator.assets import asset_folder
from generator.authors.llm.author import LLMAuthor, opening
from generator.authors.llm.ladder import RUNGS, Ladder
from generator.authors.llm.prompts import Prompts, load_prompts
from generator.backends.answer import estimate_tokens
from generator.backends.answers import LoggedBackend
from generator.backends.openai import ServerOptions, open_backend
from generator.errors import UsageError
from generator.job import Job
from generator.jsontext import JsonObject, digest
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


def go_live(
    job: Job, folder: Path | None, *, base_url: str, api_key_env: str, timeout: float, connections: int
) -> tuple[Job, Live]:
    """Complete a job for the llm author: its prompts, which decide its records, and its server, which does not.

    Raises:
        UsageError: no model is named, the URL is none, a key is missing, or a prompt cannot be used.
    """
    if not job.model:
        raise UsageError("--author llm needs a model: give --model, by the name its server knows")
    prompts = load_prompts(folder or asset_folder("prompts"))
    server = ServerOptions(base_url=base_url, api_key_env=api_key_env, timeout=timeout, connections=connections)
    server.require_usable()
    return job.model_copy(update={"prompts": digest(dict(prompts.sources))}), Live(server, prompts)


def parameters(job: Job) -> JsonObject:
    """Return what every request of a job says besides its messages."""
    return {"model": job.model, "max_tokens": job.max_tokens, "temperature": job.temperature}


_REPLY_TOKENS = 120
"""What a reply and the calls of a draft take, by experience; the estimate says that it is one."""


def preview(job: Job, live: Live, scenarios: Sequence[Scenario]) -> JsonObject:
    """Return what a run would send, without sending it: requests, an estimate of tokens, the first messages.

    `scenarios` are the first of the run; the prompt tokens of a draft are the mean over them.
    """
    drafts = [estimate_tokens({"messages": list(opening(live.prompts, scenario, ()))}) for scenario in scenarios]
    mean = sum(drafts) / len(drafts) if drafts else 0
    return {
        "server": live.server.masked_url,
        "requests": 2 * job.count,
        "estimated_prompt_tokens": round(job.count * (mean + mean / 2)),
        "estimated_completion_tokens": 2 * job.count * _REPLY_TOKENS,
        "messages": list(opening(live.prompts, scenarios[0], ())) if scenarios else [],
    }
