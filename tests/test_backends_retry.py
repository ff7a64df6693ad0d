"""The one retry policy obeys the server and gives up in the end."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import Future, RetryCallState

from generator.backends.backend import Transient, TransientFailure
from generator.backends.http import Backoff
from generator.backends.retry import said_wait, told_wait

NOW = datetime(2026, 1, 15, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
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
    assert told_wait(headers, NOW) == seconds


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
    wait = told_wait(headers, NOW)
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
    assert said_wait(text) == (None if seconds is None else pytest.approx(seconds))
