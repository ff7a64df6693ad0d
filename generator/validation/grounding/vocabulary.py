"""Vocabulary: the closed classes of words of each language, and which languages a text is written in.

What is known stands in `assets/language`, a file for each language with a table for each concern.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any, NamedTuple

from generator.assets import asset_file
from generator.validation.grounding.words import fold

LANGUAGES = ("en", "de", "es", "fr", "zh")
"""The languages in which numbers, days and times are read."""
Entries = dict[str, tuple[str, ...]]
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
_TOKEN = re.compile(r"\d+|[^\W\d_\u2e80-\u9fff]+|[^\s]")
_ENOUGH = 400
"""Words by which the languages of a text are told."""


class Token(NamedTuple):
    """A word, a number in digits, a sign, or one letter of a script that is written without spaces."""

    text: str
    start: int
    end: int


def tokens_in(folded: str) -> list[Token]:
    """Divide a folded text into its tokens."""
    return [Token(match[0], match.start(), match.end()) for match in _TOKEN.finditer(folded)]


@cache
def table(language: str, concern: str) -> dict[str, Any]:
    """Return the table of a concern; an empty one where the language has none."""
    found: dict[str, Any] = _file(language).get(concern, {})
    return found


@cache
def _file(language: str) -> dict[str, Any]:
    return tomllib.loads(asset_file("language").joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def forms_in(entry: str) -> list[tuple[str, ...]]:
    """Return the tokens of each of the alternatives that stand between bars or on lines of their own."""
    parts = entry.strip().replace("\n", "|").split("|")
    return [tuple(token.text for token in tokens_in(fold(part))) for part in parts if part.strip()]


class Lexicon:
    """Phrases with what they mean, the longest of which is taken at each place."""

    def __init__(self, meanings: list[tuple[str, float | str, str]]) -> None:  # each a kind, a value and the forms
        self._at: dict[str, list[tuple[tuple[str, ...], str, float | str]]] = {}
        for kind, value, forms in meanings:
            for form in forms_in(forms):
                self._at.setdefault(form[0], []).append((form, kind, value))
        for known in self._at.values():
            known.sort(key=lambda each: -len(each[0]))

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


def languages_of(folded: str) -> tuple[str, ...]:
    """Return the languages that a folded text may be in, by script and by words; English where nothing tells."""
    found = ("zh",) if not folded.isascii() and _IDEOGRAPH.search(folded) else ()
    told = {token.text for token in tokens_in(folded[: 8 * _ENOUGH])[:_ENOUGH]}
    counts = {language: len(told & _telling_words(language)) for language in LANGUAGES if language != "zh"}
    most = max(counts.values())
    latin = tuple(language for language, count in counts.items() if count and count == most)
    return (*latin, *found) or ("en",)
