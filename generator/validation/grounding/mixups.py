"""Mix-ups: values of two results, or of two entries of one, that an answer gives to each other.

Each value is in the results, so that nothing seems invented, and yet what is told of one thing is true of the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers import Answer
from generator.validation.grounding.apart import (
    LONGEST,
    MOST_THINGS,
    SHORTEST,
    are_apart,
    is_telling_number,
    place_of_number,
)
from generator.validation.grounding.reading.spans import FEWEST, Span, changed_places, extent
from generator.validation.grounding.reading.words import find_literal, fold

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


class _Thing(NamedTuple):
    """What a result or an entry tells, by name, and by which of its values it is known."""

    values: JsonObject
    known_by: frozenset[str]


def mixed_up(answer: Answer) -> Iterator[str]:
    """Yield the values that an answer gives to another thing than the one they belong to."""
    if not answer.things or are_apart(answer):
        return
    for things in _groups(answer):
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


def _groups(answer: Answer) -> Iterator[list[_Thing]]:
    """Yield what is of one sort, so that the values of one may be taken for the other's."""
    by_tool: dict[str, list[tuple[JsonObject, JsonObject]]] = {}
    for result in answer.results:
        if result.call is not None and not result.failed and isinstance(result.value, dict):
            by_tool.setdefault(result.call.name, []).append((result.call.arguments or {}, result.value))
            yield from _lists(result.value)
    for results in by_tool.values():
        if 1 < len(results) <= MOST_THINGS:
            yield [_thing(_plain(given), _plain(brought)) for given, brought in results]


def _thing(given: JsonObject, brought: JsonObject) -> _Thing:
    return _Thing(brought | given, _names(brought) | given.keys())


def _lists(value: JsonObject) -> Iterator[list[_Thing]]:
    for inner in value.values():
        if isinstance(inner, list) and 1 < len(inner) <= MOST_THINGS:
            entries = [_plain(each) for each in inner if isinstance(each, dict)]
            if len(entries) == len(inner):
                yield [_Thing(each, _names(each)) for each in entries]


def _plain(value: JsonObject) -> JsonObject:
    """Return what is told in words and numbers that can stand for one thing alone."""
    return {
        name: inner
        for name, inner in value.items()
        if (SHORTEST <= len(inner) <= LONGEST if type(inner) is str else _is_number(inner))
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
