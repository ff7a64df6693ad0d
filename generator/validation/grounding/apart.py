"""Apart: a short look that settles for most answers that the values of each thing are told apart from the others'.

What lies apart cannot have changed places. Of what does not, nothing is known yet, and a longer look is due.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.grounding.answers import Answer
from generator.validation.grounding.spans import FEWEST, Span
from generator.validation.grounding.words import find_number, fold
from generator.validation.view import NO_OBJECT

MOST_THINGS = 12
"""The most things of one sort that may be taken for each other."""
SHORTEST, LONGEST = 3, 80
"""Characters of a text that tells one thing from another."""
SMALLEST = 10
"""Whole numbers below it count anything."""
LARGEST = 1e12
"""Numbers above it are no values of things."""


class _Group(NamedTuple):
    """Some things of one sort."""

    things: list[Collection[JsonValue]]
    """The values of each."""
    are_entries: bool
    """Whether they are the entries of a list."""


def are_apart(answer: Answer) -> bool:
    """Say whether the values of each thing are plainly told apart from those of the others of its sort."""
    groups, text = _groups(answer), answer.folded
    return groups is not None and all(_are_listed(group, text) or _lie_apart(group, text) for group in groups)


def _groups(answer: Answer) -> list[_Group] | None:
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
            if type(inner) is list and 1 < len(inner) <= MOST_THINGS and all(type(each) is dict for each in inner)
        ]
    return found + [_Group(things, False) for things in by_tool.values() if 1 < len(things) <= MOST_THINGS]


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
                if (value < SMALLEST and kind is int) or (place := _place_of_number(value, text)) is None:
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
                if words not in text or text.count(words) > 1 or not SHORTEST <= len(value) <= LONGEST:
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
    return abs(value) < LARGEST and (value >= SMALLEST or value != int(value))


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
