"""The catalog index: what tools have to do with one another, and which are shown beside the one that leads."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import chain
from random import Random

from generator.domains.catalog import Catalog
from generator.tools import Tool

_POINTS_PER_DIGEST = 8
_DIGESTS_PER_KEY = 4
_WORD = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TWIN_WORDS = 0.5
_TWIN_NOUNS = 0.5
_SAME_WORDS = 0.9
_LOOKING_VERBS = frozenset(
    [
        "check",
        "fetch",
        "find",
        "get",
        "give",
        "list",
        "look",
        "lookup",
        "query",
        "read",
        "retrieve",
        "return",
        "search",
        "show",
    ]
)
"""Verbs that say the same of a tool: it looks something up."""
_SPARE = 4
_KEPT_PAIRS = 65_536
"""Verdicts on pairs of tools that are kept: all pairs of a catalog of 250 tools, the likely ones of a larger one."""
_STOP_WORDS = frozenset(
    "a an and are as at be by for from given in is it its of on or specified that the this to with".split()
)


class Ring:
    """Tools on a ring of 64-bit points; the tool after a random point is the choice."""

    __slots__ = ("_keys", "_points", "keys")

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = tuple(keys)
        placed = sorted((point, key) for key in self.keys for point in _points(key))
        self._points = [point for point, _ in placed]
        self._keys = [key for _, key in placed]

    def pick(self, random: Random, count: int = 1, *, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return up to `count` distinct keys that are not in `without`, in the order they were drawn."""
        chosen: list[str] = []
        while len(chosen) < count:
            key = self._first_from(random.getrandbits(64), chosen, without)
            if key is None:
                break
            chosen.append(key)
        return tuple(chosen)

    def _first_from(self, point: int, chosen: Collection[str], without: Collection[str]) -> str | None:
        start = bisect_left(self._points, point)
        for place in chain(range(start, len(self._keys)), range(start)):
            key = self._keys[place]
            if key not in chosen and key not in without:
                return key
        return None


def _points(key: str) -> Iterator[int]:
    for part in range(_DIGESTS_PER_KEY):
        digest = blake2b(
            key.encode("utf-8", "surrogatepass"), digest_size=8 * _POINTS_PER_DIGEST, salt=bytes([part])
        ).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")


class CatalogIndex:
    """A catalog with the indexes that planning needs; keys are those of `Tool.key`."""

    def __init__(self, catalog: Catalog) -> None:
        self.tools: dict[str, Tool] = {tool.key: tool for tool in catalog.tools}
        self.toolsets = {name: tuple(tool.key for tool in tools) for name, tools in catalog.toolsets.items()}
        self.words = lru_cache(maxsize=4096)(self._words)
        self.are_twins = lru_cache(maxsize=_KEPT_PAIRS)(self._are_twins)
        self._company = lru_cache(maxsize=None)(self._count_company)
        self._rings: dict[tuple[str, ...], Ring] = {}
        self._rings_beside: dict[str, tuple[Ring | None, Ring]] = {}

    def company(self, key: str, enough: int) -> int:
        """Count the tools of a tool's toolset that may all be shown together, no two of them twins, up to `enough`."""
        return self._company(self.tools[key].toolset, enough)

    def _count_company(self, toolset: str, enough: int) -> int:
        apart: list[str] = []
        for key in self.toolsets[toolset]:
            if len(apart) == enough:
                break
            if not any(self.are_twins(key, other) for other in apart):
                apart.append(key)
        return len(apart)

    @cached_property
    def every(self) -> tuple[str, ...]:
        """All tools."""
        return tuple(self.tools)

    def ring(self, keys: tuple[str, ...]) -> Ring:
        """Return the ring of these tools; rings are built once."""
        if (ring := self._rings.get(keys)) is None:
            ring = self._rings[keys] = Ring(keys)
        return ring

    def beside(
        self, lead: str, count: int, random: Random, *, lax: bool, without: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Draw up to `count` tools to show beside `lead`: related ones first, never its near twins.

        `lax` leaves out tools that say `strict: true`, which parallel records must not show.
        """
        apart = (lead, *without)
        related, whole = self._around(lead)
        near = self._draw(related, (count + 1) // 2, random, apart, lax=lax)
        far = self._draw(whole, count - len(near), random, (*apart, *near), lax=lax)
        return near + far

    def _around(self, lead: str) -> tuple[Ring | None, Ring]:
        """Return the rings of a tool's relations, if it has any, and of its toolset; found once for each tool."""
        if (rings := self._rings_beside.get(lead)) is None:
            related, toolset = self._related(lead), self.toolsets[self.tools[lead].toolset]
            rings = self._rings_beside[lead] = (self.ring(related) if related else None, self.ring(toolset))
        return rings

    def _draw(
        self, ring: Ring | None, count: int, random: Random, apart: tuple[str, ...], *, lax: bool
    ) -> tuple[str, ...]:
        """Draw up to `count` keys that fit beside those of `apart`; some spare ones are drawn for those that do not."""
        if ring is None or count < 1:
            return ()
        fitting: list[str] = []
        for key in ring.pick(random, count + _SPARE, without=apart):
            if len(fitting) < count and self._may_accompany(key, (*apart, *fitting), lax=lax):
                fitting.append(key)
        return tuple(fitting)

    def _may_accompany(self, key: str, others: tuple[str, ...], *, lax: bool) -> bool:
        if lax and self.tools[key].strict:
            return False
        return not any(self.are_twins(key, other) for other in others)

    def _are_twins(self, key: str, other: str) -> bool:
        """Say whether two tools are so alike that either could serve a request: never shown as alternatives.

        Their words overlap by more than half and so do the nouns of their names (`find_weather`,
        `search_weather`; not `freeze_card`, `unfreeze_card`), or nearly all their words are the same.
        """
        overlap = _overlap(self.words(key), self.words(other))
        if overlap <= _TWIN_WORDS:
            return False
        nouns = _overlap(_nouns(self.tools[key].name), _nouns(self.tools[other].name))
        return overlap > _SAME_WORDS or nouns >= _TWIN_NOUNS

    def _words(self, key: str) -> frozenset[str]:
        tool = self.tools[key]
        text = f"{_HUMP.sub(' ', tool.name)} {tool.description}".lower()
        return frozenset(_WORD.findall(text)) - _STOP_WORDS

    def _related(self, key: str) -> tuple[str, ...]:
        """The tools that share the rarest word of this tool's name which any other has too."""
        toolset = self.tools[key].toolset
        groups = [self._keys_by_word[toolset, word] for word in name_words(self.tools[key].name)]
        return min((keys for keys in groups if len(keys) > 1), key=len, default=())

    @cached_property
    def _keys_by_word(self) -> dict[tuple[str, str], tuple[str, ...]]:
        found: dict[tuple[str, str], list[str]] = {}
        for toolset, keys in self.toolsets.items():
            for key in keys:
                for word in dict.fromkeys(name_words(self.tools[key].name)):
                    found.setdefault((toolset, word), []).append(key)
        return {word: tuple(keys) for word, keys in found.items()}


def _overlap(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """Return the Jaccard overlap, 0 to 1."""
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def _nouns(name: str) -> frozenset[str]:
    words = frozenset(name_words(name))
    return words - _LOOKING_VERBS or words


def name_words(name: str) -> tuple[str, ...]:
    """Split a tool name into its lower-case words: `getUser_by-id` gives get, user, by, id."""
    return tuple(_WORD.findall(_HUMP.sub(" ", name).lower()))
