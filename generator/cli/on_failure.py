"""The command that is run when another failed: `--on-failure`."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import IO

from generator.cli.terminal import printable, tell

SECONDS = 60.0
"""How long it may take."""
_LONGEST_MESSAGE = 4000
_LONGEST_OUTPUT = 4000


def run_on_failure(command: str, code: int, message: str, folder: str, seconds: float = SECONDS) -> None:
    """Run the user's own command line as cron would, with what happened in its environment, and tell where it fails.

    No word of data stands in the command line: what a file may hold reaches the command in variables alone. The first
    of what it prints goes to stderr when it has ended, since stdout is for data.

    Args:
        command: the command line, for the shell.
        code: the exit code that is failed with.
        message: why, in one line.
        folder: the whole path of the folder that was worked on, "" where none is known.
        seconds: how long the command may take.
    """
    told = {
        "TOOLGEN_EXIT_CODE": str(code),
        "TOOLGEN_MESSAGE": printable(message).replace("\n", " ")[:_LONGEST_MESSAGE],
        "TOOLGEN_FOLDER": folder,
    }
    with TemporaryFile() as output:
        problem = _run(command, told, output, seconds)
        output.seek(0)
        printed = output.read(_LONGEST_OUTPUT).decode("utf-8", "replace").rstrip()
    if printed:
        tell(printed, err=True, event="on_failure", exit_code=code)
    if problem:
        tell(f"warning: --on-failure: {problem}", err=True)


def _run(command: str, told: Mapping[str, str], output: IO[bytes], seconds: float) -> str:
    """Run the command and return what is wrong with it, "" for nothing."""
    try:
        process = subprocess.Popen(  # noqa: S602 - it is the user's own command line, and no data is put into it
            command,
            shell=True,
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return f"cannot be run: {error}"
    try:
        code = process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"took more than {seconds:g} seconds, and was ended"
    else:
        return f"ended with exit code {code}" if code else ""
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what still runs of it."""
    if process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
