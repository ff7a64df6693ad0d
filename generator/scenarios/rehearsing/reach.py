"""Reach: what the ways of a domain can give of what its tools offer, and what none of them ever says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue, dump_compact
from generator.scenarios.blueprint import PlanError
from generator.scenarios.rehearsing.scene import Theatre
from generator.tools.surface import parts_used, surface_of
from generator.worlds.playbook import Playbook
from generator.worlds.ways import WayProgram

_DRAWS = 240
"""How often a way is drawn while something is still unsaid; calls of the rehearsal come first."""
_NAME = re.compile(r"\$([A-Za-z_]\w*)")
_LISTS = ("pool", "wording")

Said = set[tuple[str, str]]
"""Parameters by their paths, each with the JSON of a value, which is "" for objects and lists."""


def unsaid(theatre: Theatre, name: str, rounds: int) -> tuple[str, ...]:
    """Return the optional parameters, and the values of enumerations as `parameter=value`, that no way ever says.

    A parameter at the root that no way mentions is no part of it: that is a fault.
    """
    book = theatre.book
    said = theatre.ledger.said[name]
    for way in book.ways.get(name, ()):
        for number in range(_DRAWS):
            if not _missing(book, name, said):
                return ()
            said |= _drawn(theatre, name, way, number % rounds, number)
    said |= _written(book, name)
    return tuple(_missing(book, name, said))


def _missing(book: Playbook, name: str, said: Said) -> list[str]:
    surface = surface_of(book.tools[name])
    given = {path for path, _ in said}
    mentioned = {argument for way in book.domain.tools[name].ways for argument in way.arguments}
    paths = sorted(path for path in surface.optional - given if re.split(r"[.\[]", path)[0] in mentioned)
    values = [
        f"{path}={value}"
        for path, choices in sorted(surface.choices.items())
        for value in sorted(choices)
        if path in given and (path, value) not in said
    ]
    return [*paths, *values]


def _drawn(theatre: Theatre, name: str, way: WayProgram, world: int, number: int) -> Said:
    """Return what one call of a way would give, which is not made."""
    stage = theatre.stage(world, name, way.number, "reach", number)
    try:
        scope = stage.draw(way.draws, stage.scope())
        return set(parts_used(stage.values_of(way.arguments, scope)))
    except PlanError:
        return set()


def _written(book: Playbook, name: str) -> Said:
    """Return the values that stand in the file where a way takes an argument from, so rare that none was drawn."""
    found: Said = set()
    for way in book.domain.tools[name].ways:
        for argument, spec in way.arguments.items():
            drawn = [way.draw[each] for each in _NAME.findall(dump_compact(spec)) if each in way.draw]
            values = {dump_compact(leaf) for each in (spec, *drawn) for leaf in _leaves(each, book)}
            found |= {
                (path, value)
                for path in surface_of(book.tools[name]).choices
                if re.split(r"[.\[]", path)[0] == argument
                for value in values
            }
    return found


def _leaves(spec: JsonValue, book: Playbook) -> Iterator[JsonValue]:
    """Yield what stands in a source, and in the pools and wordings that it names."""
    if isinstance(spec, dict):
        for key, each in spec.items():
            if key in _LISTS and isinstance(each, str):
                yield from _leaves(list(book.domain.pools.get(each, ())), book)
                yield from _leaves([entry.value for entry in book.domain.wordings.get(each, ())], book)
            yield from _leaves(each, book)
    elif isinstance(spec, list | tuple):
        for each in spec:
            yield from _leaves(each, book)
    else:
        yield spec
