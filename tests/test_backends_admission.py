"""Additive increase, multiplicative decrease: the laws, a server with a queue, a server that turns away, a real one."""

from __future__ import annotations

import asyncio
from heapq import heappop, heappush

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.admission import (
    AT_FIRST,
    FEWEST,
    LEAST,
    PATIENCE,
    PROBED_FROM,
    SHRINK,
    UNREACHED,
    WAITS_IN_VAIN,
    WINDOW,
    Admission,
    Breaker,
    Pace,
    Sent,
)
from generator.backends.backend import ON_TRIAL, Completion, CompletionRequest, ModelOptions, Transient, Verdicts
from generator.backends.budget import Budget, Limits, Usage
from generator.backends.http import open_backend
from generator.backends.server import ServerOptions
from generator.errors import BackendError, LimitError
from tests.faults.completion_server import Server
from tests.simulated_time import Now, run_simulated
from tests.tables import each_row

TURNED_AWAY = Transient("http_429", "HTTP 429")
EVENTS = st.sampled_from(["send", "send", "send", "answer", "answer", "answer", "fail", "slow", "unreadable"])


@given(st.integers(1, 200), st.lists(EVENTS, max_size=400))
def test_up_by_one_at_most_and_down_by_a_share_once_for_all_that_were_sent_together(
    most: int, events: list[str]
) -> None:
    pace = Pace(most)
    under_way: list[Sent] = []
    decreased_at = 0
    for number, event in enumerate(events):
        before = pace._exact
        if event == "send":
            under_way.append(pace.sent(len(under_way) + 1))
            assert pace._exact == before
            continue
        if not under_way:
            continue
        sent = under_way.pop(number % len(under_way))
        if event == "fail":
            pace.failed(sent, TURNED_AWAY)
        elif event == "unreadable":
            pace.failed(sent, Transient("not_json", "no JSON"))
            assert pace._exact == before
        else:
            pace.answered(sent, 9.0 if event == "slow" else 1.0)
        if pace._exact < before:
            assert max(1.0, before * LEAST) <= pace._exact <= max(1.0, before * SHRINK)
            assert event in {"fail", "slow", "answer"}
            assert sent.number >= decreased_at
            decreased_at = pace._sent
        assert pace._exact <= before + 1
        assert 1 <= pace.limit <= most


class Fake:
    """A server in simulated time, that always has as many requests under way as the pace allows."""

    def __init__(self, pace: Pace, capacity: int, *, queues: bool) -> None:
        self.pace, self.capacity, self.queues = pace, capacity, queues
        self.now = 0.0
        self.free = [0.0] * capacity
        self.ends: list[tuple[float, int, float, Sent, bool]] = []
        self.count = self.turned_away = 0

    def send(self) -> None:
        sent = self.pace.sent(len(self.ends) + 1)
        is_full = len(self.ends) >= self.capacity
        end = self.now + (0.01 if is_full and not self.queues else 1.0)
        if self.queues:
            begins = max(self.now, heappop(self.free))
            end = begins + 1.0
            heappush(self.free, end)
        self.count += 1
        heappush(self.ends, (end, self.count, self.now, sent, is_full and not self.queues))

    def run(self, requests: int) -> list[int]:
        """Return the limit after each request."""
        seen = []
        for _ in range(requests):
            while len(self.ends) < self.pace.limit:
                self.send()
            self.now, _, began, sent, is_turned_away = heappop(self.ends)
            self.turned_away += is_turned_away
            if is_turned_away:
                self.pace.failed(sent, TURNED_AWAY)
            else:
                self.pace.answered(sent, self.now - began)
            seen.append(self.pace.limit)
        return seen


@each_row("capacity", [2, 5, 16, 40, 100])
@each_row("queues", [False, True])
def test_it_finds_the_capacity_and_stays_near_it(capacity: int, *, queues: bool) -> None:
    """Where requests beyond it are turned away, it is kept to; where they wait in a queue, up to as many wait."""
    server = Fake(Pace(256), capacity, queues=queues)
    seen = server.run(6000)[1500:]
    assert max(seen) <= (max(2.7 * capacity, 2.5 * AT_FIRST) if queues else capacity + 2)
    assert sum(seen) / len(seen) >= 0.75 * capacity
    assert server.turned_away < 0.2 * server.count


def test_it_grows_fast_until_the_first_trouble() -> None:
    assert Fake(Pace(64), 64, queues=False).run(64)[-1] == 64


def test_after_an_outage_it_is_soon_what_it_was() -> None:
    server = Fake(Pace(64), 40, queues=False)
    before = server.run(2000)[-1]
    server.capacity = 0
    assert server.run(300)[-1] == 1
    server.capacity = 40
    assert server.run(before)[-1] >= SHRINK * SHRINK * before


def test_a_server_that_becomes_slower_by_itself_is_not_left_alone() -> None:
    """All answers take five times longer whoever asks: after a while that is what it is compared with."""
    pace = Pace(16)
    server = Fake(pace, 100, queues=False)
    server.run(500)
    for _ in range(600):
        for sent in [pace.sent(beside + 1) for beside in range(pace.limit)]:
            pace.answered(sent, 5.0)
    assert pace.limit == 16


def test_what_is_not_made_use_of_does_not_grow() -> None:
    pace = Pace(64)
    for _ in range(100):
        pace.answered(pace.sent(2), 1.0)
    assert pace.limit == AT_FIRST


async def asked(server: Server, people: int, requests: int, spell_at: int) -> list[int]:
    """Ask a server on loopback, many at a time, with a bad spell once; return the limit at each answer."""
    runner = web.AppRunner(server.app())
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    options = ServerOptions(
        base_url=f"http://127.0.0.1:{runner.addresses[0][1]}/v1", connections=people, tries=20, shortest_wait=0.01
    )
    verdicts, numbers = Verdicts(), iter(range(requests))
    seen: list[int] = []
    async with open_backend(options, verdicts=verdicts) as backend:

        async def ask() -> None:
            for number in numbers:
                message = {"role": "user", "content": f'{number} {{"reply": "..."}}'}
                verdicts.used(await backend.complete(CompletionRequest(ModelOptions("m", 100), (message,))))
                seen.append(backend._admission._pace.limit)
                if len(seen) == spell_at:
                    server.spell(0.3)

        await asyncio.gather(*(ask() for _ in range(people)))
    await runner.cleanup()
    return seen


def mean(figures: list[int]) -> float:
    return sum(figures) / len(figures)


def test_a_real_server_that_turns_away_is_asked_what_it_can_do_and_again_after_a_bad_spell() -> None:
    """Two hundred would ask at once of a server that does twelve at a time."""
    server = Server(latency=0.06, capacity=12)
    seen = run_simulated(lambda _: asked(server, 200, 1000, 500))
    assert mean(seen[100:]) <= 14
    assert max(seen[100:]) <= 2 * 12
    assert mean(seen[100:500]) >= 8
    assert server.counts["spell"] > 0
    assert min(seen[500:600]) < 8
    assert mean(seen[800:]) >= 8
    assert server.counts["requests"] < 1.2 * 1000


def test_a_real_server_with_a_queue_is_not_flooded() -> None:
    server = Server(latency=0.1, capacity=12, queues=True)
    seen = run_simulated(lambda _: asked(server, 200, 900, 0))
    assert max(seen[-100:]) <= 3 * 12 < max(seen)
    assert mean(seen[-100:]) >= 12


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


NOTHING = Usage()
GOOD, BAD = Completion(text="{}"), Completion(text="I can't.")


class Crowd:
    """Many who send at once; each request takes a moment, and its verdict is what `reads` says."""

    def __init__(
        self, limits: Limits, now: Now, *, reads: bool | None = True, told: float | None = None, most: int = 64
    ) -> None:
        self.verdicts = Verdicts()
        self.now = now
        self.budget = Budget(limits, now)
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
        self.sent_at.append(self.now())
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
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(requests=37), now)
        assert all(isinstance(end, LimitError) for end in await crowd.all_send(20, 10))
        return crowd

    crowd = run_simulated(run)
    assert crowd.sent == 37
    assert crowd.under_way == 0


def test_what_is_under_way_is_answered_before_the_run_ends() -> None:
    async def run(now: Now) -> None:
        crowd = Crowd(Limits(requests=AT_FIRST), now)
        crowd.verdicts.used(GOOD)
        ends = asyncio.gather(*(crowd.send() for _ in range(AT_FIRST)))
        await asyncio.sleep(0.001)
        with pytest.raises(LimitError):
            await crowd.send()
        assert crowd.under_way == 0
        await ends

    run_simulated(run)


def test_tokens_are_never_overdrawn_and_freed_ones_are_used() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(tokens=1000), now)
        await crowd.all_send(20, 30, Usage(30, 30))
        return crowd

    crowd = run_simulated(run)
    assert crowd.sent == 1000 // 60
    assert crowd.budget.spent.total == 60 * crowd.sent


def test_time_ends_a_wait() -> None:
    async def run(now: Now) -> float:
        crowd = Crowd(Limits(minutes=10 / 60), now)
        await crowd.fail(0.1)
        await crowd.send()
        await crowd.fail(60)
        began = now()
        with pytest.raises(LimitError, match="asks to wait"):
            await crowd.send()
        return now() - began

    assert run_simulated(run) < 5


def test_a_server_of_which_nothing_can_be_used_gets_fifty_requests() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now, reads=False)
        ends = await crowd.all_send(64, 10)
        assert all(isinstance(end, BackendError) and "I can't." in str(end) for end in ends)
        return crowd

    crowd = run_simulated(run)
    assert crowd.sent == ON_TRIAL
    assert crowd.most_under_way == AT_FIRST


def test_one_that_answers_well_gets_everybody() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now)
        assert await crowd.all_send(64, 10) == [None] * 64
        return crowd

    crowd = run_simulated(run)
    assert crowd.sent == 640
    assert crowd.most_under_way == 64


def test_all_wait_where_one_is_told_to() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now)
        await crowd.fail(0.3)
        await crowd.all_send(10, 1)
        return crowd

    crowd = run_simulated(run)
    assert all(at - crowd.sent_at[0] > 0.29 for at in crowd.sent_at[1:])
    assert crowd.said == []


def test_all_wait_before_a_limit_that_the_server_tells_is_hit() -> None:
    """Three are left: three more go, though ten would, and the others when the limit is whole again."""

    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now)
        crowd.headers = {"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "400ms"}
        await crowd.send()
        crowd.headers = {}
        await crowd.all_send(10, 1)
        return crowd

    crowd = run_simulated(run)
    waited = [at - crowd.sent_at[0] > 0.39 for at in crowd.sent_at[1:]]
    assert waited == [False] * 3 + [True] * 7


def test_a_wait_for_a_limit_that_the_server_tells_is_told() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(minutes=10), now)
        crowd.headers = {"x-ratelimit-remaining-tokens": "10", "x-ratelimit-reset-tokens": "2m0s"}
        await crowd.send(Usage(30, 30))
        people = [asyncio.create_task(crowd.send(Usage(30, 30))) for _ in range(10)]
        await asyncio.sleep(0.05)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        return crowd

    crowd = run_simulated(run)
    assert (crowd.sent, crowd.said) == (1, ["http://x asks to wait: all requests wait 120 s more"])


@pytest.mark.parametrize(("limits", "most"), [(Limits(rpm=6000), NOTHING), (Limits(tpm=360_000), Usage(30, 30))])
def test_requests_and_tokens_a_minute_are_kept(limits: Limits, most: Usage) -> None:
    """A hundred a second, whoever sends: a burst of a second's worth, then one after the other."""

    async def run(now: Now) -> Crowd:
        crowd = Crowd(limits, now)
        assert await crowd.all_send(20, 6, most) == [None] * 20
        return crowd

    crowd = run_simulated(run)
    assert crowd.sent_at[-1] - crowd.sent_at[0] > 0.18
    assert crowd.sent_at[99] - crowd.sent_at[0] < 0.18


def test_as_many_go_at_a_time_as_the_pace_allows() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now, most=12)
        await crowd.all_send(64, 10)
        return crowd

    crowd = run_simulated(run)
    assert (crowd.sent, crowd.most_under_way) == (640, 12)


def test_a_long_wait_is_told_once_and_while_it_lasts() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now)
        await crowd.fail(300)
        people = [asyncio.create_task(crowd.send()) for _ in range(10)]
        await asyncio.sleep(0.05)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        return crowd

    crowd = run_simulated(run)
    assert crowd.said == ["http://x asks to wait: all requests wait 300 s more"]
    assert crowd.sent == 1


def test_a_server_that_only_fails_is_asked_by_one_at_a_time() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now, reads=None)
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

    crowd = run_simulated(run)
    assert not crowd.admission._breaker.probing
    assert crowd.sent >= PROBED_FROM


def test_that_nobody_listens_any_more_is_told_once() -> None:
    async def run(now: Now) -> Crowd:
        crowd = Crowd(Limits(), now)
        await crowd.send()
        for _ in range(PROBED_FROM + 1):
            ticket = await crowd.admission.enter(NOTHING)
            crowd.admission.failed(ticket, Transient("refused", "nothing listens at http://x", unreached=True))
            crowd.admission.leave(ticket, NOTHING)
        return crowd

    crowd = run_simulated(run)
    assert crowd.said == ["nothing listens at http://x; it is tried again, one request at a time"]
