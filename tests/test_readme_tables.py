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
    named = {name for losses in PARTS.values() for name in losses}
    assert {loss.name for known in FORMATS.values() for loss in known.losses} == named | {"empty texts"}
