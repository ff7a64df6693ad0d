"""Requests and tokens a minute: never more than allowed, whatever was estimated, and the server's own word heeded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.rates import Bucket, Rates


class Clock:
    """Time as the test wants it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@given(st.floats(1, 6000), st.lists(st.tuples(st.floats(0, 500), st.floats(0, 5)), max_size=80))
def test_no_stretch_of_time_holds_more_than_its_share_a_second_more_and_the_last_one(
    a_minute: float, requests: list[tuple[float, float]]
) -> None:
    clock = Clock()
    bucket = Bucket(a_minute, clock)
    taken: list[tuple[float, float]] = []
    for amount, pause in requests:
        clock.now += pause
        wait = bucket.wait(amount)
        clock.now += wait
        assert bucket.wait(amount) < 1e-6
        bucket.take(amount)
        taken.append((clock.now, amount))
    rate = a_minute / 60
    for first, (begin, _) in enumerate(taken):
        amount = 0.0
        for end, one in taken[first:]:
            assert amount <= (end - begin) * rate + max(1.0, rate) + 1e-3
            amount += one


def test_a_wait_is_as_long_as_it_has_to_be() -> None:
    clock = Clock()
    rates = Rates(rpm=60, clock=clock)
    assert rates.wait(0) == 0
    rates.take(0)
    assert rates.wait(0) == pytest.approx(1.0)
    clock.now += 0.25
    assert rates.wait(0) == pytest.approx(0.75)
    assert rates.told_wait(0) == 0


def test_tokens_are_estimated_by_what_was_used_and_put_right() -> None:
    clock = Clock()
    rates = Rates(tpm=60_000, clock=clock)
    first = rates.take(3000)
    assert (first.tokens, rates.wait(3000)) == (3000, pytest.approx(3.0))
    rates.settle(first, 500)
    assert rates.wait(3000) == 0, "500 are left of the second's worth, and the next is thought to take as much"
    second = rates.take(3000)
    assert second.tokens == 500
    rates.settle(second, 2500)
    assert rates.wait(3000) == pytest.approx((1000 + 2000) / 1000), "of 1500 as much as there is room for"
    assert rates.take(100).tokens == 100, "never more than it may take"


def test_what_failed_used_nothing_and_tells_nothing() -> None:
    rates = Rates(tpm=60_000, clock=Clock())
    rates.settle(rates.take(3000), 0)
    assert rates.wait(1000) == 0
    assert rates.take(3000).tokens == 3000


@given(st.lists(st.tuples(st.integers(1, 4000), st.floats(0, 1)), min_size=1, max_size=60))
def test_in_the_long_run_as_many_tokens_go_as_allowed(requests: list[tuple[int, float]]) -> None:
    """Whatever part of what it might take each request does take: no more than allowed, no waiting without need."""
    clock = Clock()
    rates, used = Rates(tpm=60_000, clock=clock), 0
    for most, share in requests:
        clock.now += rates.wait(most)
        taken = rates.take(most)
        rates.settle(taken, int(most * share))
        used += int(most * share)
    assert used <= (clock.now - 100) * 1000 + 1000 + 4000


TOLD = {"x-ratelimit-remaining-requests": "2", "x-ratelimit-reset-requests": "30s"}


def test_what_was_sent_after_a_request_comes_off_what_its_reply_tells() -> None:
    clock = Clock()
    rates = Rates(clock=clock)
    first, _ = rates.take(0), rates.take(0)
    rates.hear(first, TOLD)
    assert rates.told_wait(0) == 0
    rates.take(0)
    assert rates.told_wait(0) == 30
    clock.now += 29
    assert rates.told_wait(0) == 1
    clock.now += 1
    assert rates.told_wait(0) == 0


def test_the_word_of_the_latest_request_counts() -> None:
    rates = Rates(clock=Clock())
    first, second = rates.take(0), rates.take(0)
    rates.hear(second, TOLD | {"x-ratelimit-remaining-requests": "0"})
    rates.hear(first, TOLD | {"x-ratelimit-remaining-requests": "50"})
    assert rates.told_wait(0) == 30
    rates.hear(rates.take(0), TOLD)
    assert rates.told_wait(0) == 0


def test_tokens_that_are_left_are_heeded_too() -> None:
    rates = Rates(clock=Clock())
    taken = rates.take(500)
    rates.hear(taken, {"x-ratelimit-remaining-tokens": "900", "x-ratelimit-reset-tokens": "6s"})
    rates.settle(taken, 400)
    assert rates.told_wait(1000) == 0, "it will take 400, as the first did"
    rates.take(1000)
    rates.take(1000)
    assert rates.told_wait(1000) == 6


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-ratelimit-remaining-requests": "0"},
        {"x-ratelimit-reset-requests": "9s"},
        {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2h0m0s"},
        {"x-ratelimit-remaining-requests": "few", "x-ratelimit-reset-requests": "9s"},
        {"x-ratelimit-remaining-requests": "-1", "x-ratelimit-reset-requests": "9s"},
    ],
)
def test_what_says_nothing_of_use_is_not_waited_for(headers: dict[str, str]) -> None:
    """A limit of hours is left to the server, which then says so."""
    rates = Rates(clock=Clock())
    rates.hear(rates.take(0), headers)
    assert rates.told_wait(0) == 0
