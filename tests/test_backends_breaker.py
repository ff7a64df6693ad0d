"""The breaker stops a run whose server only fails, and no other."""

import pytest

from generator.backends.breaker import FEWEST, PATIENCE, WINDOW, Breaker
from generator.backends.retry import Transient
from generator.errors import BackendError


class Clock:
    """Time as the test wants it."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def fail(breaker: Breaker, times: int) -> None:
    for _ in range(times):
        breaker.failed(Transient("http_500", "HTTP 500"), "http://x")


def test_many_failures_at_once_are_waited_out() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    fail(breaker, 500)
    clock.now = PATIENCE / 2
    fail(breaker, 500)
    for _ in range(WINDOW):
        breaker.answered()
    clock.now = PATIENCE * 3
    fail(breaker, WINDOW - 10)


def test_a_server_that_only_fails_stops_the_run() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    fail(breaker, FEWEST)
    clock.now = PATIENCE
    with pytest.raises(BackendError, match="only fails") as caught:
        fail(breaker, 1)
    assert "run the same command again" in str(caught.value)
    assert caught.value.exit_code == 3


def test_few_tries_prove_nothing() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    for number in range(FEWEST - 1):
        clock.now = number * PATIENCE
        fail(breaker, 1)


def test_a_server_that_answers_now_and_then_goes_on() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    for number in range(1000):
        clock.now = float(number)
        fail(breaker, 4)
        breaker.answered()
