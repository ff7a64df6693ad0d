"""Unit names: what the words and signs after numbers measure, in each language, as far as requests use them."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from generator.validation.grounding.language import entries


class Unit(NamedTuple):
    """A unit of measure."""

    name: str
    """One name for all of its words."""
    family: str
    """What it measures."""
    factor: float
    """How much of it; 0 where units of its family are no multiples of each other."""

    def is_as_much_as(self, other: Unit) -> bool:
        """Say whether a number is the same in both: nights are days, and degrees may be of either scale."""
        if self.family != other.family or _UNKNOWN in (self.name, other.name):
            return self.family == other.family
        if not self.factor or not other.factor:
            return self.name == other.name
        return abs(self.factor / other.factor - 1) < _NEARLY


_NEARLY = 0.02
_UNKNOWN = "deg"
"""Degrees of a scale that is not told."""


@cache
def unit_named(name: str) -> Unit | None:
    """Return the unit of one of the names that the tables give to words."""
    return _units().get(name.rstrip("?"))


@cache
def _units() -> dict[str, Unit]:
    rows = [entry.split() for name in ("families", "further_families") for entry in entries("en", "signs", name)]
    return {
        unit: Unit(unit, family, float(factor))
        for family, *units in rows
        for unit, _, factor in [each.partition(":") for each in units]
    }


@cache
def _words(language: str) -> dict[str, Unit]:
    """Return the units of a language's words; every language writes the same short forms."""
    forms = [
        form for spoken in dict.fromkeys(("en", language)) for part in ("units", "spoken")
        for form in entries(spoken, "measures", part)
    ]  # fmt: skip
    named = [(word, unit_named(name)) for word, _, name in (form.rpartition(" ") for form in forms)]
    return {word: unit for word, unit in named if unit is not None}  # pounds of money are no unit


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Return what finds the unit right after a number, the longest word of it."""
    longest_first = sorted(_words(language), key=lambda word: (-len(word), word))
    forms = "|".join(re.escape(word) for word in longest_first)
    edge = "" if language == "zh" else r"(?![^\W_])(?!'[a-z])"
    return re.compile(rf"[\s-]?({forms}){edge}")


def unit_after(text: str, at: int, language: str) -> Unit | None:
    """Return the unit that a folded text names at a place; None where it names none."""
    match = _pattern(language).match(text, at)
    return _words(language)[match[1]] if match is not None else None


@cache
def unit_of_word(word: str) -> Unit | None:
    """Return the unit that a word of a definition names, which is English everywhere."""
    return _words("en").get(word)


@cache
def words_of_others(unit: Unit) -> re.Pattern[str]:
    """Return what a folded text has that names any other unit of the family, in any language: for a first look."""
    words = {
        word
        for language in ("en", "de", "es", "fr", "zh")
        for word, each in _words(language).items()
        if each.family == unit.family and not each.is_as_much_as(unit)
    }
    forms = "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
    return re.compile(rf"(?:[\s\d-]|[\u2e80-\uffff])(?:{forms})(?![a-z])")


COUNTING = frozenset({"count", "number", "num", "total"})
"""Last words of parameters that count what their first word says: `guest_count`."""


def units_in_name(words: list[str]) -> set[str]:
    """Return the words of a parameter's name that may be the unit of its number: a price "per night" is in none."""
    if "per" in words:
        return set()
    return {*words[-1:], *(words[:1] if words and words[-1] in COUNTING else ())}
