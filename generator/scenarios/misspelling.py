"""Misspelling: a slip of the pen in a name, as people make them."""

from __future__ import annotations

import re
from random import Random

from generator.jsontext import JsonValue

_NAME = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,2}")
_SHORTEST = 5
"""Letters of a word in which a slip is still understood."""


def misspelled(value: JsonValue, random: Random) -> str | None:
    """Return a name with one letter doubled, dropped or swapped with its neighbour; None for what is no name.

    The first and the last letter of the word stay, and so does its case.
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value) or value.upper() == value:
        return None
    words = value.split(" ")
    long = [number for number, word in enumerate(words) if len(word) >= _SHORTEST]
    if not long:
        return None
    number = random.choice(long)
    slips = [slip for slip in _slips(words[number]) if slip != words[number]]
    if not slips:
        return None
    words[number] = random.choice(slips)
    return " ".join(words)


def _slips(word: str) -> list[str]:
    inner = range(1, len(word) - 2)
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner]
    doubled = [word[:at] + word[at] + word[at:] for at in inner if word[at - 1] != word[at] != word[at + 1]]
    dropped = [word[:at] + word[at + 1 :] for at in inner if word[at] == word[at + 1]]
    return swapped + doubled + dropped * len(inner)
