"""A draw picks without repetition and within its budget."""

from __future__ import annotations

from random import Random

import pytest

from generator.errors import GaveUp
from generator.values.draw import Context, Draw


def test_picking_avoids_repetition_within_a_value() -> None:
    draw = Draw(Random(1), Context(), "en_US")
    assert len({draw.pick(tuple("abcdefgh"), "letters") for _ in range(4)}) >= 3


def test_budget_ends_in_giving_up() -> None:
    draw = Draw(Random(1), Context(), "en_US")
    with pytest.raises(GaveUp, match="nodes"):
        draw.spend(10**9)
