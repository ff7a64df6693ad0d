"""Senses: which of several meanings of a name holds, told by the words around it."""

from __future__ import annotations

from functools import lru_cache

from generator.values.hints import Hint
from generator.values.words import split_name

_BEGINNING = 6
"""Letters from which a word that tells a sense may be the beginning of another."""


def tells(words: str, text: str) -> bool:
    """Say whether a lower-case text holds one of these words, separated by commas, alone or in the plural.

    Looked for one by one: patterns for all of them would take longer to compile than most processes use them.
    """
    for word, is_whole in _words(words):  # noqa: SIM110  # a generator would take twice as long
        if word in text and _begins(word, text, is_whole):
            return True
    return False


@lru_cache(maxsize=1024)
def _words(words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((word, len(word) < _BEGINNING) for word in words.split(","))


def _begins(word: str, text: str, is_whole: bool) -> bool:
    """Say whether a word begins somewhere in a text, and ends there where it is to be whole."""
    at = text.find(word)
    while at >= 0:
        if not _is_letter(text, at - 1) and (not is_whole or _ends(text, at + len(word))):
            return True
        at = text.find(word, at + 1)
    return False


def _ends(text: str, at: int) -> bool:
    return not _is_letter(text, at) or (text[at] == "s" and not _is_letter(text, at + 1))


def _is_letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and "a" <= text[at] <= "z"


def contexts_of(hint: Hint) -> tuple[str, str, str]:
    """Return the texts that may tell a sense, the nearest first: the field's own, its parent's, the tool's."""
    own = f"{' '.join(hint.words)} {hint.description}".lower()
    return own, " ".join(hint.parent_words), _said_of_tool(*hint.topic)


@lru_cache(maxsize=256)
def _said_of_tool(name: str, description: str) -> str:
    return f"{' '.join(split_name(name))} {_first_sentence(description)}".lower()


def _first_sentence(description: str) -> str:
    """What a tool does; some descriptions first tell of the whole collection the tool is part of."""
    told = description.rpartition("Tool description:")[2].strip()
    return told.split(". ", 1)[0][:200]
