"""The schedule of a job: which kind each index gets, which tool leads it, and which tools go beside that one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import chain
from math import gcd, lcm
from random import Random

from generator.domains.catalog import Catalog
from generator.errors import JobError
from generator.tools import Tool

_LONGEST_PERIOD = 100_000


@dataclass(frozen=True, slots=True)
class Schedule:
    """The kind of every index: a period that repeats."""

    period: tuple[str, ...]
    ranks: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """How many of its kind come before each place of the period."""

    def __post_init__(self) -> None:
        """Count the kinds once, place by place."""
        seen: Counter[str] = Counter()
        ranks = []
        for kind in self.period:
            ranks.append(seen[kind])
            seen[kind] += 1
        object.__setattr__(self, "ranks", tuple(ranks))

    def rank_at(self, index: int) -> int:
        """Return how many records of its kind come before this index."""
        rounds, place = divmod(index, len(self.period))
        return rounds * self.period.count(self.period[place]) + self.ranks[place]

    def kind_at(self, index: int) -> str:
        """Return the kind of this index; it depends on the mix and the index alone."""
        return self.period[index % len(self.period)]

    def counts(self, count: int) -> Counter[str]:
        """Return how often each kind comes among the first `count` indices."""
        rounds, rest = divmod(count, len(self.period))
        whole = Counter({kind: rounds * times for kind, times in Counter(self.period).items()})
        return whole + Counter(self.period[:rest])


def schedule(mix: Mapping[str, float]) -> Schedule:
    """Lay the kinds of a mix out so that every prefix holds each within one record of its share.

    Tijdeman's solution of the chairman assignment problem: with K kinds of shares s, each prefix of n
    holds n*s of each kind with an error below 1 - 1/(2K - 2).

    Raises:
        JobError: no weight is above zero, or the weights need a period of over 100,000 records.
    """
    weights = _whole_weights({kind: weight for kind, weight in mix.items() if weight > 0})
    if len(weights) == 1:
        return Schedule(tuple(weights))
    total = sum(weights.values())
    slack = 2 * len(weights) - 2
    counts = dict.fromkeys(weights, 0)
    period = []
    for position in range(1, total + 1):
        kind = _next_kind(weights, counts, position, total, slack)
        counts[kind] += 1
        period.append(kind)
    return Schedule(tuple(period))


def _next_kind(weights: dict[str, int], counts: dict[str, int], position: int, total: int, slack: int) -> str:
    """Among the kinds that may come now, the one whose deadline is nearest (all figures scaled by total * slack)."""
    lag = {kind: (weight * position - counts[kind] * total) * slack for kind, weight in weights.items()}
    due = [kind for kind in weights if lag[kind] >= total]
    return min(due, key=lambda kind: Fraction(total * (slack - 1) - lag[kind], weights[kind]))


def _whole_weights(mix: Mapping[str, float]) -> dict[str, int]:
    if not mix:
        raise JobError("the mix has no kind with a weight above zero; give at least one, such as --mix simple=1")
    exact = {kind: Fraction(str(weight)) for kind, weight in mix.items()}
    scale = lcm(*(weight.denominator for weight in exact.values()))
    whole = {kind: int(weight * scale) for kind, weight in exact.items()}
    divisor = gcd(*whole.values())
    whole = {kind: weight // divisor for kind, weight in whole.items()}
    if sum(whole.values()) > _LONGEST_PERIOD:
        raise JobError(
            f"the weights of the mix are too fine: as whole numbers they sum to over {_LONGEST_PERIOD:,}; round them"
        )
    return whole


_POINTS_PER_DIGEST = 8
_DIGESTS_PER_KEY = 4
_SMALLEST_WINDOW = 16
_PROPOSALS = 64
_FURTHER_PROPOSALS = 32
"""Wishes of a tool's further claims: few, so that a new tool sets few others moving."""
_MOST_CLAIMS = 256


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


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _label(key: str, turn: int) -> str:
    return f"{key}\x1e{turn}" if turn else key


class Claims:
    """One index for every tool in each window of the run, and more, where there is room, for those with more to show.

    `admits(key, index, turn)` says whether the tool may lead a record there on its first claim of a window (turn 0)
    or a further one, `needs` how many records show all that a
    tool has to show (1 where it is silent). The window is the smallest power of two (at least 16) that holds twice
    as many indices as there are tools. A further claim never takes the place of a tool's first one.
    """

    def __init__(
        self,
        seed: int,
        keys: Sequence[str],
        admits: Callable[[str, int, int], bool],
        needs: Mapping[str, int] | None = None,
    ) -> None:
        self._seed = seed
        self._admits = admits
        self.window = _SMALLEST_WINDOW
        while self.window < 2 * len(keys):
            self.window *= 2
        self._needs = {key: min(max(1, (needs or {}).get(key, 1)), _MOST_CLAIMS) for key in keys}
        self._assignment = lru_cache(maxsize=8)(self._assign)

    def holder(self, index: int) -> tuple[str, int] | None:
        """Return the tool that claims this index, and which of its visits it is; None where none claims it.

        The first claim of a window, which always finds a place, goes to another of the tool's needs in each.
        """
        window, _ = divmod(index, self.window)
        claim = self._assignment(window).get(index)
        if claim is None:
            return None
        key, turn = claim
        need = self._needs[key]
        return key, window * need + (window + turn) % need

    def _assign(self, window: int) -> dict[int, tuple[str, int]]:
        held: dict[int, tuple[str, int]] = {}
        ranks: dict[tuple[int, tuple[str, int]], int] = {}
        waiting = [(key, turn) for key, need in self._needs.items() for turn in range(need)]
        waiting.sort(key=lambda claim: -claim[1])  # the first claims, which no other displaces, are placed first
        proposals = {claim: self._proposals(claim, window) for claim in waiting}
        while waiting:
            claim = waiting.pop()
            for index in proposals[claim]:
                rival = held.get(index)
                if rival is None or self._goes_first(index, claim, rival, ranks):
                    held[index] = claim
                    if rival is not None:
                        waiting.append(rival)
                    break
        return held

    def _goes_first(
        self, index: int, claim: tuple[str, int], rival: tuple[str, int], ranks: dict[tuple[int, tuple[str, int]], int]
    ) -> bool:
        """Say whether a claim takes an index from a rival: a tool's first claim from any other, else by their ranks."""
        if bool(claim[1]) != bool(rival[1]):
            return not claim[1]
        for each in (claim, rival):
            if (index, each) not in ranks:
                ranks[index, each] = _number(f"{self._seed}\x1frank\x1f{index}\x1f{_label(*each)}")
        return ranks[index, claim] > ranks[index, rival]

    def _proposals(self, claim: tuple[str, int], window: int) -> Iterator[int]:
        """The indices a claim would like, best first; it never proposes one twice and may run out of wishes."""
        key, label = claim[0], _label(*claim)
        tried: set[int] = set()
        for wish in range(_FURTHER_PROPOSALS if claim[1] else _PROPOSALS):
            index = self._first_wish(label, window) if wish == 0 else self._later_wish(label, window, wish)
            if index not in tried and self._admits(key, index, claim[1]):
                tried.add(index)
                yield index

    def _first_wish(self, key: str, window: int) -> int:
        """Halve the window until it is of the smallest size: a window twice as large keeps half of the wishes."""
        size, start = self.window, window * self.window
        while size > _SMALLEST_WINDOW:
            size //= 2
            if _number(f"{self._seed}\x1fhalf\x1f{key}\x1f{size}\x1f{start}") & 1:
                start += size
        return start + _number(f"{self._seed}\x1fwish\x1f{key}\x1f{start}") % size

    def _later_wish(self, key: str, window: int, wish: int) -> int:
        return window * self.window + _number(f"{self._seed}\x1fwish\x1f{key}\x1f{window}\x1f{wish}") % self.window


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
