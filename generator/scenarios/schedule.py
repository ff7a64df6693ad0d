"""The schedule of a job: which kind each index gets, and which tool claims it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from math import gcd, lcm

from generator.errors import JobError

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


_SMALLEST_WINDOW = 16
_PROPOSALS = 64
_FURTHER_PROPOSALS = 32
"""Wishes of a tool's further claims: few, so that a new tool sets few others moving."""
_MOST_CLAIMS = 256


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
