"""Texts: whether a string is stated, to the letter, in other words, or by enough of its words."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.validation.grounding.moments import ground_moment, is_moment
from generator.validation.grounding.numbers import ground_literal_number, ground_number
from generator.validation.grounding.reading.names import find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of_value
from generator.validation.grounding.sources import (
    BEGINNING,
    LITERAL,
    NORMALISED,
    OVERLAP,
    Grounding,
    Said,
)

ENOUGH = 0.67
"""The share of a value's words that must be stated: tuned by tests/benchmarks/grounding_curve.py."""

_SHORTEST_SQUEEZED = 6
_LONGEST_IN_PARTS = 1000
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?%?")
_PARTS = re.compile(r"\s*[,;|/&+:()\[\]{}]\s*|\s+-\s+|\s+and\s+|\s+to\s+")
_INITIALS = re.compile(r"[A-Z][A-Z.]{1,6}")


def ground_literal_text(value: str, said: Said) -> Grounding | None:
    """Find a string as it is written; one that differs in case or accents alone is normalised."""
    folded = fold(value).strip()
    for source in said.sources:
        text = source.folded
        if folded in text and find_literal(text, folded) >= 0:
            exact = value in source.raw
            if exact or not _is_code(value):
                return Grounding(LITERAL if exact else NORMALISED, source.where, value[:80])
    return None


def _is_code(value: str) -> bool:
    """Say whether a value is a code that is quite another word in lower case: IN, US, OR."""
    return value.isupper() and value.lower() in STOPWORDS


def ground_text(value: str, said: Said) -> Grounding | None:
    """Find a string in other words: the same up to spacing, punctuation, accents and endings, or another form."""
    folded = fold(value).strip()
    if folded[:1].isdigit() and (found := ground_moment(folded, said)) is not None:
        return found
    tokens = _tokens(value)
    return (
        _phrase(value, tokens, said)
        or _number(value, said)
        or (None if folded[:1].isdigit() else ground_moment(folded, said))
        or _other_name(value, said)
        or _initials(value, tokens, said)
        or (None if is_moment(folded) else _parts(value, said))
    )


_LONGEST_KEPT = 500


def _tokens(value: str) -> tuple[str, ...]:
    return _kept_tokens(value) if len(value) <= _LONGEST_KEPT else tuple(tokens_of_value(value))


@lru_cache(maxsize=4096)
def _kept_tokens(value: str) -> tuple[str, ...]:
    return tuple(tokens_of_value(value))


def _phrase(value: str, tokens: tuple[str, ...], said: Said) -> Grounding | None:
    if not tokens or _is_symbolic(value, tokens) or _is_code(value):
        return None
    phrase, stems = f" {' '.join(tokens)} ", f" {' '.join(map(stem, tokens))} "
    squeezed = "".join(tokens)
    for source in said.sources:
        words = source.words
        if phrase in words.spaced or stems in words.stems_spaced or (
            len(squeezed) >= _SHORTEST_SQUEEZED and squeezed in words.squeezed
        ):  # fmt: skip
            return Grounding(NORMALISED, source.where, phrase.strip()[:80])
    return None


_SYMBOLS = re.compile(r"[^\w\s.,;:'\"/()&!?-]")


def _is_symbolic(value: str, tokens: tuple[str, ...]) -> bool:
    """Say whether signs carry the meaning of a short value, as in "C#" or "A+"."""
    return sum(map(len, tokens)) < 4 and _SYMBOLS.search(value) is not None


def _number(value: str, said: Said) -> Grounding | None:
    written = value.strip()
    if len(written) > 32 or not _NUMBER.fullmatch(written):
        return None
    number = float(written.rstrip("%"))
    found = ground_literal_number(number, said) or ground_number(number, said)
    return found._replace(rung=NORMALISED) if found is not None else None


def _other_name(value: str, said: Said) -> Grounding | None:
    if len(value) > 48:
        return None
    for name in other_names(value):
        for source in said.sources:
            if find_name(name, source.raw, source.folded):
                return Grounding(NORMALISED, source.where, name.written)
    return None


def _initials(value: str, tokens: tuple[str, ...], said: Said) -> Grounding | None:
    """Find "NYC" in "New York City", and the other way round."""
    if _INITIALS.fullmatch(value.strip()):
        wanted = value.replace(".", "").strip().lower()
        for source in said.sources:
            at = source.words.initials.find(wanted)
            if at >= 0:
                return Grounding(NORMALISED, source.where, " ".join(source.words.tokens[at : at + len(wanted)]))
    if 2 <= len(tokens) <= 7:
        initials = "".join(token[0] for token in tokens if token not in STOPWORDS).upper()
        for source in said.sources:
            if len(initials) > 1 and find_literal(source.raw, initials) >= 0:
                return Grounding(NORMALISED, source.where, initials)
    return None


def _parts(value: str, said: Said) -> Grounding | None:
    """Ground a value part by part: "Austin, TX", "en-US", "3 pm to 5 pm"."""
    if len(value) > _LONGEST_IN_PARTS:
        return None
    parts = [part for part in _PARTS.split(value) if part and any(each.isalnum() for each in part)]
    if not 1 < len(parts) <= 12:
        return None
    found = None
    for part in parts:
        own = ground_literal_text(part, said) or _part(part, said)
        if own is None:
            return None
        found = found or own
    return found._replace(rung=NORMALISED, text=value[:80]) if found is not None else None


def _part(part: str, said: Said) -> Grounding | None:
    tokens = _tokens(part)
    return (
        _phrase(part, tokens, said) or _number(part, said) or ground_moment(fold(part), said) or _other_name(part, said)
    )


def ground_by_overlap(value: str, said: Said, enough: float) -> Grounding | None:
    """Ground a string of whose words enough are stated somewhere.

    What identifies is never nearly right: ids, addresses, days and formulas are stated whole or not at all.
    """
    tokens = [token for token in _tokens(value) if token not in STOPWORDS]
    if not tokens or _identifies(value):
        return None
    if "," in value and (completed := _completed(value, said)) is not None:
        return completed
    found = [token for token in tokens if _is_stated(token, said)]
    if not found or len(found) < enough * len(tokens):
        return None
    if any(token not in found and (token[0].isdigit() or len(token) < 3) for token in tokens):
        return None
    where = max(said.sources, key=lambda source: sum(token in source.words.tokens_set for token in found)).where
    return Grounding(OVERLAP, where, " ".join(found)[:80])


def _completed(value: str, said: Said) -> Grounding | None:
    """Ground a place that the value tells more fully than the text: "Chicago, IL" where Chicago is said."""
    first, *rest = [part.strip(" .") for part in value.split(",")]
    if not 0 < len(rest) < 3 or not all(other_names(part) for part in rest):
        return None
    found = ground_literal_text(first, said) or _part(first, said) if len(first) > 2 else None
    return None if found is None else found._replace(rung=OVERLAP)


_IDENTIFIER = re.compile(r"\S*[@\d/\\=#^*]\S*")
_FORMULA = re.compile(r"[*^=<>]|\w\(")


def _identifies(value: str) -> bool:
    return _IDENTIFIER.fullmatch(value.strip()) is not None or _FORMULA.search(value) is not None


def _is_stated(token: str, said: Said) -> bool:
    if token in said.tokens or stem(token) in said.stems:
        return True
    if len(token) >= BEGINNING and token[:BEGINNING] in said.beginnings:
        return True
    return token.isalpha() and any(
        find_name(name, source.raw, source.folded) for name in other_names(token) for source in said.sources
    )
