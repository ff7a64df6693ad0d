"""Interruption: SIGINT and SIGTERM as a wish to stop, which a run grants at the next record."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Self

from generator.runs.summary import Status

_STATUS: dict[int, Status] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


class Interruption:
    """While the block runs, the first SIGINT or SIGTERM is remembered; a second SIGINT ends the program at once.

    Outside the main thread, where Python hears no signals, it never asks to stop.
    """

    def __init__(self) -> None:
        self._heard: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._hear) for number in _STATUS}
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def asked(self) -> bool:
        """Say whether the run is to stop."""
        return self._heard is not None

    @property
    def status(self) -> Status | None:
        """The status of a run that was stopped so; None while nothing was heard."""
        return None if self._heard is None else _STATUS[self._heard]

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._heard is not None and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._heard = self._heard or number
