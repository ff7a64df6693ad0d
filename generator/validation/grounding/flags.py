"""Flags: what makes true and false, null and the keys of maps come from somewhere, and what contradicts a flag.

Nobody says "true". A flag is grounded where the words of its name or description are said, with a negation where it
is false and without one where it is true; where its schema gives it; and false where nothing speaks of it at all,
since that is what silence means. Null states nothing, so that it needs no source.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.validation.grounding.places import Path, ground_in_schema, schemas_at
from generator.validation.grounding.reading.languages import every, words_for
from generator.validation.grounding.reading.words import STOPWORDS, Words, fold, stem, tokens_of_value
from generator.validation.grounding.scopes import Clause, clauses_of, is_negated
from generator.validation.grounding.sources import BEGINNING, NORMALISED, SCHEMA, Grounding, Said
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
        words = source.words
        named = [each for each in flag.stems if _is_said(each, words)] or sorted(flag.described & words.stems)
        if named and not (value and not flag.is_negative and _is_denied(source.folded, named[0])):
            return Grounding(NORMALISED, source.where, " ".join(named)[:80])
    return None if value else Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "")


def _is_said(wanted: str, words: Words) -> bool:
    return wanted in words.stems or (len(wanted) >= BEGINNING and any(each.startswith(wanted) for each in words.stems))


def _is_denied(folded: str, wanted: str) -> bool:
    """Say whether the word stands in the text negated alone."""
    places = [(clause, at) for clause in clauses_of(folded) for at, each in enumerate(clause.stems)
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
    for clause in clauses_of(folded):
        stems = clause.stems
        if all(_place(each, stems) is not None for each in flag.stems):
            yield _stance(flag, clause, stems)
        elif (opposite := _opposite_in(flag, clause)) is not None:
            yield Stance(is_negated(clause, opposite), clause.tokens[opposite], clause.is_open, True)


def _place(wanted: str, stems: tuple[str, ...]) -> int | None:
    """Return where a stem stands in a clause, the last time."""
    return next((at for at in range(len(stems) - 1, -1, -1) if stems[at] == wanted), None)


def _stance(flag: Flag, clause: Clause, stems: tuple[str, ...]) -> Stance:
    places = [at for each in flag.stems if (at := _place(each, stems)) is not None]
    first, last = min(places), max(places)
    refused = is_negated(clause, first) or is_negated(clause, last)
    words = " ".join(clause.tokens[max(0, first - 2) : last + 1])
    return Stance(not refused, words, clause.is_open, refused or _is_asked_for(clause, first, last))


_CUE_REACH = 3


def _is_asked_for(clause: Clause, first: int, last: int) -> bool:
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


def _opposite_in(flag: Flag, clause: Clause) -> int | None:
    """Return where a clause says the opposite of a flag."""
    opposite = opposite_of(flag)
    return clause.tokens.index(opposite) if opposite in clause.tokens else None
