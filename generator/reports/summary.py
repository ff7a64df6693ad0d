"""The summary of a run, told in full: tables and entries of what became of it, which `closing` tells in few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generator.reports.codes import holds
from generator.reports.table import Column, Entry, Table, columns
from generator.run import RunReport
from generator.runs.record_files import told_files
from generator.runs.summary import Coverage, RuleCount, Summary

_SHOWN_UNUSED = 5
_SHOWN_COUNTS = 12
_SHOWN_RULES = 8
_SHOWN_TOOLS = 3


def account(report: RunReport) -> Iterator[Table | Entry]:
    """Yield all that became of a run: tables, entries between them, and where its files are."""
    summary = report.summary
    yield _kinds_table(summary)
    if summary.rules:
        yield _rules_table(summary)
    if summary.records:
        yield coverage_table(summary.coverage)
        yield from coverage_lines(summary.coverage)
    if summary.tokens.answers:
        yield _tokens_table(summary)
        yield from _answers(summary)
    yield from _shares_passed_on(summary)
    yield from _places(report)


def _kinds_table(summary: Summary) -> Table:
    counts = [(kind, count) for kind, count in summary.kinds.items() if count.asked or count.kept]
    rows = [
        (kind, f"{count.asked:,}", f"{count.kept:,}", f"{count.rejected:,}", f"{count.given_up:,}")
        for kind, count in counts
    ]
    given_up = summary.decided - summary.records
    total = ("all", f"{summary.asked:,}", f"{summary.records:,}", f"{summary.rejected:,}", f"{given_up:,}")
    return Table(columns("kind", "asked", "kept", "rejected", "given up"), rows, total)


def _rules_table(summary: Summary) -> Table:
    heads = (Column("rejected for", "left"), Column("attempts"), Column("what did not hold, and where", "left"))
    rows = [
        (rule, f"{count.rejected:,}", f"{holds(rule)} {most_rejected(count)}".strip())
        for rule, count in list(summary.rules.items())[:_SHOWN_RULES]
    ]
    return Table(heads, rows)


def most_rejected(count: RuleCount) -> str:
    """Name the tools that a rule met most."""
    names = list(count.tools)
    more = f" and {len(names) - _SHOWN_TOOLS} more" if len(names) > _SHOWN_TOOLS else ""
    return ", ".join(names[:_SHOWN_TOOLS]) + more


def coverage_table(coverage: Coverage) -> Table:
    """Return the shares of tools, optional parameters and enumerated values that some record uses."""
    shares = (
        ("tools called", coverage.tools),
        ("optional parameters", coverage.optional_parameters),
        ("enum values", coverage.enum_values),
    )
    rows = [(what, f"{share.used:,}", f"{share.all:,}", f"{share.share:.1%}") for what, share in shares]
    return Table(columns("coverage", "used", "all", "share"), rows)


def _proof(levels: Mapping[str, int]) -> Iterator[str]:
    """Yield the shares of the values by what vouches for them."""
    values = sum(levels.values())
    for how, count in vouchers(levels).items():
        if count:
            yield f"{how} {count / values:.1%}"


def vouchers(levels: Mapping[str, int]) -> dict[str, int]:
    """Count the values by what vouches for them, from their evidence levels."""
    vouched = {"by construction": levels.get("construction", 0), "by a model": levels.get("asserted", 0)}
    return {"by text": sum(levels.values()) - sum(vouched.values()), **vouched}


def coverage_lines(coverage: Coverage) -> Iterator[Entry]:
    """Yield what else is counted, an entry each; nothing where there are no records."""
    levels = coverage.evidence_levels
    if values := sum(levels.values()):
        yield _entry("grounding", (f"{level} {count / values:.1%}" for level, count in levels.items()))
        yield _entry("proof", _proof(levels))
    every = coverage.tools.all
    yield from _counted("kind x tool", {kind: f"{len(tools):,} of {every:,}" for kind, tools in coverage.kinds.items()})
    yield from _counted("calls", coverage.calls_per_record)
    yield from _counted("tools shown", coverage.tools_shown)
    yield from _counted("errors", coverage.errors)
    unused = [f"{name} ({each.unused[0]})" for name, each in coverage.by_tool.items() if each.unused]
    if unused:
        more = f" and {len(unused) - _SHOWN_UNUSED:,} more" if len(unused) > _SHOWN_UNUSED else ""
        yield _entry("not used", unused[:_SHOWN_UNUSED], more)


def _counted(what: str, counts: Mapping[str, int | str]) -> Iterator[Entry]:
    shown = [f"{name}: {count:,}" if isinstance(count, int) else f"{name} {count}" for name, count in counts.items()]
    if shown:
        more = f" and {len(shown) - _SHOWN_COUNTS} more" if len(shown) > _SHOWN_COUNTS else ""
        yield _entry(what, shown[:_SHOWN_COUNTS], more)


def _entry(what: str, parts: Iterator[str] | list[str], more: str = "") -> Entry:
    return Entry(what, ", ".join(parts) + more)


def _tokens_table(summary: Summary) -> Table:
    """Tokens per kind; a ~ marks sums that hold estimates."""
    tokens = summary.tokens
    mark = "~" if tokens.estimated else ""

    def row(name: str, *counts: int) -> tuple[str, ...]:
        return name, *(f"{mark}{each:,}" for each in counts)

    rows = [row(kind, count.prompt, count.completion, count.wasted) for kind, count in tokens.kinds.items()]
    total = row("all", tokens.prompt, tokens.completion, tokens.wasted)
    return Table(columns("tokens", "prompt", "completion", "of these wasted"), rows, total)


def _answers(summary: Summary) -> Iterator[Entry]:
    tokens = summary.tokens
    estimated = f", the tokens of {tokens.estimated:,} estimated (~)" if tokens.estimated else ""
    yield Entry("answers", f"{tokens.answers:,} by {summary.response_mode}{estimated}")
    yield Entry("rejected", f"{summary.unplanned:,} plans, answers to {summary.rejected - summary.unplanned:,}")
    if tokens.cost is not None:
        yield Entry("cost", f"{tokens.cost:,.4f}")
    opinions = summary.second_opinions
    if opinions.tokens:
        agreed = ", ".join(f"{how} {count:,}" for how, count in opinions.agreed.items()) or "none"
        yield Entry("2nd opinion", f"agreed {agreed}; not {opinions.disagreed:,}; {opinions.tokens:,} tokens")
    for what, counts in (("unusable", tokens.unusable), ("sent again", tokens.failed)):
        if counts:
            yield _entry(what, [f"{reason} {count:,}" for reason, count in counts.items()])


def _shares_passed_on(summary: Summary) -> Iterator[Entry]:
    """Say which kinds and tools gave their share to the others, and why."""
    for kind, reason in summary.kinds_not_served.items():
        yield Entry("not served", f"kind {kind} gave its share to the others: {reason}")
    for of, reasons in summary.given_up.items():
        for name, reason in reasons.items():
            yield Entry("given up", f"{of} {name} gave its share to the others: {reason}")


def _places(report: RunReport) -> Iterator[Entry]:
    """Yield where the files of a run are."""
    folder, summary = report.folder, report.summary
    yield Entry("records", f"{told_files(folder.path)} ({summary.records:,})", whole=True)
    if summary.rejected:
        yield Entry("rejections", f"{folder.rejections} ({summary.rejected:,})", whole=True)
    yield Entry("summary", str(folder.summary), whole=True)
