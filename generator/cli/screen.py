"""What `toolgen generate` shows on stderr: progress while it runs, and what became of the run at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from generator.cli.terminal import printable, say
from generator.reports.summary import Table, closing, places
from generator.run import RunReport
from generator.runs.progress import OnProgress, Progress

_FRAMES_PER_SECOND = 5
_FIRST_LINE_SECONDS = 2.0
_LINE_SECONDS = 10.0


@contextmanager
def progress_screen(*, quiet: bool) -> Iterator[OnProgress]:
    """Yield what a run calls with its progress; the fitting display runs while the block does."""
    if quiet:
        yield lambda progress: None
    elif (console := Console(stderr=True)).is_terminal:
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

    def left(self, progress: Progress) -> str:
        """Return the time left as `1:05:09` or `5:09`."""
        seconds = round((progress.asked - progress.decided) / max(self.rate(progress), 1e-3))
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    def text(self, progress: Progress) -> str:
        """Return rate, time left and counts in a few words."""
        text = f"{self.rate(progress):,.0f}/s  ETA {self.left(progress)}  kept {progress.kept:,}  "
        return text + (_told_of_answers(progress) if progress.asks else f"rejected {progress.rejected:,}")


def _told_of_answers(progress: Progress) -> str:
    """Tell what became of plans and answers apart, and what the answers took."""
    cost = "" if progress.cost is None else f"  cost {progress.cost:,.4f}"
    return (
        f"rejected plans {progress.unplanned:,}, answers {progress.rejected - progress.unplanned:,}  "
        f"tokens {'~' * progress.estimated}{progress.tokens:,}{cost}"
    )


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
        say(f"{progress.decided:,}/{progress.asked:,}  {self._pace.text(progress)}", err=True)


@contextmanager
def _bar(console: Console) -> Iterator[OnProgress]:
    from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TaskProgressColumn(), TextColumn("{task.fields[text]}"))
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


def print_closing(report: RunReport) -> None:
    """Print on stderr what became of the run, and where to look."""
    console = Console(stderr=True, highlight=False)
    for part in closing(report):
        console.print(_text(part) if isinstance(part, str) else rendered(part))
    for line in places(report):
        console.print(_text(line), soft_wrap=True)


def rendered(table: Table) -> RichTable:
    """Return a table as the terminal shows it."""
    shown = RichTable(box=box.SIMPLE)
    for column in table.columns:
        shown.add_column(column.head, justify=column.justify, overflow="fold" if column.folds else "ellipsis")
    for row in table.rows:
        shown.add_row(*map(_text, row))
    if table.total:
        shown.add_section()
        shown.add_row(*table.total)
    return shown


def _text(content: str) -> Text:
    """Text that is printed as it is: no markup, no control characters."""
    return Text(printable(content))
