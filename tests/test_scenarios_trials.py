"""Trials of tools that may lead a kind: no plan depends on which of them were tried before."""

from __future__ import annotations

from generator.domains.catalog import Catalog
from generator.formats.tool_files import load_catalog
from generator.job import Job
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import PlanError
from tests.checkout import CHECKOUT

COUNT = 60


def bundled() -> Catalog:
    return load_catalog([str(CHECKOUT / "tool_specs")], skip_invalid=True, on_conflict="source").catalog


def planned(planner: Planner, index: int) -> object:
    try:
        scenario = planner.plan(index)
    except PlanError as error:
        return str(error)
    return [step.request_text + step.reply_text for step in scenario.steps], scenario.system, scenario.seed


def test_what_was_tried_before_changes_no_plan() -> None:
    catalog = bundled()
    job = Job(name="trials", count=COUNT, seed=5, mix={"sequential": 1, "coreference": 1, "nested": 1})
    one, other = Planner(job, catalog), Planner(job, catalog)
    forth = [planned(one, index) for index in range(COUNT)]
    back = [planned(other, index) for index in reversed(range(COUNT))][::-1]
    assert all(one == other for one, other in zip(forth, back, strict=True))
