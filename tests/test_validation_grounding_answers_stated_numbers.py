"""The numbers that an answer tells: with their units and currencies, and without dates, times and ids."""

from __future__ import annotations

import pytest

from generator.validation.grounding.answers.stated_numbers import stated_numbers
from tests.tables import each_row


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("it costs $1,105.50 now", [(9, 18, 1105.5, ("USD",), "")]),
        ("us$5 or 5 usd", [(0, 4, 5.0, ("USD",), ""), (8, 13, 5.0, ("USD",), "")]),
        ("3.2 km and 20 tables", [(0, 6, 3.2, (), "km"), (11, 13, 20.0, (), "")]),
        ("5 - january", [(0, 1, 5.0, (), "")]),
        ("4 and 5.", [(0, 1, 4.0, (), ""), (6, 7, 5.0, (), "")]),
    ],
)
def test_numbers_are_told_with_their_units(text: str, told: list[tuple[int, int, float, tuple[str, ...], str]]) -> None:
    found = stated_numbers(text, "en")
    assert [(each.start, each.end, each.value, each.unit) for each in found] == [
        (start, end, value, unit) for start, end, value, _, unit in told
    ]
    assert [set(codes) <= set(each.currencies) for each, (*_, codes, _) in zip(found, told, strict=True)] == [
        True for _ in told
    ]


@each_row(
    "text",
    ["january 16", "16 jan", "7 pm", "at 8:30", "2026-01-16", "a-9", "v2.1", "x_5", "1/2", "#5", "1.2.3", "16 of march",
     "፩,2", "1234567890123456"],
)  # fmt: skip
def test_dates_times_and_ids_are_no_numbers(text: str) -> None:
    assert stated_numbers(text, "en") == []


def test_both_numbers_of_a_length_are_parts() -> None:
    assert [each.is_part for each in stated_numbers("2 hours and 5 minutes, and later on 7 hours", "en")] == [
        True,
        True,
        False,
    ]
