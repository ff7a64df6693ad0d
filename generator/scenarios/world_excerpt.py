"""What there is in the world of a record, as whoever invents a wish in it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from generator.domains.domain import Domain
from generator.jsontext import JsonObject, JsonValue
from generator.records import Exchange
from generator.scenarios.results import (
    as_planned,
    brought,
    entity_wanted,
    leaves,
    said_in,
    says,
    turn_from,
    world_after,
)
from generator.scenarios.scenario import PlannedCall, Scenario
from generator.worlds.rows import PLAIN_TYPES, Row
from generator.worlds.world import World

_MOST_ENTITIES = 6
_MOST_ROWS = 6
_MOST_FIELDS = 10
_LONGEST = 80
"""Characters of one value."""


def excerpt(scenario: Scenario, history: tuple[Exchange, ...] = ()) -> list[JsonValue]:
    """Return the things that the called tools deal with, as they are now: `kind`, and `rows` with their plain fields.

    Ids that a result is to bring are left out: whoever knows them may say them.
    """
    world = world_after(scenario, history)
    names = _entities(world.program.domain, {call.tool.name for call in scenario.calls})
    given = _given(scenario, history)
    unknown = _found_out(scenario, len(history))
    found: list[JsonValue] = []
    for name in [name for name in names if name in world.program.entities][:_MOST_ENTITIES]:
        shown = [(row, _shown(world, row)) for row in world.table(name).values()]
        shown = sorted(shown, key=lambda each: given.isdisjoint(map(str, each[1].values())))[:_MOST_ROWS]
        rows = [_without(fields, world.id_of(row.ref)) if name in unknown else fields for row, fields in shown]
        if rows:
            found.append({"kind": name.replace("_", " "), "rows": rows})
    return found


def _given(scenario: Scenario, history: tuple[Exchange, ...]) -> set[str]:
    """Return the texts that the calls hold, those planned and those made."""
    given = {text for call in scenario.calls for text in _texts(call.arguments)}
    return given | {text for each in history for call in each.draft.calls for text in _texts(call.arguments)}


def fresh_calls(scenario: Scenario, number: int) -> list[PlannedCall]:
    """Return the planned calls of a turn that begins with a step, each with what its request says anew.

    What results bring is left out, and what was said, called or brought in earlier turns.
    """
    before = as_planned(scenario, number)
    known = said_in(scenario, before) if before else ""
    met = _called_and_brought(before)
    return [
        replace(
            call,
            arguments={
                name: value
                for name, value in call.arguments.items()
                if name not in names and str(value) not in met and not says(known, str(value))
            },
        )
        for step in turn_from(scenario, number)
        for call, names in zip(scenario.steps[step].calls, brought(scenario, step), strict=True)
    ]


def _called_and_brought(exchanges: Iterable[Exchange]) -> set[str]:
    """Return the texts and numbers that were called with, and those that results brought."""
    found: set[str] = set()
    for each in exchanges:
        values = (*(call.arguments for call in each.draft.calls), *(result.content for result in each.results))
        found.update(str(leaf) for value in values for leaf in leaves(value))
    return found


def _found_out(scenario: Scenario, number: int) -> set[str]:
    """Return the entities whose ids a turn finds out, and does not begin with."""
    first, *following = turn_from(scenario, number)
    found = {
        entity_wanted(scenario, name, call.arguments[name])
        for step in following
        for call, names in zip(scenario.steps[step].calls, brought(scenario, step), strict=True)
        for name in names
    }
    given = [pair for call in scenario.steps[first].calls for pair in call.arguments.items()] if found else []
    return found - {entity_wanted(scenario, *pair) for pair in given}


def _without(fields: JsonObject, value: JsonValue) -> JsonObject:
    return {key: each for key, each in fields.items() if each != value}


def at_hand(calls: Iterable[PlannedCall]) -> JsonObject:
    """Return the plain values of planned calls by argument: names and numbers of the sort that would suit."""
    found: dict[str, list[JsonValue]] = {}
    for call in calls:
        for name, value in call.arguments.items():
            if type(value) in PLAIN_TYPES and not isinstance(value, bool) and len(str(value)) <= _LONGEST:
                found.setdefault(name, []).append(value)
    return {name: list(dict.fromkeys(values)) for name, values in found.items()}


def _shown(world: World, row: Row) -> JsonObject:
    """Return a row as results show it, its plain fields alone."""
    views = world.program.entities[row.entity].views
    shown = world.show(row, "" if "" in views else next(iter(views), ""))
    plain = (
        {key: value for key, value in shown.items() if type(value) in PLAIN_TYPES} if isinstance(shown, dict) else {}
    )
    return {key: value if type(value) is not str else _cut(value) for key, value in [*plain.items()][:_MOST_FIELDS]}


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _entities(domain: Domain, called: Iterable[str]) -> list[str]:
    """Return the entities that the domain names where it speaks of the called tools, with what they are part of."""
    spoken: dict[str, None] = {}
    for name in sorted(called):
        tool = domain.tools.get(name)
        for text in _texts(tool.model_dump(mode="json") if tool is not None else None):
            if text in domain.entities:
                spoken[text] = None
    for name in list(spoken):
        parent = domain.entities[name].parent
        while parent in domain.entities and parent not in spoken:
            spoken[parent] = None
            parent = domain.entities[parent].parent
    return list(spoken)


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield every text of a JSON value that stands by itself."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict | list | tuple):
            waiting.extend(part.values() if isinstance(part, dict) else part)
