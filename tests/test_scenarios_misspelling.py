"""Slips of the pen are slips: near the name, never the name, and only in names."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.scenarios.misspelling import misspelled


@given(st.sampled_from(["Casablanca", "New Orleans", "Market Square", "Zoë Müller", "polar bear"]), st.integers(0, 999))
def test_a_slip_changes_one_letter_of_one_word(name: str, seed: int) -> None:
    slip = misspelled(name, Random(seed))
    assert slip is not None and slip != name
    changed = [(a, b) for a, b in zip(name.split(" "), slip.split(" "), strict=True) if a != b]
    assert len(changed) == 1
    before, after = changed[0]
    assert before[0] == after[0] and before[-1] == after[-1]
    assert abs(len(before) - len(after)) <= 1
    assert set(before) >= set(after)


@pytest.mark.parametrize("value", ["W-1234", "LH902", "Oslo", "", "a b c d e f", "USA", "AAPL", 5, None,
                                   ["Rome"], "2026-01-15"])  # fmt: skip
def test_what_is_no_name_has_no_slip(value: object) -> None:
    assert misspelled(value, Random(1)) is None
