"""The file of answers: each line stands for itself, and a damaged one costs the answer in it alone."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends.answers import AnswerFile, EarlierAnswers, LoggedBackend
from generator.backends.backend import Completion, CompletionRequest, ModelOptions, Unavailable
from generator.backends.scripted import ScriptedBackend
from generator.errors import BackendError, LimitError, StorageError, UsageError
from tests.simulated_time import run_simulated

ANSWERS = {f"key{number}": orjson.dumps({"text": f"answer {number}"}) for number in range(5)}


def filled(path: Path) -> Path:
    with AnswerFile(path) as answers:
        for key, answer in ANSWERS.items():
            answers.keep_answer(key, answer)
            assert answers.answer(key) == answer
    return path


def test_what_was_kept_is_there_when_opened_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "answers.jsonl")
    assert path.stat().st_mode & 0o777 == 0o600
    with AnswerFile(path) as answers:
        assert {key: answers.answer(key) for key in ANSWERS} == ANSWERS
        assert answers.answer("another") is None
        assert (len(answers), answers.damaged) == (5, 0)


def test_of_two_answers_the_later_counts(tmp_path: Path) -> None:
    path = filled(tmp_path / "answers.jsonl")
    with AnswerFile(path) as answers:
        answers.keep_answer("key3", b'{"text":"anew"}')
    with AnswerFile(path) as answers:
        assert answers.answer("key3") == b'{"text":"anew"}'
        assert len(answers) == 5


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a letter changed": lambda line: line.replace(b"answer 2", b"answer 9"),
    "another key": lambda line: line.replace(b"key2", b"key7"),
    "cut": lambda line: line[:-20],
    "no JSON": lambda line: b"\x00\xff\x1b\n",
    "no object": lambda line: b"[1, 2]\n",
    "a key that is none": lambda line: line.replace(b'"key2"', b"2"),
    "gone": lambda line: b"",
    "nested deep": lambda line: b"[" * 5000 + b"\n",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_line_costs_its_answer_alone(tmp_path: Path, damage: str) -> None:
    path = filled(tmp_path / "answers.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = DAMAGES[damage](lines[2])
    path.write_bytes(b"".join(lines))
    with AnswerFile(path) as answers:
        found = {key: answers.answer(key) for key in ANSWERS}
        kept = {key for key in ANSWERS if found[key] is not None}
        assert kept == set(ANSWERS) - ({"key2", "key3"} if damage == "cut" else {"key2"})
        assert all(found[key] == ANSWERS[key] for key in kept)
        for key in set(ANSWERS) - kept:
            answers.keep_answer(key, ANSWERS[key])
    with AnswerFile(path) as answers:
        assert {key: answers.answer(key) for key in ANSWERS} == ANSWERS


@settings(max_examples=60, deadline=None)
@given(end=st.integers(min_value=0, max_value=400))
def test_a_kill_in_the_middle_of_a_line_costs_that_line(tmp_path_factory: pytest.TempPathFactory, end: int) -> None:
    path = filled(tmp_path_factory.mktemp("answers") / "answers.jsonl")
    os.truncate(path, end)
    whole = path.read_bytes().count(b"\n")
    with AnswerFile(path) as answers:
        assert len(answers) in (whole, whole + 1)  # a line that lacks its end alone can be read
        answers.keep_answer("more", b"{}")
    with AnswerFile(path) as answers:
        assert answers.answer("more") == b"{}"
        assert len(answers) in (whole + 1, whole + 2)


@pytest.mark.parametrize("short", [True, False])
def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short: bool) -> None:
    path = filled(tmp_path / "answers.jsonl")
    before = path.read_bytes()
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if short:
            return write(handle, data[:7])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with AnswerFile(path) as answers:
        with monkeypatch.context() as patch:
            patch.setattr("generator.backends.answers.os.write", full)
            with pytest.raises(StorageError, match=r"answers\.jsonl: the disk is full"):
                answers.keep_answer("more", b"{}")
        assert path.read_bytes() == before
        answers.keep_answer("more", b"{}")
        assert answers.answer("more") == b"{}"


def test_earlier_answers_are_copied_and_never_written(tmp_path: Path) -> None:
    (tmp_path / "earlier").mkdir()
    path = filled(tmp_path / "earlier" / "answers.jsonl")
    before = path.read_bytes()
    with AnswerFile(tmp_path / "answers.jsonl") as own:
        earlier = EarlierAnswers(own, tmp_path / "earlier")
        assert earlier.answer("key1") == ANSWERS["key1"] == own.answer("key1")
        assert earlier.answer("another") is None
        earlier.keep_answer("mine", b"{}")
        earlier.close()
        assert len(own) == 2
    assert path.read_bytes() == before


def test_a_folder_without_answers_is_told(tmp_path: Path) -> None:
    with AnswerFile(tmp_path / "answers.jsonl") as own, pytest.raises(UsageError, match="holds no run whose answers"):
        EarlierAnswers(own, tmp_path / "elsewhere")


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
        run_simulated(lambda _: leave())
    assert len(log.kept) == kept


def test_one_who_waits_may_leave_while_another_stays() -> None:
    async def ask() -> str:
        logged = LoggedBackend(Slow(["one"]), Log())
        first, second = (asyncio.create_task(logged.complete(request("a"))) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        return (await second).text

    assert run_simulated(lambda _: ask()) == "one"


@pytest.mark.parametrize("kept", [b"{", b"[]", b'{"text": 5}', b'{"unheard_of": 1}', b"\xff"])
def test_a_kept_answer_that_is_none_is_asked_for_again(kept: bytes) -> None:
    log = Log()
    log.kept[request("a").key] = kept
    assert asyncio.run(LoggedBackend(ScriptedBackend(["one"]), log).complete(request("a"))).text == "one"
    assert log.kept[request("a").key] != kept
