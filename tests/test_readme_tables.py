"""The README's tables of formats and protocols are what these say of themselves."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.formats import FORMATS
from tests.readme_tables import PARTS, README, protocol_table, record_table


@pytest.mark.parametrize("table", [record_table, protocol_table])
def test_the_readme_says_what_formats_and_protocols_say_of_themselves(table: Callable[[], str]) -> None:
    assert f"\n\n{table()}\n\n" in README.read_text(encoding="utf-8"), "python -m tests.readme_tables"


def test_every_loss_takes_something_away_that_the_table_names() -> None:
    losses = {loss for known in FORMATS.values() for loss in known.losses}
    assert {part for loss in losses for part in loss.takes} < set(PARTS)
    assert {loss.name for loss in losses if not loss.takes} == {"empty texts"}
