"""Commands of batches that are killed at the worst moments: what was paid for is found again, and not paid twice."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.batch_server import PATIENCE, BatchServer, batches_served
from tests.faults.other_protocols import KEY
from tests.run_processes import kill, start
from tests.test_batches import JOB, TOOLS, at_once, batch, poor_answer, published, run

PROTOCOLS = {"openai": (), "anthropic": ("--protocol", "anthropic")}


def begin(what: str, folder: Path, server: BatchServer) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    command = [sys.executable, "-m", "generator", "batch", what, str(folder), "--base-url", server.url]
    return start(command, {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": KEY})


def wait_for(process: subprocess.Popen[str], happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_batch_that_was_made_and_never_noted_is_found_again(protocol: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    server = BatchServer(mute={"create"})
    with batches_served(server):
        told = run("batch", "write", folder, *TOOLS, *JOB, "--file-requests", "5", *PROTOCOLS[protocol])
        assert told.code == 0, told.err
        for number in (1, 2, 3):
            process = begin("submit", folder, server)
            wait_for(process, lambda number=number: len(server.batches) == number)  # type: ignore[misc] # bound now
            kill(process)
        server.mute.clear()
        assert batch("submit", folder, server, ANTHROPIC_API_KEY=KEY).code == 0
        assert len(server.batches) == 3
        assert batch("run", folder, server, job=False, ANTHROPIC_API_KEY=KEY).code == 0
    assert server.twice == []


def strangers(server: BatchServer) -> None:
    """Another program's batch of as many lines, made after the last one."""
    *_, last = server.batches.values()
    lines = [{**line, "custom_id": f"mine-{number}"} for number, line in enumerate(last["lines"])]
    server.batches["other"] = {"id": "other", "lines": lines, "looks": 0, "status": last["status"]}


@pytest.mark.slow
@pytest.mark.parametrize("is_over", [False, True], ids=["under way", "ended"])
def test_a_message_batch_of_another_program_is_not_taken_for_the_one_that_was_made(
    is_over: bool, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    server = BatchServer(mute={"create"})
    with batches_served(server):
        assert run("batch", "write", folder, *TOOLS, *JOB, *PROTOCOLS["anthropic"]).code == 0
        process = begin("submit", folder, server)
        wait_for(process, lambda: len(server.batches) == 1)
        kill(process)
        server.mute.clear()
        if is_over:
            server.batches["msgbatch-1"]["status"] = "ended"
        strangers(server)
        told = batch("run", folder, server, job=False, ANTHROPIC_API_KEY=KEY)
        assert told.code == 0, told.err
    assert server.twice == []
    assert ("of another batch 1" in told.err) is not is_over
    assert len((folder / "records.jsonl").read_bytes().splitlines()) == 12


@pytest.mark.slow
def test_a_kill_while_rounds_are_written_costs_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    server = BatchServer(answer=poor_answer)
    journal = folder / "batches" / "made.db-wal"
    with batches_served(server):
        assert batch("write", folder, server, "--count", "60").code == 0
        for number in range(4):
            assert batch("submit", folder, server, job=False).code == 0
            assert batch("collect", folder, server, job=False).code == 0
            process = begin("write", folder, server)
            began = time.monotonic()
            wait_for(process, lambda: journal.exists() and journal.stat().st_mtime > time.time() - 60)
            time.sleep((time.monotonic() - began) * number / 10)
            kill(process)
            assert batch("write", folder, server, job=False).code == 0
        assert batch("run", folder, server, job=False).code == 0
        options = ("--author", "llm", *JOB, "--count", "60", "--base-url", server.url, "--quiet")
        assert run("generate", *TOOLS, *options, "--out", tmp_path / "once").code == 0
    assert server.twice == []
    assert published(folder) == published(tmp_path / "once")


@pytest.mark.slow
@pytest.mark.parametrize("route", ["upload", "look", "content"])
def test_kills_elsewhere_cost_nothing_either(route: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    server = BatchServer()
    with batches_served(server):
        assert batch("write", folder, server).code == 0
        for _ in range(3):
            server.mute, before = {route}, server.counts[route]
            process = begin("run", folder, server)
            wait_for(process, lambda before=before: server.counts[route] > before)  # type: ignore[misc] # bound now
            kill(process)
            server.mute = set()
        assert batch("run", folder, server, job=False).code == 0
    assert server.twice == []
    assert published(folder) == at_once(tmp_path / "whole", server.answer)
