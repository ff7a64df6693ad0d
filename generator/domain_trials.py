"""Trials: records made of a domain that is being written, for whoever writes it to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import orjson

from generator.authors.llm.domain_author import (
    TOOLS_AT_ONCE,
    review_question,
    tasks_question,
    tools_question,
    world_question,
)
from generator.authors.llm.domain_draft import Draft, faults_of
from generator.authors.llm.prompts import Prompts
from generator.domains.catalog import Catalog
from generator.errors import JobError
from generator.job import Job
from generator.jsontext import JsonValue, dump_compact
from generator.pipeline import Producer

_TRIAL_RECORDS = 12
"""Records that are tried for each tool."""
_SHOWN_RECORDS = 18
_SHOWN_REASONS = 8
_TRIAL_KINDS = {
    "simple": 3.0, "multiple": 1.0, "nested": 3.0, "parallel": 2.0, "missing_parameter": 2.0, "coreference": 1.0,
    "confirm_before_write": 1.0, "empty_result": 1.0, "error_report": 1.0, "invalid_value": 1.0, "argument_shift": 1.0,
}  # fmt: skip


def try_out(draft: Draft, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Make records of some tools; return the conversations, and why others could not be made."""
    domain, _ = faults_of(draft.raw, draft.tools, draft.name)
    if domain is None:
        return [], []
    tools = tuple(tool.model_copy(update={"domain": draft.name}) for tool in draft.tools if tool.name in domain.tools)
    if not tools:
        return [], []
    catalog = Catalog(tools=tools, domains=(domain.model_copy(update={"origin": "model"}),))
    job = Job(name="trial", mix=dict(_TRIAL_KINDS), error_rate=0.0, attempts=6, seed=1)
    try:
        producer = Producer(job, catalog)
    except JobError as error:  # nothing of it can be played
        return [], [str(error)]
    records: list[str] = []
    reasons: Counter[str] = Counter()
    for index in range(_TRIAL_RECORDS * len(tools)):
        outcome = producer.produce(index)
        for rejection in outcome.rejections:
            if set(rejection.tools) & set(names):
                reasons[f"{', '.join(rejection.tools)} ({rejection.kind}): {rejection.violations[0].message}"] += 1
        if outcome.line is not None and len(records) < _SHOWN_RECORDS:
            document = orjson.loads(outcome.line)
            if {message["name"] for message in document["messages"] if message["role"] == "tool"} & set(names):
                records.append("\n".join(_lines(document)))
    return records, [f"{reason} ({count} times)" for reason, count in reasons.most_common(_SHOWN_REASONS)]


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
    return review_question(prompts, draft, names, *try_out(draft, names))


def _lines(document: Mapping[str, JsonValue]) -> Iterator[str]:
    for message in document["messages"]:
        for call in message.get("tool_calls", ()):
            yield f"call {call['function']['name']} {dump_compact(call['function']['arguments'])}"
        if message["role"] == "tool":
            yield f"result {message['content'][:1200]}"
        elif message["content"]:
            yield f"{message['role']}: {message['content']}"
