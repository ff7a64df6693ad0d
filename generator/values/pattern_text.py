"""A text for a regular expression, without a schema around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from generator.errors import ValueSynthesisError
from generator.values.patterns import PatternTexts

_LONGEST = 200


@lru_cache(maxsize=1024)
def pattern_text(pattern: str) -> Callable[[Random], str]:
    """Return a maker of texts that match a pattern, of 200 characters at most.

    Raises:
        ValueError: the pattern cannot be read.
    """
    try:
        texts = PatternTexts(f"^(?:{pattern})$")
    except ValueSynthesisError as error:
        raise ValueError(str(error)) from error
    return lambda random: texts.make(random, 0, _LONGEST)
