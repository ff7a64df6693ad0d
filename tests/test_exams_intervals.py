"""Intervals: they hold the truth as often as they say, for records whose turns go together, and are never too sure."""

from __future__ import annotations

import pytest

from generator.exams.intervals import Cluster, Pair, difference, estimate, signs
from generator.random_streams import stream


@pytest.mark.parametrize(("share", "together"), [(0.9, 0.0), (0.9, 0.8), (0.5, 0.5), (0.97, 0.5)])
def test_of_a_hundred_intervals_more_than_ninety_hold_the_truth(share: float, together: float) -> None:
    random = stream(1, "coverage", str(share), str(together))
    held = 0
    for _ in range(600):
        clusters = []
        for _ in range(60):
            turns, common = random.randint(1, 5), random.random() < share
            hits = sum(common if random.random() < together else random.random() < share for _ in range(turns))
            clusters.append(Cluster(hits, turns))
        found = estimate(clusters)
        assert found is not None
        held += found.low <= share <= found.high
    assert held >= 0.91 * 600


def test_turns_that_go_together_are_worth_fewer() -> None:
    apart = estimate([Cluster(number % 10 > 0, 1) for number in range(200)])
    together = estimate([Cluster(10.0 * (number % 10 > 0), 10) for number in range(20)])
    assert apart is not None and together is not None
    assert apart.value == together.value == 0.9
    assert together.low < apart.low


def test_whoever_is_always_right_is_not_certain() -> None:
    found = estimate([Cluster(3, 3)] * 20)
    assert found is not None
    assert (found.value, found.high) == (1, 1)
    assert 0.8 < found.low < 0.9
    assert estimate([]) is None


def test_a_difference_is_told_where_there_is_one() -> None:
    better = difference(Pair(number, 0, number % 3 > 0) for number in range(60))
    assert better is not None
    assert (better.better, better.worse, better.ties) == (40, 0, 20)
    assert better.low > 0.4 and better.chance < 1e-9
    mixed = difference(Pair(number, number % 2, 1 - number % 2) for number in range(60))
    assert mixed is not None
    assert mixed.value == 0 and mixed.low < 0 < mixed.high and mixed.chance == 1
    tied = difference(Pair(number, 1, 1) for number in range(60))
    assert tied is not None
    assert (tied.ties, tied.value, tied.chance) == (60, 0, 1)
    assert tied.low < 0 < tied.high


def test_the_sign_test() -> None:
    assert signs(0, 0) == 1
    assert signs(0, 5) == 2 / 32
    assert signs(7, 7) == 1
    assert signs(600, 700) == pytest.approx(0.006, abs=0.001)
