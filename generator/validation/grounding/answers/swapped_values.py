"""Values of two results, or of two entries of one, that an answer gives to each other.

Each value is in the results, so that nothing seems invented, and yet what is told of one thing is true of the other.
What lies apart cannot have changed places: a short look settles that for most answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.reading.words import (
    FEWEST,
    Span,
    changed_places,
    extent,
    find_literal,
    find_number,
    fold,
)
from generator.validation.view import NO_OBJECT

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


class _Thing(NamedTuple):
    """What a result or an entry tells, by name, and by which of its values it is known."""

    values: JsonObject
    known_by: frozenset[str]


def swapped_values(answer: Answer) -> Iterator[str]:
    """Yield the values that an answer gives to another thing than the one they belong to."""
    if not answer.things or are_apart(answer):
        return
    for things in _groups_of_things(answer):
        if any(_exchanged(things, answer.folded)):  # dates and times are blotted out where it may matter alone
            yield from _exchanged(things, answer.without_moments)


def _exchanged(things: list[_Thing], text: str) -> Iterator[str]:
    things_told = [thing for thing in things if _may_be_told(thing, text)]
    if len(things_told) < FEWEST:
        return
    held = Counter([value for each in things for value in set(map(str, each.values.values()))])
    told = [(spans, thing) for thing in things_told if (spans := _told(thing, held, text)).keys() & thing.known_by]
    reached = [(*extent(spans), spans, thing) for spans, thing in told if len(spans) >= FEWEST]
    for (start, end, mine, own), (other_start, other_end, theirs, _) in combinations(reached, 2):
        place = changed_places(mine, theirs) if start < other_end and other_start < end else ""
        if place and not any(_is_aside(spans, text) for spans in (mine, theirs)):
            yield str(own.values[place])


def _may_be_told(thing: _Thing, text: str) -> bool:
    """Say quickly whether a text may have any value by which a thing is known."""
    values = thing.values
    return any(type(value := values[name]) is not str or fold(value) in text for name in thing.known_by)


def _groups_of_things(answer: Answer) -> Iterator[list[_Thing]]:
    """Yield what is of one sort, so that the values of one may be taken for the other's."""
    by_tool: dict[str, list[tuple[JsonObject, JsonObject]]] = {}
    for result in answer.results:
        if result.call is not None and not result.failed and isinstance(result.value, dict):
            by_tool.setdefault(result.call.name, []).append((result.call.arguments or {}, result.value))
            yield from _lists(result.value)
    for results in by_tool.values():
        if 1 < len(results) <= _MOST_THINGS:
            yield [_thing(_plain(given), _plain(brought)) for given, brought in results]


def _thing(given: JsonObject, brought: JsonObject) -> _Thing:
    return _Thing(brought | given, _names(brought) | given.keys())


def _lists(value: JsonObject) -> Iterator[list[_Thing]]:
    for inner in value.values():
        if isinstance(inner, list) and 1 < len(inner) <= _MOST_THINGS:
            entries = [_plain(each) for each in inner if isinstance(each, dict)]
            if len(entries) == len(inner):
                yield [_Thing(each, _names(each)) for each in entries]


def _plain(value: JsonObject) -> JsonObject:
    """Return what is told in words and numbers that can stand for one thing alone."""
    return {
        name: inner
        for name, inner in value.items()
        if (_SHORTEST <= len(inner) <= _LONGEST if type(inner) is str else _is_number(inner))
    }


def _names(value: JsonObject) -> frozenset[str]:
    return frozenset([name for name, inner in value.items() if type(inner) is str])


def _is_number(value: JsonValue) -> bool:
    return (type(value) is int or type(value) is float) and is_telling_number(value)


def _told(thing: _Thing, held: Counter[str], text: str) -> dict[str, Span]:
    """Return where the text tells, once, what no other thing has; nothing if not by what the thing is known."""
    found: dict[str, Span] = {}
    for name in sorted(thing.values, key=thing.known_by.__contains__, reverse=True):
        if not found and name not in thing.known_by:
            break
        value = thing.values[name]
        if held[str(value)] == 1 and (span := _only_place(value, text)) is not None:
            found[name] = span
    return found


def _only_place(value: JsonValue, text: str) -> Span | None:
    """Return where a text tells a value; None where it does not, or more than once."""
    if isinstance(value, str):
        words = fold(value)
        start = find_literal(text, words) if words in text and text.count(words) == 1 else -1
        return None if start < 0 else (start, start + len(words))
    return place_of_number(value, text)


def _is_aside(spans: dict[str, Span], text: str) -> bool:
    """Say whether all that is told of a thing stands in one pair of brackets."""
    start, end = extent(spans)
    return any(match.start() <= start and end <= match.end() for match in _BRACKETS.finditer(text))


_MOST_THINGS = 12
"""The most things of one sort that may be taken for each other."""
_SHORTEST, _LONGEST = 3, 80
"""Characters of a text that tells one thing from another."""
_SMALLEST = 10
"""Whole numbers below it count anything."""
_LARGEST = 1e12
"""Numbers above it are no values of things."""


class _Group(NamedTuple):
    """Some things of one sort."""

    things: list[Collection[JsonValue]]
    """The values of each."""
    are_entries: bool
    """Whether they are the entries of a list."""


def are_apart(answer: Answer) -> bool:
    """Say whether the values of each thing are plainly told apart from those of the others of its sort."""
    groups, text = _groups_of_values(answer), answer.folded
    return groups is not None and all(_are_listed(group, text) or _lie_apart(group, text) for group in groups)


def _groups_of_values(answer: Answer) -> list[_Group] | None:
    """Return what is of one sort: the results of one tool, the entries of a list; None where a result is ambiguous."""
    found: list[_Group] = []
    by_tool: dict[str, list[Collection[JsonValue]]] = {}
    several = len(answer.results) > 1
    for result in answer.results:
        value, call = result.value, result.call
        if type(value) is not dict or call is None or result.failed:
            continue
        if several:
            given = call.arguments or NO_OBJECT
            if any(name in value and _is_hidden(value[name], given[name]) for name in given):
                return None
            by_tool.setdefault(call.name, []).append([*value.values(), *given.values()])
        found += [
            _Group([each.values() for each in inner], True)
            for inner in value.values()
            if type(inner) is list and 1 < len(inner) <= _MOST_THINGS and all(type(each) is dict for each in inner)
        ]
    return found + [_Group(things, False) for things in by_tool.values() if 1 < len(things) <= _MOST_THINGS]


def _is_hidden(brought: JsonValue, given: JsonValue) -> bool:
    """Say whether what a result brings is told by the name of something else that its call was given."""
    kind = type(brought)
    return kind in _TOLD and (kind is not type(given) or bool(brought != given))


_TOLD = frozenset({str, int, float})


def _are_listed(group: _Group, text: str) -> bool:
    """Say whether things lie apart by all of their values, also such as several of them have: most are listed so."""
    extents: list[Span] = []
    for values in group.things:
        first, last, count = len(text), 0, 0
        for value in values:
            kind = type(value)
            if kind is str:
                words = value.lower() if value.isascii() else fold(value)
                if words not in text or text.count(words) > 1:
                    continue
                start = text.find(words)
                end = start + len(words)
            elif kind is int or kind is float:
                if (value < _SMALLEST and kind is int) or (place := _place_of_number(value, text)) is None:
                    continue
                start, end = place
            else:
                continue
            count += 1
            if start < first:
                first = start
            if end > last:
                last = end
        if count >= FEWEST:
            extents.append((first, last))
    extents.sort()
    return all(first[1] <= second[0] for first, second in pairwise(extents))


def _lie_apart(group: _Group, text: str) -> bool:
    """Say whether all that a text tells of each thing lies apart from all that it tells of another."""
    holders: dict[JsonValue, int] = {}
    told: list[list[_Told]] = []
    for thing, values in enumerate(group.things):
        own: list[_Told] = []
        for value in values:
            kind = type(value)
            if kind is str:
                words = value.lower() if value.isascii() else fold(value)
                if words not in text or text.count(words) > 1 or not _SHORTEST <= len(value) <= _LONGEST:
                    continue
                start = text.find(words)
                key, span = value, (start, start + len(words))
            elif kind is int or kind is float:
                place = _place_of_number(value, text)
                if place is None:
                    continue
                key, span = str(value), place
            else:
                continue
            own.append((key, kind is str, span))
            if holders.setdefault(key, thing) != thing:
                holders[key] = _SHARED
        if len(own) >= FEWEST:
            told.append(own)
    return len(told) < FEWEST or _reach_apart(told, holders, group.are_entries)


_SHARED = -1
"""Stands for the thing that has a value which several have: it tells none of them from the others."""
_Told = tuple[str, bool, Span]
"""A value that a text tells, whether it is a text itself, and where it is told."""


def _reach_apart(told: list[list[_Told]], holders: dict[JsonValue, int], are_entries: bool) -> bool:
    """Say whether what is told of things lies apart; an entry is not known by its numbers alone."""
    extents = []
    for each in told:
        own = [(span, is_text) for key, is_text, span in each if holders[key] != _SHARED]
        if len(own) >= FEWEST and (not are_entries or any(is_text for _, is_text in own)):
            extents.append((min([start for (start, _), _ in own]), max([end for (_, end), _ in own])))
    extents.sort()
    return all(first[1] <= second[0] for first, second in pairwise(extents))


def _place_of_number(value: float, text: str) -> Span | None:
    """Return where a text has a number, at a glance where it may be written in one way alone."""
    if not is_telling_number(value):
        return None
    if type(value) is int and value < _FEWEST_OF_GROUPS:
        digits = str(value)
        if digits not in text:
            return None
        if text.count(digits) == 1:
            start = text.find(digits)
            end = start + len(digits)
            return start, end + len(_NO_CENTS) * (text[end : end + len(_NO_CENTS)] == _NO_CENTS)
    return place_of_number(value, text)


_FEWEST_OF_GROUPS = 1000
_NO_CENTS = ".00"


def is_telling_number(value: float) -> bool:
    """Say whether a number can stand for one thing alone."""
    return abs(value) < _LARGEST and (value >= _SMALLEST or value != int(value))


def place_of_number(value: float, text: str) -> Span | None:
    """Return where a text tells a number; None where it does not, or more than once."""
    if type(value) is int and str(value)[-3:] not in text:  # the last digits stand together in every form
        return None
    forms = [form for form in _forms(value) if form in text]
    spans = {(start, start + len(form)) for form in forms if (start := find_number(text, form)) >= 0}
    (span, *others) = spans or (None,)
    if span is None or others or find_number(text[span[1] :], text[slice(*span)]) >= 0:
        return None
    return span


@lru_cache(maxsize=4096, typed=True)
def _forms(value: float) -> frozenset[str]:
    """Return how a number may be told; a whole one that is no integer is written otherwise."""
    return frozenset((f"{value:,}", f"{value:.15g}", f"{value:,.2f}", f"{value:.2f}"))
