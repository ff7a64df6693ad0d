"""What the rules of swapped values find: values in each other's place, within a call and between parallel calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from generator.jsontext import JsonValue, pointer
from generator.validation.grounding.arguments.argument import Leaf, Path, leaves_of
from generator.validation.grounding.arguments.evidence import named_evidence
from generator.validation.grounding.arguments.sources import forms_of
from generator.validation.grounding.reading.role_words import has_any, role_words_of, sort_of
from generator.validation.grounding.reading.words import (
    Places,
    Span,
    find_literal,
    find_number,
    first_out_of_turn,
    fold,
    in_order,
    lie_apart,
    overlapping,
    place_to_change,
)
from generator.validation.grounding.requests.wishes import Request, mentions_of, requests_before
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

_ASIDE = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]|（[^（）\n]*）|—[^—\n]*—|(?<=[^\n]) [-–] [^\n–-]*(?<=[^\n]) [-–] ")
_GAP = 8
"""Characters between the entries of a list: a comma, a word such as "and", a sign of currency."""
_FEWEST = 2
"""Values that a call must have in a text of its own, or nothing lies beside anything."""


class SwappedValue(NamedTuple):
    """A value that stands in the place of another call's."""

    call: CallView
    leaf: Leaf
    why: str
    at_most: Severity = "error"


class _CallInText(NamedTuple):
    """What a text says of one call."""

    call: CallView
    leaves: dict[str, Leaf]
    places: Places
    own: frozenset[str] = frozenset()
    """The places of values that no other call of the turn has."""


def swapped_values(record: RecordView) -> Iterator[SwappedValue]:
    """Yield the values that stand in the place of another call's, each with why."""
    for turn in record.turns_of_calls:
        if len(turn.calls) > 1 and _may_be_exchanged(turn.calls):
            request = _request_before(record, turn.index)
            if request is not None and not _are_plainly_apart(turn.calls, request.folded):
                said = _own([_in_text(record, call, request) for call in turn.calls])
                found = _between_calls(said, request.folded)
                yield from found or [*_out_of_order(said, request)] or _in_turn(said, request.folded)


def _request_before(record: RecordView, index: int) -> Request | None:
    """Return what the user said last before a turn."""
    for message in reversed(record.messages[:index]):
        if message.role == "user" and isinstance(message.content, str):
            return Request(message.index, message.content)
    return None


def _may_be_exchanged(calls: tuple[CallView, ...]) -> bool:
    """Say whether any two calls of a turn have a parameter in common, with different values, and any other."""
    if sum(len(call.arguments or ()) for call in calls) <= len(calls):
        return False
    seen: dict[str, JsonValue] = {}
    given = ((name, value) for call in calls for name, value in (call.arguments or {}).items())
    return any(seen.setdefault(name, value) != value for name, value in given)


def _are_plainly_apart(calls: tuple[CallView, ...], text: str) -> bool:
    """Say whether each value stands in the text to the letter, and those of each call beside each other: most do."""
    shared = _shared(calls)
    extents: list[Span] = []
    for call in calls:
        spans: list[Span] = []
        for value in _values_but(shared, call):
            wanted = str(value).casefold()
            at = (find_literal if type(value) is str else find_number)(text, wanted)
            if at < 0:
                return False
            spans.append((at, at + len(wanted)))
        if spans:
            extents.append((min(spans)[0], max(end for _, end in spans)))
    extents.sort()
    return all(first[1] <= second[0] for first, second in pairwise(extents))


def _values_but(shared: set[str], call: CallView) -> Iterator[JsonValue]:
    """Yield the values of a call that are not shared, those in objects as well; truth values are not said."""
    waiting: list[JsonValue] = [value for name, value in (call.arguments or {}).items() if name not in shared]
    for value in waiting:
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif type(value) is not bool:
            yield value


def _shared(calls: tuple[CallView, ...]) -> set[str]:
    """Return the parameters that have one value in all calls."""
    first, *others = (call.arguments or {} for call in calls)
    return {name for name, value in first.items() if all(other.get(name) == value for other in others)}


def _in_text(record: RecordView, call: CallView, request: Request) -> _CallInText:
    """Find the values of a call in a text."""
    leaves: dict[str, Leaf] = {}
    places: Places = {}
    for leaf in leaves_of(call):
        if leaf.is_key or type(leaf.value) not in (str, int, float):
            continue
        place = pointer(leaf.path)
        spans = mentions_of(record, call, leaf.path, leaf.value, request)
        if spans:
            leaves[place] = leaf
            places[place] = spans
    return _CallInText(call, leaves, places)


def _between_calls(said: list[_CallInText], text: str) -> list[SwappedValue]:
    """Find what has changed places between two calls: of several, those that leave the fewest in each other's way."""
    things = [{place: each.places[place] for place in each.own} for each in said]
    found = [
        (one, other, *held)
        for one, other in overlapping(things)
        if (held := _between(things[one], things[other], text)) is not None
    ]
    left = [len(overlapping(_turned(things, *each[:3]))) for each in found] if len(found) > 1 else [0]
    kept = [each for each, count in zip(found, left, strict=False) if count == min(left)]
    return [_exchange(said[one], said[other], place, at_most) for one, other, place, at_most in kept]


def _turned(things: list[Places], one: int, other: int, place: str) -> list[Places]:
    turned = list(things)
    turned[one] = {**things[one], place: things[other][place]}
    turned[other] = {**things[other], place: things[one][place]}
    return turned


def _between(first: Places, second: Places, text: str) -> tuple[str, Severity] | None:
    """Return what has changed places between two calls, by the values that are theirs alone, and how sure that is."""
    place = _out_of_place(first, second, text)
    if place:
        return place, "warning" if min(len(first), len(second)) < _FEWEST else "error"
    listed = {name for name in first.keys() & second.keys() if _are_listed(first[name], second[name])}
    if not listed:
        return None
    mine, theirs = _without(listed, first), _without(listed, second)  # what is no list may be side by side
    place = _out_of_place(mine, theirs, text) if min(len(mine), len(theirs)) >= _FEWEST else ""
    return (place, "warning") if place else None


def _without(names: set[str], places: Places) -> Places:
    return {name: spans for name, spans in places.items() if name not in names}


def _out_of_place(first: Places, second: Places, text: str) -> str:
    if not first or not second or len(first) + len(second) <= _FEWEST or lie_apart(first, second):
        return ""
    place = place_to_change(first, second)
    return "" if place and _is_aside([first, second], text) else place


def _are_listed(first: list[Span], second: list[Span]) -> bool:
    """Say whether two values stand next to each other, as the entries of one list do."""
    return len(first) == len(second) == 1 and _are_lists(first + second)


def _exchange(mine: _CallInText, theirs: _CallInText, place: str, at_most: Severity) -> SwappedValue:
    own, other = mine.leaves[place], theirs.leaves[place]
    why = f"it has changed places: {own.value!r} is said with what {theirs.call.pointer} is given"
    return SwappedValue(theirs.call, other, why, at_most)


def _in_turn(said: list[_CallInText], text: str) -> Iterator[SwappedValue]:
    """Yield what has changed places where calls are told one after another, though they share values.

    Values that are given under several names, as the legs of a journey are, prove nothing.
    """
    things = _said_as_often(said)
    if min(map(len, things)) < _FEWEST or None in (_late(things), _late(things[::-1])) or _is_aside(things, text):
        return
    elsewhere = _under_several_names(said)
    late = _late(things) or 0
    near = {late, late - 1} - {-1}  # what has gone astray makes itself late, or the next one
    for one, other in combinations(range(len(said)), 2):
        if near.isdisjoint((one, other)):
            continue
        for place in sorted(things[one].keys() & things[other].keys()):
            held = {_key(said[one].leaves[place]), _key(said[other].leaves[place])}
            if not elsewhere & held and _puts_in_turn(things, one, other, place):
                yield _exchange(said[one], said[other], place, "warning")
                return


def _said_as_often(said: list[_CallInText]) -> list[Places]:
    """Return what is said of each call, but values given more often than they are said: of several calls at once."""
    given = Counter(_key(leaf) for each in said for leaf in each.leaves.values())
    return [
        {place: spans for place, spans in each.places.items() if len(spans) >= given[_key(each.leaves[place])]}
        for each in said
    ]


def _under_several_names(said: list[_CallInText]) -> set[str]:
    """Return the values but whole numbers that calls are given under more than one name."""
    given_as = {(_key(leaf), place) for each in said for place, leaf in each.leaves.items()}
    names = Counter(value for value, _ in given_as)
    return {value for value, count in names.items() if count > 1 and not value.isdigit()}


def _puts_in_turn(things: list[Places], one: int, other: int, place: str) -> bool:
    """Say whether all calls are told one after another once two of them have changed a value."""
    return things[one][place] != things[other][place] and _late(_turned(things, one, other, place)) is None


def _late(things: list[Places]) -> int | None:
    return first_out_of_turn([list(each.values()) for each in things])


def _own(said: list[_CallInText]) -> list[_CallInText]:
    """Tell the values of each call that no other has: what is said of a shared one may be said of another call."""
    held = Counter(_key(leaf) for each in said for leaf in set(each.leaves.values()))
    return [
        each._replace(own=frozenset(place for place, leaf in each.leaves.items() if held[_key(leaf)] == 1))
        for each in said
    ]


def _key(leaf: Leaf) -> str:
    return str(leaf.value).casefold()


def _is_aside(things: list[Places], text: str) -> bool:
    """Say whether anything is said in brackets or between dashes, in the midst of what is said of calls."""
    spans = [span for places in things for each in places.values() for span in each]
    return any(_is_amid(match.span(), spans) for match in _ASIDE.finditer(text))


def _is_amid(aside: Span, spans: list[Span]) -> bool:
    """Say whether several of the places lie in a stretch of the text, and others before and behind it."""
    start, end = aside
    inside = sum(start <= span[0] and span[1] <= end for span in spans)
    return inside >= _FEWEST and any(span[1] <= start for span in spans) and any(span[0] >= end for span in spans)


def _out_of_order(said: list[_CallInText], request: Request) -> Iterator[SwappedValue]:
    """Yield what stands in another place of its list than what it belongs to: "2 kg and 8 kg to Canada and Spain"."""
    if len({each.call.name for each in said}) > 1:
        return
    for (_, first), (place, second) in combinations(_lists_of(said).items(), 2):
        at = in_order(first, second)
        if at is not None:
            text, marks = request.folded, role_words_of(request.language, "way")
            sure = has_any(text, marks.pairwise, spaced=marks.spaced)
            if has_any(text, marks.reversals, spaced=marks.spaced) or not (
                sure or (_are_lists(first) and _are_lists(second))
            ):
                continue
            why = "it has changed places: in the order of what is listed, it belongs to another call"
            yield SwappedValue(said[at].call, said[at].leaves[place], why, "error" if sure else "warning")
            return


def _lists_of(said: list[_CallInText]) -> dict[str, list[Span]]:
    """Return where the values of each parameter that all calls have are said, call by call, if once for each call."""
    lists: dict[str, list[Span]] = {}
    for place in sorted(set.intersection(*(set(each.places) for each in said))):
        spans = [span for each in said for span in each.places[place]]
        if len(spans) == len(said) == len(set(spans)):
            lists[place] = spans
    return lists


def _are_lists(values: list[Span]) -> bool:
    """Say whether values stand in a list, with hardly a word between."""
    return all(start[1] <= end[0] <= start[1] + _GAP for start, end in pairwise(sorted(values)))


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
