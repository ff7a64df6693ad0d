"""How sure a figure is: intervals of shares and means over records, and of differences between two models.

The turns of one record are not independent: whoever misreads a request is wrong in each of its turns. So records are
what is counted as drawn, and turns within one as they come. The variance of a share is that of a ratio over records
(linearized), and its interval is Wilson's with as many independent observations as that variance is worth. A bootstrap
over records would say the same in the middle, but where a model is always right it draws nothing but right ones and
says that chance leaves nothing open; Wilson's interval does not, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, sqrt, tan
from typing import NamedTuple

_LEVEL_TAIL = 0.475
"""Of 1: what lies between the middle and the upper end of an interval of 95 %."""
_NORMAL = 1.959963984540054
_PI = 3.141592653589793
_TWO_FREEDOMS = 4.302652729911275
_EXACT_SIGNS = 1000
"""Records up to which the sign test is exact; beyond them the normal curve is."""


class Estimate(NamedTuple):
    """A share or a mean between 0 and 1, and the ends of its interval of 95 %."""

    value: float
    low: float
    high: float


class Cluster(NamedTuple):
    """What one record adds: the sum of its turns' values, and how many turns."""

    total: float
    turns: int


def estimate(clusters: Sequence[Cluster]) -> Estimate | None:
    """Return the mean of the turns of some records, each turn's value between 0 and 1; None without any turn."""
    turns = sum(cluster.turns for cluster in clusters)
    if not turns:
        return None
    records = sum(1 for cluster in clusters if cluster.turns)
    mean = min(1.0, max(0.0, sum(cluster.total for cluster in clusters) / turns))
    variance = _variance(clusters, mean, turns, records)
    spread = mean * (1 - mean)
    if variance <= 0 or spread <= 0:  # all records are alike: each counts once, whatever the number of its turns
        return _wilson(mean, float(records), _NORMAL)
    return _wilson(mean, max(1.0, spread / variance), _quantile(records))


def _variance(clusters: Iterable[Cluster], mean: float, turns: float, records: int) -> float:
    """Return the variance of a mean over records of different sizes."""
    if records < 2:
        return 0.0
    squares = sum((cluster.total - mean * cluster.turns) ** 2 for cluster in clusters)
    return squares / turns**2 * records / (records - 1)


def _wilson(mean: float, worth: float, quantile: float) -> Estimate:
    square = quantile**2
    middle = (mean + square / (2 * worth)) / (1 + square / worth)
    half = quantile / (1 + square / worth) * sqrt(mean * (1 - mean) / worth + square / (4 * worth**2))
    return Estimate(mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half)))


def _quantile(records: int) -> float:
    """Return how many standard errors an interval reaches: of Student's t with so many records, less one, freedoms.

    Exact for one and two freedoms, else by the expansion of Cornish and Fisher, which is right to 0.5 % from three on.
    """
    freedoms = max(1, records - 1)
    if freedoms == 1:
        return tan(_PI * _LEVEL_TAIL)
    if freedoms == 2:
        return _TWO_FREEDOMS
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedoms + second / freedoms**2 + third / freedoms**3


class Difference(NamedTuple):
    """How much higher the second of two models stands on the same turns, with an interval of 95 %."""

    value: float
    low: float
    high: float
    better: int
    """Turns in which the second is higher."""
    worse: int
    ties: int
    chance: float
    """How likely such an uneven split of the records that are not ties is where neither model is better."""


class Pair(NamedTuple):
    """The values of two models in one turn of a record."""

    record: int
    before: float
    after: float


_PSEUDO = (0.5, -0.5, 0.0)
"""What is added to the sums: half a turn that got better and half a turn that got worse, beside one that is the same.

Agresti and Min's: without them a difference that is the same in every turn would leave nothing open."""
_PSEUDO_TURNS = 2.0


def difference(pairs: Iterable[Pair]) -> Difference | None:
    """Return the difference of two models over the turns that both answered; None without any."""
    sums: dict[int, list[float]] = {}
    better = worse = ties = 0
    for pair in pairs:
        step = pair.after - pair.before
        better, worse, ties = better + (step > 0), worse + (step < 0), ties + (step == 0)
        held = sums.setdefault(pair.record, [0.0, 0.0])
        held[0] += step
        held[1] += 1
    turns = better + worse + ties
    if not turns:
        return None
    value = sum(total for total, _ in sums.values()) / turns
    low, high = _ends(list(sums.values()), turns)
    ups = sum(1 for total, _ in sums.values() if total > 0)
    downs = sum(1 for total, _ in sums.values() if total < 0)
    return Difference(value, max(-1.0, min(value, low)), min(1.0, max(value, high)), better, worse, ties,
                      signs(ups, downs))  # fmt: skip


def _ends(sums: Sequence[Sequence[float]], turns: int) -> tuple[float, float]:
    """Return the ends of the interval of a difference."""
    every = turns + _PSEUDO_TURNS
    middle = sum(total for total, _ in sums) / every
    squares = sum((total - middle * count) ** 2 for total, count in sums)
    squares += sum((abs(each) * ((1 if each > 0 else -1) - middle) ** 2) for each in _PSEUDO) + middle**2
    records = len(sums)
    half = _quantile(records + 1) * sqrt(squares * (records + 1) / records) / every
    return middle - half, middle + half


def signs(ups: int, downs: int) -> float:
    """Return the two-sided chance of such an uneven split of fair coins (the sign test, over records)."""
    count = ups + downs
    if not count:
        return 1.0
    fewer = min(ups, downs)
    if count <= _EXACT_SIGNS:
        return min(1.0, 2 * sum(comb(count, each) for each in range(fewer + 1)) / 2.0**count)
    from statistics import NormalDist

    return min(1.0, 2 * NormalDist().cdf((fewer + 0.5 - count / 2) / sqrt(count / 4)))
