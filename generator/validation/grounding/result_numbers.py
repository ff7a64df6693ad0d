"""Numbers of results, each with its field and what it measures, and the numbers that follow from them by arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.languages import english, entries, pairs
from generator.validation.grounding.reading.words import stem, tokens_of_value
from generator.validation.view import NO_OBJECT, ResultView


class Fact(NamedTuple):
    """A number of a result."""

    value: float
    key: str
    """The name of its field; of an entry of a list of numbers that of the list."""
    unit: str
    """What it counts, by the name of its field or the unit beside it; "" where nothing tells."""
    currency: str
    """The currency that stands beside it or in its field's name; "" where none does."""

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the words of its field's name."""
        return stems_of_key(self.key)

    def is_about(self, told: float, near: float) -> bool:
        """Say whether a told number is this one, rounded as it is told, or this share as a percentage."""
        value = abs(self.value)
        return abs(value - told) <= near or abs(100 * value - told) <= near


class ResultList(NamedTuple):
    """A list in a result."""

    key: str
    entries: list[Any]


class HeldNumber(NamedTuple):
    """A number of a result as it stands there."""

    name: str
    """The name of its field; of an entry of a list of numbers that of the list."""
    value: float
    holder: JsonObject | None
    """The object that it is a field of; None for an entry of a list."""


class Contents(NamedTuple):
    """What results hold, in their order."""

    numbers: list[HeldNumber]
    """The numbers of the results that are no errors, and those that their calls were made with."""
    lists: list[ResultList]
    """The lists of the results, each by the name of its field; of a bare list by that of its tool."""
    flags: set[str]
    """The names of the fields of the results that are true or false."""


def contents_of(results: list[ResultView]) -> Contents:
    """Read what results hold."""
    found = Contents([], [], set())
    for result in results:
        if not result.failed:
            _add(result.value, result.tool_name, found)
    for result in results:
        if result.call is not None and result.call.arguments:
            _add(result.call.arguments, "", Contents(found.numbers, [], set()))
    return found


def _add(root: JsonValue, name: str, found: Contents) -> None:
    """Add what lies in a value, list by list and object by object, each before what lies in it."""
    waiting: list[tuple[str | None, Any]] = [(None, root)]
    for key, value in waiting:
        kind = type(value)
        if kind is dict:
            _add_fields(value, found, waiting)
        elif kind is list:
            found.lists.append(ResultList(name if key is None else key, value))
            _add_entries(key, value, found, waiting)


def _add_fields(holder: JsonObject, found: Contents, waiting: list[tuple[str | None, Any]]) -> None:
    for field, inner in holder.items():
        kind = type(inner)
        if kind is str:
            continue
        if kind in _NUMBERS:
            found.numbers.append(HeldNumber(field, inner, holder))
        elif kind in _HOLDERS:
            waiting.append((field, inner))
        elif kind is bool:
            found.flags.add(field)


def _add_entries(key: str | None, entries: list[Any], found: Contents, waiting: list[tuple[str | None, Any]]) -> None:
    for inner in entries:
        kind = type(inner)
        if kind in _HOLDERS:
            waiting.append((key, inner))
        elif kind in _NUMBERS:
            found.numbers.append(HeldNumber(key or "", inner, None))


_NUMBERS = frozenset({int, float})
_HOLDERS = frozenset({dict, list})


def facts_of(numbers: Iterable[HeldNumber]) -> list[Fact]:
    """Return numbers of results with what they measure."""
    found: list[Fact] = []
    holder: JsonObject | None = None
    units: JsonObject = {}
    for name, value, own in numbers:
        if own is None:
            found.append(_fact(name, value, {}, None))
            continue
        if own is not holder:
            holder, units = own, units_in(own)
        found.append(_fact(name, value, units, own.get("currency")))
    return found


def units_in(holder: JsonObject) -> JsonObject:
    """Return the fields of an object that give units."""
    names = (_unit_fields if len(holder) <= _FEW_FIELDS else _unit_fields.__wrapped__)(tuple(holder))
    return {name: holder[name] for name in names} if names else {}


@lru_cache(maxsize=1024)
def _unit_fields(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([name for name in names if name.endswith(_UNIT_ENDINGS)])


_FEW_FIELDS = 40


def size_of(value: float) -> float:
    """Return a number without its sign."""
    return abs(readable_value(value))


def readable_value(value: float) -> float:
    """Return a number as it is compared; 0 for one that is too large to be told."""
    return float(value) if abs(value) < _LARGEST else 0.0


_UNIT_ENDINGS = ("unit", "units")
_LARGEST = 1e300


def _fact(name: str, value: float, units: JsonObject, currency: JsonValue) -> Fact:
    value = readable_value(value)
    unit = unit_of_key(name)
    if len(unit) == _CODE and unit.isupper():
        return Fact(value, name, "", unit)
    if not unit and units:
        unit = _unit_beside(name, units)
    return Fact(value, name, unit, currency.upper() if isinstance(currency, str) and not unit else "")


_LONGEST_UNIT = 16
_CODE = 3
"""Letters of a currency's code."""


def _unit_beside(name: str, units: JsonObject) -> str:
    """Return the unit that a field of its own gives: `wind_unit` for `wind_speed`."""
    for other, inner in units.items():
        if isinstance(inner, str) and len(inner) < _LONGEST_UNIT:
            about = stems_of_key(other) - _UNIT
            if not about or about & stems_of_key(name):
                return unit_of_word(inner.casefold(), "en")
    return ""


_UNIT = frozenset({"unit"})
_AMBIGUOUS = frozenset("min in second seconds mo m s d c f l t g h w y mi".split())
"""Words of names that are units seldom: `min_price`, `second_name`."""


@lru_cache(maxsize=4096)
def unit_of_key(key: str) -> str:
    """Return the unit or currency that the name of a field ends or begins with."""
    tokens = tokens_of_value(key)
    if "per" in tokens:  # a price per night counts no nights
        tokens = tokens[: tokens.index("per")]
    for token in tokens[-1:] + tokens[:1]:
        if token not in _AMBIGUOUS and (unit := unit_of_word(token, "en")):
            return _sure_unit(unit)
        if codes := currencies().get(token):
            return codes[0] if token.isalpha() and len(codes) == 1 else ""
        if token in ("pct", "percentage"):
            return "%"
    return ""


def _sure_unit(unit: str) -> str:
    """Return a unit that a word surely names; "" where it may be another one. Pounds of fields are weights."""
    if unit == "lb?":
        return "lb"
    return "" if unit.endswith("?") else unit


@lru_cache(maxsize=4096)
def stems_of_key(key: str) -> frozenset[str]:
    """Return the stems of the words of a field's name."""
    return frozenset(map(stem, tokens_of_value(key)))


def unit_of_word(word: str, language: str) -> str:
    """Return the unit that a word of a language names; "" for none."""
    units = pairs(language, "measures", "units")
    return units.get(word) or units.get(word.rstrip(".")) or ""


@cache
def currencies() -> dict[str, tuple[str, ...]]:
    """Return the currencies that a sign, a code or a family of names may stand for."""
    return {
        sign: tuple(code.upper() for code in codes.split())
        for sign, _, codes in (entry.partition(" ") for entry in entries("en", "signs", "currencies"))
    }


class _Measure(NamedTuple):
    """What a unit measures, and how much of it."""

    family: str
    factor: float
    """In the family's own smallest terms; 0 where units are no multiples of each other."""


@cache
def _measures() -> dict[str, _Measure]:
    rows = [entry.split() for entry in entries("en", "signs", "families")]
    return {
        unit: _Measure(name, float(factor))
        for name, *units in rows
        for unit, _, factor in [each.partition(":") for each in units]
    }


@cache
def _same() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(entry.split()) for entry in entries("en", "signs", "same"))


def is_money(fact: Fact) -> bool:
    """Say whether the name of a field speaks of money."""
    return not english("results", "money").isdisjoint(tokens_of_value(fact.key))


def is_same_unit(one: str, other: str) -> bool:
    """Say whether two units may be one: nights are days, degrees are of either scale."""
    one, other = one.rstrip("?"), other.rstrip("?")
    return one == other or frozenset((one, other)) in _same()


def _measure_of(unit: str) -> _Measure | None:
    """Return what a unit measures; None where that is not known."""
    return _measures().get(unit.rstrip("?"))


def family_of(unit: str) -> str:
    """Return what a unit measures by name; its scale counts speeds among lengths: "wind of 5 miles an hour"."""
    measure = _measure_of(unit)
    return "" if measure is None else "length" if measure.family == "speed" else measure.family


def is_converted(told: float, near: float, unit: str, fact: Fact) -> bool:
    """Say whether a number told in one unit is a fact in another one."""
    one, other = _measure_of(unit), _measure_of(fact.unit)
    if one is None or other is None or one.family != other.family or not one.factor or not other.factor:
        return False
    value = abs(fact.value) * other.factor / one.factor
    return abs(value - told) <= max(near, _CONVERTED * told)


_CONVERTED = 0.03
"""The share by which a converted number may differ."""


class Brought(NamedTuple):
    """A result that is an object, and what its call was given."""

    tool: str
    given: JsonObject
    value: JsonObject


def objects_of(results: list[ResultView]) -> Iterator[Brought]:
    """Yield the results that are objects and no errors, each with its call."""
    for result in results:
        if result.call is not None and not result.failed and isinstance(result.value, dict):
            yield Brought(result.call.name, result.call.arguments or NO_OBJECT, result.value)


def things_of(results: list[ResultView], lists: list[ResultList]) -> list[list[JsonObject]]:
    """Return what is of one sort by all of its fields: the results of one tool, the entries of a list."""
    by_tool: dict[str, list[JsonObject]] = {}
    for each in objects_of(results) if len(results) > 1 else ():
        by_tool.setdefault(each.tool, []).append(each.value | each.given)
    found = [things for things in by_tool.values() if len(things) > 1]
    found += [each.entries for each in lists if len(each.entries) > 1 and all(map(_is_object, each.entries))]
    return found


def _is_object(value: JsonValue) -> bool:
    return isinstance(value, dict)


_MOST_OF_A_FIELD = 60
_MOST_TOLD = 40
_SMALLEST_COUNT, _LARGEST_COUNT = 2, 100


def is_calculated(value: float, near: float, facts: list[Fact], told: frozenset[float], *, is_share: bool) -> bool:
    """Say whether a number follows from the facts by one step of reckoning.

    Args:
        value: the number, without its sign.
        near: by how much it may differ, being rounded as it is told.
        facts: the numbers of the results and of their calls.
        told: the other numbers that the answer tells, of which alone several fields are put together.
        is_share: whether it is told in per cent.
    """
    if is_share:
        value = -value
    by_field = _by_field(facts)
    for numbers in by_field.values():
        if any(abs(each - value) <= near for each in _of_one_field(numbers)):
            return True
    known = sorted({abs(fact.value) for fact in facts if abs(fact.value) in told})[:_MOST_TOLD]
    return any(abs(each - value) <= near for each in _of_several(known, by_field, frozenset(filter(_is_count, told))))


def is_total(value: float, near: float, facts: list[Fact]) -> bool:
    """Say whether a number is the sum of one field, and too large or too fine to be so by chance."""
    if value < _LARGEST_COUNT and value == int(value):
        return False
    return any(abs(sum(numbers) - value) <= near for numbers in _by_field(facts).values() if len(numbers) > 1)


def is_total_of_products(value: float, near: float, things: list[list[JsonObject]]) -> bool:
    """Say whether a number is what the entries of a list come to, each a number of pieces at a price."""
    for listed in things:
        few = listed[:_MOST_OF_A_FIELD]
        fields = [key for key in few[0] if all(type(each.get(key)) in _NUMBERS for each in few)]
        for one, other in combinations(fields[:_MOST_FIELDS], 2):
            if abs(sum(each[one] * each[other] for each in few) - value) <= near and len(few) == len(listed):
                return True
    return False


_MOST_FIELDS = 8


def is_difference(value: float, near: float, facts: list[Fact], told: frozenset[float]) -> bool:
    """Say whether two numbers of one field that are both told lie so far apart."""
    for numbers in _by_field(facts).values():
        known = sorted({each for each in numbers if each in told})[:_MOST_TOLD]
        if any(abs(abs(one - other) - value) <= near for one, other in combinations(known, 2)):
            return True
    return False


def is_rate(value: float, near: float, facts: list[Fact], told: frozenset[float]) -> bool:
    """Say whether a number is one told number divided by another one: so much an order."""
    known = sorted({abs(fact.value) for fact in facts if abs(fact.value) in told})[:_MOST_TOLD]
    pairs = ((one, other) for one, other in combinations(known, 2) if one)
    return value > 1 and any(abs(other / one - value) <= near for one, other in pairs)


def is_time_between(minutes: float, clocks: list[tuple[int, int]]) -> bool:
    """Say whether that many minutes lie between two times of day."""
    times = [60 * hour + minute for hour, minute in clocks[:_MOST_OF_A_FIELD]]
    return any(abs(one - other) == minutes for one, other in combinations(times, 2))


def _by_field(facts: list[Fact]) -> dict[str, list[float]]:
    by_field: dict[str, list[float]] = {}
    for fact in facts:
        by_field.setdefault(fact.key, []).append(abs(fact.value))
    return by_field


def _of_one_field(numbers: list[float]) -> Iterator[float]:
    """Yield what the numbers of one field make: sum, average, two of them together; shares in per cent as negatives."""
    if len(numbers) < _SMALLEST_COUNT:
        return
    yield sum(numbers)
    yield sum(numbers) / len(numbers)
    for one, other in combinations(numbers[:_MOST_OF_A_FIELD], 2):
        yield one + other
        yield abs(one - other)
        yield (one + other) / 2
        if one and other:
            yield from (-100 * abs(one - other) / one, -100 * abs(one - other) / other)


def _of_several(known: list[float], by_field: dict[str, list[float]], said: frozenset[float]) -> Iterator[float]:
    """Yield what told numbers make across fields: a price times a count, a whole without its part."""
    for one, other in combinations(known, 2):
        yield one + other
        yield abs(one - other)
        if one and other:
            yield from (-100 * one / other, -100 * other / one)
    yield from _by_counts(known, by_field, said)
    yield sum(known)


def _by_counts(known: list[float], by_field: dict[str, list[float]], said: frozenset[float]) -> Iterator[float]:
    """Yield what is told times and by each count, and the numbers of fields times each count that is told."""
    counts = sorted({each for numbers in by_field.values() for each in numbers if _is_count(each)} | said)[:_MOST_TOLD]
    for one, count in product(known, counts):
        yield one * count
        yield one / count
    for count in said:
        yield from (count * number for numbers in by_field.values() for number in numbers[:_MOST_OF_A_FIELD])


def _is_count(value: float) -> bool:
    return value == int(value) and _SMALLEST_COUNT <= value <= _LARGEST_COUNT
