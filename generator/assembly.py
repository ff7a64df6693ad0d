"""Assembly: scenario, drafts and results become one record's document; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from generator.domains.catalog import Catalog
from generator.ids import draw_call_ids
from generator.jsontext import JsonObject, digest
from generator.masking import draw_mask, masked
from generator.random_streams import stream
from generator.records import FORMAT_VERSION, Exchange
from generator.scenarios.results import claim_of
from generator.scenarios.scenario import Scenario
from generator.version import VERSION


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made the records of a run; the same for all of them."""

    author: str
    toolgen_version: str
    catalog: str
    """The catalog's digest."""

    @classmethod
    def of(cls, author: str, catalog: Catalog) -> Self:
        """Return what the records of an author with these tools share."""
        return cls(author, VERSION, catalog.digest)


def assemble(scenario: Scenario, history: tuple[Exchange, ...], provenance: Provenance) -> JsonObject:
    """Return the canonical document of a record (seeds/000), not yet checked.

    Ids come from the record's own stream; results are linked to their calls explicitly and stand in call order.
    """
    ids = _ids(scenario, history)
    messages: list[JsonObject] = [{"role": "system", "content": scenario.system}] if scenario.system else []
    statuses: dict[str, str] = {}
    for exchange, call_ids in zip(history, ids, strict=True):
        messages.extend(_turns(exchange, call_ids))
        statuses.update(zip(call_ids, (result.status for result in exchange.results), strict=True))
    tools = [tool.shown for tool in scenario.tools]
    construction = _construction(scenario, history, ids)
    metadata = _metadata(scenario, provenance, messages, statuses, claim_of(scenario, history))
    if construction:
        metadata["construction"] = construction
    if evidence := _evidence(history, ids):
        metadata["evidence"] = evidence
    document = {"messages": messages, "tools": tools, "metadata": metadata}
    if not scenario.masked:
        return document
    random = stream(scenario.seed, "mask")
    return masked(document, draw_mask(tools, random), random)


def _construction(
    scenario: Scenario, history: tuple[Exchange, ...], ids: list[tuple[str, ...]]
) -> dict[str, dict[str, str]]:
    """Return the words that say what the domain puts into words, by call id and argument, of calls as planned."""
    found: dict[str, dict[str, str]] = {}
    for step, exchange, call_ids in zip(scenario.steps, history, ids, strict=False):
        for planned, call, call_id in zip(step.calls, exchange.draft.calls, call_ids, strict=False):
            if planned.evidence and call.name == planned.tool.name and call.arguments == planned.arguments:
                found[call_id] = dict(planned.evidence)
    return found


def _evidence(history: tuple[Exchange, ...], ids: list[tuple[str, ...]]) -> dict[str, dict[str, str]]:
    """Return the words that the author of each call names for its arguments, by call id and argument."""
    found: dict[str, dict[str, str]] = {}
    for exchange, call_ids in zip(history, ids, strict=True):
        for call, call_id in zip(exchange.draft.calls, call_ids, strict=True):
            named = {each.argument: each.said for each in call.evidence if each.said.strip()}
            if named:
                found[call_id] = named
    return found


def _ids(scenario: Scenario, history: tuple[Exchange, ...]) -> list[tuple[str, ...]]:
    total = sum(len(exchange.draft.calls) for exchange in history)
    drawn = iter(draw_call_ids(total, stream(scenario.seed, "ids")))
    return [tuple(next(drawn) for _ in exchange.draft.calls) for exchange in history]


def _turns(exchange: Exchange, ids: tuple[str, ...]) -> list[JsonObject]:
    draft = exchange.draft
    turns: list[JsonObject] = []
    if draft.request is not None:
        turns.append({"role": "user", "content": draft.request})
    if draft.calls:
        calls = [_call(call_id, call.name, call.arguments) for call_id, call in zip(ids, draft.calls, strict=True)]
        turns.append({"role": "assistant", "content": "", "tool_calls": calls})
    for call_id, result in zip(ids, exchange.results, strict=True):
        turns.append({"role": "tool", "tool_call_id": call_id, "name": result.name, "content": result.message_text})
    if draft.reply is not None:
        turns.append({"role": "assistant", "content": draft.reply})
    return turns


def message_count(exchange: Exchange) -> int:
    """Return how many messages a step makes: what the user says, the calls, each result, what the assistant says."""
    draft = exchange.draft
    return (draft.request is not None) + bool(draft.calls) + len(exchange.results) + (draft.reply is not None)


def _call(call_id: str, name: str, arguments: JsonObject) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _metadata(
    scenario: Scenario,
    provenance: Provenance,
    messages: list[JsonObject],
    statuses: dict[str, str],
    claim: JsonObject,
) -> JsonObject:
    return {
        "id": digest([messages, [tool.fingerprint for tool in scenario.tools]]),
        "index": scenario.index,
        "attempt": scenario.attempt,
        "kind": scenario.kind,
        "seed": scenario.seed,
        "author": provenance.author,
        "format_version": FORMAT_VERSION,
        "toolgen_version": provenance.toolgen_version,
        "catalog": provenance.catalog,
        "domain": scenario.world.program.domain.origin,
        "reference_date": scenario.reference_date.isoformat(),
        "locale": scenario.locale,
        "statuses": statuses,
        **({"claim": claim} if claim else {}),
        **({"second_opinion": ["judge"]} if scenario.judged else {}),
    }
