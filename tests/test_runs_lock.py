"""One process per run, and the lock of a process that is gone."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import RunLockedError
from generator.runs import lock
from generator.runs.lock import Holder, claim_of, run_lock
from tests.checkout import CHECKOUT

HOLDER = """
import sys, time
from pathlib import Path
from generator.runs.lock import run_lock
with run_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
WITHOUT_LOCKS = f"""
import errno
from generator.runs import lock
def no_locks(file):
    raise OSError(errno.EOPNOTSUPP, "no locks here")
lock._try_lock = no_locks
{HOLDER}
"""


def holding(path: Path, program: str = HOLDER) -> subprocess.Popen[str]:
    """A process that holds the lock."""
    command = [sys.executable, "-c", program, str(path)]
    holder = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def end(holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.communicate(timeout=60)


def refused(path: Path) -> str:
    with pytest.raises(RunLockedError) as refusal, run_lock(path):
        pytest.fail("the lock was given twice")
    return str(refusal.value)


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has no locks."""

    def fail(file: object) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(lock, "_try_lock", fail)


def test_the_lock_can_be_taken_again_when_it_was_given_back(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    for _ in range(2):
        with run_lock(path):
            assert Holder.model_validate_json(path.read_bytes()).pid == os.getpid()
        assert path.read_bytes() == b""


def test_a_lock_that_another_process_holds_names_it_and_dies_with_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    path = tmp_path / "run.lock"
    holder = holding(path)
    told = refused(path)
    assert f"{tmp_path}: process {holder.pid} is working on this run (on {socket.gethostname()}, since 20" in told
    assert "give --out another folder" in told
    end(holder)
    with run_lock(path):
        assert json.loads(path.read_bytes())["pid"] == os.getpid()
    assert f"left by process {holder.pid} on" in caplog.text


def test_whoever_is_refused_is_told_what_the_caller_knows(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holder = holding(path)
    with pytest.raises(RunLockedError, match=r"is working on this build \(.*\); look later"):  # noqa: SIM117 - the lock is what raises
        with run_lock(path, "build", "look later"):
            pytest.fail("the lock was given twice")
    end(holder)


def test_the_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(LookupError), run_lock(tmp_path / "run.lock"):
        raise LookupError
    with run_lock(tmp_path / "run.lock"):
        pass


NONSENSE = {
    "no text": b"\xff\x00\x00" * 2000,
    "a number": b"4711",
    "other JSON": b'{"pid": "many", "host": 3}',
    "half a holder": b'{"pid":1,"host":"a","since":"2026-0',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=list(NONSENSE))
def test_a_lock_file_of_nonsense_is_survived(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    path.write_bytes(text)
    with run_lock(path):
        assert json.loads(path.read_bytes())["pid"] == os.getpid()


def test_nonsense_in_a_lock_that_is_held_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    holder = holding(path)
    path.write_bytes(b"{nonsense")
    assert f"{tmp_path}: another process is working on this run; wait" in refused(path)
    end(holder)


@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_file_stands_for_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "run.lock"
    with run_lock(path):
        assert f"process {os.getpid()} is working on this run" in refused(path)
        assert claim_of(path).is_file()
    assert [each.name for each in tmp_path.iterdir()] == ["run.lock"]
    assert "locks are not to be had on this file system" in caplog.text


@pytest.mark.usefixtures("no_locks")
@pytest.mark.parametrize("has_links", [True, False])
def test_without_locks_what_a_killed_process_left_is_taken(
    has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.lock"
    holder = holding(path, WITHOUT_LOCKS)
    assert f"process {holder.pid} is working" in refused(path)
    end(holder)

    def fail(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    if not has_links:
        monkeypatch.setattr(lock.os, "link", fail)
    with run_lock(path):
        assert Holder.model_validate_json(claim_of(path).read_bytes()).pid == os.getpid()
    assert [each.name for each in tmp_path.iterdir()] == ["run.lock"]


def claim(**changed: object) -> bytes:
    """What this process would write, but for some of it."""
    return lock._ourselves().model_copy(update=changed).model_dump_json().encode()


GONE: dict[str, dict[str, object]] = {
    "no such process": {"pid": 2**22 + 1, "started": ""},
    "a number that no process has": {"pid": -1},
    "a number that no system knows": {"pid": 2**80},
    "another start of the machine": {"boot": "another"},
    "a number that came again": {"started": "1"},
}


@pytest.mark.usefixtures("no_locks")
@pytest.mark.parametrize("changed", GONE.values(), ids=list(GONE))
def test_a_process_that_is_gone_is_known(changed: dict[str, object], tmp_path: Path) -> None:
    claim_of(tmp_path / "run.lock").write_bytes(claim(**changed))
    with run_lock(tmp_path / "run.lock"):
        pass


@pytest.mark.usefixtures("no_locks")
@pytest.mark.parametrize("text", [claim(host="elsewhere"), b"{nonsense", b""], ids=["host", "nonsense", "nothing"])
def test_without_locks_what_nobody_can_know_is_refused_with_a_remedy(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    claim_of(path).write_bytes(text)
    assert f"where it is no more, remove {claim_of(path)}" in refused(path)
    assert claim_of(path).read_bytes() == text
