"""Waiting for batches: they are looked at ever more seldom, for as long as they may take and the user allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from generator.backends.budget import Budget, Limits
from generator.batches import running
from generator.batches.collecting import Collected
from generator.batches.folder import RequestFile, Round
from generator.batches.order import Order
from generator.batches.running import LONGEST_PAUSE, finish_round
from generator.errors import BackendError, LimitError
from tests.simulated_time import run_simulated

HOUR = 3600.0
NO_LIMITS = Limits()
FILE = RequestFile(name="requests-1.jsonl", role="author", model="m", mode="text", requests=3, size=9, mark="x")


def looks_until(
    hours: float, monkeypatch: pytest.MonkeyPatch, limits: Limits = NO_LIMITS, **what: Any
) -> tuple[list[float], Collected]:
    """When a batch that takes so long is looked at, and what comes of it."""
    looks: list[float] = []

    async def work(clock: Callable[[], float]) -> Collected:
        began = clock()

        async def submit(folder: object, servers: object) -> None:
            return None

        async def collect(order: object) -> Collected:
            looks.append(clock() - began)
            is_over = looks[-1] >= hours * HOUR
            file = FILE.model_copy(update={"state": "collected" if is_over else "sent"})
            found = Collected(Round(number=1, files=(file,)), Counter({"answered": 3 * is_over}), closed=int(is_over))
            for name, value in what.items():
                setattr(found, name, value)
            return found

        monkeypatch.setattr(running, "submit", submit)
        monkeypatch.setattr(running, "collect", collect)
        session = SimpleNamespace(budget=Budget(limits, clock), server=None, second=None)
        return await finish_round(Order(cast(Any, None), cast(Any, None), Path("run"), cast(Any, session)))

    return looks, run_simulated(work)


def test_a_batch_of_a_day_is_looked_at_no_more_than_every_five_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, found = looks_until(23.9, monkeypatch)
    pauses = [later - earlier for earlier, later in pairwise(looks)]
    assert pauses[:3] == pytest.approx([5, 10, 20], rel=0.01)
    assert max(pauses) <= LONGEST_PAUSE * 1.01
    assert 23.9 * HOUR <= looks[-1] <= 23.9 * HOUR + LONGEST_PAUSE * 1.01
    assert found.answered == 3


def test_the_users_time_ends_the_wait_and_not_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LimitError, match=r"--max-minutes 90 is reached.*the batches go on"):
        looks_until(20, monkeypatch, Limits(minutes=90))


def test_a_batch_that_is_refused_for_good_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BackendError, match="failed its validation"):
        looks_until(20, monkeypatch, refused=["the batch b failed its validation: no"], may_pass=False)


def test_one_that_may_be_taken_later_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, _ = looks_until(2, monkeypatch, refused=["the batch b failed its validation: too many"], may_pass=True)
    assert looks[-1] >= 2 * HOUR
