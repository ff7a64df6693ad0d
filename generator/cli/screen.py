"""What `toolgen generate` shows on stderr: progress while it runs, and what became of the run at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from rich.console import Console

from generator.cli.tables import entry_text, laid_out
from generator.cli.terminal import columns_of, is_logged, is_terminal, say, tell
from generator.reports.summary import account, closing, closing_fields
from generator.reports.table import Entry, Table
from generator.run import RunReport
from generator.runs.progress import OnProgress, Progress

_FRAMES_PER_SECOND = 5
_FIRST_LINE_SECONDS = 2.0
_LINE_SECONDS = 10.0
_SHORTEST_BAR, _LONGEST_BAR = 5, 40
_TEXT = 60
"""Columns that are kept for the counts beside the bar."""


@contextmanager
def progress_screen(*, quiet: bool) -> Iterator[OnProgress]:
    """Yield what a run calls with its progress; the fitting display runs while the block does."""
    if quiet:
        yield lambda progress: None
    elif (console := Console(stderr=True)).is_terminal and not is_logged():
        with _bar(console) as show:
            yield show
    else:
        yield _Lines().show


class _Pace:
    """The rate of this session and the time that is left."""

    def __init__(self) -> None:
        self._began = monotonic()

    def rate(self, progress: Progress) -> float:
        """Return settled indices per second."""
        return (progress.decided - progress.resumed) / max(monotonic() - self._began, 1e-3)

    def seconds_left(self, progress: Progress) -> int:
        """Return how many seconds are left at this rate."""
        return round((progress.asked - progress.decided) / max(self.rate(progress), 1e-3))

    def fields(self, progress: Progress) -> dict[str, Any]:
        """Return what `text` tells, for programs."""
        asked = {"tokens": progress.tokens, "cost": progress.cost} if progress.asks else {}
        return {
            "asked": progress.asked,
            "decided": progress.decided,
            "made": progress.kept,
            "rejected": progress.rejected,
            "rate": round(self.rate(progress), 2),
            "seconds_left": self.seconds_left(progress),
            **asked,
        }

    def left(self, progress: Progress) -> str:
        """Return the time left as `1:05:09` or `5:09`."""
        seconds = self.seconds_left(progress)
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    def text(self, progress: Progress) -> str:
        """Return rate, time left and counts in a few words; tokens and their cost only where a model is asked."""
        told = [f"{self.rate(progress):,.0f}/s", f"{self.left(progress)} left"]
        if progress.rejected:
            told.append(f"{progress.rejected:,} rejected")
        if lacking := progress.decided - progress.kept:
            told.append(f"{lacking:,} lacking")
        if progress.tokens:
            told.append(f"{'~' * progress.estimated}{_short(progress.tokens)} tokens")
        if progress.tokens and progress.cost is not None:
            told.append(f"cost {progress.cost:,.2f}")
        return "  ".join(told)


def _short(count: int) -> str:
    """Return a count in few characters: 12,345 is 12k."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= 10 * size:
            return f"{count // size:,}{letter}"
    return f"{count:,}"


class _Lines:
    """Plain lines at intervals, for logs."""

    def __init__(self) -> None:
        self._pace = _Pace()
        self._due = monotonic() + _FIRST_LINE_SECONDS

    def show(self, progress: Progress) -> None:
        """Print a line when one is due."""
        if monotonic() < self._due:
            return
        self._due = monotonic() + _LINE_SECONDS
        text = f"{progress.decided:,}/{progress.asked:,}  {self._pace.text(progress)}"
        tell(text, err=True, event="progress", **self._pace.fields(progress))


@contextmanager
def _bar(console: Console) -> Iterator[OnProgress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    room = max(_SHORTEST_BAR, min(_LONGEST_BAR, console.width - _TEXT))
    columns = (BarColumn(room), MofNCompleteColumn(), TextColumn("{task.fields[text]}"))
    pace, due = _Pace(), 0.0
    with Bar(*columns, console=console, auto_refresh=False, transient=True) as bar:
        task = bar.add_task("", total=None, text="")

        def show(progress: Progress) -> None:
            nonlocal due
            if monotonic() >= due or progress.decided == progress.asked:
                due = monotonic() + 1 / _FRAMES_PER_SECOND
                bar.update(task, completed=progress.decided, total=progress.asked, text=pace.text(progress))
                bar.refresh()

        yield show


def print_closing(report: RunReport, tools: Iterable[str], again: str, *, verbose: bool) -> None:
    """Print on stderr what became of the run, and what to do next; with `verbose` all that is known of it before."""
    if is_logged():
        made = next(iter(closing(report, tools, again)))
        tell(made.text, err=True, event="summary", **closing_fields(report, again))
        return
    parts: list[Table | Entry] = [*(account(report) if verbose else ()), *closing(report, tools, again)]
    columns = columns_of(err=True)
    for part in parts:
        if isinstance(part, Table):
            say(f"{laid_out(part, columns)}\n", err=True)
        else:
            say(entry_text(part, columns) if is_terminal(err=True) else entry_text(part, 0), err=True)
