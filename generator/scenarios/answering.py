"""Answering: what the calls of a draft bring on the world of their scenario."""

from __future__ import annotations

from collections.abc import Iterator

from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.worlds.execution import execute

_OUTAGES = frozenset(("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"))


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
    world = scenario.world
    results: list[ToolResult] = []
    tools = {tool.name: tool for tool in scenario.tools}
    for call, planned in _all_calls(scenario, draft, step, history):
        tool = tools.get(call.name)
        if tool is None:
            message = f"There is no tool called {call.name}."
            results.append(ToolResult(call.name, error_type="RESOURCE_NOT_FOUND", error_message=message))
            continue
        done = execute(world, tool, call.arguments, _outage(call, planned))
        world = done.world
        results.append(done.result)
    return tuple(results[len(results) - len(draft.calls) :])


def _is_planned(draft: Draft, step: Step) -> bool:
    return len(draft.calls) == len(step.calls) and all(
        call.name == planned.tool.name and call.arguments == planned.arguments and planned.answer is not None
        for call, planned in zip(draft.calls, step.calls, strict=True)
    )


def _all_calls(
    scenario: Scenario, draft: Draft, step: Step, history: tuple[Exchange, ...]
) -> Iterator[tuple[DraftCall, PlannedCall | None]]:
    """Yield every call so far with its plan, where it has one."""
    drafts = [*(each.draft for each in history), draft]
    steps = [*scenario.steps[: len(history)], step]
    for written, planned in zip(drafts, steps, strict=False):
        for place, call in enumerate(written.calls):
            yield call, planned.calls[place] if place < len(planned.calls) else None


def _outage(call: DraftCall, planned: PlannedCall | None) -> ToolResult | None:
    """Return the outage that was planned for a call of this tool."""
    if planned is None or planned.answer is None or planned.tool.name != call.name:
        return None
    return planned.answer if planned.answer.error_type in _OUTAGES else None
