"""Reckoning: numbers that an answer has made of those of the results: sums, differences, averages, products, shares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from generator.jsontext import JsonObject
from generator.validation.grounding.facts import Fact

_MOST_OF_A_FIELD = 60
_MOST_TOLD = 40
_SMALLEST_COUNT, _LARGEST_COUNT = 2, 100


def is_reckoned(value: float, near: float, facts: list[Fact], told: frozenset[float], *, is_share: bool) -> bool:
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
    for entries in things:
        few = entries[:_MOST_OF_A_FIELD]
        fields = [key for key in few[0] if all(type(each.get(key)) in _NUMBERS for each in few)]
        for one, other in combinations(fields[:_MOST_FIELDS], 2):
            if abs(sum(each[one] * each[other] for each in few) - value) <= near and len(few) == len(entries):
                return True
    return False


_MOST_FIELDS = 8
_NUMBERS = (int, float)


def is_apart(value: float, near: float, facts: list[Fact], told: frozenset[float]) -> bool:
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


def is_between(minutes: float, clocks: list[tuple[int, int]]) -> bool:
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
    counts = {each for numbers in by_field.values() for each in numbers if _is_count(each)} | said
    for one, other in combinations(known, 2):
        yield one + other
        yield abs(one - other)
        if one and other:
            yield from (-100 * one / other, -100 * other / one)
    for one in known:
        for count in sorted(counts)[:_MOST_TOLD]:
            yield one * count
            yield one / count
    for count in said:
        yield from (count * number for numbers in by_field.values() for number in numbers[:_MOST_OF_A_FIELD])
    yield sum(known)


def _is_count(value: float) -> bool:
    return value == int(value) and _SMALLEST_COUNT <= value <= _LARGEST_COUNT
