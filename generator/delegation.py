"""Delegation: attempts with a model are made by workers elsewhere; what is made, asked and settled is decided here.

A worker knows a job, its catalog and the prompts. It plans, writes the prompts, reads the answers and checks the
records; what costs money or decides of others stays in the process that has the run: the server with its limits, the
log of answers, the requests that are taken, and what was given up.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from generator.authors.llm.distant_model import REVIEWER, WRITER, DistantModel, Post, answering
from generator.authors.llm.prompts import Prompts
from generator.authors.llm.session import Models, writers_of
from generator.backends.budget import Spent
from generator.domains.catalog import Catalog
from generator.engines.engine import IsTaken
from generator.job import Job
from generator.record import Attempt, Producer
from generator.runs.giving_up import Exclusions
from generator.runs.outcome import Outcome
from generator.scenarios.planner import Planner
from generator.validation.verdict import Rejection

if TYPE_CHECKING:  # it imports ray
    from generator.engines.ray_workers import Workers

_TAKEN = "taken"
"""Whom a worker asks whether a record of the run has a request already."""


@dataclass(frozen=True, slots=True)
class DelegatedJob:
    """What travels to a worker, and makes there what makes the attempts."""

    job: bytes
    catalog: bytes
    prompts: Prompts
    is_reviewed: bool

    def __call__(self, post: Post) -> Producer:
        """Return what makes the attempts of the job, which asks by post."""
        job, catalog = Job.model_validate_json(self.job), Catalog.model_validate_json(self.catalog)
        models = Models(DistantModel(post, WRITER), DistantModel(post, REVIEWER) if self.is_reviewed else None)
        writers = writers_of(job, catalog, self.prompts, models)
        return Producer(
            job,
            catalog,
            writers.author,
            reviewer=writers.reviewer,
            answerer=writers.answerer,
            is_taken=partial(post.ask, _TAKEN),
        )


class Delegating(Producer):
    """Decides which attempts are made, and has them made by workers."""

    def __init__(
        self,
        job: Job,
        catalog: Catalog,
        workers: Workers,
        *,
        planner: Planner,
        exclusions: Exclusions,
    ) -> None:
        super().__init__(job, catalog, planner=planner, exclusions=exclusions)
        self._workers = workers

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the workers so far."""
        return self._workers.cpu_seconds

    async def _attempt(self, index: int, attempt: int) -> tuple[Outcome | Rejection, Spent]:
        found: Attempt = await self._workers.attempt(index, attempt)
        self._requests[index, attempt] = found.key
        return found.made, found.spent


@asynccontextmanager
async def at_work(
    job: Job, catalog: Catalog, prompts: Prompts, models: Models, is_taken: IsTaken, most: int
) -> AsyncIterator[Workers]:
    """Open the workers of a job, at most so many, which ask these models by way of this process."""
    from generator.engines.ray_workers import Workers

    named: dict[str, Any] = {WRITER: models.writer}
    if models.reviewer is not None:
        named[REVIEWER] = models.reviewer
    answers, hearing = answering(named)
    recipe = DelegatedJob(
        job.model_dump_json().encode(), catalog.model_dump_json().encode(), prompts, models.reviewer is not None
    )
    async with Workers(recipe, {**answers, _TAKEN: is_taken}, hearing, most) as workers:
        yield workers
