"""What a page tells above its records: facts, tables and charts, from the summary and what the records told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log

from generator.jsontext import JsonValue, dump_compact
from generator.lengths import LengthCounts
from generator.reports.page.changes import SORTS, Changes
from generator.reports.page.charts import Chart, bars, columns
from generator.reports.page.diversity import Diversity, measure
from generator.reports.page.reading import Reading
from generator.reports.page.source import Source
from generator.reports.summary import vouchers
from generator.reports.table import Column, Table
from generator.reports.table import columns as heads
from generator.runs.summary import Coverage, Summary
from generator.tools import Tool, surface_of

_MOST_TOOLS = 300
_MOST_ROWS = 200
_SHADES = 7
_BINS = 24
_FEWEST_TEXTS = 20
"""Requests from which on their diversity says something."""
PEOPLE = (
    ("people: 200 questions of BFCL live_multiple", ".688", ".30 to .37"),
    ("people: 200 questions of BFCL simple", ".752", ".30 to .37"),
)
"""distinct-2 and self-BLEU-4 of people's own questions, measured alike: tests/README.md tells with what."""
_SETTINGS = ("author", "seed", "mix", "error_rate", "locale", "reference_date", "mask", "attempts", "max_length")
_OF_MODELS = ("model", "results", "freedom", "verify", "verify_model", "proof", "tries", "temperature", "top_p")
_MANY_TOOLS = (8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure of the top of a page."""

    label: str
    value: str
    note: str = ""


def facts(source: Source, reading: Reading) -> Iterator[Fact]:
    """Yield the figures that stand at the top."""
    summary, coverage = source.summary, source.summary.coverage
    kinds = sum(1 for count in summary.kinds.values() if count.kept)
    yield Fact("records", f"{summary.records:,}", f"of {summary.asked:,} asked for")
    yield Fact("kinds", f"{kinds:,}", f"of {len(summary.kinds):,} asked for")
    yield Fact("tools called", f"{coverage.tools.used:,}", f"of {coverage.tools.all:,}")
    if (share := yield_of(source)) is not None:
        yield Fact("yield", f"{share:.1%}", f"{summary.rejected:,} attempts rejected")
    about = "estimated" if summary.lengths.estimated else "counted"
    yield Fact("tokens of a record", f"{summary.lengths.median:,}", f"median, {about}")
    if values := sum(coverage.evidence_levels.values()):
        by_text = vouchers(coverage.evidence_levels)["by text"] / values
        yield Fact("proven by text", f"{by_text:.1%}", f"of {values:,} values of arguments")
    if summary.tokens.answers:
        yield Fact("tokens paid for", f"{summary.tokens.prompt + summary.tokens.completion:,}", _cost(summary))
    if reading.unreadable:
        yield Fact("no records", f"{reading.unreadable:,}", "lines that hold none")


def yield_of(source: Source) -> float | None:
    """Return the share of attempts that became records, of a build those for what it made anew; None without any."""
    tried = source.manifest.get("attempts")
    if not isinstance(tried, dict):
        return source.summary.record_yield
    made, rejected = tried.get("records"), tried.get("rejected")
    if not isinstance(made, int) or not isinstance(rejected, int) or made + rejected <= 0:
        return None
    return made / (made + rejected)


def _cost(summary: Summary) -> str:
    wasted = f"{summary.tokens.wasted:,} wasted"
    return wasted if summary.tokens.cost is None else f"cost {summary.tokens.cost:,.4f}, {wasted}"


def settings(source: Source) -> Table:
    """Return what was asked for beside counts, as far as it is set."""
    names = _SETTINGS if source.job.get("author") == "offline" else (*_SETTINGS, *_OF_MODELS)
    told = ((name.replace("_", " "), source.job.get(name)) for name in names)
    rows = [(name, _in_words(value)) for name, value in told if value not in (None, "", [], {})]
    return Table((Column("setting", "left"), Column("value", "left")), rows)


def _in_words(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(
            f"{name} {part if isinstance(part, int | float) else dump_compact(part)}" for name, part in value.items()
        )
    return str(value)


def kinds_table(summary: Summary) -> Table:
    """Return the kinds: asked for, made, rejected and given up."""
    rows = [
        (kind, f"{count.asked:,}", f"{count.kept:,}", f"{count.rejected:,}", f"{count.given_up:,}")
        for kind, count in summary.kinds.items()
        if count.asked or count.kept
    ]
    given_up = summary.decided - summary.records
    total = ("all", f"{summary.asked:,}", f"{summary.records:,}", f"{summary.rejected:,}", f"{given_up:,}")
    return Table(heads("kind", "asked for", "made", "attempts rejected", "given up"), rows, total)


def passed_on(summary: Summary) -> list[str]:
    """Say which kinds and tools gave their share to the others, and why."""
    served = [f"The kind {kind} is not served: {reason}" for kind, reason in summary.kinds_not_served.items()]
    given_up = [
        f"The {of} {name} was given up: {why}" for of, each in summary.given_up.items() for name, why in each.items()
    ]
    return [*served, *given_up]


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a heat map."""

    count: int
    shade: int
    """0 for none, up to 6."""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Records by tool and kind, the tools that the fewest records use first."""

    kinds: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...], int], ...]
    left_out: int
    """Tools that are not shown, since more records use them."""


def heat_map(source: Source) -> HeatMap:
    """Count the records of each kind that use each tool."""
    coverage = source.summary.coverage
    used = Counter(dict.fromkeys([*(tool.name for tool in source.tools), *source.summary.tools], 0))
    for counts in coverage.kinds.values():
        used.update(counts)
    names = sorted(used, key=lambda name: (used[name], name))
    most = max((count for counts in coverage.kinds.values() for count in counts.values()), default=1)
    kinds = [kind for kind in source.summary.kinds if kind in coverage.kinds]
    shown = names[:_MOST_TOOLS]
    cells = {name: tuple(_cell(coverage.kinds[kind].get(name, 0), most) for kind in kinds) for name in shown}
    rows = tuple((name, cells[name], used[name]) for name in shown)
    return HeatMap(tuple(kinds), rows, len(names) - len(shown))


def _cell(count: int, most: int) -> Cell:
    """Return a field whose shade grows with the logarithm, for few records are what one looks for."""
    if not count:
        return Cell(0, 0)
    return Cell(count, 1 + round((_SHADES - 2) * log(count) / log(most)) if most > 1 else _SHADES - 1)


def shares(coverage: Coverage) -> list[tuple[str, int, int]]:
    """Return what of the tools is used, and of how much."""
    return [
        ("tools called", coverage.tools.used, coverage.tools.all),
        ("optional parameters given", coverage.optional_parameters.used, coverage.optional_parameters.all),
        ("values of enumerations given", coverage.enum_values.used, coverage.enum_values.all),
    ]


def tools_table(source: Source) -> tuple[Table, int]:
    """Return the tools, those of which something is not used first; and how many are left out."""
    lacking, counts = source.summary.coverage.by_tool, source.summary.tools
    order = sorted(source.tools, key=lambda tool: (tool.name not in lacking, tool.name))
    rows = []
    for tool in order[:_MOST_ROWS]:
        count = counts.get(tool.name)
        called, shown = (count.called, count.shown) if count else (0, 0)
        rows.append((tool.name, f"{shown:,}", f"{called:,}", *_used(source, tool)))
    names = heads("tool", "shown", "called", "optional parameters", "values of enumerations")
    return Table((*names, Column("not used", "left")), rows), len(order) - len(rows)


def _used(source: Source, tool: Tool) -> tuple[str, str, str]:
    told = source.summary.coverage.by_tool.get(tool.name)
    if told is not None:
        optional, values = told.optional_parameters, told.enum_values
        return _of(optional.used, optional.all), _of(values.used, values.all), ", ".join(told.unused)
    surface = surface_of(tool)
    optional_ones, every = len(surface.optional), sum(map(len, surface.choices.values()))
    return _of(optional_ones, optional_ones), _of(every, every), ""


def _of(used: int, every: int) -> str:
    return f"{used} of {every}" if every else "–"


def coverage_charts(coverage: Coverage) -> list[Chart]:
    """Draw how many calls the records have, how many tools they show, and what went wrong in them."""
    drawn = []
    if coverage.calls_per_record:
        drawn.append(columns("Calls in a record", "records", coverage.calls_per_record))
    if coverage.tools_shown:
        drawn.append(columns("Tools shown in a record", "records", _few(coverage.tools_shown)))
    if coverage.errors:
        drawn.append(bars("Errors that results report", "calls", coverage.errors))
    return drawn


def _few(counts: Mapping[str, int]) -> dict[str, int]:
    """Join large numbers, of which there are many and each is rare."""
    found: dict[str, int] = {}
    for text, count in sorted(counts.items(), key=lambda pair: int(pair[0])):
        number = int(text)
        after = next((limit for limit in reversed(_MANY_TOOLS) if number > limit), 0)
        until = next((limit for limit in _MANY_TOOLS if number <= limit), 0)
        name = text if not after else f"{after + 1}–{until}" if until else f"{after + 1} on"
        found[name] = found.get(name, 0) + count
    return found


def lengths_chart(lengths: LengthCounts) -> Chart | None:
    """Draw how the lengths of the records spread: steps of a round number of tokens, and what is longer in one."""
    counted = sorted(lengths.counts.items())
    total = sum(count for _, count in counted)
    if not total:
        return None
    step = _step(_at(counted, 0.99 * total))
    found = {_bin(number, step): 0 for number in range(_BINS) if number * step <= _at(counted, 0.99 * total)}
    last = len(found)
    for tokens, count in counted:
        name = _bin(tokens // step, step) if tokens // step < last else f"{last * step:,} on"
        found[name] = found.get(name, 0) + count
    return columns("Tokens of a record", "records", found)


def _at(counted: Sequence[tuple[int, int]], place: float) -> int:
    seen = 0
    for tokens, count in counted:
        seen += count
        if seen >= place:
            return tokens
    return counted[-1][0]


def _step(longest: int) -> int:
    """Return the round number by which so many tokens come to no more than the columns there are."""
    size = 10
    while True:
        for step in (size, size * 2, size * 5):
            if longest // step < _BINS:
                return step
        size *= 10


def _bin(number: int, step: int) -> str:
    return f"{number * step:,}–{(number + 1) * step - 1:,}"


def lengths_table(summary: Summary) -> Table:
    """Return the lengths in figures."""
    lengths = summary.lengths
    spread = (("median", lengths.median), ("nine of ten up to", lengths.p90), ("99 of 100 up to", lengths.p99))
    rows = [(name, f"{tokens:,}") for name, tokens in (*spread, ("longest", lengths.longest))]
    return Table(heads("length", "tokens"), rows)


def limits_table(summary: Summary) -> Table:
    """Return how many records are longer than the limits at which trainers cut."""
    every = max(1, summary.records)
    rows = [
        (f"{int(limit):,}", f"{count:,}", f"{count / every:.1%}") for limit, count in summary.lengths.longer.items()
    ]
    return Table(heads("longer than, in tokens", "records", "share"), rows)


def proof_table(coverage: Coverage) -> Table:
    """Return what vouches for the values of arguments."""
    values = max(1, sum(coverage.evidence_levels.values()))
    rows = [(how, f"{count:,}", f"{count / values:.1%}") for how, count in vouchers(coverage.evidence_levels).items()]
    return Table(heads("proof", "values", "share"), rows)


def diversity_table(reading: Reading) -> Table | None:
    """Return how varied the requests are, beside people's own; None where there are too few."""
    found: list[tuple[str, str, str, str, str]] = []
    for name, choice in (("all kinds", reading.requests), ("kind simple", reading.one_call)):
        texts = choice.texts()
        if len(texts) >= _FEWEST_TEXTS:
            found.append(_varied(f"these records: {len(texts):,} requests, {name}", measure(texts)))
    if not found:
        return None
    people = [(name, "–", distinct, bleu, "0% to 4%") for name, distinct, bleu in PEOPLE]
    return Table(heads("requests", "distinct-1", "distinct-2", "self-BLEU-4", "near duplicates"), [*found, *people])


def _varied(name: str, found: Diversity) -> tuple[str, str, str, str, str]:
    figures = (found.distinct_1, found.distinct_2, found.self_bleu_4)
    one, two, bleu = (f"{figure:.3f}".removeprefix("0") for figure in figures)
    return name, one, two, bleu, f"{found.near_duplicates:.1%}"


def tokens_table(summary: Summary) -> Table:
    """Return the tokens that a model took, by kind."""
    tokens = summary.tokens
    rows = [
        (kind, f"{count.prompt:,}", f"{count.completion:,}", f"{count.wasted:,}")
        for kind, count in tokens.kinds.items()
    ]
    total = ("all", f"{tokens.prompt:,}", f"{tokens.completion:,}", f"{tokens.wasted:,}")
    return Table(heads("kind", "prompt", "completion", "of these wasted"), rows, total)


def answers(summary: Summary) -> list[str]:
    """Say how the model was asked, and what became of its answers."""
    tokens, opinions = summary.tokens, summary.second_opinions
    told = [f"{tokens.answers:,} answers by {summary.response_mode or 'the response mode of the server'}."]
    if tokens.estimated:
        told.append(f"The tokens of {tokens.estimated:,} answers are estimated, for the server did not count them.")
    if tokens.cost is not None:
        told.append(f"Cost by the prices given: {tokens.cost:,.4f}.")
    if opinions.tokens:
        agreed = ", ".join(f"{how} {count:,}" for how, count in opinions.agreed.items()) or "none"
        told.append(f"Second opinions: agreed {agreed}; not {opinions.disagreed:,}; {opinions.tokens:,} tokens.")
    for what, counts in (("Answers of no use", tokens.unusable), ("Requests sent again", tokens.failed)):
        if counts:
            told.append(f"{what}: " + ", ".join(f"{why} {count:,}" for why, count in counts.items()) + ".")
    return told


def changes_tables(changes: Changes) -> list[Table]:
    """Return what changed: figures, records by kind, tools."""
    first, by_kind = Column("figure", "left"), heads("kind", *SORTS)
    rows = [(kind, *_sorts(counts)) for kind, counts in changes.kinds.items()]
    told = [
        Table((first, Column("before"), Column("now")), changes.figures),
        Table(by_kind, rows, ("all", *_sorts(changes.records))),
    ]
    if changes.tools:
        tools = list(changes.tools.items())
        more = [(f"and {len(tools) - _MOST_ROWS:,} more", "")] if len(tools) > _MOST_ROWS else []
        told.append(Table((Column("tool", "left"), Column("is", "left")), [*tools[:_MOST_ROWS], *more]))
    return told


def reasons_anew(source: Source) -> Table | None:
    """Return how many records a build kept, and why it made others anew; None where the folder does not tell."""
    kept, anew = source.manifest.get("kept"), source.manifest.get("anew")
    if not isinstance(kept, int) or not isinstance(anew, dict):
        return None
    told = [(f"made anew: {reason}", count) for reason, count in anew.items() if isinstance(count, int)]
    return Table(heads("records", "count"), [(name, f"{count:,}") for name, count in [("kept", kept), *told]])


def _sorts(counts: Mapping[str, int]) -> Iterable[str]:
    return (f"{counts.get(sort, 0):,}" for sort in SORTS)
