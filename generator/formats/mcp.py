"""The `mcp` format: tools as a Model Context Protocol server lists them (inputSchema, outputSchema)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generator.formats.definitions import RESULT_EXTENSION, read_plain
from generator.formats.format import Format, RawTool, ToolDump
from generator.formats.losses import strict_loss
from generator.jsontext import JsonObject, JsonValue
from generator.tools import Tool

_NAME = re.compile(r"[a-zA-Z0-9_./-]{1,128}")
_DESCRIPTIVE = frozenset({"title", "annotations", "icons", "_meta", "execution"})
"""Fields that MCP gives a tool beside its schemas; preserved."""
_KNOWN = frozenset({"name", "description", "inputSchema", "outputSchema"}) | _DESCRIPTIVE


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool of MCP's."""
    return isinstance(element, dict) and ("inputSchema" in element or ("outputSchema" in element and "name" in element))


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one tool."""
    yield read_plain(element, _KNOWN, "outputSchema", parameters="inputSchema", kept=_DESCRIPTIVE)


def dump(tools: Sequence[Tool]) -> ToolDump:
    """Write the tools as the answer to `tools/list`.

    An `outputSchema` is of an object; a result schema of another type is kept as an extension.
    """
    losses = {tool.name: tuple(strict_loss(tool)) for tool in tools}
    document = {"tools": [_write(tool) for tool in tools]}
    return ToolDump(document, {name: lost for name, lost in losses.items() if lost})


def _write(tool: Tool) -> JsonObject:
    written: JsonObject = {"name": _name(tool), "description": tool.description, "inputSchema": tool.parameters}
    if tool.result_origin != "domain":
        is_object = tool.result_schema.get("type") == "object"
        written["outputSchema" if is_object else RESULT_EXTENSION] = tool.result_schema
    return {**written, **tool.extensions}


def _name(tool: Tool) -> str:
    """Return the name the tool came with, where MCP takes it (dots and slashes too)."""
    return tool.original_name if _NAME.fullmatch(tool.original_name) else tool.name


FORMAT = Format(
    name="mcp", summary="Model Context Protocol: tools/list", matches_tools=matches, load_tools=load, dump_tools=dump
)
