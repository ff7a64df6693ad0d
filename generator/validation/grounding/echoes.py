"""Echoes: what results repeat of the arguments of their calls, and whose they repeat.

Most results name what they are about. One that names what another call of its turn asks for, and nothing that its own
call alone asks for, belongs to the other; where both do so, the two have been exchanged between their ids. A result
that gives another id, address or day under the very name that its call gives one contradicts its call.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.vouched import is_code
from generator.validation.grounding.words import find_literal, find_number, fold
from generator.validation.verdict import Severity
from generator.validation.view import RecordView, ResultView

_SHORTEST = 3
"""Characters of a text that names a thing."""
_SMALLEST = 10
"""Whole numbers below it count anything."""


class Astray(NamedTuple):
    """A result that speaks of something else than its call."""

    result: ResultView
    why: str
    at_most: Severity = "error"


def astray(record: RecordView) -> Iterator[Astray]:
    """Yield the results that belong to another call or contradict their own."""
    by_turn: dict[int, list[ResultView]] = {}
    for result in record.results:
        if result.call is not None and result.call.arguments:
            by_turn.setdefault(result.call.turn, []).append(result)
            if isinstance(result.value, dict):
                yield from _contradiction(result, result.call.arguments, result.value)
    for results in by_turn.values():
        for one, other in combinations(results, 2):
            if _are_exchanged(one, other):
                whose = f"what {one.call.pointer if one.call else ''} asks for"
                yield Astray(
                    other, f"it has changed places: it tells of {whose}, and that one's result of what this asks for"
                )


def _contradiction(result: ResultView, given: JsonObject, told: JsonObject) -> Iterator[Astray]:
    for name in given.keys() & told.keys():
        mine, theirs = given[name], told[name]
        if mine != theirs and _identifies(mine) and _identifies(theirs) and not _is_part(mine, theirs):
            yield Astray(result, f"its {name!r} is {theirs!r}, where the call's is {mine!r}", "warning")


def _identifies(value: JsonValue) -> bool:
    """Say whether a value is a code or an address, which is repeated to the letter or is another."""
    return isinstance(value, str) and (is_code(value) or ("@" in value and " " not in value))


def _is_part(one: JsonValue, other: JsonValue) -> bool:
    mine, theirs = fold(str(one)), fold(str(other))
    return mine in theirs or theirs in mine


def _are_exchanged(one: ResultView, other: ResultView) -> bool:
    mine, theirs = _asked(one), _asked(other)
    return _tells_of(one, theirs - mine, mine - theirs) and _tells_of(other, mine - theirs, theirs - mine)


def _tells_of(result: ResultView, others: set[str], own: set[str]) -> bool:
    """Say whether a result names what only the other call asks for, and nothing that only its own does."""
    text = fold(str(result.message.content))
    return any(_names(text, each) for each in others) and not any(_names(text, each) for each in own)


def _names(text: str, value: str) -> bool:
    return (find_number if value[0].isdigit() else find_literal)(text, value) >= 0


def _asked(result: ResultView) -> set[str]:
    """Return the values by which a call may be known, folded."""
    arguments = (result.call.arguments if result.call is not None else None) or {}
    return {fold(str(value)) for value in arguments.values() if _tells_apart(value)}


def _tells_apart(value: JsonValue) -> bool:
    if isinstance(value, str):
        return len(value) >= _SHORTEST
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= _SMALLEST
