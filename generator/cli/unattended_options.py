"""The options of commands that nobody watches: how stderr is written, the file of metrics, what is run on failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import click

from generator.cli.log_lines import LogFormat
from generator.cli.option_types import Choice, FilePath
from generator.cli.terminal import write_log_as
from generator.errors import EXIT_CODES

if TYPE_CHECKING:
    from generator.runs.summary import Summary

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = __name__
_METRICS, _ON_FAILURE, _LOG_FORMAT = "--metrics", "--on-failure", "--log-format"
_VARIABLE = "TOOLGEN_LOG_FORMAT"


@dataclass(slots=True)
class Unattended:
    """What a command line wants done at its end, and what there is to tell then."""

    metrics: Path | None = None
    """The file that metrics are written to."""
    on_failure: str = ""
    """The command line that is run when it fails."""
    began: float = field(default_factory=monotonic)
    message: str = ""
    """The first error that was told."""
    folder: Path | None = None
    """The folder that was worked on, None while it is not known."""
    summary: Summary | None = None
    """What became of the run, None while there was none."""
    kept: int = 0
    """Records that were taken over from an earlier build."""
    build: str = ""
    """The digest of the build that was published."""

    def reason(self, code: int) -> str:
        """Say in one line why it ended with this exit code."""
        if self.message:
            return " ".join(self.message.split())
        if self.summary is not None:
            return f"{self.summary.status}: {self.summary.records:,} of {self.summary.asked:,} records were made"
        return EXIT_CODES.get(code, "failed")

    def take(self, name: str, value: str) -> None:
        """Take the value of an option, "" for none."""
        if name == _METRICS:
            self.metrics = None if _misplaced(Path(value)) else Path(value)
        elif name == _ON_FAILURE:
            self.on_failure = value
        elif value in get_args(LogFormat):
            write_log_as(cast("LogFormat", value))


def unattended(context: click.Context | None = None) -> Unattended:
    """Return what the command line that is being run wants done at its end."""
    found = (context or click.get_current_context()).meta.setdefault(_KEY, Unattended())
    return cast("Unattended", found)


def attend(context: click.Context, asked: Unattended) -> None:
    """Have the options of the command that this context runs fill `asked`."""
    context.meta[_KEY] = asked


def note_outcome(folder: Path, summary: Summary | None = None, *, kept: int = 0, build: str = "") -> None:
    """Tell the end of the command what became of the run in this folder, as far as it is known.

    Args:
        folder: where the data set lies, or was to.
        summary: what became of the run, None while that is not known.
        kept: how many of its records were taken over from an earlier build.
        build: the digest of the build that was published, "" for none.
    """
    asked = unattended()
    asked.folder, asked.summary, asked.kept, asked.build = folder, summary, kept, build


def _take(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is None:
        return
    if isinstance(value, Path) and (problem := _misplaced(value)):
        raise click.BadParameter(problem, context, parameter)
    unattended(context).take(parameter.opts[0], str(value))


def _misplaced(path: Path) -> str:
    """Say why no file can be written there, "" for no reason: better before a long night than after it."""
    if path.is_dir() or not path.name:
        return f"{path}: is a folder; give the path of a file in it"
    return "" if path.parent.is_dir() else f"{path.parent}: no such folder; make it first"


def log_format_of_environment() -> LogFormat:
    """Return how stderr is written before a command line is read, and where it names no command."""
    told = os.environ.get(_VARIABLE, "")
    return cast("LogFormat", told) if told in get_args(LogFormat) else "text"


LOG_FORMAT = click.Option(
    [_LOG_FORMAT],
    type=Choice(get_args(LogFormat)),
    envvar=_VARIABLE,
    expose_value=False,
    is_eager=True,
    callback=_take,
    help=f"How stderr is written: for people, or as JSON, one object a line.  [default: ${_VARIABLE}, else text]",
)
"""An option of every command."""

_OPTIONS = (
    click.option(
        _METRICS,
        type=FilePath(),
        metavar="FILE",
        expose_value=False,
        is_eager=True,
        callback=_take,
        help="Write metrics in the text format of Prometheus at the end, failed or not.",
    ),
    click.option(
        _ON_FAILURE,
        metavar="COMMAND",
        expose_value=False,
        is_eager=True,
        callback=_take,
        help="What the shell runs when the exit code is not 0; it has $TOOLGEN_EXIT_CODE, $TOOLGEN_MESSAGE and "
        "$TOOLGEN_FOLDER.",
    ),
)


def unattended_options(command: Command) -> Command:
    """Give a command `--metrics` and `--on-failure`; it says with `note_outcome` what became of its run."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_as_written(asked: Unattended, arguments: Sequence[str]) -> None:
    """Take from a command line that was refused, word by word, what it wants done at its end."""
    for name, value in _written(arguments):
        asked.take(name, value)


def _written(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(arguments):
        if word == "--":
            return
        name, equals, value = word.partition("=")
        if name in (_METRICS, _ON_FAILURE, _LOG_FORMAT):
            yield name, value if equals else "".join(arguments[at + 1 : at + 2])
