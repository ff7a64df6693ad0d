"""Records being planned over small domains, for tests of plan states, planning contexts and blueprints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import orjson

from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.job import Job
from generator.jsontext import JsonObject
from generator.record import Producer
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.catalog_index import CatalogIndex
from generator.scenarios.plan_state import PlanState, new_plan_state
from generator.scenarios.planning_context import PlanningContext
from generator.scenarios.scenario import PlanError
from generator.tools import Tool
from generator.worlds.program import CompiledDomain, compiled_domain
from tests.bundled import bundled
from tests.domains_library import LIBRARY_TOOLS, TODAY, library


def state(compiled: CompiledDomain | None = None, seed: int = 7) -> PlanState:
    """A record's plan that begins, over the library unless said."""
    return new_plan_state(compiled or library(), seed, TODAY, "en_US")


def context_over(
    compiled: CompiledDomain,
    lead: str,
    *,
    seed: int = 7,
    visit: int = 0,
    attempt: int = 0,
    error_rate: float = 0.0,
    beside: Iterable[Tool] = (),
) -> PlanningContext:
    """What a blueprint works with, over one compiled domain."""
    tools = {tool.key: tool for tool in (*compiled.tools.values(), *beside)}
    return PlanningContext(
        index=CatalogIndex(Catalog(tools=tuple(tools.values()))),
        compiled=compiled,
        lead=lead,
        visit=visit,
        attempt=attempt,
        state=state(compiled, seed),
        error_rate=error_rate,
        reference_date=TODAY,
        locale="en_US",
    )


def library_context(
    lead: str = "renew_loan", *, seed: int = 7, visit: int = 0, error_rate: float = 0.0
) -> PlanningContext:
    """A context over the library."""
    assert lead in {tool.name for tool in LIBRARY_TOOLS}
    return context_over(library(), lead, seed=seed, visit=visit, error_rate=error_rate)


def compiled_of(document: JsonObject, tools: Iterable[Tool]) -> CompiledDomain:
    """A domain compiled without a fault."""
    compiled = compiled_domain(Domain.model_validate({"domain": 1, **document}), tools)
    assert compiled.faults == ()
    return compiled


def plan_error(kind: str, context: PlanningContext) -> str:
    """Why a kind cannot be laid out."""
    try:
        LAYOUTS[kind].blueprint(context)
    except PlanError as error:
        return str(error)
    raise AssertionError(f"{kind} was laid out")


@cache
def made(kind: str, count: int = 15) -> tuple[Any, ...]:
    """So many records of a kind over the bundled tools; a third of the plans at least passes every rule at once."""
    job = Job(count=count, seed=41, mix={kind: 1.0}, error_rate=0.0)
    producer = Producer(job, bundled())
    found, refused = [], []
    for index in range(count):
        outcome = producer.produce(index)
        broken = [rejection.violations for rejection in outcome.rejections]
        refused += [violations for violations in broken if violations[0].rule != "PL001"]
        assert outcome.line is not None, f"record {index}: {broken[-1]}"
        found.append(orjson.loads(outcome.line))
    assert len(refused) <= 2 * count, refused
    return tuple(found)
