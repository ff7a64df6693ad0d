"""Beside: short looks at the numbers that an answer tells and the names of things beside them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from generator.jsontext import JsonObject
from generator.validation.grounding.telling import Told

SHORTEST = 3
"""Characters of a text that is a name."""
NUMBERS = frozenset({int, float})
"""The types of numbers; true and false are of another."""
LARGEST = 1e15
"""More than any number that is read in an answer."""


def is_plainly_told(group: list[JsonObject], text: str, told: list[Told]) -> bool:
    """Say whether each number is nobody's, or stands behind the name of its own thing: a short look at plain lists."""
    others = frozenset([value for each in group for value in each.values() if type(value) in NUMBERS])
    return _are_nobodys(told, others) or _stand_behind_names(group, text, told, others)


def _are_nobodys(told: list[Told], others: frozenset[float]) -> bool:
    """Say whether no number is one of these, exactly as it is told or rounded."""
    if not others.isdisjoint([each.value for each in told]):
        return False
    sizes = sorted([*map(abs, others), *[100 * value for value in others]])
    for each in told:
        wanted, near = each.value, each.near
        at = bisect_left(sizes, wanted - _NEAR * near)
        while at < len(sizes) and sizes[at] <= wanted + _NEAR * near:
            if abs(sizes[at] - wanted) <= near:
                return False
            at += 1
    return True


def _stand_behind_names(group: list[JsonObject], text: str, told: list[Told], others: frozenset[float]) -> bool:
    """Say whether each number that is one of these stands behind the name of a thing that has it."""
    places = _places_of_names(group, text)
    if not places:
        return False
    at, own = -1, _NOBODY
    for each in told:
        while at + 1 < len(places) and places[at + 1][0] < each.start:
            at += 1
            own = places[at][1]
        value = each.value
        if (value in others or -value in others) and not _has_exactly(value, own):
            return False
        if each.near > _EXACT and value != int(value) and value not in others:
            return False
    return True


def _has_exactly(value: float, thing: JsonObject) -> bool:
    return any(type(number) in NUMBERS and abs(number) == value for number in thing.values())


_NOBODY: JsonObject = {}
_EXACT = 0.06
"""The nearness of numbers that are told with two decimals or more."""


def _places_of_names(group: list[JsonObject], text: str) -> list[tuple[int, JsonObject]]:
    """Return where the text has the names of things, in its order; none where it has not each of them once."""
    for key, value in group[0].items():
        if isinstance(value, str) and len(value) >= SHORTEST:
            names = [str(each.get(key)).casefold() for each in group]
            counts = [text.count(name) for name in names]
            if max(counts) == 1 and len(set(names)) == len(names):
                named = zip(names, counts, group, strict=True)
                return sorted([(text.find(name), each) for name, count, each in named if count], key=_start)
    return []


def _start(place: tuple[int, JsonObject]) -> int:
    return place[0]


def holders_of(sizes: list[tuple[float, int]], told: Told) -> Iterator[int]:
    """Yield which things have a told number, by the sizes of their numbers in order."""
    last = told.value + _NEAR * told.near
    for at in range(bisect_left(sizes, (told.value - _NEAR * told.near, 0)), len(sizes)):
        size, thing = sizes[at]
        if size > last:
            return
        if abs(size - told.value) <= told.near:
            yield thing


_NEAR = 1.01
"""A little more than the nearness of numbers, whose sums are not exact."""
