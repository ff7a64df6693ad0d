"""Choices: the values that a schema lists, in its `enum` or in the words of its description, and which is said."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.validation.grounding.places import Path, schemas_at
from generator.validation.grounding.reading.names import find_name, other_names
from generator.validation.grounding.reading.words import STOPWORDS, Words, fold, stem, tokens_of_value
from generator.validation.grounding.sources import OVERLAP, Grounding, Said, Source
from generator.validation.tool_view import ToolView

Choices = tuple[str, ...]
"""The texts that a schema lists as the only values of a place; none where it lists none."""
_FEWEST = 2
_SHORTEST_ALIKE = 4
"""Letters of a said word that a longer word of a choice must begin with: "carbs" for "Carbohydrates"."""
_QUOTED = re.compile(r"'([^'\n]{1,60})'|\"([^\"\n]{1,60})\"|`([^`\n]{1,60})`")
_EXAMPLES = re.compile(
    r"(?:e\.g\.|for example|such as|including|can be|one of|options:|options are|either)", re.IGNORECASE
)
_LIST_ENDS = re.compile(r"[.;()](?:\s|$)")
_BETWEEN = re.compile(r",| or |/| and ")


@lru_cache(maxsize=4096)
def choices_at(tool: ToolView, path: Path) -> Choices:
    """Return the texts that the schema at a path lists as the only values, in their order."""
    found: dict[str, None] = {}
    for _, schema in schemas_at(tool, path):
        listed = schema.get("enum")
        if isinstance(listed, list):
            found |= dict.fromkeys(each for each in listed if isinstance(each, str))
    return tuple(found)


@lru_cache(maxsize=4096)
def examples_at(tool: ToolView, path: Path) -> frozenset[str]:
    """Return the values that the description at a path gives as examples, folded."""
    found: set[str] = set()
    for _, schema in _around(tool, path):
        text = schema.get("description")
        if isinstance(text, str):
            text = text[:4000]
            found |= {fold(part) for match in _QUOTED.finditer(text) for part in match.groups() if part}
            found |= {fold(part) for part in _enumerated(text)}
    return frozenset(found)


def _around(tool: ToolView, path: Path) -> tuple[tuple[Path, dict[str, object]], ...]:
    """Return the schemas at a path, and those of the array that the value is part of."""
    own = schemas_at(tool, path)
    return (*own, *schemas_at(tool, path[:-1])) if path and isinstance(path[-1], int) else own


def _enumerated(text: str) -> list[str]:
    """Read "e.g. dessert, main course, breakfast" and "one of city/state/country"."""
    found = []
    for match in _EXAMPLES.finditer(text):
        rest = text[match.end() : match.end() + 200]
        end = _LIST_ENDS.search(rest)
        listed = rest[: end.start()] if end else rest
        found += [part.strip(" '\"`.:,") for part in _BETWEEN.split(listed)]
    found += [word.strip(".,()'\"") for each in text.split() if each.count("/") for word in each.split("/")]
    return [each for each in found if 1 < len(each) < 60]


@lru_cache(maxsize=4096)
def distinctive(choices: Choices) -> dict[str, frozenset[str]]:
    """Return the words of each choice that no other has: those that tell it apart."""
    tokens = {each: frozenset(tokens_of_value(each)) - STOPWORDS for each in choices}
    stems = {each: {stem(token) for token in own} for each, own in tokens.items()}
    return {
        each: frozenset(
            token for token in own if not any(stem(token) in stems[other] for other in choices if other != each)
        )
        for each, own in tokens.items()
    }


def ground_choice(value: str, tool: ToolView, path: Path, said: Said) -> Grounding | None:
    """Find a choice by a word that it alone has: "backstage access" for `Backstage Pass`."""
    choices = choices_at(tool, path)
    if len(choices) < _FEWEST or value not in choices:
        return None
    own = distinctive(choices)[value]
    for source in said.sources:
        found = next((token for token in own if is_word_said(token, source.words)), None)
        if found is not None and source.role != "system":
            return Grounding(OVERLAP, source.where, found)
    return None


def is_meant(value: str, choices: Choices, source: Source) -> bool:
    """Say whether a text may mean a choice: by its name, another of its names, or a word that it alone has."""
    folded = fold(value)
    if folded in source.folded or any(find_name(name, source.raw, source.folded) for name in other_names(value)):
        return True
    return any(is_word_said(token, source.words) for token in distinctive(choices)[value])


def is_named(choice: str, source: Source) -> bool:
    """Say whether a text has a choice in its own words."""
    tokens = tokens_of_value(choice)
    if not tokens or len(choice) < _SHORTEST_NAMED or all(token in STOPWORDS for token in tokens):
        return False
    return f" {' '.join(tokens)} " in source.words.spaced


_SHORTEST_NAMED = 3


def is_word_said(token: str, words: Words) -> bool:
    """Say whether a text says a word, in another form of it or shortened."""
    if token in words.tokens_set or (len(token) > 2 and stem(token) in words.stems):
        return True
    beginning = token[:_SHORTEST_ALIKE]
    if len(beginning) < _SHORTEST_ALIKE or f" {beginning}" not in words.spaced:
        return False
    return any(len(each) >= _SHORTEST_ALIKE and token.startswith(each.rstrip("s")) for each in words.tokens_set
               if each.startswith(beginning))  # fmt: skip
