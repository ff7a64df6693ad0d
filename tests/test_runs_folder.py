"""One process per run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import RunLockedError
from generator.runs.folder import run_lock

HOLDER = """
import sys, time
from pathlib import Path
from generator.runs.folder import run_lock
with run_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_lock_can_be_taken_again_when_it_was_given_back(tmp_path: Path) -> None:
    for _ in range(2):
        with run_lock(tmp_path / "run.lock"):
            assert (tmp_path / "run.lock").read_text() == str(os.getpid())


def test_a_lock_that_another_process_holds_names_it_and_dies_with_it(tmp_path: Path) -> None:
    path = tmp_path / "run.lock"
    command = [sys.executable, "-c", HOLDER, str(path)]
    checkout = Path(__file__).resolve().parents[1]
    with subprocess.Popen(command, cwd=checkout, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RunLockedError, match=f"process {holder.pid} is working on this run"), run_lock(path):
            pytest.fail("the lock was given twice")
        assert path.read_text() == str(holder.pid)
        holder.kill()
    with run_lock(path):
        assert path.read_text() == str(os.getpid())


def test_the_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(LookupError), run_lock(tmp_path / "run.lock"):
        raise LookupError
    with run_lock(tmp_path / "run.lock"):
        pass
