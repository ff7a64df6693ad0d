"""The mix is exact within one record over any prefix."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import JobError
from generator.kinds import DEFAULT_MIX
from generator.scenarios.mix import schedule

NAMES = ["simple", "multiple", "parallel", "parallel_multiple", "irrelevance"]


@given(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 60), min_size=1), st.integers(1, 700))
def test_every_prefix_is_within_one_record_of_its_share(mix: dict[str, float], length: int) -> None:
    plan = schedule(mix)
    total = sum(mix.values())
    counts = dict.fromkeys(mix, 0)
    for index in range(length):
        counts[plan.kind_at(index)] += 1
        for kind, weight in mix.items():
            assert abs(counts[kind] - Fraction(weight * (index + 1)) / Fraction(total)) < 1


def test_fractions_count_like_whole_weights() -> None:
    assert schedule({"simple": 0.75, "parallel": 0.25}) == schedule({"simple": 3, "parallel": 1})


def test_a_kind_without_weight_is_not_planned() -> None:
    assert schedule({"simple": 1, "parallel": 0}).period == ("simple",)


def test_the_default_mix_is_in_percent() -> None:
    assert sum(DEFAULT_MIX.values()) == 100


@pytest.mark.parametrize("mix", [{}, {"simple": 0}, {"simple": 1, "parallel": 0.00000001}])
def test_a_mix_that_cannot_be_laid_out_is_refused(mix: dict[str, float]) -> None:
    with pytest.raises(JobError):
        schedule(mix)


@pytest.mark.parametrize("mix", [{"simple": 1}, {"simple": 3, "parallel": 1}, DEFAULT_MIX])
@pytest.mark.parametrize("count", [0, 1, 7, 100, 1234])
def test_counts_are_those_of_the_indices(mix: dict[str, float], count: int) -> None:
    plan = schedule(mix)
    assert plan.counts(count) == Counter(map(plan.kind_at, range(count)))


def test_counts_of_a_huge_run_cost_nothing() -> None:
    assert schedule({"simple": 3, "parallel": 1}).counts(10**9) == {"simple": 750_000_000, "parallel": 250_000_000}


@given(st.dictionaries(st.sampled_from(NAMES), st.integers(1, 60), min_size=1), st.integers(0, 400))
def test_the_rank_of_an_index_counts_the_records_of_its_kind_before_it(mix: dict[str, float], index: int) -> None:
    plan = schedule(mix)
    kind = plan.kind_at(index)
    assert plan.rank_at(index) == sum(plan.kind_at(before) == kind for before in range(index))
