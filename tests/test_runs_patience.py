"""How long a run goes on trying."""

from __future__ import annotations

import pytest

from generator.runs.patience import BARREN_LIMIT, Patience


@pytest.mark.parametrize(
    ("ends", "repeats"),
    [
        ([], 48),
        ([("simple", True)], 48),
        ([("simple", False)], 24),
        ([("simple", False), ("simple", False)], 12),
        ([("parallel", False)], 48),
        ([("simple", False), ("parallel", True)], 24),
        ([("simple", False), ("simple", True)], 48),
        ([("simple", False)] * 40, 1),
    ],
)
def test_misses_of_a_kind_halve_what_is_tried_at_its_next_index(ends: list[tuple[str, bool]], repeats: int) -> None:
    assert Patience.after(ends, 48).repeats("simple") == repeats


def test_patience_is_spent_after_misses_of_all_kinds_in_a_row() -> None:
    misses = [("simple", False), ("parallel", False)] * (BARREN_LIMIT // 2)
    assert Patience.after(misses, 48).spent
    assert not Patience.after(misses[1:], 48).spent
    assert not Patience.after([*misses[1:], ("simple", True), misses[0]], 48).spent
