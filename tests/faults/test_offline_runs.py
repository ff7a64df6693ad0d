"""Runs of the offline author over the bundled tools: the same bytes whatever happens to them."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from generator.cli import main
from generator.kinds import KINDS
from tests.run_processes import finish, kill, settled, start, wait_for_rows

COUNT = 600
KILLS = 20
ENDLESS = 1_000_000


def command(folder: Path, count: int = COUNT, jobs: int = 1, concurrency: int = 1) -> list[str]:
    options = ["--count", str(count), "--jobs", str(jobs), "--max-concurrency", str(concurrency), "--out", str(folder)]
    even = ",".join(f"{kind}=1" for kind in KINDS)
    return [sys.executable, "-m", "generator", "generate", "--seed", "7", "--mix", even, "--quiet", *options]


def run(folder: Path, *, environment: Mapping[str, str] | None = None, **options: int) -> bytes:
    code, _, err = finish(start(command(folder, **options), environment))
    assert (code, err) == (0, "")
    return (folder / "records.jsonl").read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of a run that nobody disturbed."""
    return run(tmp_path_factory.mktemp("whole") / "run")


@pytest.mark.slow
def test_jobs_and_concurrency_change_no_byte(tmp_path: Path, whole: bytes) -> None:
    assert run(tmp_path / "run", jobs=2, concurrency=64) == whole


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"},
    ],
)
def test_the_environment_changes_no_byte(tmp_path: Path, whole: bytes, environment: dict[str, str]) -> None:
    assert run(tmp_path / "run", environment=environment) == whole


@pytest.mark.slow
def test_a_smaller_count_is_a_prefix(tmp_path: Path) -> None:
    for count in (40, 80):
        assert main(command(tmp_path / str(count), count)[3:]) == 0
    smaller, larger = ((tmp_path / name / "records.jsonl").read_bytes() for name in ("40", "80"))
    assert smaller == b"".join(larger.splitlines(keepends=True)[:40])


@pytest.mark.slow
def test_twenty_kills_at_random_moments_change_no_byte(tmp_path: Path) -> None:
    draw = random.Random(5)
    folder = tmp_path / "run"
    for number in range(KILLS):
        process = start(command(folder, count=ENDLESS, jobs=1 + number % 2))
        wait_for_rows(process, folder, settled(folder) + 1)
        time.sleep(draw.random() * 0.1)
        kill(process)
    count = settled(folder) + 200
    assert run(folder, count=count, jobs=2) == run(tmp_path / "once", count=count)
