"""Starting, watching and stopping runs in processes of their own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.run_fakes import FakeProducer

CHECKOUT = Path(__file__).resolve().parents[1]
_PATIENCE = 600.0


def start_run(
    folder: Path,
    producer: type[FakeProducer],
    count: int,
    *,
    jobs: int = 1,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start a run of the fake catalog with a fake producer."""
    command = [sys.executable, "-m", "tests.run_child", str(folder), producer.__name__, str(count), str(jobs)]
    return start(command, environment)


def start(command: list[str], environment: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a process in a session of its own, so that a signal to its group reaches nobody else."""
    return subprocess.Popen(
        command,
        cwd=CHECKOUT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def settled(folder: Path) -> int:
    """Return how many indices the run store holds, as another process sees it."""
    try:
        with sqlite3.connect(f"file:{folder / 'run.db'}?mode=ro", uri=True) as store:
            return int(store.execute("SELECT count(*) FROM outcome").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def wait_for_rows(process: subprocess.Popen[str], folder: Path, rows: int) -> None:
    """Wait until the run has committed that many indices."""
    deadline = time.monotonic() + _PATIENCE
    while settled(folder) < rows:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, "the run does not get on"
        time.sleep(0.01)


def finish(process: subprocess.Popen[str], patience: float = _PATIENCE) -> tuple[int, str, str]:
    """Wait for the end and return exit code, stdout and stderr."""
    out, err = process.communicate(timeout=patience)
    return process.returncode, out, err


def finish_measured(process: subprocess.Popen[str], patience: float = _PATIENCE) -> tuple[int, str, str, int]:
    """Finish, and return also the most memory the process held, in kilobytes, as its own pages tell.

    What the system tells of children that ended counts what the parent held when it began them.
    """
    most = 0
    with ThreadPoolExecutor(1) as pool:
        end = pool.submit(finish, process, patience)
        while not end.done():
            most = max(most, _peak(process.pid))
            time.sleep(0.02)
    return *end.result(), most


def _peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL, as at the end of memory or power."""
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=_PATIENCE)
