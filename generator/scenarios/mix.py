"""The mix: which kind each index gets, exact within one record over any prefix of the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
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
