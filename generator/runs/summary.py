"""The summary of a run: what was asked, kept and rejected, and why; and how much of what the tools offer is used."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from generator.backends.budget import Price, Usage
from generator.boundary import BoundaryModel
from generator.job import Job
from generator.lengths import Lengths, spread_of
from generator.records import SUCCESS
from generator.runs import coverage, tally
from generator.runs.coverage import VALUE, Spread, spreads
from generator.runs.identity import Resolved
from generator.runs.tally import Counts, topic, total
from generator.scenarios.scenario import NOT_PLANNED
from generator.tools import Tool, surface_of
from generator.validation.verdict import OPINION_RULES

_SHOWN_UNUSED = 12


class Share(BoundaryModel):
    """How much of what there is was used."""

    used: int = 0
    all: int = 0

    @property
    def share(self) -> float:
        """The share used; 1 where there is nothing to use."""
        return self.used / self.all if self.all else 1.0


class ToolCoverage(BoundaryModel):
    """One tool: its optional parameters and the values of its enumerations, used of all."""

    optional_parameters: Share
    enum_values: Share
    unused: tuple[str, ...] = ()
    """Some of what no record uses: parameters, and `parameter=value`."""


class Coverage(BoundaryModel):
    """How much of what the tools offer the records use."""

    tools: Share = Share()
    """Tools that are called."""
    optional_parameters: Share = Share()
    enum_values: Share = Share()
    evidence_levels: dict[str, int] = Field(default_factory=dict)
    """Values of arguments by the evidence level that explains them."""
    calls_per_record: dict[str, int] = Field(default_factory=dict)
    tools_shown: dict[str, int] = Field(default_factory=dict)
    """Records by the number of tools they show."""
    errors: dict[str, int] = Field(default_factory=dict)
    """Calls by the error type that their result reports."""
    kinds: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Records by kind and by the tools they call (or show, where they call none)."""
    by_tool: dict[str, ToolCoverage] = Field(default_factory=dict)
    """The tools of which something is not used."""
    spread: dict[str, Spread] = Field(default_factory=dict)
    """The parameters (`tool.parameter`) whose values a model found, those with the fewest distinct ones first."""


def summarize_coverage(counts: Counts, tools: Iterable[Tool]) -> Coverage:
    """Make what the summary says of coverage from the counts of the run store and the tools of the catalog."""
    used = coverage.used_by_tool(topic(counts, coverage.PARAMETER))
    chosen = coverage.used_by_tool(topic(counts, coverage.CHOICE))
    called = topic(counts, tally.CALLED)
    found = {tool.name: _of_tool(tool, used.get(tool.name, ()), chosen.get(tool.name, ())) for tool in tools}
    return Coverage(
        tools=Share(used=sum(name in called for name in found), all=len(found)),
        optional_parameters=_sum(each.optional_parameters for each in found.values()),
        enum_values=_sum(each.enum_values for each in found.values()),
        evidence_levels=topic(counts, coverage.EVIDENCE_LEVEL),
        calls_per_record=_by_number(topic(counts, coverage.CALLS)),
        tools_shown=_by_number(topic(counts, coverage.TOOLS)),
        errors={name: count for name, count in topic(counts, tally.STATUS).items() if name != SUCCESS},
        kinds=coverage.count_kinds(topic(counts, coverage.KIND_TOOL)),
        by_tool={name: each for name, each in found.items() if each.unused},
        spread=spreads(topic(counts, VALUE)),
    )


def _of_tool(tool: Tool, used: Iterable[str], chosen: Iterable[str]) -> ToolCoverage:
    surface = surface_of(tool)
    every = {f"{name}={value}" for name, values in surface.choices.items() for value in values}
    unused = surface.optional.difference(used)
    not_chosen = every.difference(each.replace(coverage.SEPARATOR, "=", 1) for each in chosen)
    return ToolCoverage(
        optional_parameters=Share(used=len(surface.optional) - len(unused), all=len(surface.optional)),
        enum_values=Share(used=len(every) - len(not_chosen), all=len(every)),
        unused=tuple([*sorted(unused), *sorted(not_chosen)][:_SHOWN_UNUSED]),
    )


def _sum(shares: Iterable[Share]) -> Share:
    held = list(shares)
    return Share(used=sum(each.used for each in held), all=sum(each.all for each in held))


def _by_number(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: int(pair[0])))


Status = Literal["complete", "incomplete", "limited", "waiting", "interrupted", "terminated"]

EXIT_CODES: Mapping[Status, int] = {
    "complete": 0,
    "incomplete": 1,
    "limited": 4,
    "waiting": 0,
    "interrupted": 130,
    "terminated": 143,
}

RESPONSE_MODE_NOTE = "response mode"
"""The note in the run store of the response mode in which the server is asked."""
RESPONSE_FORMAT_NOTES = "response format of "
"""How the notes begin that tell it of each server and model that was asked."""

_OUTCOMES = (tally.KEPT, tally.REJECTED, tally.GIVEN_UP)
_MICRO = 1_000_000


class KindCount(BoundaryModel):
    """One kind: records asked for in the whole run, records kept, attempts rejected, indices given up."""

    asked: int
    kept: int
    rejected: int
    given_up: int


class ToolCount(BoundaryModel):
    """One tool: records that show it, calls of it."""

    shown: int
    called: int


class RuleCount(BoundaryModel):
    """One rule: attempts rejected for it, in all and by the tools they planned."""

    rejected: int
    tools: dict[str, int]


class TokenCount(BoundaryModel):
    """Tokens of one kind of record."""

    prompt: int = 0
    completion: int = 0
    wasted: int = 0
    """Of both: those of answers and attempts that became no part of a record."""


class Tokens(BoundaryModel):
    """Tokens paid for; the offline author pays none."""

    prompt: int = 0
    completion: int = 0
    wasted: int = 0
    """Of both: those of answers and attempts that became no part of a record."""
    cost: float | None = None
    """What they cost by the prices of the last session, None where none were given."""
    answers: int = 0
    estimated: int = 0
    """Answers whose tokens the server did not count, so that they are estimates."""
    kinds: dict[str, TokenCount] = Field(default_factory=dict)
    unusable: dict[str, int] = Field(default_factory=dict)
    """Answers that could not be used, by reason."""
    failed: dict[str, int] = Field(default_factory=dict)
    """Requests that failed and were sent again, by reason."""


class Opinions(BoundaryModel):
    """Second opinions on records that passed every rule; none where nobody was asked."""

    agreed: dict[str, int] = Field(default_factory=dict)
    """Records kept, by how the opinion was asked for: `blind`, `judge`."""
    disagreed: int = 0
    """Attempts rejected since the opinion was another one, or none could be had."""
    tokens: int = 0
    """What they cost, of all tokens."""


class Summary(BoundaryModel):
    """What became of a run so far; `summary.json` holds it."""

    status: Status
    name: str
    identity: str
    catalog: str
    range: str = ""
    """The range of indices, `A:B`, where the run is a part of a job; "" where it is the whole."""
    asked: int
    decided: int
    """Indices that are settled: a record, or given up."""
    records: int
    rejected: int
    """Attempts that yielded no record."""
    unplanned: int = 0
    """Of these: attempts that could not be planned, so that no author was asked."""
    record_yield: float | None
    """Records per attempt; None where none was made."""
    kinds: dict[str, KindCount]
    kinds_not_served: dict[str, str]
    """Kinds of the default mix that the catalog cannot serve, and why."""
    given_up: dict[str, dict[str, str]] = Field(default_factory=dict)
    """By `kind` and `tool`: those that a model was asked for no more, since none of its answers could be used."""
    tools: dict[str, ToolCount]
    rules: dict[str, RuleCount]
    errors: dict[str, int]
    """Calls by the error type that their result reports."""
    successes: int
    """Calls whose result carries a value."""
    coverage: Coverage = Coverage()
    lengths: Lengths = Lengths()
    """How long the records are."""
    tokens: Tokens = Tokens()
    second_opinions: Opinions = Opinions()
    domains: dict[str, int] = Field(default_factory=dict)
    """Tools by what is known about them: `written`, by a `model`, or `derived` from their definitions."""
    response_mode: str = ""
    """The response mode in which the server was asked for its answers, "" for the offline author."""
    cpu_seconds: float
    wall_seconds: float
    versions: dict[str, str]
    sha256: dict[str, str] = Field(default_factory=dict)
    """The digests of the files that were published with it, by name, in hex."""

    @property
    def exit_code(self) -> int:
        """The exit code that belongs to the status."""
        return EXIT_CODES[self.status]


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model was asked: nothing of it where the author was the offline one."""

    response_mode: str = ""
    given_up: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What was asked for no more, by `kind` or `tool` and name, and why."""
    price: Price | None = None


def summarize(
    job: Job,
    resolved: Resolved,
    counts: Counts,
    *,
    asked: Mapping[str, int],
    not_served: Mapping[str, str],
    stopped: Status | None = None,
    asking: Asking = Asking(),
    tools: Iterable[Tool] = (),
    domains: Mapping[str, int] | None = None,
) -> Summary:
    """Make the summary from the counts of a run, `asked` of them by kind; `stopped` is why it ended early."""
    records, rejected, given_up = (total(counts, [name]) for name in _OUTCOMES)
    return Summary(
        status=_status(_wanted(job, resolved, asked), records, records + given_up, stopped),
        name=job.name,
        identity=resolved.identity,
        catalog=resolved.catalog,
        range=resolved.range,
        asked=_wanted(job, resolved, asked),
        decided=records + given_up,
        records=records,
        rejected=rejected,
        unplanned=counts.get((tally.RULE, NOT_PLANNED), 0),
        record_yield=_yield(records, rejected),
        kinds=_kinds(asked, counts),
        kinds_not_served=dict(not_served),
        given_up=_by_subject(asking.given_up),
        tools=_tools(counts),
        rules=_rules(counts),
        **_statuses(counts),
        coverage=summarize_coverage(counts, tools),
        tokens=_tokens(counts, asking.price),
        second_opinions=_opinions(counts),
        domains=dict(domains or {}),
        response_mode=asking.response_mode,
        **_measured(counts, estimated=not job.tokenizer),
        versions={**resolved.versions, "python": platform.python_version()},
    )


def _wanted(job: Job, resolved: Resolved, asked: Mapping[str, int]) -> int:
    """Return how many records are asked for: all of the job, or those of its range."""
    return sum(asked.values()) if resolved.range else job.count


def _status(asked: int, records: int, decided: int, stopped: Status | None) -> Status:
    if records == asked:
        return "complete"
    return "incomplete" if stopped is None or decided == asked else stopped


def _measured(counts: Counts, *, estimated: bool) -> dict[str, Any]:
    """Return the seconds that a run took, and how long its records are."""
    spent = {"cpu_seconds": tally.CPU_MICROSECONDS, "wall_seconds": tally.WALL_MICROSECONDS}
    tokens = {int(each): count for each, count in topic(counts, coverage.LENGTH).items()}
    seconds = {name: total(counts, [of]) / _MICRO for name, of in spent.items()}
    return {**seconds, "lengths": spread_of(tokens, estimated=estimated)}


def _yield(records: int, rejected: int) -> float | None:
    return round(records / (records + rejected), 4) if records + rejected else None


def _kinds(asked: Mapping[str, int], counts: Counts) -> dict[str, KindCount]:
    kept, rejected = topic(counts, tally.KEPT), topic(counts, tally.REJECTED)
    given_up = topic(counts, tally.GIVEN_UP)
    return {
        kind: KindCount(
            asked=asked.get(kind, 0),
            kept=kept.get(kind, 0),
            rejected=rejected.get(kind, 0),
            given_up=given_up.get(kind, 0),
        )
        for kind in _names(asked, kept, rejected, given_up)
    }


def _by_subject(given_up: Mapping[tuple[str, str], str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for (of, name), reason in given_up.items():
        found.setdefault(of, {})[name] = reason
    return found


def _tools(counts: Counts) -> dict[str, ToolCount]:
    shown, called = topic(counts, tally.SHOWN), topic(counts, tally.CALLED)
    names = _names(called, shown)
    return {name: ToolCount(shown=shown.get(name, 0), called=called.get(name, 0)) for name in names}


def _tokens(counts: Counts, price: Price | None) -> Tokens:
    prompt, completion = topic(counts, tally.PROMPT), topic(counts, tally.COMPLETION)
    wasted = Counter(topic(counts, tally.WASTED_PROMPT)) + Counter(topic(counts, tally.WASTED_COMPLETION))
    return Tokens(
        prompt=sum(prompt.values()),
        completion=sum(completion.values()),
        wasted=sum(wasted.values()),
        cost=cost_of(counts, price),
        answers=total(counts, [tally.ANSWERS]),
        estimated=total(counts, [tally.ESTIMATED]),
        kinds={
            kind: TokenCount(prompt=prompt[kind], completion=completion.get(kind, 0), wasted=wasted[kind])
            for kind in prompt
        },
        unusable=topic(counts, tally.UNUSABLE),
        failed=topic(counts, tally.FAILED),
    )


def _statuses(counts: Counts) -> dict[str, Any]:
    """Return how often calls fail, by the error type, and how often they do not."""
    statuses = topic(counts, tally.STATUS)
    return {"successes": statuses.pop(SUCCESS, 0), "errors": statuses}


def _opinions(counts: Counts) -> Opinions:
    refused = topic(counts, tally.RULE)
    return Opinions(
        agreed=topic(counts, coverage.OPINION),
        disagreed=sum(refused.get(rule, 0) for rule in OPINION_RULES),
        tokens=total(counts, [tally.OPINION_TOKENS]),
    )


def cost_of(counts: Counts, price: Price | None) -> float | None:
    """Return what the tokens cost, None where nobody gave a price."""
    tokens = Usage(total(counts, [tally.PROMPT]), total(counts, [tally.COMPLETION]))
    return None if price is None else round(price.of(tokens), 6)


def _rules(counts: Counts) -> dict[str, RuleCount]:
    tools: dict[str, dict[str, int]] = {}
    for pair, count in topic(counts, tally.RULE_TOOL).items():
        rule, _, name = pair.partition(tally.SEPARATOR)
        tools.setdefault(rule, {})[name] = count
    return {
        rule: RuleCount(rejected=count, tools=tools.get(rule, {})) for rule, count in topic(counts, tally.RULE).items()
    }


def _names(*counts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for each in counts for name in each))
