"""The README's table of the formats of records is what the formats say of themselves."""

from __future__ import annotations

from generator.formats import FORMATS
from tests.checkout import CHECKOUT
from tests.format_table import PARTS, record_table


def test_the_table_is_made_from_the_loss_tables() -> None:
    assert record_table() in (CHECKOUT / "README.md").read_text(encoding="utf-8"), "python -m tests.format_table"


def test_every_loss_takes_something_away_that_the_table_names() -> None:
    named = {name for losses in PARTS.values() for name in losses}
    assert {loss.name for known in FORMATS.values() for loss in known.losses} == named | {"empty texts"}
