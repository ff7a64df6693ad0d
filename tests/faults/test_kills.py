"""Runs in processes of their own that are killed, interrupted and started twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from generator.job import Job
from generator.run import run_job
from tests.run_fakes import CATALOG, FAKE, MORTAL, SLOW
from tests.run_processes import finish, kill, settled, start_run, wait_for_rows

COUNT = 3000
KILLS = 20
ENDLESS = 1_000_000


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The files of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return completed(folder)


def completed(folder: Path, count: int = COUNT) -> tuple[bytes, bytes]:
    """Make or go on with a run within this process, to its end; its files."""
    report = run_job(Job(count=count), CATALOG, folder, make=FAKE)
    assert report.summary.exit_code == 0
    return published(folder)


def published(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "records.jsonl").read_bytes(), (folder / "rejections.jsonl").read_bytes()


def children(process: subprocess.Popen[str]) -> list[int]:
    """Return the processes of the run's session, its leader left out."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended while we looked
            continue
        if int(fields[3]) == process.pid and int(entry.name) != process.pid and fields[0] != "Z":
            found.append(int(entry.name))
    return found


@pytest.mark.slow
def test_twenty_kills_at_random_moments_change_no_byte(tmp_path: Path) -> None:
    draw = random.Random(7)
    folder = tmp_path / "run"
    moved = []
    for number in range(KILLS):
        before = settled(folder)
        process = start_run(folder, SLOW, ENDLESS, jobs=1 + number % 2)
        wait_for_rows(process, folder, before + 1)
        time.sleep(draw.random() * 0.15)
        kill(process)
        moved.append(settled(folder) - before)
    assert all(moved)
    count = settled(folder) + 200
    assert completed(folder, count) == completed(tmp_path / "once", count)


@pytest.mark.slow
def test_kills_while_publishing_leave_old_or_new_files(tmp_path: Path, whole: tuple[bytes, bytes]) -> None:
    draw = random.Random(11)
    folder = tmp_path / "run"
    for count in range(COUNT // 10, COUNT, COUNT // 10):
        process = start_run(folder, FAKE, count)
        wait_for_rows(process, folder, count)
        time.sleep(draw.random() * 0.05)
        kill(process)
        if (folder / "records.jsonl").exists():
            records = (folder / "records.jsonl").read_bytes()
            assert whole[0].startswith(records)
            assert not records or records.endswith(b"\n")
    assert completed(folder) == whole
    assert not list(folder.glob(".*"))


INTERRUPT, END = (signal.SIGINT, 130), (signal.SIGTERM, 143)


@pytest.mark.parametrize(
    ("number", "code", "group", "jobs"),
    [
        (*INTERRUPT, True, 2),
        (*END, False, 1),
        *(
            pytest.param(*sent, group, jobs, marks=pytest.mark.slow)
            for sent, group, jobs in (
                (INTERRUPT, True, 1),
                (INTERRUPT, False, 1),
                (INTERRUPT, False, 2),
                (END, False, 2),
                (END, True, 1),
                (END, True, 2),
            )
        ),
    ],
)
def test_signals_stop_soon_publish_and_go_on(
    tmp_path: Path, whole: tuple[bytes, bytes], number: int, code: int, group: bool, jobs: int
) -> None:
    folder = tmp_path / "run"
    process = start_run(folder, SLOW, COUNT, jobs=jobs)
    wait_for_rows(process, folder, 100)
    if group:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    ended, _, err = finish(process)
    assert (ended, err) == (code, "")
    records, rejections = published(folder)
    assert whole[0].startswith(records)
    assert whole[1].startswith(rejections)
    assert len(records.splitlines()) == settled(folder)
    assert completed(folder) == whole


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_no_worker_outlives_its_run(tmp_path: Path, number: int) -> None:
    process = start_run(tmp_path / "run", SLOW, COUNT, jobs=2)
    wait_for_rows(process, tmp_path / "run", 100)
    assert len(children(process)) >= 2
    process.send_signal(number)
    process.communicate(timeout=600)
    deadline = time.monotonic() + 240
    while children(process):
        assert time.monotonic() < deadline, children(process)
        time.sleep(0.05)


def test_a_lost_worker_is_told_and_nothing_is_lost(tmp_path: Path, whole: tuple[bytes, bytes]) -> None:
    folder, flag = tmp_path / "run", {"TOOLGEN_TEST_FLAG": str(tmp_path / "flag")}
    code, _, err = finish(start_run(folder, MORTAL, COUNT, jobs=2, environment=flag))
    assert code == 5
    assert "was killed by signal 9" in err
    assert completed(folder) == whole


def test_a_second_process_is_told_who_works_there(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = start_run(folder, SLOW, COUNT)
    wait_for_rows(first, folder, 1)
    code, _, err = finish(start_run(folder, SLOW, COUNT))
    assert code == 75
    assert f"process {first.pid} is working on this run" in err
    kill(first)
    completed(folder)


@pytest.mark.slow
def test_two_processes_that_got_past_the_lock_spoil_nothing(tmp_path: Path, whole: tuple[bytes, bytes]) -> None:
    folder = tmp_path / "run"
    first = start_run(folder, SLOW, COUNT)
    wait_for_rows(first, folder, 100)
    (folder / "run.lock").unlink()
    second = start_run(folder, SLOW, COUNT)
    codes = {finish(process)[0] for process in (first, second)}
    assert 5 in codes, "one of them wrote where the other was at work"
    assert codes <= {0, 5}
    assert completed(folder) == whole


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "77", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        pytest.param({"PYTHONHASHSEED": "1"}, marks=pytest.mark.slow),
        pytest.param({"LANG": "tr_TR"}, marks=pytest.mark.slow),
    ],
)
def test_the_environment_changes_no_byte(
    tmp_path: Path, whole: tuple[bytes, bytes], environment: dict[str, str]
) -> None:
    code, _, err = finish(start_run(tmp_path / "run", FAKE, COUNT, jobs=2, environment=environment))
    assert code == 0, err
    assert published(tmp_path / "run") == whole
