"""What is true of one thing and told of another: found where things are told side by side, and nowhere else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validation import check
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
from tests.tables import each_row

Json = Any  # parsed JSON
IDS = (FIRST, SECOND)


def mixed(told: str, *results: tuple[Json, Json]) -> list[str]:
    """What is said to be given to another thing; each result is given with the arguments of its call."""
    made = [call(IDS[at], "look", arguments) for at, (arguments, _) in enumerate(results)]
    answers = [result(IDS[at], "look", json.dumps(value)) for at, (_, value) in enumerate(results)]
    document = {
        "messages": [
            {"role": "user", "content": "Look them up."},
            {"role": "assistant", "content": "", "tool_calls": made},
            *answers,
            {"role": "assistant", "content": told},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "description": "Look.", "parameters": {}}}],
        "metadata": {},
    }
    return [each.message.split("'")[1] if "'" in each.message else each.message for each in check(document)
            if each.rule == "TC208"]  # fmt: skip


TWO = (({"hotel": "Casa Verde"}, {"price": 1480, "nights": 8}), ({"hotel": "Miramar"}, {"price": 1560, "nights": 10}))
ROWS = ({}, {"flights": [{"number": "DL933", "price": 427, "stops": 0}, {"number": "DL484", "price": 419, "stops": 0}]})


@pytest.mark.parametrize(
    ("told", "results"),
    [
        ("Casa Verde is $1,560, Miramar is $1,480.", TWO),
        ("Casa Verde: $1,560.00 on March 14; Miramar: $1,480.00 on March 15.", TWO),
        ("Casa Verde 要1560美元；Miramar 要1480美元。", TWO),
        ("1,560 for Casa Verde and 1,480 for Miramar", TWO),
        ("- DL933 for $419\n- DL484 for $427", (ROWS,)),
        ("DL933 cuesta 419 USD y DL484 cuesta 427 USD.", (ROWS,)),
    ],
)
def test_what_is_told_of_another_thing_is_found(told: str, results: tuple[tuple[Json, Json], ...]) -> None:
    assert mixed(told, *results) != []


@each_row(
    ("told", "results"),
    [
        ("Casa Verde is $1,480, Miramar is $1,560.", TWO),
        ("Miramar is $1,560, Casa Verde is $1,480.", TWO),
        ("Casa Verde and Miramar are $1,480 and $1,560.", TWO),
        ("They are $1,560 and $1,480: Casa Verde and Miramar.", TWO),
        ("Casa Verde (Miramar is $1,560) is $1,480.", TWO),
        ("On March 14 it is $1,560 at Miramar, and Casa Verde is $1,480.", TWO),
        ("Casa Verde is $1,480. Miramar is dearer than Casa Verde, at $1,560.", TWO),
        ("The dearer one is $1,560, Casa Verde is $1,480, and Miramar was the first.", TWO[:1]),
        ("- DL933 for $427\n- DL484 for $419", (ROWS,)),
        ("The cheapest is DL484; DL933 is the first. They are $419 and $427.", (ROWS,)),
        ("Nothing.", TWO),
    ],
)
def test_what_is_told_of_its_own_thing_or_in_lists_is_not(told: str, results: tuple[tuple[Json, Json], ...]) -> None:
    assert mixed(told, *results) == []


def test_a_failed_call_and_what_two_things_share_prove_nothing() -> None:
    error = {"error": {"type": "NOT_FOUND", "message": "No Miramar at 1480."}}
    assert mixed("Casa Verde 1560, Miramar 1480", TWO[0], ({"hotel": "Miramar"}, error)) == []
    same = (({"hotel": "Casa Verde"}, {"price": 1480}), ({"hotel": "Miramar"}, {"price": 1480}))
    assert mixed("Miramar is 1480 and so is Casa Verde", *same) == []


FIGURES = st.lists(st.integers(10, 99_999), min_size=2, max_size=2, unique=True)


@given(FIGURES, st.sampled_from(["{} {}; {} {}", "{1} {0}, {3} {2}", "{} is {}. {} is {}."]))
def test_figures_beside_their_names_are_never_refused_and_found_when_exchanged(figures: list[int], form: str) -> None:
    one, two = figures
    results = (({"hotel": "Casa Verde"}, {"price": one}), ({"hotel": "Miramar"}, {"price": two}))
    assert mixed(form.format("Casa Verde", one, "Miramar", two), *results) == []
    assert mixed(form.format("Casa Verde", two, "Miramar", one), *results) != []


@pytest.mark.parametrize("count", [2, 12, 500])
def test_long_lists_are_read_in_bounded_work(count: int) -> None:
    rows = [{"name": f"number {at}", "price": 1000 + at} for at in range(count)]
    told = "; ".join(f"{row['name']} is {row['price']}" for row in rows)
    assert mixed(told, ({}, {"rows": rows})) == []
    assert mixed(told * 40, ({}, {"rows": rows})) == []


ApartJson = Any  # parsed JSON
NAMES = ("Casa Verde", "Miramar", "casa", "Æble", "105", "8")
NUMBERS = (105, 1480, 8, 22.5, 1480.0, 0.0005, 15.126, 10)
VALUES = st.one_of(st.sampled_from(NAMES), st.sampled_from(NUMBERS), st.sampled_from([None, True, ["Miramar"]]))
WRITTEN = st.sampled_from(["1,480", "105.00", "22.50", "15.13", "1e5", "and"])
SAID = st.one_of(st.sampled_from(NAMES), st.sampled_from(NUMBERS).map(str), WRITTEN)
THINGS = st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)


def answered(told: str, *results: tuple[ApartJson, ApartJson]) -> Answer:
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
    given: list[ApartJson], brought: list[ApartJson], rows: list[ApartJson], said: list[str], joint: str
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
