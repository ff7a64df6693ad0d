"""Results: what results repeat of the arguments of their calls, and whose they repeat.

Most results name what they are about. One that names what another call of its turn asks for, and nothing that its own
call alone asks for, belongs to the other; where both do so, the two have been exchanged between their ids. A result
that gives another id, address or day under the very name that its call gives one contradicts its call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.grounding.arguments.evidence import is_code
from generator.validation.grounding.reading.words import find_literal, find_number, fold, tokens_of_value
from generator.validation.verdict import Severity
from generator.validation.view import RecordView, ResultView

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_NAME = re.compile(r"[A-Z][^\W\d_A-Z]{2,40}(?: [A-Z][^\W\d_A-Z]{2,40}){0,4}")
"""A name: words with capitals, and no abbreviation."""
_SHORTEST = 3
"""Characters of a text that names a thing."""
_SURE: tuple[Severity, ...] = ("note", "warning", "error")
_SMALLEST = 10
"""Whole numbers below it count anything."""


_MOST_AT_ONCE = 60
"""Results of one turn that are each compared with each; of more, those that stand beside each other."""


class MisplacedResult(NamedTuple):
    """A result that speaks of something else than its call."""

    result: ResultView
    why: str
    at_most: Severity = "error"


def misplaced_results(record: RecordView) -> Iterator[MisplacedResult]:
    """Yield the results that belong to another call or contradict their own."""
    if not (record.parallel_calls or record.mispaired):
        for result in record.results:
            yield from _contradictions(result)
        return
    by_turn: dict[int, list[ResultView]] = {}
    for result in record.results:
        if result.call is not None and result.call.arguments:
            by_turn.setdefault(result.call.turn, []).append(result)
    for results in by_turn.values():
        found = list(_exchanged(results)) if len(results) > 1 else []
        yield from found
        for result in () if found else results:
            yield from _contradictions(result)


def _exchanged(results: list[ResultView]) -> Iterator[MisplacedResult]:
    """Yield the results of one turn that stand in each other's place."""
    texts = [_ResultText(each, _asked(each), fold(str(each.message.content))) for each in results]
    for one, other in combinations(texts, 2) if len(texts) <= _MOST_AT_ONCE else pairwise(texts):
        held = _exchange(one, other)
        if held is not None and one.result.call is not None:
            why = f"it tells of what {one.result.call.pointer} asks for, and that one's result of what this asks for"
            yield MisplacedResult(other.result, f"it has changed places: {why}", held)


def _contradictions(result: ResultView) -> Iterator[MisplacedResult]:
    """Yield what a result tells against its own call."""
    given, returned = result.call.arguments if result.call is not None else None, result.value
    if not given or type(returned) is not dict or given.keys().isdisjoint(returned):
        return
    for name in given.keys() & returned.keys():
        mine, theirs = given[name], returned[name]
        at_most = _contradicts(mine, theirs) if mine != theirs else None
        if at_most is not None:
            yield MisplacedResult(result, f"its {name!r} is {theirs!r}, where the call's is {mine!r}", at_most)


def _contradicts(asked: JsonValue, returned: JsonValue) -> Severity | None:
    """Say how surely a result gives another value than was asked for; None where it may be the same or a new one."""
    if not isinstance(asked, str) or not isinstance(returned, str) or _is_part(asked, returned):
        return None
    if _identifies(asked) and _identifies(returned):
        return "warning"
    if _DAY.fullmatch(asked) and _DAY.fullmatch(returned):
        return "note"
    named = all(_NAME.fullmatch(each) for each in (asked, returned))
    return "note" if named and not {*tokens_of_value(asked)} & {*tokens_of_value(returned)} else None


def _identifies(value: str) -> bool:
    """Say whether a value is a code or an address, which is repeated to the letter or is another."""
    return is_code(value) or ("@" in value and " " not in value)


def _is_part(one: JsonValue, other: JsonValue) -> bool:
    mine, theirs = fold(str(one)), fold(str(other))
    return mine in theirs or theirs in mine


class _ResultText(NamedTuple):
    """A result with what its call asks for, and its own text, folded."""

    result: ResultView
    asked: set[str]
    text: str


def _exchange(one: _ResultText, other: _ResultText) -> Severity | None:
    """Say how surely two results stand in each other's place: both tell of the other's call, or one of them does."""
    mine, theirs = one.asked - other.asked, other.asked - one.asked
    first, second = one.text, other.text
    if any(_names(first, each) for each in mine) or any(_names(second, each) for each in theirs):
        return None
    strange = any(_names(first, each) for each in theirs) + any(_names(second, each) for each in mine)
    if not strange:
        return None
    names = [each.result.message.entry.get("name") for each in (one, other)]
    alike = names[0] == names[1]  # what tools tell of a thing differs
    return _SURE[(strange == 2) + alike]


def _names(text: str, value: str) -> bool:
    return (find_number if value[0].isdigit() else find_literal)(text, value) >= 0


def _asked(result: ResultView) -> set[str]:
    """Return the values by which a call may be known, folded."""
    arguments = (result.call.arguments if result.call is not None else None) or {}
    values = [each for value in arguments.values() for each in (value if isinstance(value, list) else [value])]
    return {fold(str(value)) for value in values if _tells_apart(value)}


def _tells_apart(value: JsonValue) -> bool:
    if isinstance(value, str):
        return len(value) >= _SHORTEST
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= _SMALLEST
