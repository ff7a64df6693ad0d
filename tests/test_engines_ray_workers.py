"""A run with a model over workers of Ray, played in this process: what travels does so as bytes, and workers are lost.

How real workers, nodes and processes do is tried in `tests/interop/test_ray.py`.
"""

from __future__ import annotations

import asyncio
import pickle
import shutil
from collections.abc import Awaitable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="needs the extra `ray`")

from ray.exceptions import ActorDiedError

from generator.engines import ray as of_ray
from generator.engines import ray_workers
from generator.errors import EngineError
from tests.checkout import CHECKOUT
from tests.faults.completion_processes import TOOLS, run_llm, served
from tests.faults.test_given_up import PARALLEL, files, made, summary

pytestmark = pytest.mark.slow
ON_RAY = ("--engine", "ray", "--quiet")
KEY = "sk-secret-of-the-parent"


async def waiting(value: Any) -> Any:
    return value


class Actor:
    """A worker that is lost once it was given so many attempts."""

    def __init__(self, cls: type, ray: PlayedRay) -> None:
        self._worker = cls()
        self._ray = ray
        self._gone = asyncio.Event()
        self._given = 0

    def __getattr__(self, name: str) -> Any:
        @dataclass
        class Method:
            actor: Actor

            def remote(self, *sent: Any) -> Awaitable[Any]:
                return asyncio.ensure_future(self.actor.call(name, sent))

        return Method(self)

    async def call(self, name: str, sent: tuple[Any, ...]) -> Any:
        sent = tuple(map(self._ray.travelled, sent)) if name != "begin" else (sent[0], [waiting(self._ray.held())])
        if name == "give":
            self._given += len(sent[0].attempts)
            if self._ray.losses and self._given >= 3:
                self._ray.losses -= 1
                self.kill()
        if name == "news":
            await asyncio.sleep(self._ray.slow)
        answer = asyncio.ensure_future(getattr(self._worker, name)(*sent))
        await asyncio.wait({answer, gone := asyncio.ensure_future(self._gone.wait())}, return_when="FIRST_COMPLETED")
        if gone.done():
            answer.cancel()
            raise ActorDiedError
        gone.cancel()
        return self._ray.travelled(await answer)

    def kill(self) -> None:
        self._gone.set()


@dataclass
class PlayedRay:
    """What the workers need of Ray, in this process."""

    losses: int = 0
    """Workers that are yet to be lost."""
    slow: float = 0.0
    """Seconds that pass until a worker comes to tell something."""
    sent: list[bytes] = field(default_factory=list)

    def travelled(self, what: Any) -> Any:
        self.sent.append(pickle.dumps(what))
        return pickle.loads(self.sent[-1])

    def put(self, what: Any) -> None:
        self.sent.append(pickle.dumps(what))
        self._held = self.sent[-1]

    def held(self) -> Any:
        return pickle.loads(self._held)

    def remote(self, **options: Any) -> Any:
        @dataclass
        class Factory:
            cls: type
            ray: PlayedRay

            def remote(self) -> Actor:
                return Actor(self.cls, self.ray)

        return lambda cls: Factory(cls, self)

    def kill(self, actor: Actor) -> None:
        actor.kill()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> PlayedRay:
    ray = PlayedRay()
    monkeypatch.setattr(ray_workers, "ray", ray)
    monkeypatch.setattr(ray_workers, "cpus", lambda: 2)
    monkeypatch.setattr(of_ray, "connected", lambda address: nullcontext())
    return ray


def test_workers_make_the_bytes_of_one_process_for_the_same_requests(tmp_path: Path, played: PlayedRay) -> None:
    options = ("--quiet", "--verify", "judge", "--verify-model", "other")
    with served("--refuse", "json_schema") as server:
        alone, paid = run_llm(tmp_path / "alone", server, 30, *options), server.told()["counts"]["mode_tools"]
    with served("--refuse", "json_schema") as server:
        key = {"OPENAI_API_KEY": KEY}
        assert run_llm(tmp_path / "ray", server, 30, *options, *ON_RAY, environment=key) == alone
        told = server.told()
    assert files(tmp_path / "ray") == files(tmp_path / "alone")
    assert (alone[0], told["answered_twice"], told["counts"]["mode_tools"]) == (0, 0, paid)
    seconds = [summary(tmp_path / name)["second_opinions"] for name in ("ray", "alone")]
    assert seconds[0] == seconds[1]
    assert len(played.sent) > 60
    assert not [sent for sent in played.sent if KEY.encode() in sent]


def test_what_is_lost_with_workers_is_made_again_and_nothing_paid_twice(tmp_path: Path, played: PlayedRay) -> None:
    with served() as server:
        assert run_llm(tmp_path / "alone", server, 40, "--quiet")[0] == 0
    played.losses = 4
    with served("--latency", "0.02") as server:
        assert run_llm(tmp_path / "ray", server, 40, *ON_RAY) == (0, "", "")
        assert server.told()["answered_twice"] == 0
    assert played.losses == 0
    assert files(tmp_path / "ray") == files(tmp_path / "alone")


def test_what_is_lost_again_and_again_is_one_clear_error(tmp_path: Path, played: PlayedRay) -> None:
    played.losses = 1000
    with served("--latency", "5") as server:
        code, _, err = run_llm(tmp_path / "ray", server, 40, *ON_RAY)
    assert code == EngineError.exit_code
    assert "Ray lost a " in err and "run the same command again to go on" in err


def test_a_model_is_not_given_up_while_its_answers_are_being_read(tmp_path: Path, played: PlayedRay) -> None:
    played.slow = 2.5
    with served() as server:
        assert run_llm(tmp_path / "ray", server, 60, *ON_RAY, "--mix", "simple=1") == (0, "", "")


def test_what_is_given_up_is_the_same(tmp_path: Path, played: PlayedRay) -> None:
    count, mix = 50, ("--quiet", "--mix", "simple=3,multiple=3,parallel=2,parallel_multiple=2")
    spoilt = [made(tmp_path / name, PARALLEL, count, *mix, *on)[0] for name, on in (("alone", ()), ("ray", ON_RAY))]
    assert files(tmp_path / "ray") == files(tmp_path / "alone")
    assert summary(tmp_path / "ray")["given_up"] == summary(tmp_path / "alone")["given_up"]
    assert spoilt[1] <= 2 * spoilt[0], "of a kind that is in doubt, one attempt at a time goes on"


def test_limits_and_errors_are_those_of_one_process(tmp_path: Path, played: PlayedRay) -> None:
    with served() as server:
        assert run_llm(tmp_path / "alone", server, 20, "--quiet")[0] == 0
        paid = server.requests
    with served() as server:
        out = tmp_path / "ray"
        for sent in (10, 20):
            code, _, err = run_llm(out, server, 20, *ON_RAY, "--max-requests", "10", "--max-concurrency", "3")
            assert (code, server.requests) == (4, sent), err
        assert server.told()["most_in_flight"] <= 3
        assert run_llm(out, server, 20, *ON_RAY) == (0, "", "")
        assert (server.requests, server.told()["answered_twice"]) == (paid, 0)
        again = tmp_path / "again"
        assert run_llm(again, server, 20, *ON_RAY, "--answers", str(out)) == (0, "", "")
        assert server.requests == paid
    assert files(out) == files(again) == files(tmp_path / "alone")
    with served("--fault", "401") as server:
        told = [run_llm(tmp_path / str(len(on)), server, 20, *on) for on in (("--quiet",), ON_RAY)]
    assert told[0] == told[1]
    assert told[0][0] == 3


def test_prompts_of_ones_own_and_domains_of_a_model_travel(tmp_path: Path, played: PlayedRay) -> None:
    shutil.copy(CHECKOUT / TOOLS[0], tmp_path / "tools.json")
    prompts = shutil.copytree(CHECKOUT / "prompts", tmp_path / "prompts")
    (prompts / "reply.md").write_text((prompts / "reply.md").read_text() + "Mind {{ kind }}.\n")
    options = (str(tmp_path / "tools.json"), "--mix", "simple=1", "--prompts", str(prompts))
    with served() as server:
        assert run_llm(tmp_path / "alone", server, 6, *options, "--quiet")[0] == 0
        assert run_llm(tmp_path / "ray", server, 6, *options, *ON_RAY)[0] == 0
        (prompts / "reply.md").write_text("{{ results[99].nothing }}")
        told = [run_llm(tmp_path / str(len(on)), server, 6, *options, *on) for on in (("--quiet",), ON_RAY)]
    assert files(tmp_path / "ray") == files(tmp_path / "alone")
    assert (tmp_path / "ray/catalog.json").read_bytes() == (tmp_path / "alone/catalog.json").read_bytes()
    assert told[0] == told[1]
    assert told[0][0] == 2
