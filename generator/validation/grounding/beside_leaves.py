"""Beside leaves: what other calls give under the name of a value, and what results tell by that name."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from generator.jsontext import JsonValue
from generator.validation.grounding.caching import cached_on_record
from generator.validation.grounding.leaves import Leaf, leaves_of
from generator.validation.grounding.reading.words import fold, tokens_of_value
from generator.validation.view import RecordView

_MOST_NODES = 4000
_FEWEST_OF_A_SERIES = 3


def name_of(leaf: Leaf) -> str:
    """Return the last name in the path of a leaf."""
    return next((part for part in reversed(leaf.path) if isinstance(part, str)), "")


@cached_on_record
def given_by_name(record: RecordView) -> dict[str, list[JsonValue]]:
    """Return the values that the calls of a record give, by the last name in their paths."""
    found: dict[str, list[JsonValue]] = {}
    for call in record.calls:
        for leaf in leaves_of(call):
            found.setdefault(name_of(leaf), []).append(leaf.value)
    return found


@cached_on_record
def given_texts(record: RecordView) -> frozenset[str]:
    """Return the texts that calls give, folded."""
    return frozenset(
        fold(each) for values in given_by_name(record).values() for each in values if isinstance(each, str)
    )


def others_beside(record: RecordView, leaf: Leaf) -> list[JsonValue]:
    """Return the other values that calls give under the name of a leaf."""
    return [each for each in given_by_name(record).get(name_of(leaf), ()) if each != leaf.value]


def numbers_beside(record: RecordView, leaf: Leaf) -> frozenset[float]:
    """Return the other numbers that calls give under the name of a leaf."""
    return frozenset(float(each) for each in others_beside(record, leaf) if type(each) in (int, float))


def is_in_row(value: float, beside: AbstractSet[float]) -> bool:
    """Say whether a value is one of a series: next to another, or one of several that all differ."""
    return len(beside) >= _FEWEST_OF_A_SERIES - 1 or any(abs(value - each) <= 1 for each in beside)


def told_of(record: RecordView, leaf: Leaf, before: int) -> list[float]:
    """Return the numbers of the results up to a message under names that have a word of the name of a leaf."""
    words = set(tokens_of_value(name_of(leaf)))
    found: list[float] = []
    waiting: list[JsonValue] = [each.value for each in record.results if each.message.index <= before]
    for value in waiting:
        if len(waiting) > _MOST_NODES:
            break
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            found += [
                float(each)
                for key, each in value.items()
                if type(each) in (int, float) and words & set(tokens_of_value(key))
            ]
    return found
