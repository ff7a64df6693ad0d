"""Arrays: lengths a person would give, elements that differ, `contains` served."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.values.compiling import Compiling
from generator.values.containing import Containing
from generator.values.draw import Draw, Maker
from generator.values.heights import INFINITE
from generator.values.hints import Hint
from generator.values.identity import identity
from generator.values.lists import list_lengths, whole_list

_TRIES_PER_ELEMENT = 30
_TRIES_PER_TEXT = 6
_MOST_ELEMENTS = 50_000
_DISTINCT_AT_BEST = 40
_LARGEST_DOMAIN = 60_000
_CROWDED = 4
"""From a quarter of a small domain on, different elements are dealt rather than drawn again and again."""


def array_maker(node: JsonObject, hint: Hint, plan: Compiling) -> Maker:
    """Compile an array node."""
    least, most = _length_bounds(node, plan)
    prefix = [plan.maker(part, hint.element(plan.raw, index)) for index, part in enumerate(node.get("prefixItems", []))]
    items = node.get("items", {})
    closed = items is False or items == {"not": {}}
    contains = Containing(node, hint, plan)
    if contains and not closed and contains.takes_all:
        bound = len(prefix) + len(contains.wanted)
        most = bound if most is None else min(most, bound)
    element = None if closed else plan.maker(items, hint.element(plan.raw))
    unique = bool(node.get("uniqueItems"))
    least = _with_room(least, most, len(prefix), len(contains.wanted))
    lengths = list_lengths(hint, least, most, len(prefix), closed=closed)
    few = _domain(items, plan) if unique else ()
    special = whole_list(hint, node) if not prefix and not contains else None

    def make(draw: Draw) -> JsonValue:
        if special is not None and not draw.exploring and (made := special(draw)) is not None:
            return made
        length = lengths(draw)
        draw.spend(1 + length)
        if few and not prefix and not contains and length * _CROWDED > len(few):
            return deepcopy(draw.random.sample(few, min(length, len(few))))
        makers = contains.makers(length, draw) if contains else [*prefix[:length], *[element] * (length - len(prefix))]
        value: list[JsonValue] = []
        seen: set[bytes] = set()
        for maker in makers:
            if maker is None:
                break
            added = _append(value, maker, draw, seen, unique=unique, least=least)
            if not added and not (few and _append_other(value, few, seen)):
                break
        return value

    return make


def _with_room(least: int, most: int | None, positions: int, contained: int) -> int:
    """Return the least length that has room for what `contains` asks for, behind the positions where it may be."""
    wanted = max(least, contained + (positions if contained else 0))
    return wanted if most is None else max(least, contained, min(wanted, most))


def _length_bounds(node: JsonObject, plan: Compiling) -> tuple[int, int | None]:
    least, most = int(node.get("minItems", 0)), node.get("maxItems")
    if least > _MOST_ELEMENTS:
        raise GaveUp(f"minItems {least:,} is over the limit of {_MOST_ELEMENTS:,} elements")
    if node.get("items") is False or node.get("items") == {"not": {}}:
        most = min(most if most is not None else least + 10_000, len(node.get("prefixItems", [])))
    items = node.get("items")
    if most is None and isinstance(items, dict) and plan.height(items) >= INFINITE:
        most = len(node.get("prefixItems", []))
    return least, None if most is None else int(most)


def _append(
    value: list[JsonValue], maker: Maker, draw: Draw, seen: set[bytes], *, unique: bool, least: int = 0
) -> bool:
    """Add an element of its own scope; False where none was found that differs."""
    outer, was_listed = draw.scope, draw.in_list
    exploring = draw.exploring
    try:
        for attempt in range(_TRIES_PER_ELEMENT):
            draw.scope, draw.in_list = {"known": outer.get("known")}, True
            mark = draw.mark()
            element = maker(draw)
            key = identity(element)
            if key not in seen:
                seen.add(key)
                value.append(element)
                return True
            if isinstance(element, str) and not unique and len(value) >= least and not exploring:
                if attempt < _TRIES_PER_TEXT:
                    continue
                return False
            if not unique and (attempt >= 2 or len(value) > _DISTINCT_AT_BEST):
                value.append(element)
                return True
            draw.exploring = exploring or attempt > 8
            draw.refuse(mark, "an element was there already")
        return False
    finally:
        draw.scope, draw.in_list, draw.exploring = outer, was_listed, exploring


def _domain(node: JsonValue, plan: Compiling) -> Sequence[JsonValue]:
    """Return every value of a node that has few; () for the others."""
    if not isinstance(node, dict):
        return ()
    if "enum" in node or "const" in node:
        return [value for value in node.get("enum", [node.get("const")]) if plan.admits(node, value)]
    if node.get("type") == "integer" and {"minimum", "maximum"} <= node.keys():
        step = node.get("multipleOf", 1)
        if isinstance(step, int) and node["maximum"] - node["minimum"] <= _LARGEST_DOMAIN * step:
            return range(-(-node["minimum"] // step) * step, node["maximum"] + 1, step)
    return [False, True] if node.get("type") == "boolean" else ()


def _append_other(value: list[JsonValue], domain: Sequence[JsonValue], seen: set[bytes]) -> bool:
    """Add the first value of a small domain that is not there yet."""
    for other in domain:
        if (key := identity(other)) not in seen:
            seen.add(key)
            value.append(other)
            return True
    return False
