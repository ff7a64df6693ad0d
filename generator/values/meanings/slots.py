"""Slots: small sentences whose blanks are filled from pools, people, places, days and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from generator.values.draw import Draw, TextMaker
from generator.values.meanings.entities import company, person, place
from generator.values.meanings.pools import all_pools
from generator.values.meanings.times import day_near, say_day

_SLOT = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"^(-?\d+)-(\d+)$")
_DEEPEST = 6
_PRONE_TO_REPEAT = 12
"""Pools that are smaller may repeat within one value."""

_SPECIAL: dict[str, Callable[[Draw], str]] = {
    "person": lambda draw: person(draw, "someone").name,
    "first_name": lambda draw: person(draw, "someone").first,
    "last_name": lambda draw: person(draw, "someone").last,
    "city": lambda draw: place(draw, "somewhere").city,
    "country": lambda draw: place(draw, "somewhere").country,
    "place": lambda draw: place(draw, "somewhere").short,
    "company": lambda draw: company(draw, "some company"),
    "day": lambda draw: say_day(day_near(draw, -20, 40)),
    "weekday": lambda draw: draw.pick(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")),
    "hex": lambda draw: f"{draw.random.getrandbits(28):07x}",
}


@lru_cache(maxsize=1024)
def pool_maker(name: str) -> TextMaker:
    """Return a maker of texts from the pool of this name, slots filled."""
    entries = all_pools()[name].entries
    key = name if len(entries) > _PRONE_TO_REPEAT else None
    if not any("{" in entry for entry in entries):
        return lambda draw: draw.pick(entries, key)
    return lambda draw: fill(draw.pick(entries, key), draw)


def fill(text: str, draw: Draw, depth: int = 0) -> str:
    """Fill the slots of a text."""
    if "{" not in text or depth > _DEEPEST:
        return text
    parts = [part if isinstance(part, str) else part[0](draw) for part in _parsed(text)]
    filled = "".join(parts)
    return fill(filled, draw, depth + 1) if _SLOT.search(filled) and filled != text else filled


@lru_cache(maxsize=16384)
def _parsed(text: str) -> tuple[str | tuple[TextMaker], ...]:
    parts: list[str | tuple[TextMaker]] = []
    at = 0
    for match in _SLOT.finditer(text):
        parts.append(text[at : match.start()])
        parts.append(_slot(match[1]))
        at = match.end()
    parts.append(text[at:])
    return tuple(part for part in parts if part != "")


def _slot(name: str) -> str | tuple[TextMaker]:
    if number := _NUMBER.match(name):
        low, high = int(number[1]), int(number[2])
        return (lambda draw: str(draw.whole(low, high)),)
    if "|" in name:
        options = tuple(name.split("|"))
        return (lambda draw: draw.pick(options),)
    if name in _SPECIAL:
        return (_SPECIAL[name],)
    if name in all_pools():
        return (pool_maker(name),)
    return "{" + name + "}"
