"""What `toolgen generate` shows on stderr: progress while it runs, and what became of the run at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from generator.cli.terminal import printable, say
from generator.run import RunReport
from generator.runs.progress import OnProgress, Progress
from generator.runs.summary import Coverage, RuleCount, Summary

_SHOWN_UNUSED = 5
_SHOWN_COUNTS = 12


_FRAMES_PER_SECOND = 5
_FIRST_LINE_SECONDS = 2.0
_LINE_SECONDS = 10.0
_SHOWN_RULES = 8
_SHOWN_TOOLS = 3


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
    if report.made == 0:
        console.print(_text(f"{report.folder.path}: this run is settled already, nothing was left to do"))
    console.print(_kinds_table(report.summary))
    if report.summary.rules:
        console.print(_rules_table(report.summary))
    if report.summary.records:
        console.print(coverage_table(report.summary.coverage))
        for line in coverage_lines(report.summary.coverage):
            console.print(_text(line))
    if report.summary.tokens.answers:
        console.print(_tokens_table(report.summary))
        for line in _answers(report.summary):
            console.print(_text(line))
    for line in _shares_passed_on(report.summary):
        console.print(_text(line))
    for line in _where(report):
        console.print(_text(line), soft_wrap=True)


def _shares_passed_on(summary: Summary) -> Iterator[str]:
    """Say which kinds and tools gave their share to the others, and why."""
    for kind, reason in summary.kinds_not_served.items():
        yield f"kind {kind} gave its share to the others: {reason}"
    for of, reasons in summary.given_up.items():
        for name, reason in reasons.items():
            yield f"{of} {name} gave its share to the others: {reason}"


def _kinds_table(summary: Summary) -> Table:
    table = Table(box=box.SIMPLE)
    table.add_column("kind")
    for column in ("asked", "kept", "rejected attempts", "given up"):
        table.add_column(column, justify="right")
    counts = [(kind, count) for kind, count in summary.kinds.items() if count.asked or count.kept]
    for kind, count in counts:
        table.add_row(_text(kind), f"{count.asked:,}", f"{count.kept:,}", f"{count.rejected:,}", f"{count.given_up:,}")
    given_up = summary.decided - summary.records
    table.add_section()
    table.add_row("all", f"{summary.asked:,}", f"{summary.records:,}", f"{summary.rejected:,}", f"{given_up:,}")
    return table


def _tokens_table(summary: Summary) -> Table:
    """Tokens per kind; a ~ marks sums that hold estimates."""
    tokens = summary.tokens
    mark = "~" if tokens.estimated else ""
    table = Table(box=box.SIMPLE)
    table.add_column("tokens")
    for column in ("prompt", "completion", "of these wasted"):
        table.add_column(column, justify="right")
    for kind, count in tokens.kinds.items():
        table.add_row(_text(kind), *(f"{mark}{each:,}" for each in (count.prompt, count.completion, count.wasted)))
    table.add_section()
    table.add_row("all", *(f"{mark}{each:,}" for each in (tokens.prompt, tokens.completion, tokens.wasted)))
    return table


def _answers(summary: Summary) -> Iterator[str]:
    tokens = summary.tokens
    estimated = f", the tokens of {tokens.estimated:,} estimated (~)" if tokens.estimated else ""
    yield f"answers     {tokens.answers:,} by {summary.rung}{estimated}"
    yield f"rejected    {summary.unplanned:,} plans, answers to {summary.rejected - summary.unplanned:,}"
    if tokens.cost is not None:
        yield f"cost        {tokens.cost:,.4f}"
    opinions = summary.second_opinions
    if opinions.tokens:
        agreed = ", ".join(f"{how} {count:,}" for how, count in opinions.agreed.items()) or "none"
        yield f"2nd opinion agreed {agreed}; not {opinions.disagreed:,}; {opinions.tokens:,} tokens"
    for what, counts in (("unusable", tokens.unusable), ("sent again", tokens.failed)):
        if counts:
            yield f"{what:<11} " + ", ".join(f"{reason} {count:,}" for reason, count in counts.items())


def _rules_table(summary: Summary) -> Table:
    table = Table(box=box.SIMPLE)
    table.add_column("rejected for")
    table.add_column("attempts", justify="right")
    table.add_column("meaning")
    table.add_column("tools", overflow="fold")
    for rule, count in list(summary.rules.items())[:_SHOWN_RULES]:
        table.add_row(_text(rule), f"{count.rejected:,}", _text(meaning(rule)), _text(most_rejected(count)))
    return table


def meaning(rule: str) -> str:
    """Return what a rule asks for, in one line; empty where the rule is an author's own."""
    from generator.validation.rules import RULES

    return RULES[rule].row.summary if rule in RULES else _OWN_RULES.get(rule, "")


_OWN_RULES = {
    "RUN001": "no two records of a run have the same request",
    "RUN002": "a kind and a tool are left that were not given up",
    "PL001": "the scenario can be planned with this tool",
    "AU001": "the plan has words for each step",
    "LM001": "an answer of the model is usable",
    "LM002": "the server answers",
    "LM003": "an answer is one whole JSON object",
    "LM004": "an answer has the shape that was asked for",
    "LM005": "an answer holds the text that was asked for",
    "LM006": "the calls are those of the plan",
    "LM008": "a text is no longer than was asked for",
    "LM007": "a text names no tool and no parameter",
    "LM009": "arguments are those that the conversation is planned around",
    "LM010": "calls that follow from the plan keep every rule",
    "LM011": "evidence quotes what was said",
    "LM012": "words said once give one argument",
    "LM013": "a call that is to succeed succeeds in the world",
    "LM014": "calls that follow are given what earlier results bring",
    "LM015": "a call changes or asks what was not so or answered before",
    "VE001": "a second opinion arrives at the same calls",
    "VE002": "a second opinion finds errand, calls, results and answer sensible",
    "VE003": "a second opinion can be had",
}


def most_rejected(count: RuleCount) -> str:
    """Name the tools that a rule met most."""
    names = list(count.tools)
    more = f" and {len(names) - _SHOWN_TOOLS} more" if len(names) > _SHOWN_TOOLS else ""
    return ", ".join(names[:_SHOWN_TOOLS]) + more


def _where(report: RunReport) -> Iterator[str]:
    folder, summary = report.folder, report.summary
    if derived := summary.domains.get("derived"):
        yield f"derived     {derived:,} tools without a domain file make plain records; `toolgen domain` does better"
    yield f"records     {folder.records} ({summary.records:,})"
    if summary.rejected:
        yield f"rejections  {folder.rejections} ({summary.rejected:,})"
    yield f"summary     {folder.summary}"
    yield f"look        toolgen show {folder.path}"
    yield f"check       toolgen validate {folder.records}"
    yield f"use         toolgen export {folder.path} --format trl -o train.jsonl"


def _text(content: str) -> Text:
    """Text that is printed as it is: no markup, no control characters."""
    return Text(printable(content))


def coverage_table(coverage: Coverage) -> Table:
    """Return the shares of tools, optional parameters and enumerated values that some record uses."""
    table = Table(box=box.SIMPLE)
    table.add_column("coverage")
    for column in ("used", "all", "share"):
        table.add_column(column, justify="right")
    rows = (
        ("tools called", coverage.tools),
        ("optional parameters", coverage.optional_parameters),
        ("enum values", coverage.enum_values),
    )
    for what, share in rows:
        table.add_row(what, f"{share.used:,}", f"{share.all:,}", f"{share.share:.1%}")
    return table


def _proof(levels: Mapping[str, int]) -> Iterator[str]:
    """Yield the shares of the values by what vouches for them."""
    vouched = {"by construction": levels.get("construction", 0), "by a model": levels.get("asserted", 0)}
    values = sum(levels.values())
    for how, count in {"by text": values - sum(vouched.values()), **vouched}.items():
        if count:
            yield f"{how} {count / values:.1%}"


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """Yield what else is counted, a line each; nothing where there are no records."""
    values = sum(coverage.rungs.values())
    if values:
        yield _line("grounding", (f"{level} {count / values:.1%}" for level, count in coverage.rungs.items()))
        yield _line("proof", _proof(coverage.rungs))
    every = coverage.tools.all
    yield from _counted("kind x tool", {kind: f"{len(tools):,} of {every:,}" for kind, tools in coverage.kinds.items()})
    yield from _counted("calls", coverage.calls_per_record)
    yield from _counted("tools shown", coverage.tools_shown)
    yield from _counted("errors", coverage.errors)
    unused = [f"{name} ({each.unused[0]})" for name, each in coverage.by_tool.items() if each.unused]
    if unused:
        more = f" and {len(unused) - _SHOWN_UNUSED:,} more" if len(unused) > _SHOWN_UNUSED else ""
        yield _line("not used", unused[:_SHOWN_UNUSED]) + more


def _counted(what: str, counts: Mapping[str, int | str]) -> Iterator[str]:
    shown = [f"{name}: {count:,}" if isinstance(count, int) else f"{name} {count}" for name, count in counts.items()]
    if shown:
        more = f" and {len(shown) - _SHOWN_COUNTS} more" if len(shown) > _SHOWN_COUNTS else ""
        yield _line(what, shown[:_SHOWN_COUNTS]) + more


def _line(what: str, parts: Iterator[str] | list[str]) -> str:
    return f"{what:<11} " + ", ".join(parts)
