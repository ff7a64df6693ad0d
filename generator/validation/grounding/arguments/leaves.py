"""The values of a call's arguments one by one, and what other calls and results have by the same names."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.call_view import CallView
from generator.validation.grounding.arguments.schemas import Path, declared_at
from generator.validation.grounding.arguments.sources import Grounding
from generator.validation.grounding.caching import cached_on_record
from generator.validation.grounding.reading.words import fold, tokens_of_value
from generator.validation.verdict import Severity
from generator.validation.view import RecordView


class Leaf(NamedTuple):
    """One value of a call: a string, number, boolean or null, or a key that its schema does not name."""

    path: Path
    value: JsonValue
    is_key: bool = False


class Grounded(NamedTuple):
    """A leaf of a call and where it comes from, None where nothing explains it."""

    call: CallView
    leaf: Leaf
    grounding: Grounding | None
    at_most: Severity = "error"
    """How bad it is at most that nothing explains it."""
    misplaced: str = ""
    """Why it stands in the wrong place, where what was said explains it and yet means another; else ""."""

    @property
    def pointer(self) -> str:
        """JSON pointer of the leaf from the root of the record."""
        return self.call.arguments_pointer + pointer(self.leaf.path)


pointer_of = lru_cache(maxsize=4096)(pointer)
"""The pointer of a path: the same few occur in every record."""
_HOLDERS = frozenset({dict, list})


def entry_of(grounding: Grounding) -> JsonObject:
    """Return a grounding as the metadata of a record hold it."""
    return {"rung": grounding.level, "where": grounding.where, "text": grounding.text}


def place_of(leaf: Leaf) -> str:
    """Return by what the metadata of a record know a leaf of a call."""
    place = pointer(leaf.path)
    return f"{place} (key)" if leaf.is_key else place


def leaves_of(call: CallView) -> Iterator[Leaf]:
    """Yield the leaves of a call's arguments in their order."""
    arguments = call.arguments or {}
    if _HOLDERS.isdisjoint(map(type, arguments.values())):
        yield from _keys(call, (), arguments)
        yield from (Leaf((name,), value) for name, value in arguments.items() if value != "")
        return
    waiting: list[tuple[Path, JsonValue]] = [((), arguments)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            yield from _keys(call, path, value)
            waiting.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in range(len(value) - 1, -1, -1))
        elif value != "":
            yield Leaf(path, value)


def _keys(call: CallView, path: Path, value: dict[str, JsonValue]) -> Iterator[Leaf]:
    """Yield the keys that the schema does not name: the author chose them, and so they are values."""
    if call.tool is not None and not value.keys() <= (declared := declared_at(call.tool, path)):
        yield from (Leaf((*path, key), child, True) for key, child in value.items() if key not in declared)


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


def other_values(record: RecordView, leaf: Leaf) -> list[JsonValue]:
    """Return the other values that calls give under the name of a leaf."""
    return [each for each in given_by_name(record).get(name_of(leaf), ()) if each != leaf.value]


def other_numbers(record: RecordView, leaf: Leaf) -> frozenset[float]:
    """Return the other numbers that calls give under the name of a leaf."""
    return frozenset(float(each) for each in other_values(record, leaf) if type(each) in (int, float))


def is_in_series(value: float, beside: AbstractSet[float]) -> bool:
    """Say whether a value is one of a series: next to another, or one of several that all differ."""
    return len(beside) >= _FEWEST_OF_A_SERIES - 1 or any(abs(value - each) <= 1 for each in beside)


def numbers_in_results(record: RecordView, leaf: Leaf, before: int) -> list[float]:
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
