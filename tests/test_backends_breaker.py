"""The breaker stops a run whose server only fails, and no other."""

import pytest

from generator.backends.backend import Transient
from generator.backends.breaker import FEWEST, PATIENCE, PROBED_FROM, UNREACHED, WAITS_IN_VAIN, WINDOW, Breaker
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


def told(seconds: float) -> Transient:
    return Transient("http_429", "HTTP 429: slow down", seconds)


def test_a_server_that_was_never_reached_is_given_up_at_once() -> None:
    breaker = Breaker(clock=Clock())
    refused = Transient("refused", "nothing listens at http://x", unreached=True)
    for _ in range(UNREACHED - 1):
        breaker.failed(refused, "http://x")
    with pytest.raises(BackendError, match=r"^nothing listens at http://x"):
        breaker.failed(refused, "http://x")


@pytest.mark.parametrize("reached", ["answered", "failed"])
def test_one_that_was_reached_before_is_being_started_anew(reached: str) -> None:
    breaker = Breaker(clock=Clock())
    if reached == "answered":
        breaker.answered()
    else:
        fail(breaker, 1)
    for _ in range(500):
        breaker.failed(Transient("refused", "nothing listens", unreached=True), "http://x")


def test_the_time_that_a_server_asks_for_is_no_time_of_failure() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    for _ in range(3):
        for _ in range(FEWEST):
            breaker.failed(told(300), "http://x")
        clock.now += 301
    clock.now += PATIENCE
    with pytest.raises(BackendError, match="slow down"):
        breaker.failed(Transient("http_500", "HTTP 500: slow down"), "http://x")


def test_a_server_that_only_asks_to_wait_is_left_in_the_end() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock)
    for _ in range(WAITS_IN_VAIN):
        breaker.failed(told(60), "http://x")
        clock.now += 60
    with pytest.raises(BackendError):
        breaker.failed(told(60), "http://x")


def test_asking_for_no_wait_is_no_waiting() -> None:
    """Where it asks for nothing it is given as long as one that does not ask, and no longer."""
    clock = Clock()
    breaker = Breaker(clock=clock)
    for _ in range(WAITS_IN_VAIN * 3):
        breaker.failed(told(0), "http://x")
        clock.now += 0.1
    clock.now = PATIENCE + 1
    with pytest.raises(BackendError):
        breaker.failed(told(0), "http://x")


def test_pauses_grow_with_each_probe_and_not_with_each_failure() -> None:
    clock = Clock()
    breaker = Breaker(clock=clock, patience=1e9)
    assert breaker.pause(0.5) == 0
    fail(breaker, 500)
    pauses = []
    for _ in range(7):
        pauses.append(breaker.pause(0.5))
        assert breaker.pause(0.5) == pauses[-1]
        clock.now += pauses[-1]
        fail(breaker, 1)
    assert pauses == [0.5, 1, 2, 4, 8, 10, 10]
    breaker.answered()
    assert not breaker.probing
    assert breaker.pause(0.5) == 0
    fail(breaker, PROBED_FROM)
    assert breaker.pause(0.5) == 0.5
