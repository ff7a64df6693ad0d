"""Bounds on time that find what hangs or grows too fast, and do not depend on how busy the machine is.

The seconds are those of a quiet machine. Before and after, and beside another process while it runs, a fixed piece of
work is timed, so that a machine which is slower at that moment allows as much more; so does a tracer, as the measuring
of coverage is one. Where the clock on the wall counts, what processes waited for a processor is allowed as well.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, process_time

_QUIET = 0.02
"""Seconds of CPU that the fixed piece of work takes on a quiet machine."""
_TRACED = 4
"""How many times longer code takes while a tracer looks at each of its lines."""
_PRESSURE = Path("/proc/pressure/cpu")


def slowness() -> float:
    """How many times slower than a quiet machine this one is now; at least once."""
    start = process_time()
    words = {str(number): number for number in range(40_000)}
    assert len(re.findall(r"\d+", " ".join(words))) == sum(1 for number in words.values() if number >= 0)
    return max(1.0, (process_time() - start) / _QUIET)


def _tracing() -> int:
    return 1 if sys.gettrace() is None else _TRACED


def _waited() -> float:
    """Seconds since the start of the machine in which something waited for a processor; 0 where it does not say."""
    if not _PRESSURE.exists():
        return 0.0
    (total,) = re.findall(r"^some .*total=(\d+)", _PRESSURE.read_text("ascii"), re.MULTILINE)
    return int(total) / 1e6


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Fail where a block takes more CPU than it may take on a quiet machine, in the measure of this one."""
    before, start = slowness(), process_time()
    yield
    spent = process_time() - start
    allowed = seconds * max(before, slowness()) * _tracing()
    assert spent < allowed, f"{spent:.1f} s of CPU where at most {allowed:.1f} are needed"


class Stopwatch:
    """Tells how long something takes, what it waits for included."""

    def __init__(self) -> None:
        self._slowness = slowness()
        self._waited, self._began = _waited(), monotonic()

    @property
    def seconds(self) -> float:
        """Since the start, on the wall."""
        return monotonic() - self._began

    @property
    def quiet_seconds(self) -> float:
        """Since the start, as many as they were on a quiet machine."""
        spent = self.seconds - (_waited() - self._waited)
        return max(0.0, spent) / max(self._slowness, slowness()) / _tracing()


def communicate(process: subprocess.Popen[bytes], patience: float) -> tuple[bytes, bytes, float]:
    """Wait for the end of a process, and return its stdout, its stderr, and how slow the machine was at its slowest.

    Raises:
        subprocess.TimeoutExpired: it took longer than so many seconds on the wall; it was killed.
    """
    slowest, until = slowness(), monotonic() + patience
    while True:
        try:
            return *process.communicate(timeout=1), max(slowest, slowness())
        except subprocess.TimeoutExpired:
            slowest = max(slowest, slowness())
            if monotonic() > until:
                process.kill()
                process.communicate()
                raise
