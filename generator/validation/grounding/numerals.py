"""Quantities that a text states: in digits, in words, scaled ("1k", "2 million", "5 %"), with the unit that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


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
    r"(?:e([-+]?\d{1,2})(?![a-z\d]))?((?:st|nd|rd|th)(?![a-z]))?[\s-]?(%|°?[a-zµμ]+|'|\")?(?:\s([a-z]+))?"
)
_SCALES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "b": 1e9,
    "bn": 1e9, "billion": 1e9, "billions": 1e9, "trillion": 1e12, "t": 1e12, "tn": 1e12, "hundred": 1e2, "grand": 1e3,
    "lakh": 1e5, "crore": 1e7, "dozen": 12.0, "thousands": 1e3, "hundreds": 1e2,
}  # fmt: skip
_ALSO_UNITS = frozenset("m b t k mm".split())
"""Scales that are units as well: "5 m" is five million, or five metres."""

_ONES = {word: float(number) for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split())}  # fmt: skip
_TENS = {word: float(10 * number) for number, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}  # fmt: skip
_ORDINALS = {word: float(number) for number, word in enumerate(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(), start=1)} | {
    "thirtieth": 30.0}  # fmt: skip
_WORTH = _ONES | _TENS | {
    "nil": 0.0, "once": 1.0, "twice": 2.0, "couple": 2.0, "pair": 2.0, "double": 2.0, "both": 2.0,
    "triple": 3.0, "thrice": 3.0, "trio": 3.0, "dozen": 12.0, "fortnight": 14.0, "decade": 10.0, "century": 100.0,
}  # fmt: skip
_PARTS = {"half": 0.5, "halves": 0.5, "quarter": 0.25, "quarters": 0.25, "thirds": 1 / 3, "tenth": 0.1, "tenths": 0.1,
          "fifths": 0.2, "eighth": 0.125}  # fmt: skip
_MULTIPLIERS = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0,
                "lakh": 1e5, "crore": 1e7}  # fmt: skip
_SPANS = frozenset("second minute hour day night week weekend month quarter year decade".split())
_BEFORE_SPANS = frozenset("a an next last past coming upcoming following previous per this one single".split())
_TOKEN = re.compile(r"[a-z]+|\d+")
_OPENING = ("[", "(", "{")


def ordinals_of(tokens: list[str]) -> dict[float, str]:
    """Return the ordinals among the words of a text: "the third page"."""
    return {_ORDINALS[token]: token for token in tokens if token in _ORDINALS}


def quantities_of(text: str) -> list[Quantity]:
    """Return what a folded text states in digits and in words, bounded in number."""
    found: list[Quantity] = []
    for quantity in (*_in_digits(text), *_in_words(text)):
        found.append(quantity)
        if len(found) >= _MOST_QUANTITIES:
            break
    return found


def _in_digits(text: str) -> Iterator[Quantity]:
    for match in _DIGITS.finditer(text):
        sign, digits, power, _, word, following = match.groups()
        said = match[0].strip()
        value = float(digits.replace(",", "")) * (10.0 ** int(power) if power else 1.0) * (-1.0 if sign else 1.0)
        scale = _SCALES.get(word or "")
        if scale is not None:
            yield Quantity(value * scale, following or "", said)
        if scale is None or word in _ALSO_UNITS:
            yield Quantity(value, word or "", said)
        if scale is None and following in _MULTIPLIERS and not word:
            yield Quantity(value * _MULTIPLIERS[following], "", said)
        if "," in digits and text[match.start() - 1 : match.start()] in _OPENING:
            yield from (Quantity(float(part), "", part) for part in digits.split(","))


def _in_words(text: str) -> Iterator[Quantity]:
    """Read runs of number words: "twenty-one", "two and a half", "half a million", "an hour"."""
    matches = list(_TOKEN.finditer(text))
    tokens = [match[0] for match in matches]
    at = 0
    while at < len(tokens):
        end, value = _run(tokens, at)
        if end == at:
            at += 1
            continue
        unit = tokens[end] if end < len(tokens) else ""
        yield Quantity(value, unit, text[matches[at].start() : matches[end - 1].end()])
        at = end


def _run(tokens: list[str], start: int) -> tuple[int, float]:
    """Return the end of the run of number words at this place, and its number; the place itself where there is none."""
    word = tokens[start]
    if word in _BEFORE_SPANS and start + 1 < len(tokens) and tokens[start + 1] in _SPANS:
        return start + 1, 1.0
    if word in ("a", "an") and start + 1 < len(tokens) and tokens[start + 1] in (*_MULTIPLIERS, "half", "quarter"):
        end, value = _run(tokens, start + 1)
        return (end, value) if end > start + 1 else (start + 2, _MULTIPLIERS.get(tokens[start + 1], 0.0))
    if word in _PARTS:
        return _part(tokens, start)
    if word not in _WORTH:
        return start, 0.0
    return _sum(tokens, start)


def _part(tokens: list[str], start: int) -> tuple[int, float]:
    end = start + 1
    if end < len(tokens) and tokens[end] in ("a", "an", "of"):
        end += 1
    if end < len(tokens) and tokens[end] in _MULTIPLIERS:
        return end + 1, _PARTS[tokens[start]] * _MULTIPLIERS[tokens[end]]
    return end, _PARTS[tokens[start]]


def _sum(tokens: list[str], start: int) -> tuple[int, float]:
    total, current, at = 0.0, 0.0, start
    while at < len(tokens):
        word = tokens[at]
        if word in _MULTIPLIERS and (current or at > start):
            current = (current or 1.0) * _MULTIPLIERS[word]
            if _MULTIPLIERS[word] >= 1e3:
                total, current = total + current, 0.0
        elif word in _PARTS and at > start:
            return at + 1, (total + current) * _PARTS[word]
        elif word in _WORTH and _may_follow(tokens[at - 1] if at > start else "", word):
            current += _WORTH[word]
        elif word == "and" and at > start and tokens[at + 1 : at + 3] == ["a", "half"]:
            return at + 3, total + current + 0.5
        elif not (word == "and" and at > start and tokens[at - 1] in _MULTIPLIERS and tokens[at + 1 : at + 2] and
                  tokens[at + 1] in _WORTH):  # fmt: skip
            break
        at += 1
    return at, total + current


def _may_follow(before: str, word: str) -> bool:
    """Say whether the word goes on a number: "one" after "twenty", anything after "hundred", nothing after "one"."""
    if not before or before in _MULTIPLIERS or before == "and":
        return True
    return before in _TENS and _WORTH[word] < 10


NEGATIVE = re.compile(r"\b(?:minus|negative|below|south|west|loss|lost|debt|debit)\b|°\s?[sw]\b")
"""Words that make a number stated without a sign a negative one."""
