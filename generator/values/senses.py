"""Senses: which of several meanings of a name holds, told by the words around it."""

from __future__ import annotations

import re

from generator.values.hints import Hint
from generator.values.words import split_name

_BEGINNING = 6
"""Letters from which a word that tells a sense may be the beginning of another."""


def told_by(words: str) -> re.Pattern[str]:
    """Return the pattern that finds one of these words, separated by commas, in a lower-case text."""
    alternatives = "|".join(
        re.escape(word) + ("s?(?![a-z])" if len(word) < _BEGINNING else "") for word in words.split(",")
    )
    return re.compile(rf"(?<![a-z])(?:{alternatives})")


def contexts_of(hint: Hint) -> tuple[str, str, str]:
    """Return the texts that may tell a sense, the nearest first: the field's own, its parent's, the tool's."""
    tool = f"{' '.join(split_name(hint.topic[0]))} {_first_sentence(hint.topic[1])}"
    return f"{' '.join(hint.words)} {hint.description}".lower(), " ".join(hint.parent_words), tool.lower()


def _first_sentence(description: str) -> str:
    """What a tool does; some descriptions first tell of the whole collection the tool is part of."""
    told = description.rpartition("Tool description:")[2].strip()
    return told.split(". ", 1)[0][:200]
