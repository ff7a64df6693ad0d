"""What is done at the end of a command that nobody watches: metrics, and the command that is run on failure."""

from __future__ import annotations

import sys
from time import monotonic

from generator.cli.on_failure import run_on_failure
from generator.cli.terminal import tell
from generator.cli.termination import Terminated
from generator.cli.unattended_options import Unattended
from generator.errors import StorageError

_INTERRUPTED = 130


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
