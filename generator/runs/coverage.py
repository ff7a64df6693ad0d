"""Coverage: how much of what the tools offer the records of a run use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from generator.jsontext import JsonObject
from generator.tools.surface import parts_used, surface_of
from generator.tools.tool import Tool

KIND_TOOL, PARAMETER, CHOICE = "kind and tool", "parameter", "choice"
OPINION = "second opinion"
CALLS, TOOLS, RUNG = "calls in a record", "tools in a record", "rung"

Counted = tuple[str, str]
"""A topic of the tally, and what was seen of it."""

SEPARATOR = "\x1f"


def cover(document: JsonObject, grounding: JsonObject, tools: Iterable[Tool]) -> tuple[Counted, ...]:
    """Return what one record uses: its kind with its tools, their parameters and choices, its calls and rungs."""
    by_name = {tool.name: tool for tool in tools}
    calls = [call["function"] for message in document["messages"] for call in message.get("tool_calls", ())]
    kind = document["metadata"]["kind"]
    named = dict.fromkeys(call["name"] for call in calls) or by_name
    found = [(KIND_TOOL, f"{kind}{SEPARATOR}{name}") for name in named]
    found += [(CALLS, str(len(calls))), (TOOLS, str(len(document["tools"])))]
    for call in calls:
        if (tool := by_name.get(call["name"])) is not None:
            surface = surface_of(tool)
            for name, value in dict.fromkeys(parts_used(call["arguments"])):
                found.append((PARAMETER, f"{tool.name}{SEPARATOR}{name}"))
                if name in surface.choices and value in surface.choices[name]:
                    found.append((CHOICE, f"{tool.name}{SEPARATOR}{name}{SEPARATOR}{value}"))
    found += [(OPINION, how) for how in document["metadata"].get("second_opinion", ())]
    found += [(RUNG, entry["rung"]) for entries in grounding.values() for entry in entries.values()]
    return tuple(found)


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
