"""Checking a build beforehand: tools, domains, prompts, server, limits, gates and targets are tried, no record made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.builds.build import Order, load_tools_of, require_reachable
from generator.builds.folder import BuildsFolder
from generator.builds.keeping import Sight, decide
from generator.builds.manifest import Before, before_of
from generator.builds.states import states_of
from generator.builds.work import known_before
from generator.datasets.decontamination import Benchmarks
from generator.datasets.pushing import check_target
from generator.formats.loading.mcp_servers import list_tools
from generator.jsontext import JsonObject
from generator.scenarios.planner import Planner, first_plan
from generator.scenarios.scenario import Scenario

if TYPE_CHECKING:  # it imports the openai package, which an offline build does without
    from generator.authors.llm.session import LLMSession
    from generator.domains.catalog import Catalog
    from generator.job import Job

_ESTIMATED = 100
"""Scenarios whose prompts are looked at for the estimate of tokens."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found: a job that can be built."""

    document: JsonObject


def check(order: Order) -> Checked:
    """Prove that a job can be built, without making a record or writing a file.

    Raises:
        UsageError: tools, domains, prompts, key or targets are wrong; each says what to do.
        DataError: a gate is missed whatever comes of the records.
        BackendError, McpServerError: a server does not answer.
    """
    asked = order.asked
    catalog = load_tools_of(order, [list_tools(server) for server in asked.settings.servers]).catalog
    job, session = order.complete(asked.requested.job.model_copy(update={"metadata": True}))
    before = before_of(BuildsFolder(order.out))
    if session is not None:
        known = known_before(catalog, before)
        catalog, session = known.catalog, known.given_to(session)
    planner = Planner(job, catalog)
    require_reachable(asked, job, planner)
    files = asked.beside(asked.settings.splits.decontaminate)
    questions = len(Benchmarks.read(files)) if files else 0
    for target in asked.settings.publish.push:
        check_target(target)
    document: JsonObject = {
        "name": job.name,
        "folder": str(order.out),
        "records": job.count,
        "seed": job.seed,
        "author": job.author,
        "tools": len(catalog.tools),
        "domains": dict(planner.origins),
        "kinds": dict(planner.counts(job.count)),
        "kinds_not_served": planner.dropped,
        "benchmark_questions": questions,
        "push": list(asked.settings.publish.push),
        **_to_make(order, job, catalog, planner, before),
    }
    if session is not None:
        document["llm"] = _asked(order, job, session, catalog, planner, document["anew"])
    return Checked(document)


def _to_make(order: Order, job: Job, catalog: Catalog, planner: Planner, before: Before | None) -> JsonObject:
    """Return how many records would stay, and how many would be made anew, and why."""
    now = Sight(job, states_of(catalog), lambda index: planner.lead_at(index).key, full=order.full)
    keeping = decide(before, now)
    return {"kept": len(keeping.places), "anew": keeping.anew.total(), "why": dict(+keeping.anew)}


def _asked(order: Order, job: Job, session: LLMSession, catalog: Catalog, planner: Planner, anew: int) -> JsonObject:
    """Return what a model would be asked, once its server has answered."""
    from generator.authors.llm.preview import preview
    from generator.authors.llm.session import greet

    tokens = greet(session, job)
    plans = (first_plan(planner, job, index) for index in range(min(job.count, _ESTIMATED)))
    found = preview(job, session, catalog, [plan for plan in plans if isinstance(plan, Scenario)])
    told = {name: value for name, value in found.items() if name != "messages"}
    limits = order.asked.settings.limits.model_dump(mode="json", exclude_defaults=True)
    return {**told, "made_anew": anew, "of_records": job.count, "greeting_tokens": tokens, "limits": limits}
