"""Tools out: a list of tools written in a format, with everything it could not hold."""

from __future__ import annotations

from collections.abc import Sequence

from generator.errors import UsageError
from generator.formats import FORMATS
from generator.formats.format import ToolDump
from generator.jsontext import JsonValue
from generator.suggest import did_you_mean
from generator.tools.tool import Tool

TOOL_FORMATS: tuple[str, ...] = tuple(name for name, one in FORMATS.items() if one.dump_tools)
"""The formats that tools can be written in."""


def dump_tools(tools: Sequence[Tool], to: str) -> ToolDump:
    """Write the tools in the format called `to`.

    Raises:
        UsageError: no such format, or two tools of one name (from different toolsets), which no format holds.
    """
    wanted = FORMATS.get(to)
    if wanted is None or wanted.dump_tools is None:
        hint = did_you_mean(to, TOOL_FORMATS)
        raise UsageError(
            f"tools cannot be written as {to!r}; the formats are {', '.join(TOOL_FORMATS)}. {hint}".strip()
        )
    _refuse_repeated_names(tools)
    return wanted.dump_tools(tools)


def dump_as_trained(tools: Sequence[Tool]) -> JsonValue:
    """Write the tools as records show them to the model, which is what to serve the tuned model with.

    Raises:
        UsageError: two tools of one name, which a request cannot hold.
    """
    _refuse_repeated_names(tools)
    return [tool.shown for tool in tools]


def _refuse_repeated_names(tools: Sequence[Tool]) -> None:
    toolsets: dict[str, list[str]] = {}
    for tool in tools:
        toolsets.setdefault(tool.name, []).append(tool.toolset)
    for name, sharing in toolsets.items():
        if len(sharing) > 1:
            raise UsageError(
                f"{name!r} is defined differently in {', '.join(sharing)}, and one list of tools holds a name once: "
                "write one source at a time"
            )
