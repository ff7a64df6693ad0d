"""Flags, which schemas call booleans: where true, false and null come from, and what the clauses of a text say of them.

Nobody says "true". A flag is grounded where the words of its name or description are said, with a negation where it
is false and without one where it is true; where its schema gives it; and false where nothing speaks of it at all,
since that is what silence means. Null states nothing, so that it needs no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.arguments.argument import Path, ground_in_schema, schemas_at
from generator.validation.grounding.arguments.sources import BEGINNING, NORMALISED, SCHEMA, Grounding, Said
from generator.validation.grounding.reading.languages import every, words_for
from generator.validation.grounding.reading.words import LONGEST_TEXT, STOPWORDS, Words, fold, stem, tokens_of_value
from generator.validation.tool_view import ToolView

_LONGEST_DESCRIPTION = 1000


class Flag(NamedTuple):
    """What a flag is about, read from its name and description."""

    name: str
    stems: tuple[str, ...]
    """Stems of its name without the words that say nothing of the matter: `include_alcohol` is about alcohol."""
    described: frozenset[str]
    """Stems of its description, likewise."""
    is_negative: bool
    """Whether true means that there is none of it: `avoid_tolls`."""


@lru_cache(maxsize=4096)
def flag_at(tool: ToolView, path: Path) -> Flag:
    """Read what the flag at a path of the arguments is about."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    tokens = tokens_of_value(name)
    described: set[str] = set()
    for _, schema in schemas_at(tool, path):
        if isinstance(text := schema.get("description"), str):
            described.update(tokens_of_value(fold(text[:_LONGEST_DESCRIPTION])))
    negative = not words_for("flags", "negative_names").isdisjoint(tokens)
    return Flag(name, tuple(map(stem, _matter(tokens))), frozenset(map(stem, _telling(described))), negative)


def _telling(tokens: set[str] | list[str]) -> list[str]:
    """Leave out words that any flag may have."""
    empty = STOPWORDS | words_for("flags", "empty") | words_for("flags", "negative_names")
    return [each for each in tokens if each not in empty]


def _matter(tokens: list[str]) -> list[str]:
    """Leave out as well the light verb that a name begins with: `send_receipt` is about the receipt."""
    left = _telling(tokens)
    return left[1:] if len(left) > 1 and left[0] in words_for("flags", "light") else left


def ground_flag(value: bool, tool: ToolView, path: Path, tool_index: int, said: Said) -> Grounding | None:
    """Find what says a flag."""
    if (found := ground_in_schema(value, tool, path, tool_index)) is not None:
        return found
    flag = flag_at(tool, path)
    for source in said.sources:
        named = _named_in(flag, source.words)
        if named and not (value and not flag.is_negative and _is_denied(source.folded, named[0])):
            return Grounding(NORMALISED, source.where, " ".join(named)[:80])
    return None if value else Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "")


def _named_in(flag: Flag, words: Words) -> list[str]:
    """Return the stems of a flag's name that a text has, or else those of its description."""
    return [each for each in flag.stems if _is_said(each, words)] or sorted(flag.described & words.stems)


def _is_said(wanted: str, words: Words) -> bool:
    return wanted in words.stems or (len(wanted) >= BEGINNING and any(each.startswith(wanted) for each in words.stems))


def _is_denied(folded: str, wanted: str) -> bool:
    """Say whether the word stands in the text negated alone."""
    places = [(clause, at) for clause in flag_clauses_of(folded) for at, each in enumerate(clause.stems)
              if each.startswith(wanted)]  # fmt: skip
    return bool(places) and all(is_negated(clause, at) for clause, at in places)


class Stance(NamedTuple):
    """What a text says of the matter of a flag."""

    wants: bool
    """Whether it is to be there."""
    words: str
    is_open: bool
    """Whether the text supposes it, or asks whether it is so."""
    is_clear: bool
    """Whether it is asked for or refused, rather than mentioned."""


def stances(flag: Flag, folded: str) -> Iterator[Stance]:
    """Yield what each clause that names the matter of a flag says of it."""
    if not flag.stems:
        return
    for clause in flag_clauses_of(folded):
        stems = clause.stems
        if all(_place(each, stems) is not None for each in flag.stems):
            yield _stance(flag, clause, stems)
        elif (opposite := _opposite_in(flag, clause)) is not None:
            yield Stance(is_negated(clause, opposite), clause.tokens[opposite], clause.is_open, True)


def _place(wanted: str, stems: tuple[str, ...]) -> int | None:
    """Return where a stem stands in a clause, the last time."""
    return next((at for at in range(len(stems) - 1, -1, -1) if stems[at] == wanted), None)


def _stance(flag: Flag, clause: FlagClause, stems: tuple[str, ...]) -> Stance:
    places = [at for each in flag.stems if (at := _place(each, stems)) is not None]
    first, last = min(places), max(places)
    refused = is_negated(clause, first) or is_negated(clause, last)
    words = " ".join(clause.tokens[max(0, first - 2) : last + 1])
    return Stance(not refused, words, clause.is_open, refused or _is_asked_for(clause, first, last))


_CUE_REACH = 3


def _is_asked_for(clause: FlagClause, first: int, last: int) -> bool:
    """Say whether a matter is asked for: a cue is beside it, or the clause begins with it."""
    before = clause.tokens[max(0, first - _CUE_REACH) : first]
    after = clause.tokens[last + 1] if last + 1 < len(clause.tokens) else ""
    if first == 0 or after in words_for("flags", "cues_after"):
        return True
    return not words_for("flags", "cues").isdisjoint(before)


@lru_cache(maxsize=1)
def _opposites() -> dict[str, str]:
    pairs = every("opposites")
    return {stem(one): other for one, others in pairs.items() for other in others} | {
        stem(other): one for one, others in pairs.items() for other in others
    }


def opposite_of(flag: Flag) -> str:
    """Return the word that says the opposite of a flag of one word, "private" of `public`; "" where none is known."""
    return _opposites().get(flag.stems[0], "") if len(flag.stems) == 1 else ""


def _opposite_in(flag: Flag, clause: FlagClause) -> int | None:
    """Return where a clause says the opposite of a flag."""
    opposite = opposite_of(flag)
    return clause.tokens.index(opposite) if opposite in clause.tokens else None


_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+(?:[.,]\d+)*|[.,;:!?\n()]")
_STOPS = frozenset(".;!?\n()")
_REACH = 7
"""Words between a negation and what it negates."""
_NEAR = 2
_AFTER = 5
"""Words between a thing and the negation after it: "a receipt is not needed"."""


class FlagClause(NamedTuple):
    """A part of a text: its words, and whether it supposes, or asks whether something is so."""

    tokens: tuple[str, ...]
    is_open: bool

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words."""
        return tuple(map(stem, self.tokens))


@lru_cache(maxsize=256)
def flag_clauses_of(folded: str) -> tuple[FlagClause, ...]:
    """Divide a folded text where sentences end, and at commas and words after which somebody says another thing."""
    found: list[FlagClause] = []
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


def _close(found: list[FlagClause], held: list[str], stop: str) -> None:
    if held and not _is_answer(held):
        asks = stop == "?" and held[0] in words_for("flags", "question_openers")
        is_open = asks or not words_for("flags", "suppositions").isdisjoint(held)
        found.append(FlagClause(tuple(held), is_open))
    held.clear()


@cache
def _pattern(key: str) -> re.Pattern[str]:
    written = sorted(words_for("flags", key), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, written))})\b")


def _without_idioms(folded: str) -> str:
    """Leave out what looks like a negation and is none, "no problem", and mark what leaves things open, "not only"."""
    return _pattern("idioms").sub(" ", _pattern("both").sub(_LEFT_OPEN, folded))


_LEFT_OPEN = " either "


def is_negated(clause: FlagClause, at: int) -> bool:
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
    first, second = (*after, "", "")[:2]
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
