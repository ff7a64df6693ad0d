"""Bounds on CPU time that find what hangs or grows too fast, and never depend on how busy the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

_SLACK = 10
"""A slow or busy machine, and the measuring of coverage, take several times longer; what hangs takes for ever."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Fail where a block takes over ten times the CPU seconds that a quiet machine needs for it at most."""
    start = process_time()
    yield
    spent = process_time() - start
    assert spent < seconds * _SLACK, f"{spent:.1f} s of CPU where at most {seconds} are needed"
