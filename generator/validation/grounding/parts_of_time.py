"""Parts of time: small numbers that are said in a time of day alone, and so count nothing else."""

from __future__ import annotations

import re

from generator.validation.grounding.languages import words_for
from generator.validation.grounding.sources import Said, Source

_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?|(?<![\d:.])\d{1,2}\s?[ap]\.?m\b")
_LARGEST = 59


def is_of_another_role(number: int | float, about: frozenset[str], said: Said) -> bool:
    """Say whether a number is said in times of day alone, while the words of its schema speak of no time."""
    if not 0 <= number <= _LARGEST or number != int(number) or not about or about & words_for("exact", "times"):
        return False
    with_times = [source for source in said.sources if _CLOCK.search(source.folded)]
    if not with_times:
        return False
    return not any(_counts(float(number), source, source in with_times) for source in said.sources)


def _counts(number: float, source: Source, has_times: bool) -> bool:
    """Say whether a text states a number otherwise than in a time of day."""
    if has_times:
        source = Source(source.index, _CLOCK.sub(" ", source.folded), source.role)
    return number in source.numbers or -number in source.numbers or number in source.ordinals
