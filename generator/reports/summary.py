"""The summary of a run, told for people: tables and lines of what became of it, why records lack, and how to go on.

What is told comes as plain text and rows; whoever prints it makes it fit for a terminal.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from generator.run import RunReport
from generator.runs.settling import DUPLICATE
from generator.runs.summary import Coverage, RuleCount, Summary
from generator.scenarios.scenario import NOT_PLANNED

_SHOWN_UNUSED = 5
_SHOWN_COUNTS = 12
_SHOWN_RULES = 8
_SHOWN_TOOLS = 3
_SHOWN_RULES_IN_WORDS = 5
_SHOWN_REASONS = 3


class Column(NamedTuple):
    """The head of a column, and how its cells stand."""

    head: str
    justify: Literal["left", "right"] = "right"
    folds: bool = False
    """Whether a long cell goes on in the next line rather than being cut."""


class Table(NamedTuple):
    """Rows of text under heads, with a last row that sums up, or none."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[str, ...]]
    total: tuple[str, ...] = ()


def closing(report: RunReport) -> Iterator[Table | str]:
    """Yield what became of a run: tables, and lines between them."""
    summary = report.summary
    if report.made == 0:
        yield f"{report.folder.path}: this run is settled already, nothing was left to do"
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


def _columns(first: str, *others: str) -> tuple[Column, ...]:
    return Column(first, "left"), *map(Column, others)


def _kinds_table(summary: Summary) -> Table:
    counts = [(kind, count) for kind, count in summary.kinds.items() if count.asked or count.kept]
    rows = [
        (kind, f"{count.asked:,}", f"{count.kept:,}", f"{count.rejected:,}", f"{count.given_up:,}")
        for kind, count in counts
    ]
    given_up = summary.decided - summary.records
    total = ("all", f"{summary.asked:,}", f"{summary.records:,}", f"{summary.rejected:,}", f"{given_up:,}")
    return Table(_columns("kind", "asked", "kept", "rejected attempts", "given up"), rows, total)


def _rules_table(summary: Summary) -> Table:
    heads = (
        Column("rejected for", "left"),
        Column("attempts"),
        Column("meaning", "left"),
        Column("tools", "left", True),
    )
    rows = [
        (rule, f"{count.rejected:,}", meaning(rule), most_rejected(count))
        for rule, count in list(summary.rules.items())[:_SHOWN_RULES]
    ]
    return Table(heads, rows)


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
    "VE002": "a second opinion finds request, calls, results and answer sensible",
    "VE003": "a second opinion can be had",
}


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
    return Table(_columns("coverage", "used", "all", "share"), rows)


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


def _tokens_table(summary: Summary) -> Table:
    """Tokens per kind; a ~ marks sums that hold estimates."""
    tokens = summary.tokens
    mark = "~" if tokens.estimated else ""

    def row(name: str, *counts: int) -> tuple[str, ...]:
        return name, *(f"{mark}{each:,}" for each in counts)

    rows = [row(kind, count.prompt, count.completion, count.wasted) for kind, count in tokens.kinds.items()]
    total = row("all", tokens.prompt, tokens.completion, tokens.wasted)
    return Table(_columns("tokens", "prompt", "completion", "of these wasted"), rows, total)


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


def _shares_passed_on(summary: Summary) -> Iterator[str]:
    """Say which kinds and tools gave their share to the others, and why."""
    for kind, reason in summary.kinds_not_served.items():
        yield f"kind {kind} gave its share to the others: {reason}"
    for of, reasons in summary.given_up.items():
        for name, reason in reasons.items():
            yield f"{of} {name} gave its share to the others: {reason}"


def places(report: RunReport) -> Iterator[str]:
    """Yield where the files of a run are, and what to do with them."""
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


def reason_of(summary: Summary) -> str:
    """Say how many records are missing, for which rules and tools."""
    rules = [
        f"{rule}: {meaning(rule) or 'see rejections.jsonl'} ({count.rejected:,} attempts with {most_rejected(count)})"
        for rule, count in list(summary.rules.items())[:_SHOWN_RULES_IN_WORDS]
    ]
    untried = summary.asked - summary.decided
    missing = summary.decided - summary.records
    stopped = f"; the last {untried:,} were not tried, since nothing came of those before them" if untried else ""
    return (
        f"{summary.records:,} of {summary.asked:,} records were made; {missing:,} could not be, "
        f"whatever was tried: {'; '.join(rules)}{stopped}. {_remedy(summary)}"
    )


def _remedy(summary: Summary) -> str:
    """Say what gives more records: by the rule that rejected most, other tools or another model."""
    unusable = summary.tokens.unusable
    reason = next(iter(summary.rules), "")
    if reason == DUPLICATE:
        spent = ", ".join(f"{kind} {count.kept:,}" for kind, count in summary.kinds.items() if count.given_up)
        return f"The different requests of these tools are spent ({spent}): more tools or phrases give more records"
    if not unusable or reason == NOT_PLANNED:
        return "More tools, or tools with more parameters, give more records"
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in list(unusable.items())[:_SHOWN_REASONS])
    return (
        f"{sum(unusable.values()):,} answers of the model could not be used ({reasons}): "
        "another --model, more --attempts or prompts of your own give more records"
    )


def way_on(report: RunReport, jobs: int | None) -> str:
    """Say how to go on; what a run with a server needs beside its job is not kept, so there no command is printed."""
    summary, folder = report.summary, report.folder
    state = f"{summary.status} at {summary.decided:,} of {summary.asked:,}; everything is kept. "
    if jobs is None:
        return f"{state}To go on, run the same command again"
    again = shlex.join(
        ["toolgen", "generate", "--job", str(folder.job), "--out", str(folder.path), "--jobs", str(jobs)]
    )
    return f"{state}To go on, run the same command again, or:\n  {again}"
