"""The mix is exact within one record over any prefix."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import JobError
from generator.kinds import DEFAULT_MIX
from generator.scenarios.schedule import Claims, schedule
from tests.tables import each_row

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


@each_row("mix", [{"simple": 1}, {"simple": 3, "parallel": 1}, DEFAULT_MIX])
@each_row("count", [0, 1, 7, 100, 1234])
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


def _keys(count: int) -> list[str]:
    return [f"tool_{number}" for number in range(count)]


def _everywhere(key: str, index: int, turn: int) -> bool:
    return True


@pytest.mark.parametrize("count", [1, 7, 8, 40, 333])
def test_every_tool_claims_exactly_one_index_of_each_window(count: int) -> None:
    claims = Claims(7, _keys(count), _everywhere)
    assert claims.window >= 2 * count
    for window in range(3):
        span = range(window * claims.window, (window + 1) * claims.window)
        holders = [held for index in span if (held := claims.holder(index))]
        assert Counter(key for key, _ in holders) == Counter(_keys(count))
        assert {visit for _, visit in holders} == {window}


def test_a_tool_that_has_more_to_show_claims_more_where_there_is_room() -> None:
    needs = {key: 6 if number % 10 == 0 else 1 for number, key in enumerate(_keys(100))}
    claims = Claims(7, _keys(100), _everywhere, needs)
    for window in range(2):
        held = [claims.holder(index) for index in range(window * claims.window, (window + 1) * claims.window)]
        visits: dict[str, set[int]] = {key: set() for key in needs}
        for key, visit in filter(None, held):
            assert visit not in visits[key]
            visits[key].add(visit)
        for key, need in needs.items():
            assert window * need + window % need in visits[key]
            assert visits[key] <= set(range(window * need, (window + 1) * need))
        assert sum(map(len, visits.values())) > 0.95 * sum(needs.values())


def test_what_wants_too_much_leaves_every_tool_its_turn() -> None:
    claims = Claims(7, _keys(20), _everywhere, dict.fromkeys(_keys(20), 10**9))
    held = [held for index in range(claims.window) if (held := claims.holder(index))]
    assert {key for key, visit in held if visit == 0} == set(_keys(20))


def test_claims_lie_where_the_tool_is_admitted() -> None:
    claims = Claims(7, _keys(10), lambda key, index, turn: index % 3 == 0)
    held = [index for index in range(4 * claims.window) if claims.holder(index)]
    assert held
    assert all(index % 3 == 0 for index in held)


def test_nothing_is_claimed_where_no_tool_is_admitted() -> None:
    claims = Claims(7, _keys(10), lambda key, index, turn: False)
    assert [claims.holder(index) for index in range(100)] == [None] * 100


def test_claims_do_not_depend_on_the_order_of_the_tools() -> None:
    forward, backward = Claims(7, _keys(50), _everywhere), Claims(7, _keys(50)[::-1], _everywhere)
    assert [forward.holder(index) for index in range(500)] == [backward.holder(index) for index in range(500)]


@pytest.mark.parametrize(("count", "most"), [(20, 0.20), (100, 0.05), (333, 0.02)])
def test_a_new_tool_displaces_few_claims(count: int, most: float) -> None:
    before, after = Claims(7, _keys(count), _everywhere), Claims(7, [*_keys(count), "new"], _everywhere)
    assert before.window == after.window
    span = 4 * before.window
    changed = sum(before.holder(index) != after.holder(index) for index in range(span))
    assert changed / span < most


def test_even_a_window_that_doubles_keeps_most_claims() -> None:
    before, after = Claims(7, _keys(64), _everywhere), Claims(7, _keys(65), _everywhere)
    assert after.window == 2 * before.window
    span = 4 * after.window
    kept = sum((a and a[0]) == (b and b[0]) for a, b in ((before.holder(i), after.holder(i)) for i in range(span)))
    assert kept / span > 0.55
