"""The one retry policy obeys the server and gives up in the end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import Future, RetryCallState

from generator.backends.backend import Transient, TransientFailure
from generator.backends.http import Backoff
from generator.backends.rates import Bucket, Rates, wait_in_headers, wait_in_words
from tests.tables import each_row

NOW = datetime(2026, 1, 15, 12, 0, 0, tzinfo=UTC)


@each_row(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 15 Jan 2026 12:00:07 GMT"}, 7.0),
        ({"retry-after": "Thu, 15 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Thu, 15 Jan 2026 12:00:07"}, 7.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, 2.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Thu, 99 Foo 2026 12:00:07 GMT"}, None),
        ({"retry-after": "1 Jan 0001 00:00:00 +2359"}, 0.0),
        ({"x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-tokens": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-reset-tokens": "20ms"}, 0.02),
        ({"x-ratelimit-reset-tokens": "1m20ms"}, 60.02),
        ({"x-ratelimit-reset-requests": "12"}, 12.0),
        ({"x-ratelimit-reset": str(int(NOW.timestamp()) + 30)}, 30.0),
        ({"x-ratelimit-reset": str((int(NOW.timestamp()) + 30) * 1000)}, 30.0),
        ({"ratelimit-reset": "7"}, 7.0),
        ({"x-ratelimit-reset-requests": "9s", "x-ratelimit-reset-tokens": "2s"}, 2.0),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "9s",
                "x-ratelimit-remaining-tokens": "400",
                "x-ratelimit-reset-tokens": "2s",
            },
            9.0,
        ),
        ({"retry-after": "3", "x-ratelimit-reset-requests": "9s"}, 3.0),
        ({"retry-after": "later", "x-ratelimit-reset-requests": "9s"}, 9.0),
        ({"x-ratelimit-reset-requests": "tomorrow"}, None),
        ({"x-ratelimit-reset-requests": ""}, None),
        ({"x-ratelimit-reset-requests": "-5s"}, None),
        ({"x-ratelimit-reset-requests": "1.2.3s"}, None),
    ],
)
def test_what_the_server_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_in_headers(headers, NOW) == seconds


@given(
    st.dictionaries(
        st.sampled_from(
            ["retry-after", "retry-after-ms", "x-ratelimit-reset-requests", "ratelimit-reset", "x-ratelimit-reset"]
        ),
        st.text(max_size=40)
        | st.from_regex(r"[A-Z][a-z]{2}, \d{1,4} [A-Z][a-z]{2} \d{1,6} \d\d:\d\d:\d\d [+-]?\d{0,5}"),
        max_size=5,
    )
)
def test_whatever_a_server_says_is_a_wait_or_none(headers: dict[str, str]) -> None:
    wait = wait_in_headers(headers, NOW)
    assert wait is None or 0 <= wait < float("inf")


def _state(error: Exception, attempt: int) -> RetryCallState:
    state = RetryCallState(None, None, (), {})  # type: ignore[arg-type]  # the wait reads outcome and attempt alone
    state.attempt_number = attempt
    future: Future = Future(attempt)
    future.set_exception(error)
    state.outcome = future
    return state


def test_a_told_wait_is_left_to_those_who_let_requests_through() -> None:
    assert Backoff()(_state(TransientFailure(Transient("http_429", "slow", 2.5)), 1)) == 0


def test_an_untold_wait_grows_with_jitter_up_to_its_bound() -> None:
    wait = Backoff(shortest=0.5, longest=4)
    error = TransientFailure(Transient("http_500", "down"))
    drawn = [[wait(_state(error, attempt)) for _ in range(200)] for attempt in (1, 3, 12)]
    assert max(drawn[0]) <= 0.5 < max(drawn[1]) <= 2
    assert 3 < max(drawn[2]) <= 4
    assert len(set(drawn[2])) > 100


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached for gpt. Please try again in 6ms.", 0.006),
        ("Please try again in 1m20s. Visit the page.", 80.0),
        ("Please retry in 39.912s.", 39.912),
        ("please retry after 3s", 3.0),
        ("Try again in 20", 20.0),
        ("try again in a while", None),
        ("no", None),
    ],
)
def test_a_wait_in_words_is_read(text: str, seconds: float | None) -> None:
    assert wait_in_words(text) == (None if seconds is None else pytest.approx(seconds))


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
    assert rates.server_wait(0) == 0


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
    assert rates.server_wait(0) == 0
    rates.take(0)
    assert rates.server_wait(0) == 30
    clock.now += 29
    assert rates.server_wait(0) == 1
    clock.now += 1
    assert rates.server_wait(0) == 0


def test_the_word_of_the_latest_request_counts() -> None:
    rates = Rates(clock=Clock())
    first, second = rates.take(0), rates.take(0)
    rates.hear(second, TOLD | {"x-ratelimit-remaining-requests": "0"})
    rates.hear(first, TOLD | {"x-ratelimit-remaining-requests": "50"})
    assert rates.server_wait(0) == 30
    rates.hear(rates.take(0), TOLD)
    assert rates.server_wait(0) == 0


def test_tokens_that_are_left_are_heeded_too() -> None:
    rates = Rates(clock=Clock())
    taken = rates.take(500)
    rates.hear(taken, {"x-ratelimit-remaining-tokens": "900", "x-ratelimit-reset-tokens": "6s"})
    rates.settle(taken, 400)
    assert rates.server_wait(1000) == 0, "it will take 400, as the first did"
    rates.take(1000)
    rates.take(1000)
    assert rates.server_wait(1000) == 6


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
    assert rates.server_wait(0) == 0
