"""The ring that tools are drawn from, and the words of their names."""

from __future__ import annotations

from random import Random

import pytest

from generator.scenarios.catalog_index import Ring, name_words


def _keys(count: int) -> list[str]:
    return [f"tool_{number}" for number in range(count)]


def test_the_ring_draws_distinct_keys_and_leaves_out_what_it_must() -> None:
    ring = Ring(_keys(6))
    for seed in range(200):
        drawn = ring.pick(Random(seed), 4, without={"tool_0"})
        assert len(set(drawn)) == 4
        assert "tool_0" not in drawn


def test_the_ring_gives_what_there_is_when_asked_for_more() -> None:
    assert sorted(Ring(_keys(3)).pick(Random(1), 10)) == _keys(3)


def test_an_empty_ring_gives_nothing() -> None:
    assert Ring([]).pick(Random(1), 2) == ()


@pytest.mark.parametrize("count", [5, 30, 200])
def test_a_new_key_takes_only_its_own_share_of_the_ring(count: int) -> None:
    before, after = Ring(_keys(count)), Ring([*_keys(count), "new"])
    pairs = [(before.pick(Random(seed)), after.pick(Random(seed))) for seed in range(3000)]
    changed = [new for old, new in pairs if old != new]
    assert set(changed) <= {("new",)}
    assert len(changed) / 3000 < 2.5 / (count + 1)


def test_names_are_split_into_words() -> None:
    assert name_words("getUser_by-id2") == ("get", "user", "by", "id2")
