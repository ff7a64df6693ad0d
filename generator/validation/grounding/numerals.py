"""Quantities that a text states: in digits, in words, scaled ("1k", "2 million", "5 %"), with the unit that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.validation.grounding.number_words import number_words
from generator.validation.grounding.parts_of_hours import minutes_in


class Quantity(NamedTuple):
    """A number that a text states."""

    value: float
    unit: str
    """The word or sign that follows it; "" where none does."""
    text: str
    """What the text says, e.g. "twenty-one", "1.2m", "half an hour"."""


_MOST_QUANTITIES = 400
_DIGITS = re.compile(
    r"(?<![\d.])(-(?<![\w)]-))?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})"
    r"(?:e([-+]?\d{1,2})(?![a-z\d]))?((?:st|nd|rd|th)(?![a-z]))?[\s-]?(%|°?[^\W\d_]+|'|\")?(?:\s([^\W\d_]+))?"
)
_SCALES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "b": 1e9,
    "bn": 1e9, "billion": 1e9, "billions": 1e9, "trillion": 1e12, "t": 1e12, "tn": 1e12, "hundred": 1e2, "grand": 1e3,
    "lakh": 1e5, "crore": 1e7, "dozen": 12.0, "thousands": 1e3, "hundreds": 1e2,
}  # fmt: skip
_ALSO_UNITS = frozenset("m b t k mm".split())
"""Scales that are units as well: "5 m" is five million, or five metres."""

_MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
                "lakh": 1e5, "crore": 1e7}  # fmt: skip
_CURRENCIES = tuple("$€£¥₹")
_OPENING = ("[", "(", "{")
_COMMA_FIGURE = re.compile(r"(?<![\d.,])(\d{1,3}(?:[. ]\d{3}){1,6}|\d{1,18})(,\d{1,18})?(?![\d])(?![.,]\d)")
_POINTS = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3}){2,6}|\d{1,3}(?:\.\d{3}){1,6}(?=,\d))(,\d{1,2})?(?![\d.,]*\d)")
"""Numbers that no other way of writing explains: "1.234.567", "1.234,56"."""
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3}){1,6}(?![\d])(?![.,]\d)")
_LAKHS = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d\d){1,4},\d{3}(?![\d,])")
_FRACTION = re.compile(r"(?<![\d./])(?:(\d{1,3}) )?(\d{1,2})/(\d{1,2})(?![\d/.])")
COMMA_LANGUAGES = frozenset(("de", "es", "fr"))
"""Languages that write 1.234,56."""


def figures_of(text: str, languages: tuple[str, ...]) -> str:
    """Return a folded text with its numbers as the English write them, letter for letter at the same places."""
    if languages and COMMA_LANGUAGES.issuperset(languages):
        return _COMMA_FIGURE.sub(_in_english, text)
    if "." not in text or (text.isascii() and not _MAY_HAVE_POINTS.search(text)):
        return text
    return _POINTS.sub(_in_english, text)


_MAY_HAVE_POINTS = re.compile(r"[0-9]\.[0-9]{3}")
"""What each number with points between its thousands has, in a text of ASCII letters alone."""


_SIGNED_FIGURE = re.compile(r"\d[., ]\d")
_ASCII_SIGNED_FIGURE = re.compile(r"[0-9][., ][0-9]")


def has_signs_in_figures(text: str) -> bool:
    """Say whether any number has a sign or a space inside, and so may be written otherwise than the English do."""
    return (_ASCII_SIGNED_FIGURE if text.isascii() else _SIGNED_FIGURE).search(text) is not None


def _in_english(match: re.Match[str]) -> str:
    whole, part = match[1].replace(".", ",").replace(" ", ","), match[2] or ""
    return whole + part.replace(",", ".")


def ordinals_of(text: str, languages: tuple[str, ...] = ("en",)) -> dict[float, str]:
    """Return the ordinals that a folded text says in words: "the third page"."""
    found = [each for language in languages for each in number_words(language).ordinals(text)]
    return {each.value: text[each.start : each.end] for each in reversed(found)}


def quantities_of(text: str, languages: tuple[str, ...] = ("en",)) -> list[Quantity]:
    """Return what a folded text states in digits and in words of these languages, bounded in number."""
    found: list[Quantity] = []
    of_hours = (Quantity(minutes, "minute", said) for minutes, said in minutes_in(text, languages))
    for quantity in (*_in_digits(text), *_in_parts(text), *of_hours, *_in_words(text, languages)):
        found.append(quantity)
        if len(found) >= _MOST_QUANTITIES:
            break
    return found


def _in_parts(text: str) -> Iterator[Quantity]:
    """Yield figures of several parts: "1 000 000", "1,50,000", "3/4", "1 1/2"."""
    if "/" in text:
        for match in _FRACTION.finditer(text):
            if int(match[3]):
                yield Quantity(int(match[1] or 0) + int(match[2]) / int(match[3]), _unit_after(text, match), match[0])
    for match in _GROUPED.finditer(text):
        yield Quantity(float(match[0].replace(" ", "")), _unit_after(text, match), match[0])
    if "," in text:
        for match in _LAKHS.finditer(text):
            yield Quantity(float(match[0].replace(",", "")), _unit_after(text, match), match[0])


_NEXT_WORD = re.compile(r"[\s-]?(%|°?[^\W\d_]+)")


def _unit_after(text: str, match: re.Match[str]) -> str:
    following = _NEXT_WORD.match(text, match.end())
    return following[1] if following is not None else ""


def _in_words(text: str, languages: tuple[str, ...]) -> Iterator[Quantity]:
    """Read runs of number words: "twenty-one", "two and a half", "half a million", "an hour"."""
    for language in languages:
        for each in number_words(language).read(text):
            if not each.ordinal:
                yield Quantity(each.value, each.unit, text[each.start : each.end])


def _in_digits(text: str) -> Iterator[Quantity]:
    for match in _DIGITS.finditer(text):
        sign, digits, power, _, word, following = match.groups()
        said = match[0].strip()
        value = float(digits.replace(",", "")) * (10.0 ** int(power) if power else 1.0) * (-1.0 if sign else 1.0)
        scale = _SCALES.get(word or "")
        if scale is not None:
            yield Quantity(value * scale, following or "", said)
        if scale is None or (word in _ALSO_UNITS and text[match.start() - 1 : match.start()] not in _CURRENCIES):
            yield Quantity(value, word or "", said)
        if scale is None and following in _MULTIPLIERS and not word:
            yield Quantity(value * _MULTIPLIERS[following], "", said)
        if "," in digits and text[match.start() - 1 : match.start()] in _OPENING:
            yield from (Quantity(float(part), "", part) for part in digits.split(","))


NEGATIVE = re.compile(r"\b(?:minus|negative|below|south|west|loss|lost|debt|debit)\b|°\s?[sw]\b")
"""Words that make a number stated without a sign a negative one."""
