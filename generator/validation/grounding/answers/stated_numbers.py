"""The numbers that a text tells, each with the words and signs about it: its unit, its currency."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.reading.days import MONTH_LETTERS
from generator.validation.grounding.reading.languages import letters_of, pairs
from generator.validation.grounding.result_numbers import currencies, family_of


class StatedNumber(NamedTuple):
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


_SIGN = re.compile(r"(?:us\$|r\$|[$€£¥₹₩₽]\s?)$")
_DECIMAL_COMMA = frozenset({"de", "es", "fr"})


def stated_numbers(folded: str, language: str) -> list[StatedNumber]:
    """Return the numbers that a folded text writes in digits, dates, times and ids left out."""
    found: list[StatedNumber] = []
    lengths = 0
    comma, telling = language in _DECIMAL_COMMA, _telling_words(language)
    for match in _NUMBER.finditer(folded):
        written, word = match.groups()
        start = match.start()
        if not _is_amount(folded, match, start, word):
            continue
        value, near = _read(written, comma)
        if (word is None or (word.isascii() and word not in telling)) and not _is_signed(folded, start):
            found.append(StatedNumber(start, match.end(1), value, near, (), ""))
            continue
        told, is_length = _told(folded, match, value, near, language)
        found.append(told)
        lengths += is_length
    if lengths > 1:
        return [told._replace(is_part=True) if _is_part(told, found) else told for told in found]
    return found


def _is_amount(text: str, match: re.Match[str], start: int, word: str | None) -> bool:
    """Say whether a number is written as people write what they count, and is part of no date, time or other number."""
    if not match[1].isdecimal() and not _WRITTEN.fullmatch(match[1]):
        return False
    return not _is_moment(text, match, start, word) and (text.isascii() or _begins(text, start))


_NUMBER = re.compile(
    r"(\d(?<![\d_.:/#a-zA-Z]\d)(?<!\w-\d)(?<!\d,\d)"  # it goes on no word, path or other number: "A-9", "v2.1"
    r"\d{0,14}(?:[,.]\d{1,15})*)(?![\d:/]|-\d)"
    r"(?:(?![.,\n])\s?-?(%|°\s?[cf]\b|[€$£¥]|km/h|m/s|[^\W\d_]+(?:/小时)?))?"
)
"""A number and what follows it: its unit, its currency or any word."""
_WRITTEN = re.compile(r"\d{1,3}(?:[,.]\d{3})+(?:[.,]\d{1,2})?|\d{1,15}(?:[.,]\d{1,6})?")


def _begins(text: str, start: int) -> bool:
    """Say whether a number is no part of another one whose digits are none of the decimal ones."""
    before = text[max(0, start - 2) : start]
    return not (before[-1:].isdigit() or (before[-1:] == "," and before[:1].isdigit()))


@cache
def _telling_words(language: str) -> frozenset[str]:
    """Return the words that tell the unit or the currency of the number before them."""
    return frozenset(_units(language)) | frozenset(currencies())


_MONTHS = frozenset(MONTH_LETTERS)
_NO_MORE_THAN_A_SPACE = ("", " ")
_HALVES = ("am", "pm", "a.m", "p.m")


def _is_moment(text: str, match: re.Match[str], start: int, word: str | None) -> bool:
    """Say whether a number is the day of a month or an hour of the day: "January 16", "16 Jan", "7 PM"."""
    if text[start - 1 : start] == " " and not _is_over(match[1]) and _ends_with_month(text, start):
        return True
    end = match.end(1)
    if word and word.isalpha() and word != "of" and text[end : match.start(2)] in _NO_MORE_THAN_A_SPACE:
        return word[:3] in _MONTHS or word in ("am", "pm")
    return _goes_on_as_moment(text, end)


def _ends_with_month(text: str, end: int) -> bool:
    """Say whether the last word of a text up to a place is the name of a month."""
    before = text[max(0, end - _LONGEST_MONTH) : end].rsplit(None, 1)
    return bool(before) and before[-1][:3] in _MONTHS


def _goes_on_as_moment(text: str, end: int) -> bool:
    """Say whether the name of a month or the half of a day follows a number, after marks or "of"."""
    following = text[end : end + 1]
    if following not in " ." and not following.isalpha():
        return False
    after = text[end : end + _LONGEST_MONTH].lstrip(" .").removeprefix("of ")
    return after[:3] in _MONTHS or (after.startswith(_HALVES) and not after[2:3].isalpha())


_LONGEST_MONTH = 12


def _is_over(written: str) -> bool:
    """Say whether a number of two digits is more than the days of any month: "on 7 December, 35 days later"."""
    return len(written) == len(_LAST_DAY) and written > _LAST_DAY


_LAST_DAY = "31"


def _told(text: str, match: re.Match[str], value: float, near: float, language: str) -> tuple[StatedNumber, bool]:
    """Return a number that has a sign or a telling word beside it, and whether its unit is one of time."""
    start, end = match.span(1)
    sign = ""
    if text[start - 1 : start] == "$" and start > 1 and text[start - 2] not in "sr":
        start, sign = start - 1, "$"
    elif _is_signed(text, start):
        before = _SIGN.search(text, max(0, start - 4), start)
        start, sign = (before.start(), before[0].strip()) if before else (start, "")
    codes, unit, is_told_by_word, is_time = _meaning((match[2] or "")[:_LONGEST_UNIT], sign, language)
    return StatedNumber(start, match.end(2) if is_told_by_word else end, value, near, codes, unit), is_time


_LONGEST_UNIT = 40
"""More characters than the name of any unit has."""


@lru_cache(maxsize=4096)
def _meaning(written: str, sign: str, language: str) -> tuple[tuple[str, ...], str, bool, bool]:
    """Return the currencies and the unit that a sign before a number and a word after it tell.

    Also whether it is the word that tells them, and whether the unit is one of time.
    """
    word = written.replace(" ", "")
    unit = _unit(word, language)
    codes = _currencies_of(sign or word, unit)
    by_word = written != "" and (unit != "" or (codes != () and not sign))
    unit = "" if codes and unit[:3].isupper() else unit
    return codes, unit, by_word, family_of(unit) == "time"


def _currencies_of(written: str, unit: str) -> tuple[str, ...]:
    """Return the currencies that a sign or a word may stand for: by itself, by its unit, or its unit being a code."""
    codes = currencies().get(written) or currencies().get(unit.casefold() if unit.endswith("?") else unit, ())
    return (unit,) if not codes and len(unit) == _CODE and unit.isupper() else codes


def _is_signed(text: str, start: int) -> bool:
    """Say whether a sign of currency may stand before a number."""
    return text[start - 1 : start] in _SIGNS or text[start - 2 : start - 1] in _SIGNS


_SIGNS = frozenset("$€£¥₹₩₽")
_CODE = 3


def _is_part(told: StatedNumber, every: list[StatedNumber]) -> bool:
    return family_of(told.unit) == "time" and any(
        family_of(other.unit) == "time" and (0 <= other.start - told.end <= _GAP or 0 <= told.start - other.end <= _GAP)
        for other in every
    )


_GAP = 6
"""Characters between two parts of a length of time: " and "."""


_MONEY = re.compile(r"us\$|r\$|[$€£¥₹₩₽]|[^\W\d_]+")


def mentioned_currencies(folded: str) -> frozenset[str]:
    """Return the currencies that a folded text may speak of, by signs, codes and English names."""
    units = _units("en")
    has_signs = "$" in folded or not folded.isascii()
    words = frozenset(_MONEY.findall(folded)) if has_signs else letters_of(folded)
    named = (units[word] for word in words if word in units)
    codes = [code for word in words for code in currencies().get(word, ())]
    return frozenset(codes + [code for unit in named for code in (currencies().get(unit) or _alone(unit))])


@lru_cache(maxsize=16)
def surely_mentions(codes: tuple[str, ...], folded: str) -> bool:
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
