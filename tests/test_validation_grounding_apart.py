"""A short look that finds things told apart never passes over values that have changed places."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validation.grounding.answers.answer import Answer, answers
from generator.validation.grounding.answers.swapped_values import (
    _exchanged,
    _groups_of_things,
    are_apart,
    is_telling_number,
    place_of_number,
)
from generator.validation.view import RecordView
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON
NAMES = ("Casa Verde", "Miramar", "casa", "Æble", "105", "8")
NUMBERS = (105, 1480, 8, 22.5, 1480.0, 0.0005, 15.126, 10)
VALUES = st.one_of(st.sampled_from(NAMES), st.sampled_from(NUMBERS), st.sampled_from([None, True, ["Miramar"]]))
WRITTEN = st.sampled_from(["1,480", "105.00", "22.50", "15.13", "1e5", "and"])
SAID = st.one_of(st.sampled_from(NAMES), st.sampled_from(NUMBERS).map(str), WRITTEN)
THINGS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


def answered(told: str, *results: tuple[Json, Json]) -> Answer:
    """An answer after results, each with the arguments of its call."""
    ids = (FIRST, SECOND)
    document = {
        "messages": [
            {"role": "user", "content": "Look them up."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call(ids[at], "look", each) for at, (each, _) in enumerate(results)],
            },
            *[result(ids[at], "look", json.dumps(value)) for at, (_, value) in enumerate(results)],
            {"role": "assistant", "content": told},
        ],
        "tools": [],
        "metadata": {},
    }
    return answers(RecordView(document))[-1]


@pytest.mark.parametrize(
    ("told", "apart"),
    [
        ("Casa Verde is $1,480, Miramar is $1,560.", True),
        ("Miramar is $1,560.", True),
        ("- Miramar: 1560.00\n- Casa Verde: 1480.00", True),
        ("Casa Verde is $1,560, Miramar is $1,480.", False),
        ("$1,480 is what Miramar asks, $1,560 is asked by Casa Verde", False),
    ],
)
def test_things_told_side_by_side_are_apart(told: str, apart: bool) -> None:
    two = (({"hotel": "Casa Verde"}, {"price": 1480}), ({"hotel": "Miramar"}, {"price": 1560}))
    assert are_apart(answered(told, *two)) is apart
    listed = {"hotels": [{"name": "Casa Verde", "price": 1480}, {"name": "Miramar", "price": 1560}]}
    assert are_apart(answered(told, ({}, listed))) is apart


@given(
    given=st.lists(THINGS, min_size=2, max_size=2),
    brought=st.lists(THINGS, min_size=2, max_size=2),
    rows=st.lists(THINGS, max_size=3),
    said=st.lists(SAID, max_size=8),
    joint=st.sampled_from([" ", ", ", "\n", "-"]),
)  # fmt: skip
def test_what_is_apart_has_nothing_exchanged(
    given: list[Json], brought: list[Json], rows: list[Json], said: list[str], joint: str
) -> None:
    first, second = zip(given, ({**brought[0], "rows": rows}, brought[1]), strict=True)
    answer = answered(joint.join(said) or "none", first, second)
    if are_apart(answer):
        assert [list(_exchanged(things, answer.folded)) for things in _groups_of_things(answer) if things] == [
            [] for things in _groups_of_things(answer) if things
        ]


@pytest.mark.parametrize(
    ("value", "text", "place"),
    [
        (105, "it is $105 now", (7, 10)),
        (105, "it is 1,105", None),
        (1480, "1,480 or 1480", None),
        (1480, "for 1,480.00", (4, 12)),
        (22.5, "22.50 each", (0, 5)),
        (105, "105 and 105", None),
    ],
)
def test_a_number_has_one_place(value: float, text: str, place: tuple[int, int] | None) -> None:
    assert place_of_number(value, text) == place


def test_small_whole_numbers_tell_nothing_apart() -> None:
    assert [is_telling_number(value) for value in (8, 10, 0.5, -3, -3.5, 1e13)] == [
        False,
        True,
        True,
        False,
        True,
        False,
    ]
