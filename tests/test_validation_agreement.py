"""jsonschema and jsonschema_rs give one verdict, but for the table of differences; there both must accept."""

from __future__ import annotations

import pytest

from generator.schemas.validators import DISAGREEMENTS, validator_for
from tests.benchmarks.compare_validators import compare, python_verdict, why
from tests.schema_pairs import CONSTRUCTS, pairs, schemas

PAIRS = 1500
STEP = 5


def test_every_difference_is_in_the_table() -> None:
    verdicts, explained, unexplained = compare(PAIRS, STEP)
    assert unexplained == []
    assert sum(verdicts.values()) == PAIRS
    assert min(verdicts["both accept"], verdicts["both refuse"]) > PAIRS / 4
    assert sum(explained.values()) < PAIRS / 100


def test_what_jsonschema_refuses_is_never_accepted() -> None:
    accepted = [(schema, value) for schema, value in pairs(PAIRS, STEP) if validator_for(schema).is_valid(value)]
    assert [pair for pair in accepted if python_verdict(*pair) is False] == []


@pytest.mark.parametrize("keyword", DISAGREEMENTS)
def test_every_entry_of_the_table_is_among_the_constructs(keyword: str) -> None:
    assert any(keyword in why(schema).split(", ") for schema in CONSTRUCTS)


def test_every_construct_is_a_schema() -> None:
    assert [schema for schema in CONSTRUCTS if schema not in schemas()] == []


@pytest.mark.slow
def test_ten_thousand_pairs_over_every_schema_agree() -> None:
    assert compare(10_000)[2] == []
