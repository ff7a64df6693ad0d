"""Trials: records made of a domain that is being written, for whoever writes it to read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from generator.authors.llm.domain_author import (
    TOOLS_AT_ONCE,
    Trial,
    review_question,
    tasks_question,
    tools_question,
    world_question,
)
from generator.authors.llm.domain_draft import Draft, faults_of, told
from generator.authors.llm.prompts import Prompts
from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.domains.phrasing import phrasing_faults
from generator.domains.reading import Fault
from generator.errors import JobError
from generator.job import Job
from generator.jsontext import JsonValue, dump_compact
from generator.kinds import KINDS
from generator.pipeline import Producer
from generator.scenarios.rehearsing import rehearse, tell_unsaid
from generator.scenarios.rehearsing.rehearsal import ROUNDS
from generator.tools.tool import Tool
from generator.validation.verdict import Rejection
from generator.worlds.playbook import open_playbook

_TRIAL_RECORDS = 12
"""Records that are tried for each tool."""
_SHOWN_RECORDS = 18
_SHOWN_REASONS = 8
_ROUNDS_OF_TASKS = 8
"""Worlds in which the tasks are gone: all ways are, with them."""
_OFTEN = 3
"""Attempts that are refused less often than this are told of no fault of the domain: others take their place."""
_SHOWN_FAULTS = 20
_SHOWN_RESULT = 1_200
_FEWEST_REQUESTS = 12
"""Different requests that a tool should have: those without arguments have as many as were written."""
KIND_RULE = "TC114"
"""The rule that a record is of the kind that it claims."""
_HASH = re.compile(r"\b[0-9a-f]{32,64}\b")
_JSON = re.compile(r"\{\"[^\"]{1,40}\":.{0,30}")


def try_out(draft: Draft, names: Sequence[str]) -> Trial:
    """Make records of some tools, or of the tasks where none is named."""
    domain, _ = faults_of(draft.raw, draft.tools, draft.name)
    if domain is None:
        return Trial([], [])
    tools = tuple(tool.model_copy(update={"domain": draft.name}) for tool in draft.tools if tool.name in domain.tools)
    if not tools:
        return Trial([], [])
    found, unsaid = _rehearsed(domain, tools, names)
    faults = [*found, *phrasing_faults(draft.raw, names)]
    records, reasons = _records(domain, tools, names)
    lacking = [f"{name}: {tell_unsaid(parts)}" for name, parts in unsaid.items() if name in names]
    return Trial(records, [*map(told, faults[:_SHOWN_FAULTS]), *reasons], lacking)


def _records(domain: Domain, tools: tuple[Tool, ...], names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return conversations in which the tools are called, what is bad in their words, and why others are refused."""
    catalog = Catalog(tools=tools, domains=(domain.model_copy(update={"origin": "model"}),))
    wanted = set(names) or {tool.name for tool in tools}
    mix = {name: kind.trial for name, kind in KINDS.items() if kind.trial and kind.led_by_tasks is not bool(names)}
    job = Job(name="trial", mix=mix, error_rate=0.0, attempts=6, seed=1)
    try:
        producer = Producer(job, catalog)
    except JobError as error:  # nothing of it can be played
        return [], [str(error)]
    records: list[str] = []
    reasons: Counter[str] = Counter()
    bad: dict[str, str] = {}
    for index in range(_TRIAL_RECORDS * len(tools)):
        outcome = producer.produce(index)
        for rejection in outcome.rejections:
            if set(rejection.tools) & wanted:
                reasons[_reason(rejection)] += 1
        if outcome.line is not None and len(records) < _SHOWN_RECORDS:
            document = orjson.loads(outcome.line)
            if {message["name"] for message in document["messages"] if message["role"] == "tool"} & wanted:
                records.append("\n".join(_lines(document)))
                bad |= dict(_unspeakable(document))
    refused = [
        f"{reason} ({count} times)"
        for reason, count in reasons.most_common(_SHOWN_REASONS)
        if count >= min(_OFTEN, len(tools))
    ]
    return records, [*bad.values(), *refused]


def _reason(rejection: Rejection) -> str:
    """Return why a record was refused; what is true of each record of its kind is told as what is not so here."""
    first = rejection.violations[0]
    kind = rejection.kind
    what = first.message
    if first.rule == KIND_RULE:
        what = f"refused, since it is not so that a record of this kind {what.removeprefix(f'{kind}: ')}"
    return f"{', '.join(rejection.tools)} ({kind}): {what}"


def _rehearsed(
    domain: Domain, tools: Sequence[Tool], names: Sequence[str]
) -> tuple[list[Fault], dict[str, tuple[str, ...]]]:
    """Return what a rehearsal finds wrong with some tools, or with the tasks, and what no way of a tool says.

    What is looked up by a tool that nobody has described yet is told instead, so that it is no fault.
    """
    known = {
        name: tool if name in names or not names else tool.model_copy(update={"ways": ()})
        for name, tool in domain.tools.items()
    }
    described = {name for name, tool in domain.tools.items() if tool.result is not None or tool.effect}
    entities = {
        name: entity
        if entity.find is None or entity.find.call in described
        else entity.model_copy(update={"find": None, "told": (f"There are <rows: {{{entity.key}}}>.",)})
        for name, entity in domain.entities.items()
    }
    tasks = () if names else domain.tasks
    tried = domain.model_copy(update={"tools": known, "entities": entities, "tasks": tasks, "unserved": ()})
    rounds = ROUNDS if names else _ROUNDS_OF_TASKS
    found = rehearse(open_playbook(tried, tools), rounds=rounds, fewest=_FEWEST_REQUESTS if names else 0)
    faults = [fault for fault in found.faults if fault.path[:1] != ("tools",) or fault.path[1] in names]
    return faults, found.unsaid


def _unspeakable(document: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """Yield what nobody would say in prose: whole hashes and raw JSON, each with an example."""
    for message in document["messages"]:
        if message["role"] not in ("assistant", "user") or not message["content"]:
            continue
        if found := _HASH.search(message["content"]):
            yield "hash", f"{message['role']} says a whole hash: {found[0]!r} (write {{x|cut:7}})"
        if message["role"] == "assistant" and (found := _JSON.search(message["content"])):
            yield "json", f"assistant says raw JSON: {found[0]!r} (say it in words)"


def shown_question(prompts: Prompts, name: str, catalog: Catalog) -> str:
    """Return the question for one part of the domain of a catalog's first toolset, over what is known of it."""
    tools = next(iter(catalog.toolsets.values()), ())
    of = next((tool.domain for tool in tools if tool.domain), "")
    known = next((domain for domain in catalog.domains if domain.name == of), None)
    raw = {} if known is None else known.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    draft = Draft(raw, tuple(tool for tool in tools if tool.domain == of), of)
    first = draft.tools[:TOOLS_AT_ONCE]
    if name == "domain/world":
        return world_question(prompts, draft.tools)
    if name == "domain/tools":
        return tools_question(prompts, draft, first)
    if name == "domain/tasks":
        return tasks_question(prompts, draft)
    names = [tool.name for tool in first]
    return review_question(prompts, draft, names, try_out(draft, names))


def _lines(document: Mapping[str, JsonValue]) -> Iterator[str]:
    for message in document["messages"]:
        for call in message.get("tool_calls", ()):
            yield f"call {call['function']['name']} {dump_compact(call['function']['arguments'])}"
        if message["role"] == "tool":
            cut = " ... (shown shortened)" if len(message["content"]) > _SHOWN_RESULT else ""
            yield f"result {message['content'][:_SHOWN_RESULT]}{cut}"
        elif message["content"]:
            yield f"{message['role']}: {message['content']}"
