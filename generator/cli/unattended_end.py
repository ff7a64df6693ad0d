"""What is done at the end of a command that nobody watches: metrics, and the command that `--on-failure` names."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from time import monotonic
from typing import IO

from generator.cli.terminal import printable, tell
from generator.cli.termination import Terminated
from generator.cli.unattended_options import Unattended
from generator.errors import StorageError

SECONDS = 60.0
"""How long it may take."""
_LONGEST_MESSAGE = 4000
_LONGEST_OUTPUT = 4000
_INTERRUPTED = 130


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


def end(asked: Unattended, code: int) -> int:
    """Do what a command line wants done at its end, and return its exit code.

    A run that went well and whose metrics could not be written fails as the disk did; nothing else changes the code.
    """
    try:
        code = _write_metrics(asked, code)
        if asked.on_failure and code and not _is_watched(code):
            folder = "" if asked.folder is None else str(asked.folder.absolute())
            run_on_failure(asked.on_failure, code, asked.reason(code), folder)
    except (KeyboardInterrupt, Terminated):
        tell("warning: stopped before all was done that was to be done at the end", err=True)
    return code


def _is_watched(code: int) -> bool:
    """Say whether somebody who sits at the terminal stopped it, and so needs not be told."""
    return code == _INTERRUPTED and sys.stdin.isatty()


def _write_metrics(asked: Unattended, code: int) -> int:
    """Write the metrics, but for a command that went well and made no run, as `--help` and `--dry-run` do."""
    if asked.metrics is None or (code == 0 and asked.summary is None):
        return code
    from generator.reports.metrics import Ended, write_metrics

    ended = Ended(code, monotonic() - asked.began, asked.summary, asked.kept, asked.build)
    try:
        write_metrics(asked.metrics, ended)
    except StorageError as error:
        asked.message = asked.message or str(error)
        tell(f"error: --metrics: {error}", err=True)
        return code or error.exit_code
    return code
