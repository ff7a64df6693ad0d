"""The file of answers: each line stands for itself, and a damaged one costs the answer in it alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends import answer_file
from generator.backends.answer_file import AnswerFile, EarlierAnswers
from generator.errors import StorageError, UsageError

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
            patch.setattr(answer_file.os, "write", full)
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
