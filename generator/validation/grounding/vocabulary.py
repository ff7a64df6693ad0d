"""Vocabulary: the closed classes of words of each language, and which languages a text is written in.

What is known stands in `assets/language`, a file for each language with a table for each concern. No library reads
the phrases of `tests/dates_grid.jsonl` instead: the best one found 56 % of the English ones, took 12 ms for each, needs
an old release of another package and has no German dates; those that are light know a third of them, or one language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import accumulate

from generator.validation.grounding.languages import LANGUAGES, table
from generator.validation.grounding.words import fold

Entries = dict[str, tuple[str, ...]]
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
_TOKEN = re.compile(r"\d+|[^\W\d_\u2e80-\u9fff]+|[^\s]")
_ASCII_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\s]")
"""The same for a text of ASCII letters alone, which takes half the time."""
_WORD = re.compile(r"[^\W\d_]+")
_ASCII_WORD = re.compile(r"[A-Za-z]+")
_SURE = 0.4
"""The share of a text's words that are English ones from which on no other language is looked at."""
_FEWEST = 8
"""Words of the shortest text that is known to be English without a look at others."""
_ENOUGH = 400
"""Words by which the languages of a text are told."""


_SPLIT = re.compile(f"({_TOKEN.pattern})")
_ASCII_SPLIT = re.compile(f"({_ASCII_TOKEN.pattern})")


def tokens_and_ends(folded: str) -> tuple[list[str], list[int]]:
    """Return the tokens of a folded text, and where what is before each ends and it ends itself, one after another."""
    parts = (_ASCII_SPLIT if folded.isascii() else _SPLIT).split(folded)
    return parts[1::2], list(accumulate(map(len, parts)))


def tokens_in(folded: str) -> list[str]:
    """Return the tokens of a folded text."""
    return (_ASCII_TOKEN if folded.isascii() else _TOKEN).findall(folded)


class Tokens:
    """The tokens of a folded text; most are looked at by their text alone.

    `spelled` are the words that stand for several, which are then all at the place of the one.
    """

    __slots__ = ("_folded", "_places", "_spelled", "texts")

    def __init__(self, folded: str, spelled: Mapping[str, list[str]] | None = None) -> None:
        self._folded = folded
        self._spelled = spelled
        self._places: list[tuple[int, int]] | None = None
        self.texts = tokens_in(folded)
        if spelled:
            self.texts = [part for text in self.texts for part in spelled.get(text, (text,))]

    def start(self, at: int) -> int:
        """Return where a token begins."""
        return (self._places or self._find_places())[at][0]

    def end(self, at: int) -> int:
        """Return where a token ends."""
        return (self._places or self._find_places())[at][1]

    def _find_places(self) -> list[tuple[int, int]]:
        matches = (_ASCII_TOKEN if self._folded.isascii() else _TOKEN).finditer(self._folded)
        if self._spelled:
            spelled = self._spelled
            self._places = [match.span() for match in matches for _ in spelled.get(match[0], (match[0],))]
        else:
            self._places = [match.span() for match in matches]
        return self._places


def forms_in(entry: str) -> list[tuple[str, ...]]:
    """Return the tokens of each of the alternatives that stand between bars or on lines of their own."""
    parts = entry.strip().replace("\n", "|").split("|")
    return [tuple(tokens_in(fold(part))) for part in parts if part.strip()]


class Lexicon:
    """Phrases with what they mean, the longest of which is taken at each place."""

    def __init__(self, meanings: list[tuple[str, float | str, str]]) -> None:  # each a kind, a value and the forms
        self._at: dict[str, list[tuple[tuple[str, ...], str, float | str]]] = {}
        for kind, value, forms in meanings:
            for form in forms_in(forms):
                self._at.setdefault(form[0], []).append((form, kind, value))
        for known in self._at.values():
            known.sort(key=lambda each: -len(each[0]))
        self.beginnings = frozenset(self._at)
        """The tokens that its phrases begin with."""
        self.tokens = frozenset(token for known in self._at.values() for form, _, _ in known for token in form)
        """The tokens of its phrases."""

    def longest(self, tokens: list[str], at: int) -> tuple[int, str, float | str] | None:
        """Return how many tokens from this place on are a phrase, its kind and its value; None where there is none."""
        for form, kind, value in self._at.get(tokens[at], ()):
            size = len(form)
            if size == 1 or tuple(tokens[at : at + size]) == form:
                return size, kind, value
        return None


@cache
def _little_words(language: str) -> frozenset[str]:
    return frozenset(fold(str(table(language, "words").get("function", ""))).split())


@cache
def _telling_words(language: str) -> frozenset[str]:
    """Return the words of a language by which it is known: its little words, its days and months, its numerals."""
    days, numbers = table(language, "days"), table(language, "numbers")
    forms = [*days.get("months", ()), *days.get("weekdays", ())]
    forms += [
        entry for part in ("units", "relative", "shift", "edge", "festivals") for entry in days.get(part, {}).values()
    ]
    forms += [entry for part in ("cardinals", "ordinals", "multipliers") for entry in numbers.get(part, {}).values()]
    return _little_words(language) | {form[0] for entry in forms for form in forms_in(entry) if len(form[0]) > 2}


@lru_cache(maxsize=256)
def languages_of(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, by script and by words; English where nothing tells."""
    found = ("zh",) if not folded.isascii() and _IDEOGRAPH.search(folded) else ()
    told = frozenset((_ASCII_WORD if folded.isascii() else _WORD).findall(folded[: 8 * _ENOUGH]))
    if not found and len(told) >= _FEWEST and len(told & _telling_words("en")) > _SURE * len(told):
        return ("en",)
    counts = {language: len(told & _telling_words(language)) for language in LANGUAGES if language != "zh"}
    most = max(counts.values())
    latin = tuple(language for language, count in counts.items() if count and count == most)
    return (*latin, *found) or ("en",)
