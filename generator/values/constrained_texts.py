"""Candidates for a text that patterns, formats and lengths constrain together."""

from __future__ import annotations

from collections.abc import Callable

from generator.errors import GaveUp
from generator.jsontext import JsonObject
from generator.values.draw import Draw
from generator.values.formats import format_text
from generator.values.hints import Hint
from generator.values.languages import Declined, Language
from generator.values.patterns import texts_of
from generator.values.text_demands import demands_of
from generator.values.text_lengths import fitted

TRIES = 60
"""Candidates that are worth drawing for one text."""

_LUCKY_TRIES = 6
"""Candidates drawn as people write them, before all demands are met at once."""


class ConstrainedTexts:
    """Makes candidates for a string node in turn: from a format or a pattern, and from the language of all demands.

    Not every candidate meets what the node says beyond them: each is to be checked.
    """

    def __init__(self, node: JsonObject) -> None:
        self._demands = demands_of(node)
        self._patterns = [texts_of(pattern) for pattern in self._demands.patterns]
        self._languages: list[Language] | None = None
        ways: list[Callable[[Draw, int], str | None]] = [self._of_all, self._of_pattern]
        self._ways = [self._of_format, *ways] if self._demands.formats else ways

    def make(self, draw: Draw, attempt: int) -> str:
        """Return the candidate of an attempt, counted from 0."""
        demands, start = self._demands, attempt % len(self._ways)
        draw.spend(1 + demands.shortest // 100)
        for way in (*self._ways[start:], *self._ways[:start]):
            if (text := way(draw, attempt)) is not None:
                return text
        return fitted("", draw.whole(demands.shortest, demands.shortest + 8), demands.longest, draw)

    def _of_all(self, draw: Draw, attempt: int) -> str | None:
        demands = self._demands
        if demands.are_simple and attempt < _LUCKY_TRIES:
            return None
        if self._languages is None:
            known = (demands.plain_language(), demands.language())
            self._languages = [language for language in known if language is not None]
        if not self._languages:
            return None
        language = self._languages[attempt // len(self._ways) % len(self._languages)]
        try:
            return language.make(draw.random, demands.shortest, demands.longest)
        except (Declined, GaveUp):
            return None

    def _of_pattern(self, draw: Draw, attempt: int) -> str | None:
        demands, patterns = self._demands, self._patterns
        if len(patterns) > 1 and attempt % 4 < 2:
            order = patterns if attempt % 8 < 2 else patterns[::-1]
            return "".join([pattern.make(draw.random, 0, demands.longest) for pattern in order])
        if not patterns:
            return None
        one = patterns[attempt % len(patterns)]
        return one.make(draw.random, demands.shortest, demands.longest, generous=attempt > TRIES // 3)

    def _of_format(self, draw: Draw, attempt: int) -> str | None:
        forms = self._demands.formats
        return format_text(forms[attempt % len(forms)], Hint(()), draw, bare=attempt > _LUCKY_TRIES)
