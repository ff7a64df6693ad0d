"""Scenarios and histories for the tests of replies, made by hand."""

from __future__ import annotations

from datetime import date
from typing import Any

from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Frames, Tool


def make_tool(
    name: str,
    description: str = "",
    replies: tuple[str, ...] = (),
    properties: dict[str, Any] | None = None,
    required: tuple[str, ...] = (),
) -> Tool:
    parameters = {"type": "object", "properties": properties or {}, "required": list(required)}
    frames = Frames(replies=replies)
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        result_schema={},
        result_origin="derived",
        frames=frames,
    )


def success(tool: Tool, arguments: dict[str, Any], content: Any) -> tuple[Tool, dict[str, Any], ToolResult]:
    return tool, arguments, ToolResult(tool.name, content)


def failure(
    tool: Tool, arguments: dict[str, Any], error_type: str, message: str
) -> tuple[Tool, dict[str, Any], ToolResult]:
    return tool, arguments, ToolResult(tool.name, error_type=error_type, error_message=message)


def make_scenario(tools: tuple[Tool, ...], seed: int = 1, calls: tuple[PlannedCall, ...] = ()) -> Scenario:
    steps = (Step(request=True, calls=calls), Step(reply=True))
    persona = Persona("traveler", "plain")
    return Scenario(0, 0, seed, "simple", tools, steps, persona, "en_US", date(2026, 1, 15))


def answered(*calls: tuple[Tool, dict[str, Any], ToolResult], seed: int = 1) -> tuple[Scenario, tuple[Exchange, ...]]:
    """The scenario and history of one step in which these calls were made."""
    tools = tuple({tool.name: tool for tool, _, _ in calls}.values())
    planned = tuple(PlannedCall(tool, arguments) for tool, arguments, _ in calls)
    draft = Draft(
        request="Please.", calls=tuple(DraftCall(name=tool.name, arguments=arguments) for tool, arguments, _ in calls)
    )
    return make_scenario(tools, seed, planned), (Exchange(draft, tuple(result for _, _, result in calls)),)
