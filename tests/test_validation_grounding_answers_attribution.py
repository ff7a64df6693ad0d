"""Short looks at numbers and names: they agree with looking at each value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generator.validation.grounding.answers.attribution import holders_of, is_plainly_attributed
from generator.validation.grounding.answers.stated_numbers import StatedNumber, stated_numbers

NUMBERS = st.one_of(st.integers(-300, 300), st.floats(-300, 300).map(lambda each: round(each, 2)))
TOLD = st.builds(
    lambda value, near: StatedNumber(0, 1, value, near, (), ""),
    st.floats(0, 300).map(lambda each: round(each, 1)),
    st.sampled_from([0.5000001, 0.05000001, 0.005000001]),
)


def stands_for(value: float, told: StatedNumber) -> bool:
    return abs(abs(value) - told.value) <= told.near or abs(100 * abs(value) - told.value) <= told.near


@given(st.lists(st.lists(NUMBERS, max_size=3), max_size=4), TOLD)
def test_the_holders_of_a_number_are_those_with_it(things: list[list[float]], told: StatedNumber) -> None:
    sizes = sorted((size, at) for at, each in enumerate(things) for value in each
                   for size in (abs(value), 100 * abs(value)))  # fmt: skip
    held = {at for at, each in enumerate(things) if any(stands_for(value, told) for value in each)}
    assert set(holders_of(sizes, told)) == held


@given(
    st.lists(st.lists(NUMBERS, min_size=1, max_size=3), min_size=2, max_size=4), st.lists(TOLD, min_size=1, max_size=3)
)
def test_numbers_of_nobody_are_plain(things: list[list[float]], told: list[StatedNumber]) -> None:
    group = [{str(at): value for at, value in enumerate(each)} for each in things]
    others = [value for each in things for value in each]
    nobodys = not any(
        each.value in others
        or any(
            abs(abs(value) - each.value) <= each.near or abs(100 * value - each.value) <= each.near for value in others
        )
        for each in told
    )
    assert is_plainly_attributed(group, "no name", told) is nobodys


def test_numbers_stand_behind_the_names_of_their_things() -> None:
    group = [{"name": "Casa Verde", "price": 148, "nights": 3}, {"name": "Miramar", "price": 156, "nights": 4}]
    for text, plain in (
        ("casa verde is 148, miramar is 156", True),
        ("casa verde is 156, miramar is 148", False),
        ("148 for casa verde", False),
    ):
        assert is_plainly_attributed(group, text, stated_numbers(text, "en")) is plain
