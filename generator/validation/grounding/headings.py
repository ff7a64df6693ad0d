"""Headings: values that stand beside the name of another parameter of the same call.

"A base of 10 and a height of 5" says which is which by the parameters' own names, in whatever language they are.
Where the values of two parameters are headed by each other's names, they are exchanged; where one of them is headed
by the other's name and the other one by none, they probably are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.call_view import CallView
from generator.validation.grounding.marks import Marks, language_of, marks_of, words_in
from generator.validation.grounding.mentions import Heard, mentions_of
from generator.validation.grounding.pairs import value_at
from generator.validation.grounding.places import Path
from generator.validation.grounding.spans import Span
from generator.validation.grounding.words import stem, tokens_of_value
from generator.validation.verdict import Severity
from generator.validation.view import RecordView

_CACHED = 4096
_SHORTEST = 3
_REACH = 60
_MOST_BETWEEN = 4
_BREAK = re.compile(r"[.!?;,\n。！？；，、]")
_LINKING = frozenset(":=*\"'`([#$€£¥")


class Headed(NamedTuple):
    """Two places of a call whose values stand beside each other's names."""

    first: Path
    second: Path
    at_most: Severity


@lru_cache(maxsize=_CACHED)
def names_of(
    paths: tuple[Path, ...], own_names: tuple[tuple[str, str], ...]
) -> tuple[tuple[Path, frozenset[str]], ...]:
    """Return the words of the name of each place, without their endings; places whose name has none are left out."""
    known = dict(own_names)
    found = []
    for path in paths:
        words = tokens_of_value(known.get(str(path[-1]), str(path[-1])))
        stems = frozenset(stem(word) for word in words if len(word) >= _SHORTEST and word.isalpha())
        if stems:
            found.append((path, stems))
    return tuple(found)


def headed_wrongly(
    record: RecordView,
    call: CallView,
    paths: tuple[Path, ...],
    own_names: tuple[tuple[str, str], ...],
    heard: list[Heard],
) -> Iterator[Headed]:
    """Yield the places of a call whose values are exchanged by the names beside them."""
    said = heard[0]
    named = [(path, stems) for path, stems in names_of(paths, own_names) if any(map(said.folded.__contains__, stems))]
    marks: Marks | None = None
    for (one, mine), (other, theirs) in combinations(named, 2):
        values = _comparable(call, one, other)
        if values is not None and mine - theirs and theirs - mine:
            marks = marks or marks_of(language_of(said.folded), "way")
            spans = [
                mentions_of(record, call, path, value, said) for path, value in zip((one, other), values, strict=True)
            ]
            if len(spans[0]) == len(spans[1]) == 1:
                reading = _Reading(said.folded, marks, mine - theirs, theirs - mine, mine & theirs)
                held = _verdict(reading, spans[0][0], spans[1][0])
                if held is not None:
                    yield Headed(one, other, held)


def _comparable(call: CallView, one: Path, other: Path) -> tuple[JsonValue, JsonValue] | None:
    """Return two values of one type that differ; None where they are not so."""
    arguments = call.arguments or {}
    values = value_at(arguments, one), value_at(arguments, other)
    alike = isinstance(values[0], str) is isinstance(values[1], str)
    return values if alike and values[0] != values[1] else None


class _Reading(NamedTuple):
    text: str
    marks: Marks
    mine: frozenset[str]
    """What only the first name has."""
    theirs: frozenset[str]
    shared: frozenset[str]


def _verdict(reading: _Reading, first: Span, second: Span) -> Severity | None:
    before = _heading_before(reading, first), _heading_before(reading, second)
    after = _heading_after(reading, first), _heading_after(reading, second)
    if (0, 1) in (before, after):
        return None
    if (1, 0) in (before, after):
        return "error"
    return "warning" if before in ((1, None), (None, 0)) and after == (None, None) else None


def _heading_before(reading: _Reading, span: Span) -> int | None:
    """Return whose name heads a value: 0 for the first, 1 for the second, None for neither."""
    words = words_in(_BREAK.split(reading.text[max(0, span[0] - _REACH) : span[0]])[-1])[-_MOST_BETWEEN:]
    for word in reversed(words):
        whose = _whose(reading, word)
        if whose is not None:
            return whose
        if not (word in reading.marks.links or word in reading.marks.articles or word in _LINKING):
            if stem(word) not in reading.shared:
                return None
    return None


def _heading_after(reading: _Reading, span: Span) -> int | None:
    """Return whose name follows a value, at once or after its unit."""
    words = words_in(_BREAK.split(reading.text[span[1] : span[1] + _REACH])[0])[:2]
    for word in words:
        whose = _whose(reading, word)
        if whose is not None:
            return whose
        if not word.isalpha() or word in reading.marks.stops or word in reading.marks.articles:
            return None
    return None


def _whose(reading: _Reading, word: str) -> int | None:
    root = stem(word)
    return 0 if root in reading.mine else 1 if root in reading.theirs else None
