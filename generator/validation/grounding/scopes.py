"""Scopes: the clauses of a text, over which a negation reaches, and which of their words are negated."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.reading.languages import words_for
from generator.validation.grounding.reading.words import LONGEST_TEXT, stem

_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,]\d+)*|[.,;:!?\n()]")
_STOPS = frozenset(".;!?\n()")
_REACH = 7
"""Words between a negation and what it negates."""
_NEAR = 2
_AFTER = 5
"""Words between a thing and the negation after it: "a receipt is not needed"."""


class Clause(NamedTuple):
    """A part of a text: its words, and whether it supposes, or asks whether something is so."""

    tokens: tuple[str, ...]
    is_open: bool

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words."""
        return tuple(map(stem, self.tokens))


@lru_cache(maxsize=256)
def clauses_of(folded: str) -> tuple[Clause, ...]:
    """Divide a folded text where sentences end, and at commas and words after which somebody says another thing."""
    found: list[Clause] = []
    held: list[str] = []
    tokens = _TOKEN.findall(_without_idioms(folded[:LONGEST_TEXT]))
    openers, breaks = words_for("flags", "openers"), words_for("flags", "breaks")
    for at, word in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if word in _STOPS or word in breaks or (word in ",:" and (following in openers or _is_answer(held))):
            _close(found, held, word)
        elif word not in ",:":
            held.append(word)
    _close(found, held, "")
    return tuple(found)


def _is_answer(held: list[str]) -> bool:
    """Say whether all that came before a comma is "no" or "yes"."""
    return len(held) == 1 and held[0] in words_for("flags", "answers")


def _close(found: list[Clause], held: list[str], stop: str) -> None:
    if held and not _is_answer(held):
        asks = stop == "?" and held[0] in words_for("flags", "question_openers")
        is_open = asks or not words_for("flags", "suppositions").isdisjoint(held)
        found.append(Clause(tuple(held), is_open))
    held.clear()


@cache
def _pattern(key: str) -> re.Pattern[str]:
    written = sorted(words_for("flags", key), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, written))})\b")


def _without_idioms(folded: str) -> str:
    """Leave out what looks like a negation and is none, "no problem", and mark what leaves things open, "not only"."""
    return _pattern("idioms").sub(" ", _pattern("both").sub(_LEFT_OPEN, folded))


_LEFT_OPEN = " either "


def is_negated(clause: Clause, at: int) -> bool:
    """Say whether the word at a place of a clause is negated: before it an odd number of times, or after it."""
    before = clause.tokens[max(0, at - _REACH) : at]
    negations = sum(_negates(each, clause.tokens, at - len(before) + place) for place, each in enumerate(before))
    negations += sum(each in words_for("flags", "near_negators") for each in before[-_NEAR:])
    if negations % 2:
        return True
    after = clause.tokens[at + 1 : at + 1 + _AFTER]
    return not negations and _is_negated_after(after)


def _negates(word: str, tokens: tuple[str, ...], at: int) -> bool:
    """Say whether a word negates: any of the negations, but not the "no" of "case no 28473"."""
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if word == "no" and following[:1].isdigit():
        return False
    return word in words_for("flags", "negators") or stem(word) in _negating_stems()


@lru_cache(maxsize=1)
def _negating_stems() -> frozenset[str]:
    return frozenset(map(stem, words_for("flags", "negating_verbs")))


def _is_negated_after(after: tuple[str, ...]) -> bool:
    """Say whether the words after a thing say that it is not wanted: "alcohol free", "gift wrap is not needed"."""
    if not after:
        return False
    first, second = after[0], after[1] if len(after) > 1 else ""
    negators, endings = words_for("flags", "negators"), words_for("flags", "after")
    if first in endings or first in words_for("flags", "negated_copulas"):
        return True
    if first in words_for("flags", "copulas") and (second in negators or second in endings):
        return True
    if first in negators and second in words_for("flags", "wanted"):
        return True
    return any(each.endswith("ed") and stem(each) in _negating_stems() for each in after[:_PASSIVE])


_PASSIVE = 2
"""Words after a thing in which it is said to be left out: "with toll roads avoided"."""
