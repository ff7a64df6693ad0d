"""The plan of a run, told without a file written: a job and its catalog in, JSON or text for people out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generator.domains.catalog import Catalog
from generator.job import Job
from generator.jsontext import JsonObject, dump_compact
from generator.reports.room import in_bytes, room_needed
from generator.runs.identity import job_document, resolve_with
from generator.runs.ranges import range_text
from generator.scenarios.planner import Planner, first_plan
from generator.scenarios.scenario import PlanError, Scenario

if TYPE_CHECKING:
    from generator.authors.llm.session import LLMSession

_SCENARIOS = 2
_LABEL = 15
_TOLD = frozenset({"name", "tools", "count", "seed", "author"})
"""Settings that have a place of their own in the plan, or say what the tools say."""
_ESTIMATED = 100
"""Scenarios whose prompts are looked at for the estimate of tokens."""


def plan_document(
    job: Job, catalog: Catalog, folder: Path, session: LLMSession | None = None, indices: range | None = None
) -> JsonObject:
    """Return the plan of a run as JSON: the resolved job, its kinds, its folder and its first scenarios.

    `indices` are those of the run where it is a part of the job.

    Raises:
        JobError: the catalog cannot serve the job.
    """
    planner = Planner(job, catalog)
    indices = range(job.count) if indices is None else indices
    counts = planner.counts(indices.stop) - planner.counts(indices.start)
    kinds = {name: {"records": counts[name], "tools": len(planner.leads(name))} for name in planner.mix}
    plans = [first_plan(planner, job, index) for index in indices[:_SCENARIOS]]
    plan: JsonObject = {
        "job": job_document(job, resolve_with(job, catalog)),
        "folder": str(folder),
        "range": "" if indices == range(job.count) else range_text(indices),
        "tools": len(catalog.tools),
        **({} if session is not None else {"disk_bytes": room_needed(job, catalog, planner, indices)}),
        "kinds": kinds,
        "kinds_not_served": planner.dropped,
        "scenarios": list(map(_scenario_document, plans)),
    }
    if session is not None:
        from generator.authors.llm.preview import preview

        plan["llm"] = preview(_of_the_part(job, indices), session, catalog, _first_scenarios(planner, job, indices))
    return plan


def _of_the_part(job: Job, indices: range) -> Job:
    """Return a job of as many records as are made."""
    return job.model_copy(update={"count": len(indices)})


def _first_scenarios(planner: Planner, job: Job, indices: range) -> list[Scenario]:
    plans = (first_plan(planner, job, index) for index in indices[:_ESTIMATED])
    return [plan for plan in plans if isinstance(plan, Scenario)]


def _scenario_document(scenario: Scenario | PlanError) -> JsonObject:
    if isinstance(scenario, PlanError):
        return {"not planned": str(scenario)}
    return {
        "index": scenario.index,
        "kind": scenario.kind,
        "tools": [tool.name for tool in scenario.tools],
        "calls": [
            {"name": call.tool.name, "arguments": call.arguments, "outcome": call.outcome} for call in scenario.calls
        ],
        "persona": scenario.persona.role,
        "locale": scenario.locale,
    }


def plan_text(plan: JsonObject) -> str:
    """Write the plan for people: what is asked for, where it differs from the defaults, and what will be made."""
    job = plan["job"]
    lines = [_labelled("records", f"{job['count']:,} over {plan['tools']:,} tools, seed {job['seed']}")]
    lines += [_labelled("range", plan["range"])] if plan["range"] else []
    lines += [_labelled("author", job["author"]), _labelled("folder", plan["folder"])]
    lines += [_labelled("disk", f"about {in_bytes(plan['disk_bytes'])}")] if "disk_bytes" in plan else []
    lines += [_labelled("set", ", ".join(_set(job)))] if _set(job) else []
    lines += ["", f"{'kind':<20} {'records':>9} {'tools that can lead':>20}"]
    lines += [f"{name:<20} {kind['records']:>9,} {kind['tools']:>20,}" for name, kind in plan["kinds"].items()]
    lines += [f"{name:<20} not served: {reason}" for name, reason in plan["kinds_not_served"].items()]
    lines += ["", *(_labelled("first", _first(scenario)) for scenario in plan["scenarios"])]
    lines += _llm_lines(plan["llm"]) if "llm" in plan else []
    nothing = "nothing was written, and nothing was sent" if "llm" in plan else "nothing was written"
    return "\n".join([*lines, "", f"{nothing}; --json tells all of the plan"])


def _labelled(label: str, text: str) -> str:
    return f"{label:<{_LABEL}}{text}"


def _set(job: JsonObject) -> list[str]:
    """Return the settings that are not the usual ones."""
    usual = Job().model_dump(mode="json")
    return [
        f"{key} {value if isinstance(value, str) else dump_compact(value)}"
        for key, value in job.items()
        if key in usual and key not in _TOLD and value != usual[key]
    ]


def _first(scenario: JsonObject) -> str:
    """Return what one of the first records will be, in a line."""
    if "kind" not in scenario:
        return f"not planned: {scenario['not planned']}"
    calls = [call["name"] for call in scenario["calls"]]
    return f"{scenario['kind']}: " + (", ".join(calls) or "no call")


def _llm_lines(llm: JsonObject) -> list[str]:
    domains = f", of these {llm['requests_for_domains']:,} for domains" if llm["requests_for_domains"] else ""
    cost = []
    if "estimated_cost" in llm:
        batches = f"{llm['estimated_batch_cost']:,} in batches: `toolgen help batches`"
        cost = [_labelled("cost", f"{llm['estimated_cost']:,} (estimate), {batches}")]
    lines = [
        "",
        _labelled("server", llm["server"]),
        _labelled("requests", f"{llm['requests']:,} at least{domains} (more where an answer is sent back)"),
        _labelled("prompt tokens", f"{llm['estimated_prompt_tokens']:,} (estimate)"),
        _labelled("answer tokens", f"{llm['estimated_completion_tokens']:,} (estimate)"),
        *cost,
        "",
        "messages of the first request",
    ]
    lines += [f"  {line}" for line in message_lines(llm["messages"])]
    return lines


def message_lines(messages: list[JsonObject]) -> list[str]:
    """Write messages for people."""
    lines: list[str] = []
    for message in messages:
        lines += [f"[{message['role']}]", *message["content"].splitlines(), ""]
    return lines[:-1]
