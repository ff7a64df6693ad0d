"""Lines of several records are unfolded, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats.unfolding import unfolding_of
from tests.record_examples import simple
from tests.test_formats_others import ANYTHING, KEYS

Json = Any  # parsed JSON

CONTAINERS = st.sampled_from(
    ["Instances", "Instructions", "Golden_Answers", "rows", "row", "data", "simulations", "api"]
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(KEYS | CONTAINERS, ANYTHING, max_size=5) | ANYTHING)
def test_anything_is_unfolded_without_a_fall(document: Json) -> None:
    unfold = unfolding_of(document)
    if unfold is not None:
        assert all(isinstance(record, dict) for record in unfold(document))


@pytest.mark.parametrize(
    "document", [simple(), {}, {"data": []}, {"data": [1]}, {"rows": []}, {"rows": [{"row": 1}]}, []]
)
def test_what_holds_no_records_is_left_alone(document: Json) -> None:
    assert unfolding_of(document) is None


def test_what_a_file_says_of_all_its_records_is_said_of_each() -> None:
    record = {"messages": [{"role": "user", "content": "Hi."}]}
    document = {"version": 1, "info": {"large": True}, "tools": [], "data": [record, record]}
    unfold = unfolding_of(document)
    assert unfold is not None
    assert unfold(document) == [{"version": 1, "info": None, "tools": [], **record}] * 2


def test_two_columns_of_records_are_none_that_could_be_told() -> None:
    record = {"messages": [{"role": "user", "content": "Hi."}]}
    assert unfolding_of({"train": [record], "test": [record]}) is None
