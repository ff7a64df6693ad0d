"""SIGTERM, whenever it comes: gentle, whatever sends it, and told at the end."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generator.cli.termination import Terminated, sigterm_raised
from tests.checkout import environment
from tests.readmes import make_desk
from tests.run_processes import finish, settled, start, wait_for_rows
from tests.test_reports_metrics import value

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent otherwise there")
TOLD = 'printf "%s|" "$TOOLGEN_EXIT_CODE" "$TOOLGEN_MESSAGE" "$TOOLGEN_FOLDER"'


def test_the_first_is_raised_and_the_second_counts_for_nothing() -> None:
    caught = 0
    with sigterm_raised():
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except Terminated:
            caught += 1
            os.kill(os.getpid(), signal.SIGTERM)
    assert caught == 1
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_one_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with sigterm_raised():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return make_desk(tmp_path)


def command(desk: Path, *before: str) -> list[str]:
    """A long run with all that is done at its end, in the folder `run`."""
    options = ["--count", "100000", "--quiet", "--out", str(desk / "run")]
    watch = ["--metrics", str(desk / "m.prom"), "--on-failure", f"{TOLD} > {desk / 'told'}"]
    return [*before, sys.executable, "-m", "generator", "generate", *options, *watch]


def assert_published(desk: Path) -> None:
    """What was made is published, and the end was told."""
    records = (desk / "run" / "records.jsonl").read_text().splitlines()
    summary = json.loads((desk / "run" / "summary.json").read_text())
    assert len(records) == summary["records"] <= settled(desk / "run")
    assert summary["status"] == "terminated"
    told = f"143|terminated: {len(records):,} of 100,000 records were made|{desk / 'run'}|"
    assert (desk / "told").read_text() == told
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 143
    assert value(desk / "m.prom", "toolgen_records_made") == len(records)


@pytest.mark.slow
@pytest.mark.parametrize("signals", [1, 2, 20])
def test_a_run_publishes_what_it_made_however_often_it_is_told(desk: Path, signals: int) -> None:
    process = start(command(desk))
    wait_for_rows(process, desk / "run", 10)
    for _ in range(signals):
        process.send_signal(signal.SIGTERM)
    assert finish(process)[0] == 143
    assert_published(desk)


@pytest.mark.slow
def test_systemd_stops_it_gently(desk: Path) -> None:
    """With KillMode=control-group SIGTERM goes to every process of a service, its workers among them."""
    process = start([*command(desk), "--jobs", "2"])
    wait_for_rows(process, desk / "run", 10)
    os.killpg(process.pid, signal.SIGTERM)
    assert finish(process)[0] == 143
    assert_published(desk)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("timeout") is None, reason="needs the command timeout")
def test_timeout_stops_it_gently(desk: Path) -> None:
    """It sends SIGTERM twice, to the process and to its group, and would send SIGKILL a minute later."""
    done = subprocess.run(
        command(desk, "timeout", "--preserve-status", "--kill-after=60", "12"),
        env=environment(),
        capture_output=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == 143
    if (desk / "run" / "run.db").exists() and settled(desk / "run"):
        assert_published(desk)
    else:  # the machine was too busy for it to begin
        assert (desk / "told").read_text().startswith("143|")


@pytest.mark.slow
def test_before_the_run_it_is_told_as_well(desk: Path) -> None:
    os.mkfifo(desk / "slow.json")  # nothing comes out of it, so that the tools are read for ever
    words = command(desk)
    words.insert(words.index("generate") + 1, str(desk / "slow.json"))
    process = start(words)
    handle = open_when_read(desk / "slow.json", process)
    process.send_signal(signal.SIGTERM)
    code, out, err = finish(process)
    os.close(handle)
    assert (code, out, err) == (143, "", "error: terminated\n")
    assert (desk / "told").read_text() == "143|terminated||"
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 143


def open_when_read(path: Path, process: subprocess.Popen[str]) -> int:
    """Open a pipe for writing as soon as somebody reads it."""
    deadline = time.monotonic() + 120
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "nobody reads it"
            time.sleep(0.05)
