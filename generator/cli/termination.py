"""SIGTERM outside of a run: the command ends as it does at Ctrl-C, with an exit code and what is done at an end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Terminated(BaseException):
    """SIGTERM came."""


@contextmanager
def sigterm_raised() -> Iterator[None]:
    """While the block runs, the first SIGTERM is raised as `Terminated`; later ones count for nothing.

    `timeout` sends two at once, to the process and to its group, and the second must not cut off what the first began.
    A SIGTERM that is ignored or heard by somebody else already stays so, and threads other than the main one hear none.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        if not heard:
            heard = True
            raise Terminated

    signal.signal(signal.SIGTERM, hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
