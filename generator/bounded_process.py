"""A process of ours that does what strangers' texts say, by lines of JSON, held to bounds of time and memory."""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import IO

BYTES = 1024**3
"""The memory of such a process."""
SECONDS = 5
"""The longest that it may take for one request."""


class ProcessDied(Exception):
    """It died of a request: out of time, or of what the system did to it."""

    def __init__(self, last_words: str, code: int) -> None:
        self.last_words = last_words
        self.timed_out = "Timeout (" in last_words
        self.code = code
        super().__init__(f"the process died with code {code}")


class BoundedProcess:
    """Asks the module of that name, which calls `serve`, in a process of its own.

    It starts with the first request, and anew after one that it died of. The opening is the first line that it reads.
    """

    def __init__(self, module: str, opening: str) -> None:
        self._module = module
        self._opening = opening
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def ask(self, request: str) -> str:
        """Return the line that it answers with.

        Raises:
            ProcessDied: it did not answer.
        """
        with self._lock:
            opening = () if self._process else (self._opening,)
            process = self._process or self._start()
            try:
                answer = _ask(process, *opening, request)
            except BrokenPipeError:
                answer = ""
            if not answer:
                self._process = None
                raise _autopsy(process)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        # In a session of its own, so that a Ctrl-C, after which calls in flight are waited for, leaves it alone.
        # It finds the modules that are found here, not those of the working folder, and is told no secrets.
        known = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        process = subprocess.Popen(  # noqa: S603 - a module of ours, by this interpreter
            [sys.executable, "-P", "-m", self._module],
            env={**known, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="ascii",
            errors="backslashreplace",
            start_new_session=True,
        )
        weakref.finalize(self, _end, process)
        self._process = process
        return process


def _ask(process: subprocess.Popen[str], *lines: str) -> str:
    assert process.stdin is not None  # noqa: S101 - it was asked for
    assert process.stdout is not None  # noqa: S101 - it was asked for
    process.stdin.writelines(line + "\n" for line in lines)
    process.stdin.flush()
    return process.stdout.readline()


def _autopsy(process: subprocess.Popen[str]) -> ProcessDied:
    """Say what a process died of."""
    assert process.stderr is not None  # noqa: S101 - it was asked for
    last_words = process.stderr.read()
    code = process.wait()
    _end(process)
    return ProcessDied(last_words, code)


def _end(process: subprocess.Popen[str]) -> None:
    """Let a process end, as it does where there is nothing more to read."""
    for stream in (process.stdin, process.stdout, process.stderr):
        with suppress(OSError):  # what it has not read it will not
            if stream is not None:
                stream.close()
    process.wait()


def serve(prepare: Callable[[str], Callable[[str], str]]) -> None:
    """Answer requests, inside the process, until there are no more; `prepare` is given the opening."""
    bound_memory()
    answer_all(prepare, sys.stdin, sys.stdout, sys.stderr)


def answer_all(
    prepare: Callable[[str], Callable[[str], str]], requests: IO[str], answers: IO[str], dump: IO[str]
) -> None:
    """Answer each request with a line, and end the process where one takes too long, its place written to `dump`."""
    faulthandler.dump_traceback_later(SECONDS, exit=True, file=dump)
    answer = prepare(requests.readline())
    faulthandler.cancel_dump_traceback_later()
    for request in requests:
        faulthandler.dump_traceback_later(SECONDS, exit=True, file=dump)
        line = answer(request)
        faulthandler.cancel_dump_traceback_later()
        answers.write(line + "\n")
        answers.flush()


def bound_memory() -> None:
    """Hold this process to its memory, on systems that can."""
    try:
        import resource
    except ImportError:  # not on this system: time and the length of what comes out are bounded all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
