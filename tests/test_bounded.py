"""Bounds find what takes too long, and end what never ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.bounded import Stopwatch, bounded, communicate, slowness


def started(program: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_what_takes_longer_than_it_may_fails() -> None:
    with bounded(60):
        sum(range(1000))
    with pytest.raises(AssertionError, match="s of CPU where at most"), bounded(0):
        sum(range(1000))


def test_a_quiet_machine_is_never_slower_than_this_one() -> None:
    began = Stopwatch()
    assert slowness() >= 1
    assert 0 <= began.quiet_seconds <= began.seconds


def test_what_a_process_said_is_told_with_the_slowness_and_one_that_hangs_is_killed() -> None:
    out, err, slowest = communicate(started("import sys; print(1); print(2, file=sys.stderr)"), 240)
    assert (out, err) == (b"1\n", b"2\n")
    assert slowest >= 1
    hangs = started("import time; time.sleep(600)")
    with pytest.raises(subprocess.TimeoutExpired):
        communicate(hangs, 0.1)
    assert hangs.returncode == -9
