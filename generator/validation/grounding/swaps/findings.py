"""What the rules of swapped values find: values that stand in each other's place, within a call and between calls.

Beside what requests say of values, the words that the author of a call names for them are held against them: where the
words named for one value say another value of the turn, and that one's words say this one, the two are exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonValue, pointer
from generator.validation.grounding.arguments.argument import Path
from generator.validation.grounding.arguments.evidence import named_evidence
from generator.validation.grounding.arguments.numbers import forms_of
from generator.validation.grounding.reading.role_words import sort_of
from generator.validation.grounding.reading.words import find_literal, find_number, fold
from generator.validation.grounding.swaps.mentions import Request, requests_before
from generator.validation.grounding.swaps.parallel_calls import swapped_values
from generator.validation.grounding.swaps.parameters import (
    NamedPlace,
    Pair,
    exchanged_by_form,
    headed_wrongly,
    is_reversed,
    judge_pair,
    names_of,
    pairs_of,
    places_of,
    value_at,
)
from generator.validation.grounding.swaps.results import misplaced_results, of_another_row
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_CACHED = 4096
_Names = tuple[tuple[str, str], ...]


def values_keep_their_roles(record: RecordView) -> Iterator[Finding]:
    """Yield the values of calls that are said to be another call's, or another parameter's of the same call."""
    for each in swapped_values(record) if record.parallel_calls else ():
        yield Finding(each.call.arguments_pointer + pointer(each.leaf.path), each.why, each.at_most)
    yield from of_another_row(record)
    for one, other in _crossed_evidence(record):
        why = f"it has changed places: the words named for it say {brief(other.value)}, and those for that say it"
        yield Finding(_pointer(one.call, (one.name,)), why)
    own_names = _own_names(record)
    requests: list[Request] = []
    turn = -1
    for call in record.calls:
        places = places_of(call.arguments) if call.arguments else ()
        if len(places) > 1:
            if turn != call.turn:
                requests, turn = requests_before(record, call.turn), call.turn
            if requests:
                yield from _in_call(record, call, _places_by_name(call.tool, places, own_names), requests)


class _Places(NamedTuple):
    """What is known of the places of a call by the names of its parameters."""

    pairs: tuple[Pair, ...]
    named: tuple[NamedPlace, ...]
    formed: tuple[tuple[Path, str, Path, str], ...]
    """Two places and their names, of which the first wants texts of a certain form."""


@lru_cache(maxsize=_CACHED)
def _places_by_name(tool: ToolView | None, places: tuple[str | Path, ...], own_names: _Names) -> _Places:
    known = dict(own_names)
    paths = tuple([(place,) if isinstance(place, str) else place for place in places])
    names = [(path, known.get(str(path[-1]), str(path[-1]))) for path in paths]
    formed = [(*one, *other) for one in names if sort_of(one[1]) for other in names if other is not one]
    return _Places(pairs_of(tool, paths, known), names_of(tool, paths, known), tuple(formed))


def _in_call(record: RecordView, call: CallView, places: _Places, requests: list[Request]) -> Iterator[Finding]:
    done: set[frozenset[Path]] = set()
    for pair in places.pairs:
        done.add(frozenset(pair[:2]))
        yield from _of_pair(record, call, pair, requests)
    for one, other, at_most in headed_wrongly(call, places.named, requests[0]):
        if frozenset((one, other)) not in done:
            done.add(frozenset((one, other)))
            yield _finding(call, one, other, at_most)
    for one, other, at_most in _by_form(call, places) if places.formed else ():
        if frozenset((one, other)) not in done:
            done.add(frozenset((one, other)))
            yield _finding(call, one, other, at_most, "has the form of")


def _by_form(call: CallView, places: _Places) -> Iterator[tuple[Path, Path, Severity]]:
    """Yield the texts that stand in each other's place by their forms."""
    for one, name, other, theirs in places.formed:
        values = value_at(call.arguments or {}, one), value_at(call.arguments or {}, other)
        if isinstance(values[0], str) and isinstance(values[1], str):
            held = exchanged_by_form(name, theirs, values[0], values[1])
            if held is not None:
                yield one, other, held


def _of_pair(record: RecordView, call: CallView, pair: Pair, requests: list[Request]) -> Iterator[Finding]:
    arguments = call.arguments or {}
    first, second = value_at(arguments, pair.first), value_at(arguments, pair.second)
    if first == second or isinstance(first, str) is not isinstance(second, str):
        return
    held = judge_pair(record, call, pair, (first, second), requests)
    if held is not None:
        yield _finding(call, pair.first, pair.second, held)
    elif is_reversed(pair, first, second):
        failed = any(result.call is call and result.failed for result in record.results)
        message = f"{brief(first)} comes after {brief(second)}, which {brief(_name(pair.second))} is given"
        yield Finding(_pointer(call, pair.first), message, "note" if failed else "error")


def _finding(call: CallView, one: Path, other: Path, at_most: Severity, how: str = "is said as") -> Finding:
    value = value_at(call.arguments or {}, one)
    message = f"it has changed places: {brief(value)} {how} {brief(_name(other))}, not as {brief(_name(one))}"
    return Finding(_pointer(call, one), message, at_most)


def _name(path: Path) -> str:
    return ".".join(map(str, path))


def _pointer(call: CallView, path: Path) -> str:
    return call.arguments_pointer + pointer(path)


def _own_names(record: RecordView) -> _Names:
    """Return what masked names of parameters stand for."""
    if "mask" not in record.metadata:
        return ()
    mask = record.metadata["mask"]
    names = mask.get("parameters") if isinstance(mask, dict) else None
    if not isinstance(names, dict):
        return ()
    return tuple((str(name), own) for name, own in names.items() if isinstance(own, str))


def results_keep_their_calls(record: RecordView) -> Iterator[Finding]:
    """Yield the results that tell of what another call asks for, or contradict their own."""
    for result, why, at_most in misplaced_results(record):
        yield Finding(f"{result.message.pointer}/content", why, at_most)


class _NamedValue(NamedTuple):
    """A value of a call with the words that its author names for it."""

    call: CallView
    name: str
    value: JsonValue
    words: str


def _crossed_evidence(record: RecordView) -> Iterator[tuple[_NamedValue, _NamedValue]]:
    """Yield two values of a turn of which each is said by the words that are named for the other."""
    if "evidence" not in record.metadata:
        return
    for turn in record.turns_of_calls:
        named = [each for call in turn.calls for each in _named(call, record)]
        for one, other in combinations(named, 2):
            crossed = _says(one.words, other.value) and _says(other.words, one.value)
            if crossed and not _says(one.words, one.value) and not _says(other.words, other.value):
                yield one, other


def _named(call: CallView, record: RecordView) -> Iterator[_NamedValue]:
    arguments = call.arguments or {}
    for name, words in named_evidence(call, record).items():
        value = arguments.get(name)
        if isinstance(words, str) and isinstance(value, str | int | float) and not isinstance(value, bool):
            yield _NamedValue(call, name, value, fold(words))


def _says(words: str, value: JsonValue) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and find_literal(words, fold(value).strip()) >= 0
    return isinstance(value, int | float) and any(find_number(words, each) >= 0 for each in forms_of(value))
