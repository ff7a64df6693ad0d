"""Strings: whether a text states one to the letter, in other words or signs, or by enough of its words.

A power is `x^2`, `x**2` or `x²`; a sign may be read aloud, as in "C sharp" for `C#`; a time zone is named by its city.
"""

from __future__ import annotations

import re
from functools import lru_cache

from generator.validation.grounding.arguments.datetimes import ground_moment, is_moment
from generator.validation.grounding.arguments.numbers import ground_literal_number, ground_number
from generator.validation.grounding.arguments.sources import BEGINNING, LITERAL, NORMALISED, OVERLAP, Grounding, Said
from generator.validation.grounding.reading.languages import every
from generator.validation.grounding.reading.names import find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of_value

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
    return found._replace(level=NORMALISED) if found is not None else None


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
    return found._replace(level=NORMALISED, text=value[:80]) if found is not None else None


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
    stated = set(found)
    if any(token not in stated and (token[0].isdigit() or len(token) < 3) for token in tokens):
        return None
    where = max(said.sources, key=lambda source: sum(token in source.words.tokens_set for token in found)).where
    return Grounding(OVERLAP, where, " ".join(found)[:80])


def _completed(value: str, said: Said) -> Grounding | None:
    """Ground a place that the value tells more fully than the text: "Chicago, IL" where Chicago is said."""
    first, *rest = [part.strip(" .") for part in value.split(",")]
    if not 0 < len(rest) < 3 or not all(other_names(part) for part in rest):
        return None
    found = ground_literal_text(first, said) or _part(first, said) if len(first) > 2 else None
    return None if found is None else found._replace(level=OVERLAP)


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


_SIGN = re.compile(r"[-+*/^=]")
_AROUND_SIGN = re.compile(r" ?([-+*/^=(),]) ?")
_LONGEST_NAME = 60
_MOST_SIGNS = 6
_ZONE = re.compile(
    r"(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/-]{2,40}"
)
_LAMBDA = re.compile(r"lambda \w{1,20}(?:, ?\w{1,20}){0,5}: ?")


def ground_formula(value: str, said: Said) -> Grounding | None:
    """Find a formula however its powers, products and spaces are written."""
    if not _SIGN.search(value):
        return None
    wanted = _plain(_LAMBDA.sub("", fold(value).strip(), count=1))
    if len(wanted) < 2 or not any(map(str.isalnum, wanted)):
        return None
    for source in said.sources:
        if _SIGN.search(source.folded) and find_literal(_plain(source.folded), wanted) >= 0:
            return Grounding(NORMALISED, source.where, value[:80])
    return None


def _plain(folded: str) -> str:
    """Write a formula without the signs that several ways of writing leave out: of powers and of products."""
    joined = _AROUND_SIGN.sub(r"\1", " ".join(folded.split()))
    return joined.replace("*", "").replace("^", "")


def ground_spoken_signs(value: str, said: Said) -> Grounding | None:
    """Find a short value whose signs are read aloud."""
    signs = every("aloud")
    held = [each for each in signs if each in value]
    if not held or len(value) > _LONGEST_NAME or sum(map(value.count, held)) > _MOST_SIGNS:
        return None
    for source in said.sources:
        if _is_read_aloud(fold(value), signs, source.words.spaced):
            return Grounding(NORMALISED, source.where, value[:80])
    return None


def _is_read_aloud(folded: str, signs: dict[str, list[str]], spaced: str) -> bool:
    """Say whether a text holds the value with each sign as one of its words."""
    pattern = "".join(_aloud(each, signs) for each in folded)
    return re.search(rf"(?<= ){' '.join(pattern.split())} ", spaced) is not None


def _aloud(character: str, signs: dict[str, list[str]]) -> str:
    if character in signs:
        return f" (?:{'|'.join(map(re.escape, signs[character]))}) "
    return re.escape(character) if character.isalnum() else " "


def ground_zone(value: str, said: Said) -> Grounding | None:
    """Find the city that names a time zone of the IANA's: "New York" for `America/New_York`."""
    if not _ZONE.fullmatch(value):
        return None
    city = fold(value.rpartition("/")[2]).replace("_", " ")
    for source in said.sources:
        if find_literal(source.folded, city) >= 0:
            return Grounding(NORMALISED, source.where, city)
    return None


_CODE = re.compile(r"[A-Za-z]{1,8}[-_#/]?(\d{2,15})")


def ground_code(value: str, said: Said) -> Grounding | None:
    """Find the number of a code that is said without its letters: "invoice 2188" for `INV-2188`."""
    match = _CODE.fullmatch(value)
    if match is None:
        return None
    for source in said.sources:
        if find_literal(source.folded, match[1]) >= 0:
            return Grounding(OVERLAP, source.where, match[1])
    return None
