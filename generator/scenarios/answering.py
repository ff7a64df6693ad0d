"""Answering: what the calls of a draft bring on the world of their scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.worlds.execution import execute
from generator.worlds.world import World


def answer_calls(
    scenario: Scenario, draft: Draft, step: Step, history: tuple[Exchange, ...] = ()
) -> tuple[ToolResult, ...]:
    """Answer the calls of a draft, in their order, on the world as the calls before them left it.

    Calls made just as they were planned, after nothing but planned ones, bring what the plan saw; others are executed.
    """
    if not draft.calls:
        return ()
    if _is_planned(draft, step) and all(
        _is_planned(each.draft, planned) for each, planned in zip(history, scenario.steps, strict=False)
    ):
        return tuple(call.answer for call in step.calls if call.answer is not None)
    drafts = [*(each.draft for each in history), draft]
    results = [result for _, result in _played(scenario, drafts, [*scenario.steps[: len(history)], step])]
    return tuple(results[len(results) - len(draft.calls) :])


def world_after(scenario: Scenario, history: tuple[Exchange, ...]) -> World:
    """Return the world as the calls of a whole conversation left it."""
    return worlds_of(scenario, [each.draft for each in history])[-1]


def worlds_of(scenario: Scenario, drafts: Sequence[Draft]) -> list[World]:
    """Return the world as it began, and as each call of a conversation left it."""
    return [scenario.world, *(world for world, _ in _played(scenario, drafts, scenario.steps))]


def _played(scenario: Scenario, drafts: Sequence[Draft], steps: Sequence[Step]) -> Iterator[tuple[World, ToolResult]]:
    """Execute every call in order; yield the world after each, and what it brought."""
    world = scenario.world
    tools = {tool.name: tool for tool in scenario.tools}
    for call, planned in _all_calls(drafts, steps):
        tool = tools.get(call.name)
        if tool is None:
            message = f"There is no tool called {call.name}."
            yield world, ToolResult(call.name, error_type="RESOURCE_NOT_FOUND", error_message=message)
            continue
        done = execute(world, tool, call.arguments, _outage(call, planned))
        world = done.world
        yield world, done.result


def _is_planned(draft: Draft, step: Step) -> bool:
    return len(draft.calls) == len(step.calls) and all(
        call.name == planned.tool.name and call.arguments == planned.arguments and planned.answer is not None
        for call, planned in zip(draft.calls, step.calls, strict=True)
    )


def _all_calls(drafts: Sequence[Draft], steps: Sequence[Step]) -> Iterator[tuple[DraftCall, PlannedCall | None]]:
    """Yield every call so far with its plan, where it has one."""
    for written, planned in zip(drafts, steps, strict=False):
        for place, call in enumerate(written.calls):
            yield call, planned.calls[place] if place < len(planned.calls) else None


def _outage(call: DraftCall, planned: PlannedCall | None) -> ToolResult | None:
    """Return the outage that was planned for a call of this tool."""
    if planned is None or not planned.struck or planned.tool.name != call.name:
        return None
    return planned.answer
