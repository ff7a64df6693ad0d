"""The checkout under test, and how tests run its program: as a process of its own or within this one."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]


def environment(**more: str) -> dict[str, str]:
    """The environment in which Python finds the checkout's `generator` from any folder."""
    path = os.pathsep.join(filter(None, [str(CHECKOUT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, **more}


def run_python(*arguments: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a process of its own, without stdin, and capture what it prints."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def run_toolgen(*arguments: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    return run_python("-m", "generator", *arguments, cwd=cwd, **more)


def pytest_arguments() -> list[str]:
    """What pytest needs to know the plugin: nothing where toolgen is installed."""
    known = any(point.value == "generator.pytest_plugin" for point in entry_points(group="pytest11"))
    return [] if known else ["-p", "generator.pytest_plugin"]
