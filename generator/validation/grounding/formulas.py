"""Formulas, signs and zones: values that texts write with other signs, and yet to the letter.

A power is `x^2`, `x**2` or `x²`; a sign may be read aloud, as in "C sharp" for `C#`; a time zone is named by its city.
"""

from __future__ import annotations

import re

from generator.validation.grounding.reading.languages import every
from generator.validation.grounding.reading.words import find_literal, fold
from generator.validation.grounding.sources import NORMALISED, OVERLAP, Grounding, Said

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


def ground_aloud(value: str, said: Said) -> Grounding | None:
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
