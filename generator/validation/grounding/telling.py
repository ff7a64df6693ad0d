"""Telling: the numbers that an answer tells, each with the words and signs about it."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.days import MONTH_LETTERS
from generator.validation.grounding.facts import currencies, family_of
from generator.validation.grounding.language import pairs


class Told(NamedTuple):
    """A number that an answer tells."""

    start: int
    end: int
    value: float
    near: float
    """By how much it may differ from what it stands for, being rounded."""
    currencies: tuple[str, ...]
    """The currencies that it may be in by its sign or the word after it; none where it has neither."""
    unit: str
    """The unit that follows it; "" for none."""
    is_part: bool = False
    """Whether it is part of a length of time, as both numbers of "2 hours 5 minutes" are."""


_NUMBER = re.compile(r"\d{1,15}(?:[,.]\d{1,15})*(?![\d:/]|-\d)")
_SIGN = re.compile(r"(?:us\$|r\$|[$€£¥₹₩₽]\s?)$")
_BEFORE = "_.:/#"
_AFTER = re.compile(r"\s?-?(%|°\s?[cf]\b|[€$£¥]|km/h|m/s|[^\W\d_]+(?:/小时)?)")
_DECIMAL_COMMA = frozenset({"de", "es", "fr"})


def told_numbers(folded: str, language: str) -> list[Told]:
    """Return the numbers that a folded text writes in digits, dates, times and ids left out."""
    found: list[Told] = []
    for match in _NUMBER.finditer(folded):
        written = match[0]
        is_number = written.isdecimal() or _WRITTEN.fullmatch(written) is not None
        if is_number and not _is_part_of_word(folded, match.start()) and not _is_moment(folded, match):
            found.append(_told(folded, match, language))
    if sum([told.unit != "" and family_of(told.unit) == "time" for told in found]) > 1:
        return [told._replace(is_part=True) if _is_part(told, found) else told for told in found]
    return found


_WRITTEN = re.compile(r"\d{1,3}(?:[,.]\d{3})+(?:[.,]\d{1,2})?|\d{1,15}(?:[.,]\d{1,6})?")


_MONTHS = frozenset(MONTH_LETTERS)
_HALVES = ("am", "pm", "a.m", "p.m")


def _is_moment(text: str, match: re.Match[str]) -> bool:
    """Say whether a number is the day of a month or an hour of the day: "January 16", "16 Jan", "7 PM"."""
    start, end = match.span()
    if text[start - 1 : start] == " ":
        before = text[max(0, start - _LONGEST_MONTH) : start].split()
        if before and before[-1][:3] in _MONTHS:
            return True
    following = text[end : end + 1]
    if following not in " ." and not following.isalpha():
        return False
    after = text[end : end + _LONGEST_MONTH].lstrip(" .")
    after = after.removeprefix("of ")
    return after[:3] in _MONTHS or (after.startswith(_HALVES) and not after[2:3].isalpha())


_LONGEST_MONTH = 12


def _is_part_of_word(text: str, start: int) -> bool:
    """Say whether a number goes on a word, a path or another number: "A-9", "v2.1"."""
    before = text[start - 1 : start]
    if not before or before in " (\n":
        return False
    if before == "-":
        earlier = text[start - 2 : start - 1]
        return earlier.isalnum() or earlier == "_"
    return (
        before in _BEFORE
        or before.isdigit()
        or (before.isascii() and before.isalpha())
        or (before == "," and text[start - 2 : start - 1].isdigit())
    )


def _told(text: str, match: re.Match[str], language: str) -> Told:
    value, near = _read(match[0], language in _DECIMAL_COMMA)
    start, end = match.span()
    after = _AFTER.match(text, end) if text[end : end + 1] not in ",.\n" else None
    if after is None and text[start - 1 : start] not in _SIGNS and text[start - 2 : start - 1] not in _SIGNS:
        return Told(start, end, value, near, (), "")
    word = after[1].replace(" ", "") if after else ""
    unit = _unit(word, language)
    sign = ""
    if text[start - 1 : start] in _SIGNS or text[start - 2 : start - 1] in _SIGNS:
        before = _SIGN.search(text, max(0, start - 4), start)
        start, sign = (before.start(), before[0].strip()) if before else (start, "")
    codes = currencies().get(sign or word) or currencies().get(unit.casefold() if unit.endswith("?") else unit, ())
    if not codes and len(unit) == _CODE and unit.isupper():
        codes = (unit,)
    if after is not None and (unit or (codes and not sign)):
        end = after.end()
    return Told(
        start, end, value, near, codes or currencies().get(unit, ()), "" if codes and unit[:3].isupper() else unit
    )


_SIGNS = frozenset("$€£¥₹₩₽")
_CODE = 3


def _is_part(told: Told, every: list[Told]) -> bool:
    return family_of(told.unit) == "time" and any(
        family_of(other.unit) == "time" and (0 <= other.start - told.end <= _GAP or 0 <= told.start - other.end <= _GAP)
        for other in every
    )


_GAP = 6
"""Characters between two parts of a length of time: " and "."""


_MONEY = re.compile(r"us\$|r\$|[$€£¥₹₩₽]|[^\W\d_]+")


def spoken_currencies(folded: str) -> frozenset[str]:
    """Return the currencies that a folded text may speak of, by signs, codes and English names."""
    units = _units("en")
    words = frozenset(_MONEY.findall(folded))
    named = (units[word] for word in words if word in units)
    codes = [code for word in words for code in currencies().get(word, ())]
    return frozenset(codes + [code for unit in named for code in (currencies().get(unit) or _alone(unit))])


@lru_cache(maxsize=16)
def are_spoken(codes: tuple[str, ...], folded: str) -> bool:
    """Say quickly whether a folded text surely speaks of one of some currencies, by a code or a plain sign."""
    return _speaking(codes).search(folded) is not None


@cache
def _speaking(codes: tuple[str, ...]) -> re.Pattern[str]:
    """Find what `spoken_currencies` finds as a word or sign of its own, whatever stands around it."""
    words = [word for word, known in currencies().items() if not set(codes).isdisjoint(known)]
    signs = [rf"{re.escape(word)}(?<![sr]{re.escape(word)})" for word in words if word in _SIGNS]
    names = [
        rf"{word[0]}(?<![^\W\d_]{word[0]}){word[1:]}(?![^\W\d_])" for word in words if word.isalpha() and len(word) > 2
    ]
    return re.compile("|".join(signs + names) or r"(?!)")


def _alone(unit: str) -> tuple[str, ...]:
    return (unit,) if unit in _every_code() else ()


def _unit(word: str, language: str) -> str:
    if not word:
        return ""
    units = _units(language)
    if language == "zh" and not word.isascii():
        return next((units[word[:size]] for size in range(len(word), 0, -1) if word[:size] in units), "")
    return units.get(word, "")


@cache
def _units(language: str) -> dict[str, str]:
    """Return the units by their words, the currencies' codes in capitals again."""
    known = pairs(language or "en", "measures", "units")
    return {word: unit.upper() if _is_code(unit) else unit for word, unit in known.items()}


def _is_code(unit: str) -> bool:
    return unit in currencies() or unit.rstrip("?").upper() in _every_code()


@cache
def _every_code() -> frozenset[str]:
    return frozenset(code for codes in currencies().values() for code in codes) | {"PESO"}


def _read(written: str, decimal_comma: bool) -> tuple[float, float]:
    """Return a number and half of its last digit."""
    if written.isdecimal():
        return float(written), 0.5000001
    if decimal_comma and (written.rpartition(",")[2] != written or _GROUPS_OF_POINTS.fullmatch(written)):
        written = written.replace(".", "").replace(",", ".")
    else:
        written = written.replace(",", "") if _GROUPS.fullmatch(written) else written.replace(",", ".")
    if written.count(".") > 1:
        written = written.replace(".", "")
    return float(written), 0.5000001 * 10 ** -len(written.partition(".")[2])


_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GROUPS_OF_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+")
