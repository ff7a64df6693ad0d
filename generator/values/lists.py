"""Lists as a whole: how long they are, and those whose elements belong together."""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.jsontext import JsonObject, JsonValue
from generator.values.draw import Draw
from generator.values.hints import Hint
from generator.values.words import singular

_SHORT_WORDS = frozenset("tag label option category amenity genre role permission scope attribute column".split())
_DATA_WORDS = frozenset(
    "number data value score observation sample dataset list price return array sequence measurement y x reading "
    "salary grade mark height weight temperature outcome element set nums vector rating group polynomial coefficient "
    "signal".split()
)
_DATA_TOLD = re.compile(r"\barray of|\bdata(?:set| points)?\b|\bobservations\b|\bvalues\b|\bsamples\b", re.I)
_TABLES = frozenset("matrix matrice table grid board".split())
_SIDES = re.compile(r"\b([2-5])\s*[x×]\s*([2-5])\b")
_COUNTED = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4}
_TOLD_LENGTH = re.compile(
    r"\b(?:list|array|pair|set) of (?:the )?(two|three|four|2|3|4)\b(?![- ](?:letter|d\b|digit))", re.I
)
_POINT_WORDS = frozenset("point coordinate coord origin position ratio limit range interval bound".split())
_PLACE_WORDS = frozenset("coordinate coordinates latlng geo location_coordinates position".split())


def list_lengths(hint: Hint, least: int, most: int | None, positions: int, *, closed: bool) -> Callable[[Draw], int]:
    """Return how long a list is: one to three as an argument, two to five as a result, more for data."""
    last = next((singular(word) for word in reversed(hint.words) if not word.isdecimal() and len(word) > 1), "")
    data = _is_numeric(hint) and (last in _DATA_WORDS or bool(_DATA_TOLD.search(hint.description)))
    spoken, returned = ((4, 6), (5, 8)) if data else ((1, 3), (2, 4))
    if (told := told_length(hint)) is not None:
        spoken = returned = (told, told)
    floor = max(least, min(positions, most if most is not None else positions))

    def length(draw: Draw) -> int:
        if draw.is_deep:
            return least
        low, high = spoken if draw.for_argument else returned
        if draw.exploring:
            low, high = least, max(least, min(least + 3, positions + 2))
            return _clamped(draw.whole(low, high), least, most)
        if positions:
            low = high = floor
        if closed:
            high = min(high, positions)
        drawn = draw.whole(min(low, high), high)
        if data:
            drawn = draw.scope.setdefault("data length", drawn)
        return _clamped(drawn, floor if positions else least, most)

    return length


def told_length(hint: Hint) -> int | None:
    """Return how many elements the description or the name asks for: `list of two teams`, the point of a plane."""
    if sides := _sides(hint):
        return sides[1] if hint.listed else sides[0]
    if hint.listed:
        return None
    match = _TOLD_LENGTH.search(hint.description)
    if match is not None:
        return _COUNTED[match[1].lower()]
    words = {singular(word) for word in hint.words}
    return 2 if _is_numeric(hint) and words & _POINT_WORDS and not words & _DATA_WORDS else None


def _sides(hint: Hint) -> tuple[int, int] | None:
    """Return how many rows and columns a table of numbers has; None for any other list."""
    if _TABLES.isdisjoint(singular(word) for word in hint.words):
        return None
    nested = any(
        isinstance(source.get("items"), dict) and source["items"].get("type") in ("array", "integer", "number")
        for source in hint.sources
    )
    told = _SIDES.search(hint.description)
    sides = (int(told[1]), int(told[2])) if told is not None else (2, 2)
    if _is_numeric(hint) and not hint.listed:
        return (sides[0] * sides[1], 1) if told is not None else None
    return sides if nested else None


def _clamped(length: int, least: int, most: int | None) -> int:
    length = max(length, least)
    return length if most is None else min(length, most)


def _is_numeric(hint: Hint) -> bool:
    kinds = [source["items"].get("type") for source in hint.sources if isinstance(source.get("items"), dict)]
    return any(kind in ("integer", "number") for kind in kinds)


def whole_list(hint: Hint, node: JsonObject) -> Callable[[Draw], list[JsonValue] | None] | None:
    """Return a maker of the whole list where its elements belong together: a pair of coordinates."""
    words = {singular(word) for word in hint.words} | set(hint.words)
    if not _is_numeric(hint) or not (words & _PLACE_WORDS or "latitude" in hint.description.lower()):
        return None
    if "integer" in [source["items"].get("type") for source in hint.sources if isinstance(source.get("items"), dict)]:
        return None
    if node.get("minItems", 2) > 2 or (node.get("maxItems") or 2) < 2 or "latitude" not in hint.description.lower():
        return None

    def pair(draw: Draw) -> list[JsonValue] | None:
        from generator.values.entities import place

        where = place(draw, "_".join(hint.words))
        return [where.latitude, where.longitude]

    return pair
