"""An answer is written down before it is used, and paid for once."""

import asyncio
import json
from contextlib import nullcontext

import pytest

from generator.backends.answers import LoggedBackend
from generator.backends.backend import Completion, CompletionRequest, ModelOptions, Unavailable
from generator.backends.scripted import ScriptedBackend
from generator.errors import BackendError, LimitError

MODEL = ModelOptions("m", 100)


class Log:
    """A log in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def answer(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def keep_answer(self, key: str, answer: bytes) -> None:
        self.kept[key] = answer


def request(text: str, salt: str = "") -> CompletionRequest:
    return CompletionRequest(MODEL, ({"role": "user", "content": text},), salt=salt)


def test_a_second_asking_costs_nothing() -> None:
    backend, log = ScriptedBackend(["one"]), Log()

    async def ask_twice() -> tuple[Completion, Completion]:
        first = await LoggedBackend(backend, log).complete(request("a"))
        return first, await LoggedBackend(backend, log).complete(request("a"))

    first, second = asyncio.run(ask_twice())
    assert (first.text, first.replayed, second.text, second.replayed) == ("one", False, "one", True)
    assert b"replayed" not in b"".join(log.kept.values())
    assert len(backend.requests) == 1


@pytest.mark.parametrize(("keep", "kept"), [(False, {"text"}), (True, {"text", "thoughts"})])
def test_thoughts_are_kept_where_that_is_asked_for(keep: bool, kept: set[str]) -> None:
    backend, log = ScriptedBackend([Completion(text="one", thoughts="Well.")]), Log()

    async def ask_twice() -> list[str]:
        logged = LoggedBackend(backend, log, keep_thoughts=keep)
        return [(await logged.complete(request("a"))).text for _ in range(2)]

    assert asyncio.run(ask_twice()) == ["one", "one"]
    assert [set(json.loads(line)) for line in log.kept.values()] == [kept]


def test_equal_requests_in_flight_are_one() -> None:
    class Slow(ScriptedBackend):
        async def complete(self, request: CompletionRequest) -> Completion:
            await asyncio.sleep(0.01)
            return await super().complete(request)

    logged = LoggedBackend(Slow(lambda each: f"answer to {each.messages[0]['content']}"), Log())

    async def ask_many() -> list[Completion]:
        return list(await asyncio.gather(*(logged.complete(request("a")) for _ in range(5))))

    assert {completion.text for completion in asyncio.run(ask_many())} == {"answer to a"}
    assert logged.asked == 1


def test_salts_tell_askings_apart() -> None:
    backend = ScriptedBackend(["one", "two"])
    logged = LoggedBackend(backend, Log())

    async def ask() -> list[str]:
        return [(await logged.complete(request("a", salt))).text for salt in ("1", "2", "1")]

    assert asyncio.run(ask()) == ["one", "two", "one"]


def test_a_failure_is_not_kept() -> None:
    backend, log = ScriptedBackend([Unavailable("timeout", "late"), "one"]), Log()
    logged = LoggedBackend(backend, log)

    async def ask() -> str:
        with pytest.raises(Unavailable):
            await logged.complete(request("a"))
        return (await logged.complete(request("a"))).text

    assert asyncio.run(ask()) == "one"
    assert len(log.kept) == 1


class Slow(ScriptedBackend):
    """Takes a tenth of a second for an answer."""

    async def complete(self, request: CompletionRequest) -> Completion:
        await asyncio.sleep(0.1)
        return await super().complete(request)


@pytest.mark.parametrize(
    ("grace", "failure", "kept"),
    [
        (5.0, None, 1),
        (5.0, LimitError("the limit is reached"), 1),
        (5.0, BackendError("the server only fails"), 0),
        (5.0, KeyboardInterrupt(), 0),
        (0.01, None, 0),
        (0.0, None, 0),
    ],
)
def test_what_is_in_flight_at_the_end_is_waited_for_and_kept(
    grace: float, failure: BaseException | None, kept: int
) -> None:
    log = Log()

    async def leave() -> None:
        async with LoggedBackend(Slow(["one"]), log, grace) as logged:
            asking = asyncio.create_task(logged.complete(request("a")))
            await asyncio.sleep(0.01)
            asking.cancel()  # nobody waits for it any more, but it is paid for
            if failure is not None:
                raise failure

    with pytest.raises(type(failure)) if failure is not None else nullcontext():
        asyncio.run(leave())
    assert len(log.kept) == kept


def test_one_who_waits_may_leave_while_another_stays() -> None:
    async def ask() -> str:
        logged = LoggedBackend(Slow(["one"]), Log())
        first, second = (asyncio.create_task(logged.complete(request("a"))) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        return (await second).text

    assert asyncio.run(ask()) == "one"


@pytest.mark.parametrize("kept", [b"{", b"[]", b'{"text": 5}', b'{"unheard_of": 1}', b"\xff"])
def test_a_kept_answer_that_is_none_is_asked_for_again(kept: bytes) -> None:
    log = Log()
    log.kept[request("a").key] = kept
    assert asyncio.run(LoggedBackend(ScriptedBackend(["one"]), log).complete(request("a"))).text == "one"
    assert log.kept[request("a").key] != kept
