"""Clauses: a text by its sentences and clauses, each with what it affirms, denies or leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.validation.grounding.reading.languages import entries, phrases

_END = re.compile(r"[.!?](?=\s)\s*|[。！？；;\n]\s*")
_JOINT = re.compile(r"[,:](?=\s)|[，、：]|\s[-–—]\s|[()]")


class Clause(NamedTuple):
    """A part of a text that says one thing."""

    start: int
    text: str
    asks: bool
    """Whether its sentence is a question."""
    sentence: str
    """The sentence that it is part of."""


def sentences_of(text: str) -> Iterator[Clause]:
    """Yield the sentences of a text."""
    start = 0
    for match in _END.finditer(text):
        yield Clause(start, text[start : match.start()], match[0][0] in "?？", text[start : match.start()])
        start = match.end()
    if text[start:].strip():
        yield Clause(start, text[start:], text.rstrip().endswith(("?", "？")), text[start:])


def clauses_of(text: str, language: str) -> Iterator[Clause]:
    """Yield the clauses of a text."""
    joints = _joints(language)
    for sentence in sentences_of(text):
        start = 0
        for match in joints.finditer(sentence.text):
            yield Clause(sentence.start + start, sentence.text[start : match.start()], sentence.asks, sentence.text)
            start = match.end()
        yield Clause(sentence.start + start, sentence.text[start:], sentence.asks, sentence.text)


@cache
def _joints(language: str) -> re.Pattern[str]:
    words = "|".join(map(re.escape, entries(language, "clauses", "joints")))
    return re.compile(rf"{_JOINT.pattern}|\s(?:{words})\s") if words else _JOINT


def is_left_open(clause: Clause, language: str) -> bool:
    """Say whether a clause asks, supposes or restricts, and so neither affirms nor denies."""
    return clause.asks or phrases(language, "outcomes", "open").found_in(clause.text)


def denies(text: str, language: str) -> bool:
    """Say whether a text has a negation."""
    return ("n't" in text and language == "en") or phrases(language, "outcomes", "negation").found_in(text)
