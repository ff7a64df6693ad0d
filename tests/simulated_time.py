"""Time that passes when all wait and no sooner, so that waits cost none and no other load on the machine is seen."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

import pytest

from generator.backends import admission

T = TypeVar("T")
Now = Callable[[], float]
_ON_THE_WAY = 0.001
"""Seconds in which what was sent to a socket of this machine has arrived."""
_PATIENCE = 240.0
_A_LOOK = 1e-6
"""Seconds that pass with each look for what is ready, so that a wait too short for the clock comes to an end."""


class _Patient(selectors.DefaultSelector):
    """Where nothing is ready, it is as late as it would be after waiting."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout != 0:
            ready = super().select(_PATIENCE if timeout is None else _ON_THE_WAY)
        assert ready or timeout is not None, "all wait, for ever"
        self.now += _A_LOOK + (0.0 if ready or timeout is None else max(0.0, timeout))
        return ready


def run_simulated(of_clock: Callable[[Now], Coroutine[Any, Any, T]]) -> T:
    """Run what a function makes of a clock; admissions are on the same one."""
    selector = _Patient()

    def clock() -> float:
        return selector.now

    def loop() -> asyncio.AbstractEventLoop:
        made = asyncio.SelectorEventLoop(selector)
        made.time = clock  # type: ignore[method-assign]  # it tells simulated time
        return made

    with pytest.MonkeyPatch.context() as patch, asyncio.Runner(loop_factory=loop) as runner:
        patch.setattr(admission, "monotonic", clock)
        patch.setattr(admission, "Breaker", partial(admission.Breaker, clock=clock))
        return runner.run(of_clock(clock))
