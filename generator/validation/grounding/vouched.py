"""Vouched: values that the ladder cannot follow, whose words the metadata name.

Two may say which words a value comes from: the domain, of whose phrases it is part (`metadata.construction`), and the
author of the call (`metadata.evidence`). What they name must have been said before the call. The domain's words mean
the value by construction; the author's are its assertion, which a second opinion may share or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.choices import Choices, choices_at
from generator.validation.grounding.leaves import Leaf
from generator.validation.grounding.proof import disproves
from generator.validation.grounding.sources import ASSERTED, CONSTRUCTION, Grounding, Said
from generator.validation.grounding.words import fold
from generator.validation.view import CallView, RecordView

LONGEST_SPAN = 200
"""Characters; who names a whole message names nothing in it."""
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d])[\w./:#@+-]+", re.ASCII)
_MOMENT = re.compile(
    r"\d{1,4}(?:[-/.]\d{1,2}){1,2}(?:[T ].*)?|T?\d{1,2}:\d{2}.*|\d+(?:[.,]\d+)?[a-z%]{0,3}", re.ASCII | re.I
)


def vouched(leaf: Leaf, call: CallView, record: RecordView, said: Said) -> Grounding | None:
    """Return the words that the metadata name for a value, where they were said before the call."""
    if not leaf.path or not isinstance(call.id, str):
        return None
    choices = () if call.tool is None or leaf.is_key else choices_at(call.tool, leaf.path)
    return _constructed(leaf, call.id, record, said, choices) or _asserted(leaf, call.id, record, said, choices)


def _constructed(leaf: Leaf, call_id: str, record: RecordView, said: Said, choices: Choices) -> Grounding | None:
    words = _named(record, "construction", call_id).get(str(_own_name(leaf.path[0], record)))
    if not isinstance(words, str) or not words.strip():
        return None
    source = next((each for each in said.sources if each.role == "user" and words in each.raw), None)
    if source is None or disproves(words, leaf.value, said, choices):
        return None
    return Grounding(CONSTRUCTION, source.where, words)


def _asserted(leaf: Leaf, call_id: str, record: RecordView, said: Said, choices: Choices) -> Grounding | None:
    named = _named(record, "evidence", call_id)
    if not named or is_code(leaf.value):
        return None
    words = next((named[place] for place in _places(leaf, record) if place in named), None)
    if not isinstance(words, str) or not is_span(words):
        return None
    source = next((each for each in said.sources if holds(each.folded, words)), None)
    if source is None or disproves(words, leaf.value, said, choices):
        return None
    return Grounding(ASSERTED, source.where, words)


def evidence_of(call: CallView, record: RecordView) -> JsonObject:
    """Return the words that the author of a call names for its arguments, by name or by pointer."""
    return _named(record, "evidence", call.id) if isinstance(call.id, str) else {}


def is_span(words: str) -> bool:
    """Say whether words can be the place that a value comes from: some, and not a whole letter."""
    return any(map(str.isalnum, words)) and len(words) <= LONGEST_SPAN


def holds(folded: str, words: str) -> bool:
    """Say whether a folded text holds words, up to case, accents and spacing."""
    return " ".join(fold(words).split()) in " ".join(folded.split())


def is_code(value: JsonValue) -> bool:
    """Say whether a value is a code that one knows or does not: no words but its own stand for it."""
    return isinstance(value, str) and bool(_CODE.fullmatch(value)) and not is_moment(value)


def is_moment(value: JsonValue) -> bool:
    """Say whether a value is written as a date, a time or an amount."""
    return isinstance(value, str) and bool(_MOMENT.fullmatch(value))


def _places(leaf: Leaf, record: RecordView) -> Iterator[str]:
    """Yield what evidence may call a value: its own place first, then the things that it is part of."""
    path = (_own_name(leaf.path[0], record), *leaf.path[1:])
    for length in range(len(path), 0, -1):
        yield pointer(path[:length])
    yield str(path[0])


def _named(record: RecordView, key: str, call_id: str) -> JsonObject:
    entries = record.metadata.get(key)
    named = entries.get(call_id) if isinstance(entries, dict) else None
    return named if isinstance(named, dict) else {}


def _own_name(parameter: str | int, record: RecordView) -> str | int:
    """Return what a parameter is called without the record's mask."""
    mask = record.metadata.get("mask")
    names = mask.get("parameters") if isinstance(mask, dict) else None
    own = names.get(parameter, parameter) if isinstance(names, dict) else parameter
    return own if isinstance(own, str | int) else parameter
