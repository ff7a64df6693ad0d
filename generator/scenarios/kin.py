"""Kin: tools of one toolset that are about the same thing, so that only a close look tells which of them is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache

from generator.jsontext import JsonObject
from generator.tools.tool import Tool

_MOST_OF_A_NOUN = 64
"""Tools kept for each noun, so that an index over thousands of tools stays small."""
_MOST_KIN = 12
_SHARED_WORDS = 0.3
_COMMON = frozenset(
    "add create make new update edit change set delete remove cancel send convert calculate compute calc estimate info "
    "information detail data status result conversion".split()
)
"""Words of names that do not tell what a tool is about."""
_WORD = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Kin:
    """Which tools share a noun and a good part of all the words of their names."""

    def __init__(self, tools: Mapping[str, Tool], nouns_of: Callable[[str], frozenset[str]]) -> None:
        self._tools = tools
        self._nouns = {key: frozenset(map(_singular, nouns_of(tool.name))) - _COMMON for key, tool in tools.items()}
        self._takers: dict[tuple[str, str], list[str]] = {}
        for key, nouns in self._nouns.items():
            for noun in sorted(nouns):
                takers = self._takers.setdefault((tools[key].toolset, noun), [])
                if len(takers) < _MOST_OF_A_NOUN:
                    takers.append(key)
        self.of = lru_cache(maxsize=4096)(self._of)

    def _of(self, key: str) -> tuple[str, ...]:
        """Return the kin of a tool, the nearest first."""
        toolset, words = self._tools[key].toolset, name_words(self._tools[key].name)
        near = dict.fromkeys(
            other for noun in sorted(self._nouns[key]) for other in self._takers[toolset, noun] if other != key
        )
        scored = [(_overlap(words, name_words(self._tools[other].name)), other) for other in near]
        kept = sorted((pair for pair in scored if pair[0] >= _SHARED_WORDS), key=lambda pair: -pair[0])
        return tuple(other for _, other in kept[:_MOST_KIN])

    def rivals(self, key: str) -> tuple[str, ...]:
        """Return the kin that take what the tool requires, under the same names, so that this alone tells neither."""
        required = set(self._tools[key].parameters.get("required", ()))
        return tuple(other for other in self.of(key) if required and _takes(self._tools[other].parameters, required))

    @cached_property
    def leads(self) -> tuple[str, ...]:
        """The tools that have kin."""
        return tuple(key for key in self._tools if self.of(key))


@lru_cache(maxsize=8192)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a tool's name in lower case and in the singular."""
    return frozenset(_singular(word) for word in _WORD.findall(_HUMP.sub(" ", name).lower()))


def _singular(noun: str) -> str:
    return noun[:-1] if len(noun) > 3 and noun.endswith("s") and not noun.endswith("ss") else noun


def _takes(parameters: JsonObject, names: set[str]) -> bool:
    return names <= parameters["properties"].keys() and set(parameters.get("required", ())) <= names


def _overlap(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0
