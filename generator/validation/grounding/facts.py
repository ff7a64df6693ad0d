"""Facts: the numbers that results hold, each with the field that it stands in and what it measures."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.languages import entries, pairs
from generator.validation.grounding.reading.words import stem, tokens_of_value
from generator.validation.view import ResultView


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


class Listed(NamedTuple):
    """A list in a result."""

    key: str
    entries: list[Any]


class Held(NamedTuple):
    """A number of a result as it stands there."""

    name: str
    """The name of its field; of an entry of a list of numbers that of the list."""
    value: float
    holder: JsonObject | None
    """The object that it is a field of; None for an entry of a list."""


class Contents(NamedTuple):
    """What results hold, in their order."""

    numbers: list[Held]
    """The numbers of the results that are no errors, and those that their calls were made with."""
    lists: list[Listed]
    """The lists of the results, each by the name of its field; of a bare list by that of its tool."""
    flags: set[str]
    """The names of the fields of the results that are true or false."""


def contents_of(results: list[ResultView]) -> Contents:
    """Read what results hold."""
    found = Contents([], [], set())
    for result in results:
        if not result.failed:
            _add(result.value, result.call.name if result.call is not None else "", found)
    for result in results:
        if result.call is not None and result.call.arguments:
            _add(result.call.arguments, "", Contents(found.numbers, [], set()))
    return found


def _add(root: JsonValue, name: str, found: Contents) -> None:
    kind = type(root)
    if kind is not dict and kind is not list:
        return
    numbers, lists, flags = found
    waiting: list[tuple[str | None, Any]] = [(None, root)]
    for key, value in waiting:
        if type(value) is dict:
            for field, inner in value.items():
                kind = type(inner)
                if kind is str:
                    continue
                if kind is int or kind is float:
                    numbers.append(Held(field, inner, value))
                elif kind is dict or kind is list:
                    waiting.append((field, inner))
                elif kind is bool:
                    flags.add(field)
        else:
            lists.append(Listed(name if key is None else key, value))
            for inner in value:
                kind = type(inner)
                if kind is dict or kind is list:
                    waiting.append((key, inner))
                elif kind is int or kind is float:
                    numbers.append(Held(key or "", inner, None))


def facts_of(numbers: Iterable[Held]) -> list[Fact]:
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
    for token in (tokens[-1:] + tokens[:1]) if tokens else ():
        if token not in _AMBIGUOUS and (unit := unit_of_word(token, "en")):
            return "lb" if unit == "lb?" else "" if unit.endswith("?") else unit
        if codes := currencies().get(token):
            return codes[0] if token.isalpha() and len(codes) == 1 else ""
        if token in ("pct", "percentage"):
            return "%"
    return ""


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


class Measure(NamedTuple):
    """What a unit measures, and how much of it."""

    family: str
    factor: float
    """In the family's own smallest terms; 0 where units are no multiples of each other."""


@cache
def _measures() -> dict[str, Measure]:
    rows = [entry.split() for entry in entries("en", "signs", "families")]
    return {
        unit: Measure(name, float(factor))
        for name, *units in rows
        for unit, _, factor in [each.partition(":") for each in units]
    }


@cache
def _same() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(entry.split()) for entry in entries("en", "signs", "same"))


def is_money(fact: Fact) -> bool:
    """Say whether the name of a field speaks of money."""
    return not _money_words().isdisjoint(tokens_of_value(fact.key))


@cache
def _money_words() -> frozenset[str]:
    return frozenset(entries("en", "results", "money"))


def is_same_unit(one: str, other: str) -> bool:
    """Say whether two units may be one: nights are days, degrees are of either scale."""
    one, other = one.rstrip("?"), other.rstrip("?")
    return one == other or frozenset((one, other)) in _same()


def measure_of(unit: str) -> Measure | None:
    """Return what a unit measures; None where that is not known."""
    return _measures().get(unit.rstrip("?"))


def family_of(unit: str) -> str:
    """Return what a unit measures by name; its scale counts speeds among lengths: "wind of 5 miles an hour"."""
    measure = measure_of(unit)
    return "" if measure is None else "length" if measure.family == "speed" else measure.family


def is_converted(told: float, near: float, unit: str, fact: Fact) -> bool:
    """Say whether a number told in one unit is a fact in another one."""
    one, other = measure_of(unit), measure_of(fact.unit)
    if one is None or other is None or one.family != other.family or not one.factor or not other.factor:
        return False
    value = abs(fact.value) * other.factor / one.factor
    return abs(value - told) <= max(near, _CONVERTED * told)


_CONVERTED = 0.03
"""The share by which a converted number may differ."""


def things_of(results: list[ResultView], lists: list[Listed]) -> list[list[JsonObject]]:
    """Return what is of one sort by all of its fields: the results of one tool, the entries of a list."""
    by_tool: dict[str, list[JsonObject]] = {}
    if len(results) > 1:
        for result in results:
            if result.call is not None and not result.failed and isinstance(result.value, dict):
                by_tool.setdefault(result.call.name, []).append(result.value | (result.call.arguments or {}))
    found = [things for things in by_tool.values() if len(things) > 1]
    found += [each.entries for each in lists if len(each.entries) > 1 and all(map(_is_object, each.entries))]
    return found


def _is_object(value: JsonValue) -> bool:
    return isinstance(value, dict)
