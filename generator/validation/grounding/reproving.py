"""Reproving: the words that the author of a call names for its values, against the values themselves.

Where the words named for one value say another value of the turn, and that one's words say this one, the two stand in
each other's place, whatever else is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.grounding.numbers import forms_of
from generator.validation.grounding.vouched import evidence_of
from generator.validation.grounding.words import find_literal, find_number, fold
from generator.validation.view import CallView, RecordView


class Named(NamedTuple):
    """A value of a call with the words that its author names for it."""

    call: CallView
    name: str
    value: JsonValue
    words: str


def disproved(record: RecordView) -> Iterator[tuple[Named, Named]]:
    """Yield two values of a turn of which each is said by the words that are named for the other."""
    if "evidence" not in record.metadata:
        return
    for turn in record.turns_of_calls:
        named = [each for call in turn.calls for each in _named(call, record)]
        for one, other in combinations(named, 2):
            crossed = _says(one.words, other.value) and _says(other.words, one.value)
            if crossed and not _says(one.words, one.value) and not _says(other.words, other.value):
                yield one, other


def _named(call: CallView, record: RecordView) -> Iterator[Named]:
    arguments = call.arguments or {}
    for name, words in evidence_of(call, record).items():
        value = arguments.get(name)
        if isinstance(words, str) and isinstance(value, str | int | float) and not isinstance(value, bool):
            yield Named(call, name, value, fold(words))


def _says(words: str, value: JsonValue) -> bool:
    if isinstance(value, str):
        return bool(value.strip()) and find_literal(words, fold(value).strip()) >= 0
    return isinstance(value, int | float) and any(find_number(words, each) >= 0 for each in forms_of(value))
