"""Lists as a whole: how long they are, and those whose elements belong together."""

from __future__ import annotations

from collections.abc import Callable

from generator.jsontext import JsonObject, JsonValue
from generator.values.draw import DEEPEST, Draw
from generator.values.hints import Hint
from generator.values.words import singular

_SHORT_WORDS = frozenset("tag label option category amenity genre role permission scope attribute column".split())
_DATA_WORDS = frozenset(
    "number data value score observation sample dataset list price return array sequence measurement y x reading "
    "salary grade mark height weight temperature outcome element set nums vector point rating".split()
)
_PLACE_WORDS = frozenset("coordinate coordinates latlng geo location_coordinates position".split())


def list_lengths(hint: Hint, least: int, most: int | None, positions: int, *, closed: bool) -> Callable[[Draw], int]:
    """Return how long a list is: one to three as an argument, two to five as a result, more for data."""
    data = bool(hint.words) and singular(hint.words[-1]) in _DATA_WORDS and _is_numeric(hint)
    spoken, returned = ((4, 6), (5, 8)) if data else ((1, 3), (2, 4))
    floor = max(least, min(positions, most if most is not None else positions))

    def length(draw: Draw) -> int:
        if draw.depth > DEEPEST:
            return least
        low, high = spoken if draw.for_argument else returned
        if draw.exploring:
            low, high = least, max(least, min(least + 3, positions + 2))
            return _clamped(draw.whole(low, high), least, most)
        if positions:
            low = high = floor
        if closed:
            high = min(high, positions)
        return _clamped(draw.whole(min(low, high), high), floor if positions else least, most)

    return length


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
