"""Walking: each choice has its turn, whatever came before."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.scenarios.walking import Led, place_of
from tests.plays import library_play


@given(st.integers(2, 40), st.integers(0, 15), st.floats(0, 1, exclude_max=True), st.integers(0, 10_000))
def test_each_of_some_values_has_its_turn_soon(count: int, number: int, start: float, first: int) -> None:
    """Whichever stretch of the visits falls to a way, and wherever the walk began."""
    met = {int(count * place_of(visit, number, start)) for visit in range(first, first + 20 * count)}
    assert met == set(range(count))


def test_a_walk_meets_all_values_sooner_than_chance() -> None:
    def visits(places: list[float], count: int) -> int:
        return next(many for many in range(1, len(places)) if len({int(count * p) for p in places[:many]}) == count)

    walked = sum(visits([place_of(visit, number, 0.3) for visit in range(600)], 20) for number in range(8))
    chances = [Random(seed) for seed in range(8)]
    drawn = sum(visits([chance.random() for _ in range(600)], 20) for chance in chances)
    assert walked < 0.75 * drawn


def test_two_draws_never_go_in_step() -> None:
    pairs = {(int(5 * place_of(visit, 0, 0.1)), int(5 * place_of(visit, 1, 0.7))) for visit in range(120)}
    assert len(pairs) == 25


def test_a_led_stream_gives_the_number_once_and_then_those_of_the_other() -> None:
    led, plain = Led(0.25, Random(3)), Random(3)
    assert led.random() == 0.25
    assert [led.random(), led.randint(0, 99), led.choice("abc")] == [
        plain.random(),
        plain.randint(0, 99),
        plain.choice("abc"),
    ]


@pytest.mark.parametrize(("attempt", "same"), [(0, True), (1, False)])
def test_a_first_attempt_follows_the_walk_and_a_later_one_does_not(attempt: int, same: bool) -> None:
    drawn = []
    for seed in range(12):
        play = library_play("renew_loan", seed=seed, visit=4)
        play.attempt = attempt
        drawn.append(play.draw(play.way()).names["n"])
    assert (len(set(drawn)) == 1) is same
