"""The end of a run: what is told of it, and with which exit code the command ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from generator.cli.job_options import note
from generator.cli.terminal import say, say_json
from generator.cli.unattended_options import note_outcome
from generator.errors import BackendError, DataError, LimitError
from generator.jsontext import dump_pretty

if TYPE_CHECKING:  # what makes records is not needed to define a command
    from generator.run import RunReport


class Told(NamedTuple):
    """What is told of a run, and the command that goes on with it."""

    quiet: bool
    verbose: bool
    as_json: bool
    again: str


@contextmanager
def outcome_noted(folder: Path) -> Iterator[None]:
    """Note what was made, and what it took, where the server fails in the block: it is published then."""
    from generator.runs.folder import RunFolder
    from generator.runs.publish import published_summary

    try:
        yield
    except BackendError:
        note_outcome(folder, published_summary(RunFolder(folder)))
        raise


def conclude(report: RunReport, tools: Iterable[str], told: Told, cost: str = "") -> int:
    """Tell what became of a run over these tools, and what a model has cost; return the exit code.

    Raises:
        DataError: fewer records than asked for could be made.
        LimitError: a limit ended it.
    """
    from generator.cli.screen import print_closing
    from generator.reports.summary import reason_of

    summary = report.summary
    note_outcome(report.folder.path, summary)
    if not told.quiet:
        print_closing(report, tools, told.again, verbose=told.verbose)
        if cost:
            note(cost, quiet=told.quiet)
    if told.as_json:
        say_json(dump_pretty(summary.model_dump(mode="json")))
    if summary.status == "incomplete":
        lacking = f"{summary.asked - summary.records:,} of {summary.asked:,} records could not be made"
        raise DataError(reason_of(summary) if told.quiet else lacking)
    if summary.status == "limited":
        raise LimitError(f"{report.limit}. To go on: {told.again}" if told.quiet else report.limit)
    if summary.status != "complete" and told.quiet:
        say(f"{summary.status} at {summary.records:,} of {summary.asked:,}; to go on: {told.again}", err=True)
    return summary.exit_code
