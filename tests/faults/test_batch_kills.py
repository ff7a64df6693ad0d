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
from tests.test_batches import JOB, TOOLS, at_once, batch, published, run

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
