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
from generator.validation.grounding.result_numbers import Brought, objects_of

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


class _Stretch(NamedTuple):
    """Where a text tells of a thing."""

    start: int
    end: int
    spans: dict[str, Span]
    """Where it tells each value, by name."""
    thing: _Thing


def _exchanged(things: list[_Thing], text: str) -> Iterator[str]:
    for one, other in combinations(_stretches(things, text), 2):
        meet = one.start < other.end and other.start < one.end
        place = changed_places(one.spans, other.spans) if meet else ""
        if place and not (_is_aside(one, text) or _is_aside(other, text)):
            yield str(one.thing.values[place])


def _stretches(things: list[_Thing], text: str) -> list[_Stretch]:
    """Return where a text tells of things, each by two of its values or more, by one of which it is known."""
    things_told = [thing for thing in things if _may_be_told(thing, text)]
    if len(things_told) < FEWEST:
        return []
    held = Counter([value for each in things for value in set(map(str, each.values.values()))])
    told = ((_told(thing, held, text), thing) for thing in things_told)
    return [
        _Stretch(*extent(spans), spans, thing)
        for spans, thing in told
        if len(spans) >= FEWEST and not thing.known_by.isdisjoint(spans)
    ]


def _may_be_told(thing: _Thing, text: str) -> bool:
    """Say quickly whether a text may have any value by which a thing is known."""
    values = thing.values
    return any(type(value := values[name]) is not str or fold(value) in text for name in thing.known_by)


def _groups_of_things(answer: Answer) -> Iterator[list[_Thing]]:
    """Yield what is of one sort, so that the values of one may be taken for the other's."""
    by_tool: dict[str, list[Brought]] = {}
    for each in objects_of(answer.results):
        by_tool.setdefault(each.tool, []).append(each)
        for entries in _lists_of_objects(each.value):
            yield [_Thing(plain, _names(plain)) for plain in map(_plain, entries)]
    for results in by_tool.values():
        if 1 < len(results) <= _MOST_THINGS:
            yield [_thing(_plain(each.given), _plain(each.value)) for each in results]


def _thing(given: JsonObject, brought: JsonObject) -> _Thing:
    return _Thing(brought | given, _names(brought) | given.keys())


def _lists_of_objects(value: JsonObject) -> Iterator[list[JsonObject]]:
    """Yield the lists of a result that hold a few objects and nothing else."""
    for inner in value.values():
        if type(inner) is list and 1 < len(inner) <= _MOST_THINGS and all(type(each) is dict for each in inner):
            yield inner


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


def _is_aside(stretch: _Stretch, text: str) -> bool:
    """Say whether all that is told of a thing stands in one pair of brackets."""
    return any(match.start() <= stretch.start and stretch.end <= match.end() for match in _BRACKETS.finditer(text))


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
    for tool, given, value in objects_of(answer.results):
        if several:
            if any(name in value and _is_hidden(value[name], given[name]) for name in given):
                return None
            by_tool.setdefault(tool, []).append([*value.values(), *given.values()])
        found += [_Group([each.values() for each in entries], True) for entries in _lists_of_objects(value)]
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
        places = [place for value in values if (place := _place_at_a_glance(value, text)) is not None]
        if len(places) >= FEWEST:
            extents.append(_reach(places))
    return _are_in_a_row(extents)


def _place_at_a_glance(value: JsonValue, text: str) -> Span | None:
    """Return where a text has the letters of a value or the number; None where it does not, or more than once."""
    kind = type(value)
    if kind is str:
        words = value.lower() if value.isascii() else fold(value)
        start = text.find(words) if text.count(words) == 1 else -1
        return None if start < 0 else (start, start + len(words))
    return _place_of_number(value, text) if kind is int or kind is float else None


def _reach(places: list[Span]) -> Span:
    """Return from where to where places reach."""
    return min([start for start, _ in places]), max([end for _, end in places])


def _are_in_a_row(extents: list[Span]) -> bool:
    """Say whether each ends before the next one begins."""
    extents.sort()
    return all(first[1] <= second[0] for first, second in pairwise(extents))


def _lie_apart(group: _Group, text: str) -> bool:
    """Say whether all that a text tells of each thing lies apart from all that it tells of another."""
    holders: dict[JsonValue, int] = {}
    told: list[list[_Told]] = []
    for thing, values in enumerate(group.things):
        own: list[_Told] = []
        for value in values:
            is_text = type(value) is str
            place = _place_at_a_glance(value, text)
            if place is None or (is_text and not _SHORTEST <= len(value) <= _LONGEST):
                continue
            key = value if is_text else str(value)
            own.append((key, is_text, place))
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
        own = [(place, is_text) for key, is_text, place in each if holders[key] != _SHARED]
        if len(own) >= FEWEST and (not are_entries or any(is_text for _, is_text in own)):
            extents.append(_reach([place for place, _ in own]))
    return _are_in_a_row(extents)


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
    spans = {(start, start + len(form)) for form in _forms(value) if (start := find_number(text, form)) >= 0}
    if len(spans) != 1:
        return None
    ((start, end),) = spans
    return None if find_number(text[end:], text[start:end]) >= 0 else (start, end)


@lru_cache(maxsize=4096, typed=True)
def _forms(value: float) -> frozenset[str]:
    """Return how a number may be told; a whole one that is no integer is written otherwise."""
    return frozenset((f"{value:,}", f"{value:.15g}", f"{value:,.2f}", f"{value:.2f}"))
