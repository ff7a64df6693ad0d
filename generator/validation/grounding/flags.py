"""Flags: what makes true and false, null and the keys of maps come from somewhere.

Nobody says "true". A flag is grounded where the words of its name or description are said, with a negation where it
is false and without one where it is true; where its schema gives it; and false where nothing speaks of it at all,
since that is what silence means. Null states nothing, so that it needs no source.
"""

from __future__ import annotations

import re
from functools import lru_cache

from generator.validation.grounding.places import Path, ground_in_schema, schemas_at
from generator.validation.grounding.sources import BEGINNING, NORMALISED, SCHEMA, Grounding, Said
from generator.validation.grounding.words import STOPWORDS, Words, fold, stem, tokens_of_value
from generator.validation.tool_view import ToolView

_EMPTY_WORDS = STOPWORDS | frozenset(
    "include included including enable enabled use using flag whether true false default option optional should must "
    "only show get set return returned also value parameter specify specifies indicate indicates boolean bool allow "
    "allowed need needed want wanted check not no without result results".split()
)
_NEGATORS = re.compile(
    r"\b(?:without|no|not|never|don t|dont|doesn t|exclud\w*|except|skip\w*|omit\w*|disabl\w*|off|leav\w+ out|"
    r"aren t|isn t|won t|avoid\w*|none|neither|nor|non|minus|lacking)\b"
)
_NEGATIVE_NAMES = frozenset("no not without exclude skip omit disable avoid non ignore hide dont except".split())
_REACH = 7
"""Words between a negation and what it negates."""


@lru_cache(maxsize=4096)
def _words_of(tool: ToolView, path: Path) -> tuple[tuple[str, ...], frozenset[str], bool]:
    """Return the stems of a flag's name, those of its description, and whether the name is negative."""
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    tokens = tokens_of_value(name)
    stems = tuple(stem(token) for token in tokens if token not in _EMPTY_WORDS)
    described: set[str] = set()
    for _, schema in schemas_at(tool, path):
        if isinstance(text := schema.get("description"), str):
            described |= {stem(token) for token in tokens_of_value(fold(text[:1000])) if token not in _EMPTY_WORDS}
    negative = bool(_NEGATIVE_NAMES.intersection(tokens)) or name.startswith(("non", "no_", "un"))
    return stems, frozenset(described), negative


def ground_flag(value: bool, tool: ToolView, path: Path, tool_index: int, said: Said) -> Grounding | None:
    """Find what says a flag."""
    if (found := ground_in_schema(value, tool, path, tool_index)) is not None:
        return found
    stems, described, negative = _words_of(tool, path)
    for source in said.sources:
        words = source.words
        named = [each for each in stems if _is_said(each, words)] or sorted(described & words.stems)
        if named and not (value and not negative and _is_negated(words, named[0])):
            return Grounding(NORMALISED, source.where, " ".join(named)[:80])
    return None if value else Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "")


def _is_said(wanted: str, words: Words) -> bool:
    return wanted in words.stems or (len(wanted) >= BEGINNING and any(each.startswith(wanted) for each in words.stems))


def _is_negated(words: Words, wanted: str) -> bool:
    """Say whether the word stands in the text negated alone."""
    places = [at for at, token in enumerate(words.tokens) if stem(token).startswith(wanted)]
    return bool(places) and all(
        len(_NEGATORS.findall(" ".join(words.tokens[max(0, at - _REACH) : at]))) % 2 == 1 for at in places
    )
