"""The plan of a run, told without a file written: a job and its catalog in, JSON or text for people out.

How much of the disk the run will take is told before it is begun.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from generator.compressed import packed
from generator.domains.catalog import Catalog
from generator.job import Job
from generator.jsontext import JsonObject, dump_compact, dump_pretty
from generator.random_streams import derive_seed
from generator.record import Producer
from generator.runs.identity import job_document, resolve_with
from generator.runs.outcome import Outcome
from generator.runs.ranges import range_text
from generator.runs.record_files import Form
from generator.runs.rows import Packing, text_of
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


_TRIED = 128
"""Records that are made to learn how long they are, and what packing makes of them."""
_PAGES = 1.15
"""Bytes of the run store for each byte of the rows that it keeps, as measured: its pages are not full."""
_SUMMARY = 60_000
"""Bytes of the files that do not grow with the records, less the catalog, about."""
WORTH_A_LOOK = 20_000
"""Records from which on a run looks beforehand whether the disk has room for them."""


def room_needed(job: Job, catalog: Catalog, planner: Planner, indices: range) -> int:
    """Estimate how many bytes the folder of an offline run takes, from a few records from all over its range.

    They are those of a run whose store is not dropped yet.
    """
    producer = Producer(job, catalog, planner=planner)
    made = list(map(producer.produce, _chosen(indices)))
    published = _size(packed((each.line for each in made if each.line is not None), Form.of(job).names(0)[0]))
    rejections = (reason.model_dump_json(by_alias=True).encode() for each in made for reason in each.rejections)
    growing = published + _size(rejections) + _PAGES * _size_of_rows(made)
    return round(growing / max(1, len(made)) * len(indices)) + _size([dump_pretty(catalog.dump()).encode()]) + _SUMMARY


def _chosen(indices: range) -> list[int]:
    """Return some of the indices, one of each stretch: kinds come back at regular distances, so these are not."""
    tried = min(_TRIED, len(indices))
    starts = [number * len(indices) // tried for number in range(tried + 1)]
    return [indices[at + derive_seed("room", at) % (end - at)] for at, end in pairwise(starts)]


def _size_of_rows(made: Sequence[Outcome]) -> float:
    """Return how many bytes as many rows take in a store, which knows its first ones when it packs the others."""
    texts = list(map(text_of, made))
    known = next((number for number in range(len(texts)) if Packing.learned(texts[:number])), 0)
    packing = Packing.learned(texts[:known]) or Packing()
    rest = texts[known:]
    return _size(map(packing.pack, rest)) / max(1, len(rest)) * len(texts)


def _size(chunks: Iterable[bytes]) -> int:
    return sum(map(len, chunks))


def room_left(folder: Path) -> int:
    """Return how many bytes the disk of a folder, which need not exist, has left for this user."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free


def in_bytes(size: int) -> str:
    """Return a number of bytes as people read it."""
    for unit, name in ((10**9, "GB"), (10**6, "MB")):
        if size >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{max(1, round(size / 1000)):,} kB"
