"""The kinds of records, told with examples over a user's own tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc

import orjson

from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.job import Job
from generator.jsontext import JsonObject
from generator.kinds import DEFAULT_MIX, KINDS
from generator.record import Producer
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import Scenario, Step
from generator.suggestions import did_you_mean
from generator.validation import KIND_CHECKS

_INDICES = 12
"""Records that are tried for the examples of a kind; an index that yields none is passed over."""


@dataclass(frozen=True, slots=True)
class KindEntry:
    """One kind, as it is listed."""

    name: str
    summary: str
    share: float
    """Percent of the default mix."""
    tools: int
    """How many tools of the catalog can lead a record of it."""
    need: str
    """What the catalog lacks where there are none."""
    example: JsonObject | None
    """A record, where the catalog can serve the kind."""


@dataclass(frozen=True, slots=True)
class KindExplained:
    """One kind, explained."""

    entry: KindEntry
    layout: str
    """What its blueprint lays out."""
    claim: str
    """What its check demands."""
    steps: tuple[str, ...]
    """The steps of the first example."""
    records: tuple[JsonObject, ...]


def list_kinds(catalog: Catalog, seed: int = 0) -> Iterator[KindEntry]:
    """Yield every kind with an example over these tools."""
    planner = _planner(catalog, seed)
    for name in KINDS:
        yield _entry(name, planner, next(_records(name, planner, catalog, seed), (None, None))[1])


def _planner(catalog: Catalog, seed: int) -> Planner:
    return Planner(Job(name="kinds", seed=seed), catalog)


def markdown_table() -> str:
    """Write the kinds and their shares of the default mix as a table."""
    lines = ["| kind | % | what it is |", "|---|---|---|"]
    for name, kind in KINDS.items():
        lines.append(f"| `{name}` | {kind.share:g} | {kind.summary} |")
    return "\n".join(lines)


def explain_kind(name: str, catalog: Catalog, seed: int = 0, count: int = 3) -> KindExplained:
    """Explain one kind, with records over these tools.

    Raises:
        UsageError: there is no such kind.
    """
    kind = KINDS.get(name)
    if kind is None:
        raise UsageError(f"there is no kind {name!r}; {did_you_mean(name, KINDS) or '`toolgen kinds` lists them'}")
    planner = _planner(catalog, seed)
    made = [made for made, _ in zip(_records(name, planner, catalog, seed), range(count), strict=False)]
    records = tuple(document for _, document in made)
    return KindExplained(
        entry=_entry(name, planner, records[0] if records else None),
        layout=cleandoc(LAYOUTS[name].blueprint.__doc__ or kind.summary),
        claim=cleandoc(KIND_CHECKS[name].__doc__ or kind.summary),
        steps=tuple(map(_step, made[0][0].steps)) if made else (),
        records=records,
    )


def _entry(name: str, planner: Planner, example: JsonObject | None) -> KindEntry:
    kind = KINDS[name]
    share = 100 * kind.share / sum(DEFAULT_MIX.values())
    return KindEntry(name, kind.summary, round(share, 1), len(planner.leads(name)), kind.need, example)


def _records(name: str, planner: Planner, catalog: Catalog, seed: int) -> Iterator[tuple[Scenario, JsonObject]]:
    """Yield the records of the first indices of a run of this kind alone, with their scenarios."""
    if not planner.leads(name):
        return
    job = Job(name=name, seed=seed, mix={name: 1.0})
    producer = Producer(job, catalog)
    first = list(KINDS).index(name)  # so that the kinds are not all shown with the same tool
    for index in range(first, first + _INDICES):
        outcome = producer.produce(index)
        if outcome.line is not None:
            yield producer.scenario(index, outcome.attempt), orjson.loads(outcome.line)


def _step(step: Step) -> str:
    """Say in words what happens in a step."""
    what = [
        "the user speaks" if step.request else "",
        f"{len(step.calls)} calls are made" if len(step.calls) > 1 else "a call is made" if step.calls else "",
        "the assistant speaks" if step.reply else "",
    ]
    act = f" ({step.act})" if step.act else ""
    return ", ".join(filter(None, what)) + act
