"""Parts of hours: lengths that languages have words of their own for, as "three quarters of an hour", Viertelstunde."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.languages import table
from generator.validation.grounding.words import fold

_HINTS = ("hour", "stund", "heure", "hora", "\u523b")
"""Of which one is in every such word."""


def minutes_in(folded: str, languages: tuple[str, ...]) -> Iterator[tuple[float, str]]:
    """Yield the minutes of each part of an hour that a folded text names in these languages, with its words."""
    if any(hint in folded for hint in _HINTS):
        for language in languages:
            minutes = _minutes(language)
            for match in _pattern(language).finditer(folded) if minutes else ():
                yield minutes[match[0]], match[0]


@cache
def _minutes(language: str) -> dict[str, float]:
    known = table(language, "numbers").get("of_an_hour", {}).items()
    return {fold(form): float(minutes) for minutes, forms in known for form in forms.replace("\n", "|").split("|")}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Find the longest of the words at each place, as words of their own where words stand apart."""
    forms = "|".join(map(re.escape, sorted(_minutes(language), key=len, reverse=True)))
    return re.compile(forms if language == "zh" else rf"(?<!\w)(?:{forms})(?!\w)")
