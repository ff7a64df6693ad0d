"""Who may send when: limits, waits that a server asks for, a server that fails, a server on trial."""

from __future__ import annotations

import asyncio
import time

import pytest

from generator.backends.admission import Admission
from generator.backends.backend import Completion, Transient
from generator.backends.breaker import PROBED_FROM
from generator.backends.limits import Budget, Limits, Usage
from generator.backends.pace import AT_FIRST
from generator.backends.verdicts import ON_TRIAL, Verdicts
from generator.errors import BackendError, LimitError

NOTHING = Usage()
GOOD, BAD = Completion(text="{}"), Completion(text="I can't.")


class Crowd:
    """Many who send at once; each request takes a moment, and its verdict is what `reads` says."""

    def __init__(self, limits: Limits, *, reads: bool | None = True, told: float | None = None, most: int = 64) -> None:
        self.verdicts = Verdicts()
        self.budget = Budget(limits)
        self.said: list[str] = []
        self.admission = Admission(
            "http://x", self.budget, self.verdicts, most=most, shortest_wait=0.01, notify=self.said.append
        )
        self.reads = reads
        self.told = told
        self.headers: dict[str, str] = {}
        self.under_way = self.most_under_way = self.sent = 0
        self.sent_at: list[float] = []

    async def send(self, most: Usage = NOTHING) -> None:
        ticket = await self.admission.enter(most)
        self.sent += 1
        self.sent_at.append(time.monotonic())
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await asyncio.sleep(0.002)
            if self.reads is None:
                self.admission.failed(ticket, Transient("http_429", "HTTP 429", self.told))
                return
            self.admission.heard(ticket, self.headers)
            self.admission.answered(ticket)
        finally:
            self.under_way -= 1
            self.admission.leave(ticket, most)
        if self.reads:
            self.verdicts.used(GOOD)
        else:
            self.verdicts.unusable(BAD, "refusal")

    async def fail(self, told: float) -> None:
        """Send a request that is told to wait."""
        reads, self.reads, self.told = self.reads, None, told
        await self.send()
        self.reads = reads

    async def all_send(self, people: int, times: int, most: Usage = NOTHING) -> list[BaseException | None]:
        async def person() -> None:
            for _ in range(times):
                await self.send(most)

        return await asyncio.gather(*(person() for _ in range(people)), return_exceptions=True)


def test_exactly_as_many_requests_are_sent_as_may_be() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(requests=37))
        assert all(isinstance(end, LimitError) for end in await crowd.all_send(20, 10))
        return crowd

    crowd = asyncio.run(run())
    assert crowd.sent == 37
    assert crowd.under_way == 0


def test_what_is_under_way_is_answered_before_the_run_ends() -> None:
    async def run() -> None:
        crowd = Crowd(Limits(requests=AT_FIRST))
        crowd.verdicts.used(GOOD)
        ends = asyncio.gather(*(crowd.send() for _ in range(AT_FIRST)))
        await asyncio.sleep(0.001)
        with pytest.raises(LimitError):
            await crowd.send()
        assert crowd.under_way == 0
        await ends

    asyncio.run(run())


def test_tokens_are_never_overdrawn_and_freed_ones_are_used() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(tokens=1000))
        await crowd.all_send(20, 30, Usage(30, 30))
        return crowd

    crowd = asyncio.run(run())
    assert crowd.sent == 1000 // 60
    assert crowd.budget.spent.total == 60 * crowd.sent


def test_time_ends_a_wait() -> None:
    async def run() -> float:
        crowd = Crowd(Limits(minutes=10 / 60))
        await crowd.fail(0.1)
        await crowd.send()
        await crowd.fail(60)
        began = time.monotonic()
        with pytest.raises(LimitError, match="asks to wait"):
            await crowd.send()
        return time.monotonic() - began

    assert asyncio.run(run()) < 5


def test_a_server_of_which_nothing_can_be_used_gets_fifty_requests() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(), reads=False)
        ends = await crowd.all_send(64, 10)
        assert all(isinstance(end, BackendError) and "I can't." in str(end) for end in ends)
        return crowd

    crowd = asyncio.run(run())
    assert crowd.sent == ON_TRIAL
    assert crowd.most_under_way == AT_FIRST


def test_one_that_answers_well_gets_everybody() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits())
        assert await crowd.all_send(64, 10) == [None] * 64
        return crowd

    crowd = asyncio.run(run())
    assert crowd.sent == 640
    assert crowd.most_under_way == 64


def test_all_wait_where_one_is_told_to() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits())
        await crowd.fail(0.3)
        await crowd.all_send(10, 1)
        return crowd

    crowd = asyncio.run(run())
    assert all(at - crowd.sent_at[0] > 0.29 for at in crowd.sent_at[1:])
    assert crowd.said == []


def test_all_wait_before_a_limit_that_the_server_tells_is_hit() -> None:
    """Three are left: three more go, though ten would, and the others when the limit is whole again."""

    async def run() -> Crowd:
        crowd = Crowd(Limits())
        crowd.headers = {"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "400ms"}
        await crowd.send()
        crowd.headers = {}
        await crowd.all_send(10, 1)
        return crowd

    crowd = asyncio.run(run())
    waited = [at - crowd.sent_at[0] > 0.39 for at in crowd.sent_at[1:]]
    assert waited == [False] * 3 + [True] * 7


def test_a_wait_for_a_limit_that_the_server_tells_is_told() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(minutes=10))
        crowd.headers = {"x-ratelimit-remaining-tokens": "10", "x-ratelimit-reset-tokens": "2m0s"}
        await crowd.send(Usage(30, 30))
        people = [asyncio.create_task(crowd.send(Usage(30, 30))) for _ in range(10)]
        await asyncio.sleep(0.05)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        return crowd

    crowd = asyncio.run(run())
    assert (crowd.sent, crowd.said) == (1, ["http://x asks to wait: all requests wait 120 s more"])


@pytest.mark.parametrize(("limits", "most"), [(Limits(rpm=6000), NOTHING), (Limits(tpm=360_000), Usage(30, 30))])
def test_requests_and_tokens_a_minute_are_kept(limits: Limits, most: Usage) -> None:
    """A hundred a second, whoever sends: a burst of a second's worth, then one after the other."""

    async def run() -> Crowd:
        crowd = Crowd(limits)
        assert await crowd.all_send(20, 6, most) == [None] * 20
        return crowd

    crowd = asyncio.run(run())
    assert crowd.sent_at[-1] - crowd.sent_at[0] > 0.18
    assert crowd.sent_at[99] - crowd.sent_at[0] < 0.18


def test_as_many_go_at_a_time_as_the_pace_allows() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(), most=12)
        await crowd.all_send(64, 10)
        return crowd

    crowd = asyncio.run(run())
    assert (crowd.sent, crowd.most_under_way) == (640, 12)


def test_a_long_wait_is_told_once_and_while_it_lasts() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits())
        await crowd.fail(300)
        people = [asyncio.create_task(crowd.send()) for _ in range(10)]
        await asyncio.sleep(0.05)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        return crowd

    crowd = asyncio.run(run())
    assert crowd.said == ["http://x asks to wait: all requests wait 300 s more"]
    assert crowd.sent == 1


def test_a_server_that_only_fails_is_asked_by_one_at_a_time() -> None:
    async def run() -> Crowd:
        crowd = Crowd(Limits(), reads=None)
        crowd.verdicts.used(GOOD)
        await crowd.all_send(PROBED_FROM, 1)
        assert crowd.admission._breaker.probing
        crowd.most_under_way, before = 0, len(crowd.sent_at)
        people = [asyncio.create_task(crowd.send()) for _ in range(10)]
        await asyncio.sleep(0.3)
        assert crowd.most_under_way == 1
        assert 1 <= len(crowd.sent_at) - before <= 6
        crowd.reads = True
        await asyncio.gather(*people)
        return crowd

    crowd = asyncio.run(run())
    assert not crowd.admission._breaker.probing
    assert crowd.sent >= PROBED_FROM
