"""Parts of time: small numbers that are said in a time of day alone, and so count nothing else."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.validation.grounding.reading.languages import words_for
from generator.validation.grounding.sources import Said, Source

_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?|(?<![\d:.])\d{1,2}\s?[ap]\.?m\b")
_HINT = re.compile(r"[0-9](?::[0-9]|\s?[ap]\.?m)")
"""What each time of day has in a text of ASCII letters alone."""
_NONE: frozenset[int] = frozenset()
_DIGITS = re.compile(r"\d{1,2}")
_LARGEST = 59


def is_of_another_role(number: int | float, about: frozenset[str], said: Said) -> bool:
    """Say whether a number is said in times of day alone, while the words of its schema speak of no time."""
    if not 0 <= number <= _LARGEST or number != int(number) or not about:
        return False
    if not about.isdisjoint(words_for("exact", "times")):
        return False
    if not any(number in _written_in_times(source.folded) for source in said.sources):
        return False
    return not any(_counts(float(number), each) for each in said.sources)


@lru_cache(maxsize=256)
def _written_in_times(folded: str) -> frozenset[int]:
    """Return the numbers that a text writes in its times of day."""
    if folded.isascii() and not _HINT.search(folded):
        return _NONE
    return frozenset(int(digits) for match in _CLOCK.finditer(folded) for digits in _DIGITS.findall(match[0]))


def _counts(number: float, source: Source) -> bool:
    """Say whether a text states a number otherwise than in a time of day."""
    apart = _apart_from_times(source.folded)
    return number in apart.numbers or -number in apart.numbers or number in apart.ordinals


@lru_cache(maxsize=64)
def _apart_from_times(folded: str) -> Source:
    return Source(0, _CLOCK.sub(" ", folded))
