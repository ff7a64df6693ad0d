"""Arrays: lengths a person would give, elements that differ or belong together, `contains` served."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.limits import MOST_ELEMENTS
from generator.values.compiling import Compiling, admits_nothing, identity
from generator.values.draw import Draw, Maker
from generator.values.emptiness import INFINITE
from generator.values.hints import Hint, singular
from generator.values.merging import merged


class Containing:
    """The `contains` of an array node and of its conjuncts; falsy where there is none."""

    def __init__(self, node: JsonObject, hint: Hint, plan: Compiling) -> None:
        self._plan, self._hint = plan, hint
        self._parts = [part for part in (node, *node.get("allOf", [])) if isinstance(part, dict) and "contains" in part]
        self._first: list[JsonValue] = node.get("prefixItems", [])
        self._rest: JsonValue = node.get("items", {})
        self._makers: dict[tuple[int, int], Maker | None] = {}
        self.wanted = [at for at, part in enumerate(self._parts) for _ in range(_count(part))]
        """For each element that must be contained, the number of the `contains` that asks for it."""

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def takes_all(self) -> bool:
        """Whether every element behind the first positions is contained, whose number is bounded."""
        return self._beside(len(self._first)) is None

    def makers(self, length: int, draw: Draw) -> list[Maker | None]:
        """Return a maker for each position of a list of this length; None where nothing may stand."""
        first = len(self._first)
        kinds = [min(at, first) for at in range(length)]
        # The best position stands last: one that is contained anyway, one behind the first positions, a late one.
        free = sorted(range(length), key=lambda at: (self._beside(kinds[at]) is None, kinds[at] >= first, at))
        found: list[Maker | None] = [self._beside(kind) or self._plain(kind) for kind in kinds]
        for number in self.wanted[:length]:
            best = len(free) - 1
            if draw.exploring and draw.chance(0.5):
                best = draw.whole(0, best)
            order = range(best, -1, -1)
            place = next((at for at in order if self._serving(kinds[free[at]], number) is not None), None)
            if place is None:
                break
            position = free.pop(place)
            found[position] = self._serving(kinds[position], number)
        return found

    def _plain(self, kind: int) -> Maker | None:
        return self._made(kind, -2, [])

    def _serving(self, kind: int, number: int) -> Maker | None:
        """Return a maker of contained elements at a position; None where there are none."""
        return self._made(kind, number, [self._parts[number]["contains"]])

    def _beside(self, kind: int) -> Maker | None:
        """Return a maker of elements that do not count as contained, where too many would be too many."""
        return self._made(kind, -1, [{"not": part["contains"]} for part in self._parts if "maxContains" in part])

    def _made(self, kind: int, purpose: int, demands: list[JsonValue]) -> Maker | None:
        key = (kind, purpose)
        if key not in self._makers:
            node = self._first[kind] if kind < len(self._first) else self._rest
            whole = merged(self._plan, [node, *demands]) if demands else node
            index = kind if kind < len(self._first) else None
            inner = self._hint.element(self._plan.raw, index)
            self._makers[key] = None if admits_nothing(whole) else self._plan.maker(whole, inner)
        return self._makers[key]


def _count(part: JsonObject) -> int:
    count = int(part.get("minContains", 1))
    if count > MOST_ELEMENTS:
        raise GaveUp(f"minContains {count:,} is over the limit of {MOST_ELEMENTS:,} elements")
    return count


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
    return any(kind in ("integer", "number") for kind in _kinds_of_elements(hint))


def _kinds_of_elements(hint: Hint) -> list[JsonValue]:
    return [source["items"].get("type") for source in hint.sources if isinstance(source.get("items"), dict)]


def whole_list(hint: Hint, node: JsonObject) -> Callable[[Draw], list[JsonValue] | None] | None:
    """Return a maker of the whole list where its elements belong together: a pair of coordinates."""
    kinds = _kinds_of_elements(hint)
    if "number" not in kinds or "integer" in kinds or "latitude" not in hint.description.lower():
        return None
    if not node.get("minItems", 2) <= 2 <= (node.get("maxItems") or 2):
        return None

    def pair(draw: Draw) -> list[JsonValue] | None:
        from generator.values.meanings.entities import place

        where = place(draw, "_".join(hint.words))
        return [where.latitude, where.longitude]

    return pair


_TRIES_PER_ELEMENT = 30
_TRIES_PER_TEXT = 6
_DISTINCT_AT_BEST = 40
_LARGEST_DOMAIN = 60_000
_FEW_ELEMENTS = 16
"""Elements that are compared one by one."""
_CROWDED = 4
"""From a quarter of a small domain on, different elements are dealt rather than drawn again and again."""


def array_maker(node: JsonObject, hint: Hint, plan: Compiling) -> Maker:
    """Compile an array node."""
    least, most = _length_bounds(node, plan)
    prefix = [plan.maker(part, hint.element(plan.raw, index)) for index, part in enumerate(node.get("prefixItems", []))]
    items = node.get("items", {})
    closed = admits_nothing(items)
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
        elements = _Elements(least, unique=unique)
        for maker in makers:
            if maker is None:
                break
            added = _append(elements, maker, draw)
            if not added and not (few and any(map(elements.take, few))):
                break
        return elements.value

    return make


def _with_room(least: int, most: int | None, positions: int, contained: int) -> int:
    """Return the least length that has room for what `contains` asks for, behind the positions where it may be."""
    wanted = max(least, contained + (positions if contained else 0))
    return wanted if most is None else max(least, contained, min(wanted, most))


def _length_bounds(node: JsonObject, plan: Compiling) -> tuple[int, int | None]:
    least, most = int(node.get("minItems", 0)), node.get("maxItems")
    if least > MOST_ELEMENTS:
        raise GaveUp(f"minItems {least:,} is over the limit of {MOST_ELEMENTS:,} elements")
    items = node.get("items")
    if admits_nothing(items):
        most = min(most if most is not None else least + 10_000, len(node.get("prefixItems", [])))
    if most is None and isinstance(items, dict) and plan.height(items) >= INFINITE:
        most = len(node.get("prefixItems", []))
    return least, None if most is None else int(most)


class _Elements:
    """The elements of a list that is being made, and which of them are there already."""

    __slots__ = ("_least", "_seen", "_unique", "value")

    def __init__(self, least: int, *, unique: bool) -> None:
        self.value: list[JsonValue] = []
        self._least, self._unique = least, unique
        self._seen: set[bytes] | None = None
        """What tells the elements apart, once it takes more than a look at the few there are."""

    def take(self, element: JsonValue) -> bool:
        """Add an element that differs from all the others; False where it is there already."""
        if self._seen is None:
            if len(self.value) < _FEW_ELEMENTS and element not in self.value:
                self.value.append(element)
                return True
            self._seen = set(map(identity, self.value))
        key = identity(element)
        if key in self._seen:
            return False
        self._seen.add(key)
        self.value.append(element)
        return True

    def may_end(self) -> bool:
        """Say whether there are enough, so that no element need stand twice."""
        return not self._unique and len(self.value) >= self._least

    def may_repeat(self, attempt: int) -> bool:
        """Say whether an element may stand twice, at the latest after a few attempts in vain."""
        return not self._unique and (attempt >= 2 or len(self.value) > _DISTINCT_AT_BEST)


def _append(elements: _Elements, maker: Maker, draw: Draw) -> bool:
    """Add an element of its own scope; False where none was found that differs."""
    outer, was_listed = draw.scope, draw.in_list
    exploring = draw.exploring
    try:
        for attempt in range(_TRIES_PER_ELEMENT):
            draw.scope, draw.in_list = {"known": outer.get("known")}, True
            mark = draw.mark()
            element = maker(draw)
            if elements.take(element):
                return True
            if isinstance(element, str) and not exploring and elements.may_end():
                if attempt < _TRIES_PER_TEXT:
                    continue
                return False
            if elements.may_repeat(attempt):
                elements.value.append(element)
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
        return _few_integers(node["minimum"], node["maximum"], node.get("multipleOf", 1))
    return [False, True] if node.get("type") == "boolean" else ()


def _few_integers(low: int, high: int, step: JsonValue) -> Sequence[int]:
    if not isinstance(step, int) or high - low > _LARGEST_DOMAIN * step:
        return ()
    return range(-(-low // step) * step, high + 1, step)
