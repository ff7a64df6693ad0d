"""The command line: one file per sub-command, imported when it is asked for, and one boundary for errors.

Data goes to stdout; logs, progress and errors go to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from traceback import format_exception

import click

from generator.cli.shell import COMPLETION, PROGRAM, toolgen
from generator.cli.terminal import is_logged, say, tell, write_log_as
from generator.cli.termination import Terminated, sigterm_raised
from generator.cli.unattended_options import Unattended, attend, log_format_of_environment, take_as_written
from generator.errors import ToolFileError, ToolgenError

_BUG = 1
_INTERRUPTED = 130
_TERMINATED = 143
_READER_LEFT = 141
_DISK = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; `errors.EXIT_CODES` says what each means.

    Errors raised on purpose become one message on stderr; anything else is a bug and keeps its traceback. What is to be
    done at the end, as writing metrics, is done after either.
    """
    _prepare_streams()
    write_log_as(log_format_of_environment())
    given = list(sys.argv[1:] if arguments is None else arguments)
    asked = Unattended()
    with sigterm_raised():
        try:
            code = _attempt(given, asked)
        except Terminated:  # which may come while another error is told
            code = _say("terminated", _TERMINATED, asked)
        except Exception as bug:
            _end(asked, _note_bug(asked, bug))
            if is_logged():
                return _BUG
            raise
        return _end(asked, code)


def _note_bug(asked: Unattended, bug: Exception) -> int:
    asked.message = f"{type(bug).__name__}: {bug}"
    if is_logged():
        trace = "".join(format_exception(bug))
        tell(f"error: {asked.message}", err=True, event="bug", exit_code=_BUG, traceback=trace)
    return _BUG


def _end(asked: Unattended, code: int) -> int:
    """Do what is to be done at the end, where anything is, and return the exit code."""
    if asked.metrics is None and not asked.on_failure:
        return code
    from generator.cli.unattended_end import end

    return end(asked, code)


def _attempt(arguments: list[str], asked: Unattended) -> int:
    """Run the command and return its exit code, or that of the error which was told."""
    try:
        code = _invoke(arguments, asked)
        sys.stdout.flush()
        return code
    except ToolgenError as error:
        return _complain(error, asked)
    except click.UsageError as error:
        take_as_written(asked, arguments)
        return _complain_of_usage(error, asked)
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code, asked)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", _INTERRUPTED, asked)
    except BrokenPipeError:
        _abandon_stdout()
        return _READER_LEFT
    except SystemExit as ending:
        # rich turns a broken pipe into this, stdout pointed nowhere already.
        if isinstance(ending.__context__, BrokenPipeError):
            return _READER_LEFT
        raise
    except OSError as error:
        return _say(_describe(error), _DISK, asked)


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


def _invoke(arguments: list[str], asked: Unattended) -> int:
    """Run the command; a command returns nothing, or its exit code."""
    if COMPLETION in os.environ:
        from generator.cli.completion import answer_shell

        return answer_shell()
    try:
        with toolgen.make_context(PROGRAM, list(arguments), obj=tuple(arguments)) as context:
            attend(context, asked)
            return int(toolgen.invoke(context) or 0)
    except click.exceptions.Exit as ending:
        return ending.exit_code


_LONGEST_MESSAGE = 4000
_SHOWN_PROBLEMS = 5
"""Problems of tool files that are told of each kind; the rest is counted."""


def _say(message: str, code: int, asked: Unattended) -> int:
    """Tell an error, keep the first for the end, and return its exit code."""
    asked.message = asked.message or message
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[:_LONGEST_MESSAGE]}... ({len(message) - _LONGEST_MESSAGE:,} more characters)"
    with suppress(OSError):  # where stderr takes nothing either, the exit code is all that can be told
        tell(f"error: {message}", err=True, exit_code=code)
    return code


def _complain(error: ToolgenError, asked: Unattended) -> int:
    for problem in _problems_of(error) if isinstance(error, ToolFileError) else [str(error)]:
        _say(problem, error.exit_code, asked)
    return error.exit_code


def _problems_of(error: ToolFileError) -> Iterator[str]:
    from generator.reports.problems import in_few_words

    return in_few_words(error.problems, first=_SHOWN_PROBLEMS)


def _complain_of_usage(error: click.UsageError, asked: Unattended) -> int:
    _say(error.format_message(), error.exit_code, asked)
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
