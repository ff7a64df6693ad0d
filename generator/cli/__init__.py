"""The command line: one file per sub-command, imported when it is asked for, and one boundary for errors.

Data goes to stdout; logs, progress and errors go to stderr.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

import click

from generator.cli.shell import COMPLETION, PROGRAM, toolgen
from generator.cli.terminal import Log, say, tell
from generator.errors import ToolFileError, ToolgenError

_INTERRUPTED = 130
_READER_LEFT = 141
_DISK = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; `errors.EXIT_CODES` says what each means.

    Errors raised on purpose become one message on stderr; anything else is a bug and keeps its traceback.
    """
    _prepare_streams()
    _take_warnings()
    try:
        code = _invoke(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        return code
    except ToolgenError as error:
        return _complain(error)
    except click.UsageError as error:
        return _complain_of_usage(error)
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", _INTERRUPTED)
    except BrokenPipeError:
        _abandon_stdout()
        return _READER_LEFT
    except SystemExit as ending:
        # rich turns a broken pipe into this, stdout pointed nowhere already.
        if isinstance(ending.__context__, BrokenPipeError):
            return _READER_LEFT
        raise
    except OSError as error:
        return _say(_describe(error), _DISK)


def _prepare_streams() -> None:
    """Open what is closed, and let no character be one that a terminal cannot print."""
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _open_closed_streams() -> None:
    """Point closed standard streams nowhere, as cron jobs may have them, before a file takes their number."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - it stays open while the program runs
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as above
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as above


def _take_warnings() -> None:
    """Print what modules log through the terminal's own gate: it may quote a server or a file."""
    own = logging.getLogger("generator")
    if not any(isinstance(each, Log) for each in own.handlers):
        own.addHandler(Log())


def _invoke(arguments: list[str]) -> int:
    """Run the command; a command returns nothing, or its exit code."""
    if COMPLETION in os.environ:
        from generator.cli.completion import answer_shell

        return answer_shell()
    try:
        with toolgen.make_context(PROGRAM, list(arguments), obj=tuple(arguments)) as context:
            return int(toolgen.invoke(context) or 0)
    except click.exceptions.Exit as ending:
        return ending.exit_code


_LONGEST_MESSAGE = 4000
_SHOWN_PROBLEMS = 5
"""Problems of tool files that are told of each kind; the rest is counted."""


def _say(message: str, code: int) -> int:
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}... ({len(message) - _LONGEST_MESSAGE:,} more characters)"
    with suppress(OSError):  # where stderr takes nothing either, the exit code is all that can be told
        tell(f"error: {message}", err=True)
    return code


def _complain(error: ToolgenError) -> int:
    for problem in _problems_of(error) if isinstance(error, ToolFileError) else [str(error)]:
        _say(problem, error.exit_code)
    return error.exit_code


def _problems_of(error: ToolFileError) -> Iterator[str]:
    from generator.reports.problems import in_few_words

    return in_few_words(error.problems, first=_SHOWN_PROBLEMS)


def _complain_of_usage(error: click.UsageError) -> int:
    _say(error.format_message(), error.exit_code)
    if error.ctx is not None:
        say(f"try: {error.ctx.command_path} --help", err=True)
    return error.exit_code


def _describe(error: OSError) -> str:
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename is not None else what


def _abandon_stdout() -> None:
    """Point stdout nowhere, so that the interpreter's last flush finds a reader."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
