"""The generated parts of the pages are what the program says of itself."""

from __future__ import annotations

from generator.formats import FORMATS
from tests.readme_tables import GENERATED, PARTS, lines
from tests.readmes import generated, marks, pages
from tests.tables import each_row


@each_row(("page", "name"), list(GENERATED))
def test_a_generated_part_is_what_the_program_says_of_itself(page: str, name: str) -> None:
    assert generated(page, name) == lines(GENERATED[page, name]), "write it anew: python -m tests.readme_tables"


def test_every_mark_is_of_a_part_that_is_generated() -> None:
    assert sorted((page, name) for page in pages() for name in marks(page)) == sorted(GENERATED)


def test_every_loss_takes_something_away_that_the_table_names() -> None:
    losses = {loss for known in FORMATS.values() for loss in known.losses}
    assert {part for loss in losses for part in loss.takes} < set(PARTS)
    assert {loss.name for loss in losses if not loss.takes} == {"empty texts"}
