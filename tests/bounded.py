"""Bounds on CPU time that find what hangs or grows too fast, and do not depend on how busy the machine is.

The seconds are those of a quiet machine. Before and after the block a fixed piece of work is timed, so that a machine
which is slower at that moment allows as much more; so does a tracer, as the measuring of coverage is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

_QUIET = 0.02
"""Seconds of CPU that the fixed piece of work takes on a quiet machine."""
_TRACED = 4
"""How many times longer code takes while a tracer looks at each of its lines."""


def _slowness() -> float:
    """How many times slower than a quiet machine this one is now; at least once."""
    start = process_time()
    words = {str(number): number for number in range(40_000)}
    assert len(re.findall(r"\d+", " ".join(words))) == sum(1 for number in words.values() if number >= 0)
    return max(1.0, (process_time() - start) / _QUIET)


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Fail where a block takes more CPU than it may take on a quiet machine, in the measure of this one."""
    slowness = _slowness()
    start = process_time()
    yield
    spent = process_time() - start
    allowed = seconds * max(slowness, _slowness()) * (1 if sys.gettrace() is None else _TRACED)
    assert spent < allowed, f"{spent:.1f} s of CPU where at most {allowed:.1f} are needed"
