"""Slots of texts are filled."""

from __future__ import annotations

import re
from random import Random

from generator.values.draw import Context, Draw
from generator.values.meanings.specials import fill


def test_slots_are_filled_and_unknown_ones_kept() -> None:
    text = fill("{person} pays {3-3} {a|a} in {city}, {unknown}", Draw(Random(1), Context(), "en_US"))
    assert re.fullmatch(r"\S+ \S+ pays 3 a in .+, \{unknown\}", text)
