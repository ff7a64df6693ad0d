"""Covered: the shares of what the tools offer that the records of a run use, for its summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from generator.boundary import BoundaryModel
from generator.records.calls import SUCCESS
from generator.runs import coverage, tally
from generator.runs.tally import Counts, topic
from generator.tools.surface import surface_of
from generator.tools.tool import Tool

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
    rungs: dict[str, int] = Field(default_factory=dict)
    """Values of arguments by the rung of the ladder that explains them."""
    calls_per_record: dict[str, int] = Field(default_factory=dict)
    tools_shown: dict[str, int] = Field(default_factory=dict)
    """Records by the number of tools they show."""
    errors: dict[str, int] = Field(default_factory=dict)
    """Calls by the error type that their result reports."""
    kinds: dict[str, dict[str, int]] = Field(default_factory=dict)
    """Records by kind and by the tools they call (or show, where they call none)."""
    by_tool: dict[str, ToolCoverage] = Field(default_factory=dict)
    """The tools of which something is not used."""


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
        rungs=topic(counts, coverage.RUNG),
        calls_per_record=_by_number(topic(counts, coverage.CALLS)),
        tools_shown=_by_number(topic(counts, coverage.TOOLS)),
        errors={name: count for name, count in topic(counts, tally.STATUS).items() if name != SUCCESS},
        kinds=coverage.count_kinds(topic(counts, coverage.KIND_TOOL)),
        by_tool={name: each for name, each in found.items() if each.unused},
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
