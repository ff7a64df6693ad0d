"""Additive increase, multiplicative decrease: the laws, a server with a queue, a server that turns away, a real one."""

from __future__ import annotations

import asyncio
from heapq import heappop, heappush

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from generator.backends.backend import CompletionRequest, Transient
from generator.backends.http import open_backend
from generator.backends.model import ModelOptions
from generator.backends.pace import AT_FIRST, LEAST, SHRINK, Pace, Sent
from generator.backends.server import ServerOptions
from generator.backends.verdicts import Verdicts
from tests.faults.completion_server import Server

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


@pytest.mark.parametrize("capacity", [2, 5, 16, 40, 100])
@pytest.mark.parametrize("queues", [False, True])
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
    seen = asyncio.run(asked(server, 200, 1000, 500))
    assert mean(seen[100:]) <= 14
    assert max(seen[100:]) <= 2 * 12
    assert mean(seen[100:500]) >= 8
    assert server.counts["spell"] > 0
    assert min(seen[500:600]) < 8
    assert mean(seen[800:]) >= 8
    assert server.counts["requests"] < 1.2 * 1000


def test_a_real_server_with_a_queue_is_not_flooded() -> None:
    """How near it comes is measured in simulated time, above; here the clock is that of a machine with other work."""
    server = Server(latency=0.1, capacity=12, queues=True)
    seen = asyncio.run(asked(server, 200, 900, 0))
    assert max(seen[-100:]) <= 3 * 12 < max(seen)
    assert mean(seen[-100:]) >= 12
