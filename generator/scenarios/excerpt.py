"""Excerpt: what there is in the world of a record, as whoever invents a wish in it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.domains.domain import Domain
from generator.jsontext import JsonObject, JsonValue
from generator.scenarios.scenario import PlannedCall, Scenario
from generator.worlds.rows import PLAIN_TYPES, Row
from generator.worlds.world import World

_MOST_ENTITIES = 6
_MOST_ROWS = 6
_MOST_FIELDS = 10
_LONGEST = 80
"""Characters of one value."""


def excerpt(scenario: Scenario) -> list[JsonValue]:
    """Return the things that the called tools deal with: `kind`, and `rows` with their ids, names and plain fields."""
    world = scenario.world
    names = _entities(world.program.domain, {call.tool.name for call in scenario.calls})
    given = {text for call in scenario.calls for text in _texts(call.arguments)}
    found: list[JsonValue] = []
    for name in [name for name in names if name in world.program.entities][:_MOST_ENTITIES]:
        told = [_told(world, row) for row in world.table(name).values()]
        rows = sorted(told, key=lambda row: given.isdisjoint(map(str, row.values())))[:_MOST_ROWS]
        if rows:
            found.append({"kind": name.replace("_", " "), "rows": rows})
    return found


def at_hand(calls: Iterable[PlannedCall]) -> JsonObject:
    """Return the plain values of planned calls by argument: names and numbers of the sort that would suit."""
    found: dict[str, list[JsonValue]] = {}
    for call in calls:
        for name, value in call.arguments.items():
            if type(value) in PLAIN_TYPES and not isinstance(value, bool) and len(str(value)) <= _LONGEST:
                found.setdefault(name, []).append(value)
    return {name: list(dict.fromkeys(values)) for name, values in found.items()}


def _told(world: World, row: Row) -> JsonObject:
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
