"""What the rules of roles find: values that stand in each other's place within a call."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import pointer
from generator.validation.grounding.echoes import astray
from generator.validation.grounding.exchanges import exchanged
from generator.validation.grounding.headings import Named, headed_wrongly, names_of
from generator.validation.grounding.mentions import Heard, heard_before
from generator.validation.grounding.pairs import Pair, pairs_of, places_of, value_at
from generator.validation.grounding.places import Path
from generator.validation.grounding.ranges import is_reversed
from generator.validation.grounding.reproving import disproved
from generator.validation.grounding.roles import judge_pair
from generator.validation.grounding.rows import of_another_row
from generator.validation.grounding.sorts import exchanged_by_form, sort_of
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_CACHED = 4096
_Names = tuple[tuple[str, str], ...]


def values_keep_their_roles(record: RecordView) -> Iterator[Finding]:
    """Yield the values of calls that are said to be another call's, or another parameter's of the same call."""
    for each in exchanged(record) if record.parallel_calls else ():
        yield Finding(each.call.arguments_pointer + pointer(each.leaf.path), each.why, each.at_most)
    yield from of_another_row(record)
    for one, other in disproved(record):
        why = f"it has changed places: the words named for it say {brief(other.value)}, and those for that say it"
        yield Finding(_pointer(one.call, (one.name,)), why)
    own_names = _own_names(record)
    heard: list[Heard] = []
    turn = -1
    for call in record.calls:
        places = places_of(call.arguments) if call.arguments else ()
        if len(places) > 1:
            if turn != call.turn:
                heard, turn = heard_before(record, call.turn), call.turn
            if heard:
                yield from _in_call(record, call, _sheet(call.tool, places, own_names), heard)


class _Sheet(NamedTuple):
    """What is known of the places of a call by the names of its parameters."""

    pairs: tuple[Pair, ...]
    named: tuple[Named, ...]
    formed: tuple[tuple[Path, str, Path, str], ...]
    """Two places and their names, of which the first wants texts of a certain form."""


@lru_cache(maxsize=_CACHED)
def _sheet(tool: ToolView | None, places: tuple[str | Path, ...], own_names: _Names) -> _Sheet:
    known = dict(own_names)
    paths = tuple([(place,) if isinstance(place, str) else place for place in places])
    names = [(path, known.get(str(path[-1]), str(path[-1]))) for path in paths]
    formed = [(*one, *other) for one in names if sort_of(one[1]) for other in names if other is not one]
    return _Sheet(pairs_of(tool, paths, known), names_of(tool, paths, known), tuple(formed))


def _in_call(record: RecordView, call: CallView, sheet: _Sheet, heard: list[Heard]) -> Iterator[Finding]:
    done: set[frozenset[Path]] = set()
    for pair in sheet.pairs:
        done.add(frozenset(pair[:2]))
        yield from _of_pair(record, call, pair, heard)
    for one, other, at_most in headed_wrongly(call, sheet.named, heard[0]):
        if frozenset((one, other)) not in done:
            done.add(frozenset((one, other)))
            yield _finding(call, one, other, at_most)
    for one, other, at_most in _by_form(call, sheet) if sheet.formed else ():
        if frozenset((one, other)) not in done:
            done.add(frozenset((one, other)))
            yield _finding(call, one, other, at_most, "has the form of")


def _by_form(call: CallView, sheet: _Sheet) -> Iterator[tuple[Path, Path, Severity]]:
    """Yield the texts that stand in each other's place by their forms."""
    for one, name, other, theirs in sheet.formed:
        values = value_at(call.arguments or {}, one), value_at(call.arguments or {}, other)
        if isinstance(values[0], str) and isinstance(values[1], str):
            held = exchanged_by_form(name, theirs, values[0], values[1])
            if held is not None:
                yield one, other, held


def _of_pair(record: RecordView, call: CallView, pair: Pair, heard: list[Heard]) -> Iterator[Finding]:
    arguments = call.arguments or {}
    first, second = value_at(arguments, pair.first), value_at(arguments, pair.second)
    if first == second or isinstance(first, str) is not isinstance(second, str):
        return
    held = judge_pair(record, call, pair, (first, second), heard)
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
    for result, why, at_most in astray(record):
        yield Finding(f"{result.message.pointer}/content", why, at_most)
