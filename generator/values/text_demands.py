"""What a string node demands of a text, gathered from its conjuncts, and the language of those demands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.values.format_shapes import PLAIN_SHAPES, SHAPES
from generator.values.languages import Declined, Language, language_of


@dataclass(frozen=True, slots=True)
class TextDemands:
    """Patterns and formats that must hold, patterns that must not, and the length in characters."""

    patterns: tuple[str, ...]
    formats: tuple[str, ...]
    denied: tuple[str, ...]
    shortest: int
    longest: int | None

    @property
    def are_simple(self) -> bool:
        """Whether one pattern or one format stands alone, so that luck is enough."""
        bounded = self.shortest > 1 or self.longest is not None
        around = any(mark in pattern for pattern in self.patterns for mark in ("(?=", "(?!"))
        return len(self.patterns) + len(self.formats) < 2 and not self.denied and not bounded and not around

    def language(self) -> Language | None:
        """Return the automaton of all demands but the length; None where it cannot be made."""
        return self._language(SHAPES)

    def plain_language(self) -> Language | None:
        """Return the automaton of the texts among them whose formats are plain."""
        return self._language(PLAIN_SHAPES) if self.formats else None

    def _language(self, shapes: Mapping[str, str]) -> Language | None:
        told = (shapes[form] for form in self.formats if form in shapes)
        wanted = tuple(dict.fromkeys((*self.patterns, *told)))
        return _language(wanted, self.denied) if wanted or self.denied else None

    def are_impossible(self) -> bool:
        """Say whether it is proven that no text meets them; false where it is not known."""
        language = self.language()
        if language is None or not language.is_exact:
            return False
        try:
            return not language.has_texts(self.shortest, self.longest)
        except Declined:
            return False

    def count(self, most: int) -> int:
        """Return how many texts there are at most, or `most` where there are so many, more, or it is not known."""
        language = self.language()
        if language is None or not language.is_exact:
            return most
        return language.count(self.shortest, self.longest, most)


@lru_cache(maxsize=512)
def _language(patterns: tuple[str, ...], denied: tuple[str, ...]) -> Language | None:
    try:
        return language_of(patterns, denied)
    except Declined:
        return None


def demands_of(node: JsonObject) -> TextDemands:
    """Gather the demands of a string node; what it says beyond them is left to a check."""
    nodes = list(_conjuncts(node))
    lengths = [part["maxLength"] for part in nodes if "maxLength" in part]
    return TextDemands(
        patterns=tuple(part["pattern"] for part in nodes if "pattern" in part),
        formats=tuple(part["format"] for part in nodes if "format" in part),
        denied=tuple(pattern for part in nodes for pattern in _denied(part.get("not"))),
        shortest=max(int(part.get("minLength", 0)) for part in nodes),
        longest=int(min(lengths)) if lengths else None,
    )


def _conjuncts(node: JsonObject) -> Iterator[JsonObject]:
    yield node
    for part in node.get("allOf", []):
        if isinstance(part, dict):
            yield from _conjuncts(part)


def _denied(node: JsonValue) -> list[str]:
    """Return the patterns that a text must not match, where the denial says nothing else."""
    if not isinstance(node, dict):
        return []
    if node.keys() <= {"pattern", "type"} and "pattern" in node:
        return [node["pattern"]]
    return [pattern for part in node.get("anyOf", []) for pattern in _denied(part)] if node.keys() == {"anyOf"} else []
