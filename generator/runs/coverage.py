"""Coverage: how much of what the tools offer one record uses, and how different the values are that a model gives.

Values are counted by a hash, in so many buckets a parameter, so that a large run keeps small counts; how many are
distinct is estimated from the buckets that stay empty (linear counting, within a few percent up to some thousands).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import log

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject
from generator.tools import Tool, parts_used, surface_of

VALUE = "value"
SEPARATOR = "\x1f"
_BUCKETS = 1024
_FEWEST_USES = 10
"""Uses from which on the spread of a parameter's values says something."""
_MOST_SHOWN = 40


KIND_TOOL, PARAMETER, CHOICE = "kind and tool", "parameter", "choice"
OPINION = "second opinion"
CALLS, TOOLS, EVIDENCE_LEVEL = "calls in a record", "tools in a record", "evidence level"
LENGTH = "tokens in a record"

Counted = tuple[str, str]
"""A topic of the tally, and what was seen of it."""


def cover(document: JsonObject, grounding: JsonObject, tools: Iterable[Tool]) -> tuple[Counted, ...]:
    """Return what one record uses: kind, tools, their parameters and choices, calls and evidence levels."""
    by_name = {tool.name: tool for tool in tools}
    calls = _called(document)
    kind = document["metadata"]["kind"]
    named = dict.fromkeys(call["name"] for call in calls) or by_name
    found = [(KIND_TOOL, f"{kind}{SEPARATOR}{name}") for name in named]
    found += [(CALLS, str(len(calls))), (TOOLS, str(len(document["tools"])))]
    for call in calls:
        if (tool := by_name.get(call["name"])) is not None:
            found += _given(tool, call["arguments"])
    if document["metadata"]["author"] != "offline":
        found += values_used(calls, by_name)
    found += [(OPINION, how) for how in document["metadata"].get("second_opinion", ())]
    return (*found, *_evidence_levels(grounding))


def _called(document: JsonObject) -> list[JsonObject]:
    return [call["function"] for message in document["messages"] for call in message.get("tool_calls", ())]


def _given(tool: Tool, arguments: JsonObject) -> list[Counted]:
    """Return which parameters of a tool arguments give, and which of their choices."""
    surface = surface_of(tool)
    found = []
    for name, value in dict.fromkeys(parts_used(arguments)):
        found.append((PARAMETER, f"{tool.name}{SEPARATOR}{name}"))
        if name in surface.choices and value in surface.choices[name]:
            found.append((CHOICE, f"{tool.name}{SEPARATOR}{name}{SEPARATOR}{value}"))
    return found


def _evidence_levels(grounding: JsonObject) -> list[Counted]:
    return [(EVIDENCE_LEVEL, entry["level"]) for entries in grounding.values() for entry in entries.values()]


def used_by_tool(names: Iterable[str]) -> dict[str, list[str]]:
    """Group the names of a topic by the tool they begin with."""
    found: dict[str, list[str]] = {}
    for name in names:
        tool, _, rest = name.partition(SEPARATOR)
        found.setdefault(tool, []).append(rest)
    return found


def count_kinds(counts: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return how many records of each kind use each tool."""
    found: dict[str, Counter[str]] = {}
    for name, count in sorted(counts.items()):
        kind, _, tool = name.partition(SEPARATOR)
        found.setdefault(kind, Counter())[tool] += count
    return {kind: dict(tools) for kind, tools in found.items()}


class Spread(BoundaryModel):
    """One parameter: how often it was given, and how many of the values differ."""

    uses: int
    distinct: int


def values_used(calls: Iterable[Mapping[str, object]], tools: Mapping[str, Tool]) -> list[tuple[str, str]]:
    """Return the values of some calls' parameters, as topics of the tally and names; choices and flags are none."""
    found = []
    for call in calls:
        tool = tools.get(str(call["name"]))
        if tool is None:
            continue
        choices = surface_of(tool).choices
        for name, value in parts_used(call["arguments"]):
            if value and value not in ("true", "false") and value[0] not in "{[" and name not in choices:
                bucket = int.from_bytes(blake2b(value.encode(), digest_size=4).digest(), "big") % _BUCKETS
                found.append((VALUE, f"{tool.name}{SEPARATOR}{name}{SEPARATOR}{bucket}"))
    return found


def spreads(counts: Mapping[str, int]) -> dict[str, Spread]:
    """Return the spread of each parameter that was given often enough, the narrowest first."""
    filled: dict[str, list[int]] = {}
    for name, count in counts.items():
        tool, parameter, _ = name.split(SEPARATOR)
        filled.setdefault(f"{tool}.{parameter}", []).append(count)
    found = {name: Spread(uses=sum(each), distinct=_distinct(len(each), sum(each))) for name, each in filled.items()}
    often = [(name, each) for name, each in found.items() if each.uses >= _FEWEST_USES]
    often.sort(key=lambda pair: (pair[1].distinct / pair[1].uses, pair[0]))
    return dict(often[:_MOST_SHOWN])


def _distinct(buckets: int, uses: int) -> int:
    """Estimate how many values fell into so many buckets."""
    if buckets >= _BUCKETS:
        return uses
    return min(uses, round(-_BUCKETS * log(1 - buckets / _BUCKETS)))
