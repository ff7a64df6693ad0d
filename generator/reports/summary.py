"""The summary of a run, told: what became of it in few words at its end, and in full, in tables and entries.

In few words: made, rejected and why, not called, and how to look, check, use and go on, in at most twenty lines of a
screen of eighty columns, whatever there is; in full, all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from generator.jsontext import JsonObject
from generator.lengths import in_few_words
from generator.reports.codes import holds, meanings
from generator.reports.table import Column, Entry, Table, columns
from generator.run import RunReport
from generator.runs.folder import RunFolder
from generator.runs.record_files import files_there, told_files
from generator.runs.settling import DUPLICATE
from generator.runs.summary import Coverage, RuleCount, Summary
from generator.scenarios.scenario import NOT_PLANNED

_SHOWN_REASONS = 3
_SHOWN_REMEDIES = 2
_ROOM = 44
"""Characters that names may take in a line."""
_LONGEST_NAME = 40
_COUNT = 10
"""Columns of a count that stands where other lines have their word."""
_SHOWN_UNUSED = 5
_SHOWN_COUNTS = 12
_SHOWN_RULES = 8
_SHOWN_TOOLS = 3


def closing(report: RunReport, tools: Iterable[str], again: str) -> Iterator[Entry]:
    """Yield what became of a run over these tools; `again` is the command that goes on with it."""
    summary = report.summary
    yield Entry("made", _made(report))
    if not _is_stopped(summary):
        yield from _rejected(summary)
        if summary.records:
            yield Entry("length", in_few_words(summary.lengths))
        yield from _lacking(summary, tools)
    yield from _cost(summary)
    if _is_stopped(summary):
        yield Entry("go on", again, whole=True)
    yield from _next_steps(report)


def closing_fields(report: RunReport, again: str) -> JsonObject:
    """Return what became of a run for programs: an object, of which `summary.json` holds more."""
    summary = report.summary
    tokens = summary.tokens
    answers = {"tokens": tokens.prompt + tokens.completion, "cost": tokens.cost} if tokens.answers else {}
    return {
        "status": summary.status,
        "name": summary.name,
        "folder": str(report.folder.path),
        "asked": summary.asked,
        "decided": summary.decided,
        "made": summary.records,
        "rejected": summary.rejected,
        "rules": {rule: count.rejected for rule, count in summary.rules.items()},
        "seconds": round(summary.wall_seconds, 3),
        "cpu_seconds": round(summary.cpu_seconds, 3),
        "exit_code": summary.exit_code,
        "again": again,
        **answers,
    }


def _is_stopped(summary: Summary) -> bool:
    return summary.status in ("interrupted", "terminated", "limited", "waiting")


def _made(report: RunReport) -> str:
    summary = report.summary
    made = f"{summary.records:,} of {summary.asked:,} records"
    if _is_stopped(summary):
        left_out = summary.decided - summary.records
        without = f", {left_out:,} could not be made" if left_out else ""
        return f"{made}{without}; {summary.status}, everything is kept"
    if report.made == 0:
        return f"{made}; this run is settled already, nothing was left to do"
    if untried := summary.asked - summary.decided:
        return f"{made}; the last {untried:,} were not tried, since nothing came of those before"
    kinds = sum(1 for count in summary.kinds.values() if count.kept)
    called = summary.coverage.tools
    return f"{made}, of {_many(kinds, 'kind')}, with {called.used:,} of {_many(called.all, 'tool')} called"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _rejected(summary: Summary) -> Iterator[Entry]:
    """Yield the commonest reasons of rejections, in plain words, and what helps."""
    if not summary.rejected:
        return
    lacks = summary.asked - summary.records
    so = f"{lacks:,} records lack for it" if lacks else "others took their place"
    yield Entry("rejected", f"{_many(summary.rejected, 'attempt')}; {so}. The rules they broke:")
    rules = list(summary.rules.items())
    for rule, count in rules[:_SHOWN_REASONS]:
        yield Entry(f"{count.rejected:>{_COUNT},}", in_words(rule))
    if more := sum(count.rejected for _, count in rules[_SHOWN_REASONS:]):
        yield Entry(f"{more:>{_COUNT},}", f"for {_many(len(rules) - _SHOWN_REASONS, 'other reason')}")
    for remedy in remedies(summary)[:_SHOWN_REMEDIES]:
        yield Entry("remedy", remedy)


def in_words(rule: str) -> str:
    """Say what a rule asks for, with its code."""
    told = holds(rule).removesuffix(".")
    return f"{told or 'a rule of the author; see rejections.jsonl'} ({rule})"


_OF_MODELS = "another --model, more --attempts, or prompts of your own"


def remedies(summary: Summary) -> list[str]:
    """Say what helps against the commonest reasons, each once, the commonest first."""
    found = (_remedy(rule, summary) for rule in list(summary.rules)[:_SHOWN_REASONS])
    return list(dict.fromkeys(filter(None, found)))


def _remedy(rule: str, summary: Summary) -> str:
    """Say what helps against rejections by one rule; "" where nothing is needed."""
    spent = [kind for kind, count in summary.kinds.items() if count.given_up]
    if rule == DUPLICATE and spent:
        told = f"the different requests are spent for {_many(len(spent), 'kind')} ({names(spent)})"
        return f"{told}: {meanings()[rule].remedy}"
    if summary.response_mode:
        return meanings()[rule].remedy if rule in meanings() else _OF_MODELS
    if summary.records == summary.asked:
        return ""
    if rule in meanings():
        return meanings()[rule].remedy
    if summary.domains.get("written"):
        return "`toolgen domain --check FILE` tries the texts of a domain file; `from` in rejections.jsonl names each"
    return "a domain file says how people ask: `toolgen domain --help`"


def _lacking(summary: Summary, tools: Iterable[str]) -> Iterator[Entry]:
    """Yield the tools that no record calls, those of which little is known, and the kinds that could not be served."""
    called = {name for name, count in summary.tools.items() if count.called}
    if (idle := [name for name in dict.fromkeys(tools) if name not in called]) and summary.records:
        yield Entry("not called", f"{_many(len(idle), 'tool')}: {names(idle)}; a larger --count reaches more")
    if derived := summary.domains.get("derived"):
        yield Entry("plain", f"{_many(derived, 'tool')} without a domain file: stiff records; `toolgen domain --help`")
    if summary.kinds_not_served:
        kinds = list(summary.kinds_not_served)
        yield Entry("not served", f"{_many(len(kinds), 'kind')}: {names(kinds)}; `toolgen kinds KIND`")
    for of, reasons in summary.given_up.items():
        yield Entry("given up", f"{_many(len(reasons), of)}: {names(list(reasons))}; no usable answers")


def names(all_names: Sequence[str]) -> str:
    """Name as many as a line has room for, and count the rest."""
    shown: list[str] = []
    for name in all_names:
        short = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."
        if shown and len(", ".join([*shown, short])) > _ROOM:
            break
        shown.append(short)
    more = len(all_names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _cost(summary: Summary) -> Iterator[Entry]:
    """Yield what the answers of a model took; nothing where nobody was asked."""
    tokens = summary.tokens
    if not tokens.answers:
        return
    mark = "~" if tokens.estimated else ""
    cost = "" if tokens.cost is None else f"; cost {tokens.cost:,.4f}"
    sums = f"{mark}{tokens.prompt:,} in prompts, {mark}{tokens.completion:,} in answers, {mark}{tokens.wasted:,} wasted"
    yield Entry("tokens", f"{sums}{cost}")


def _checked(folder: RunFolder) -> Path:
    """Return what to name where the records are to be checked: their file, or the folder of several."""
    files = files_there(folder.path)
    return files[0] if len(files) == 1 else folder.path


def _next_steps(report: RunReport) -> Iterator[Entry]:
    folder, summary = report.folder, report.summary
    if summary.records:
        yield Entry("look", f"toolgen show {folder.path}", whole=True)
        yield Entry("check", f"toolgen validate {_checked(folder)}", whole=True)
    if summary.records and not _is_stopped(summary):
        yield Entry("use", f"toolgen export {folder.path} --format trl -o train.jsonl", whole=True)
    texts = f"; {folder.rejections} has the texts that were refused" if summary.rejected else ""
    yield Entry("more", f"--verbose, or {folder.summary}{texts}", whole=True)


def reason_of(summary: Summary) -> str:
    """Say how many records are missing, for which reason above all, and what helps."""
    missing, untried = summary.decided - summary.records, summary.asked - summary.decided
    made = f"{summary.records:,} of {summary.asked:,} records were made; {missing:,} could not be"
    stopped = f", and the last {untried:,} were not tried, since nothing came of those before" if untried else ""
    worst = next(iter(summary.rules.items()), None)
    if worst is None:
        return made + stopped
    rule, count = worst
    told = f"{_many(count.rejected, 'attempt')} with {names(list(count.tools))}"
    return f"{made}{stopped}. Most of all: {in_words(rule)}, {told}. {_what_helps(summary, rule)}"


def _what_helps(summary: Summary, rule: str) -> str:
    if summary.tokens.unusable and rule != NOT_PLANNED:
        return f"{_unusable(summary.tokens.unusable.items())}. What helps: {_remedy(rule, summary)}"
    return f"What helps: {_remedy(rule, summary)}"


def _unusable(reasons: Iterable[tuple[str, int]]) -> str:
    counted = list(reasons)
    told = ", ".join(f"{reason} {count:,}" for reason, count in counted[:_SHOWN_REASONS])
    return f"{sum(count for _, count in counted):,} answers of the model could not be used ({told})"


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
