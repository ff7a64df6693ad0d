"""Onward: whether the calls of a draft bring what the rest of its plan goes on with, told so that it can be mended.

Where a model finds its own values nobody has tried beforehand what they lead to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from generator.jsontext import dump_compact
from generator.kinds import KINDS
from generator.records.calls import SUCCESS, Draft, Exchange, ToolResult
from generator.scenarios.plan_state import is_so_already, outcome_of
from generator.scenarios.results import (
    answer_calls,
    brought,
    carried_by,
    entity_wanted,
    foreseen,
    ids_shown,
    said_in,
    worlds_of,
)
from generator.scenarios.scenario import Scenario
from generator.validation.verdict import Violation

_NOTHING_THERE = frozenset({"RESOURCE_NOT_FOUND", "SERVICE_UNAVAILABLE"})
"""Errors of a call for what the world does not have; that a call is refused for another reason is part of a life."""


def cannot_go_on(
    scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, results: tuple[ToolResult, ...]
) -> Iterator[Violation]:
    """Yield the calls that fail or do nothing, and what is lacking for those that follow.

    Calls that follow from the results by themselves are made as well: what they come to was decided here.
    """
    if not scenario.free or not draft.calls:
        return
    found = list(_failing(scenario, history, draft, results)) or list(_idle(scenario, history, draft))
    found = found or list(_carrying_nothing(scenario, history, draft))
    yield from found
    written = (*history, Exchange(draft, results))
    while not found and (calls := foreseen(scenario, written)):
        follow = Draft(calls=calls)
        answered = answer_calls(scenario, follow, scenario.steps[len(written)], written)
        found = [
            _refused(f"what follows, {each.name} with {dump_compact(call.arguments)}, fails here", each)
            for call, each in zip(calls, answered, strict=True)
            if each.error_type is not None
        ]
        yield from found
        written = (*written, Exchange(follow, answered))
    if not found:
        yield from _lacking(scenario, written)


def _failing(
    scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, results: Sequence[ToolResult]
) -> Iterator[Violation]:
    """Yield the calls that were to succeed and fail in the world; where others follow none may fail."""
    planned = Counter(call.tool.name for call in scenario.steps[len(history)].calls if call.outcome != SUCCESS)
    for place, (call, result) in enumerate(zip(draft.calls, results, strict=True)):
        if result.error_type is None:
            continue
        if KINDS[scenario.kind].values != "free in steps" and result.error_type not in _NOTHING_THERE:
            continue
        if planned[call.name]:
            planned[call.name] -= 1
            continue
        yield _refused(f"{call.name} fails here", result, place)


def _refused(what: str, result: ToolResult, place: int = 0) -> Violation:
    message = f"{what}: {result.error_message} Ask for what there is and can be done"
    return Violation(rule="LM013", pointer=f"/calls/{place}", message=message)


def _idle(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the calls that set what is so already, or ask once more what was answered."""
    drafts = [*(each.draft for each in history), draft]
    worlds, calls = worlds_of(scenario, drafts), [call for each in drafts for call in each.calls]
    first = len(calls) - len(draft.calls)
    for number, call in enumerate(calls[first:], start=first):
        if is_so_already(worlds[number], worlds[number + 1]):
            message = f"{call.name} changes nothing: it is so already. Ask for what is not so yet"
        elif any(
            (each.name, each.arguments) == (call.name, call.arguments) and end.changes == worlds[number].changes
            for each, end in zip(calls[:first], worlds[1:], strict=False)
        ):
            message = f"{call.name} was called with these values before, and nothing has changed since. Ask for more"
        else:
            continue
        yield Violation(rule="LM015", pointer=f"/calls/{number - first}", message=message)


def _carrying_nothing(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Find fault with calls that were to be given something of earlier results, and are given nothing of them."""
    if draft.request is not None or not any(brought(scenario, len(history))):
        return
    said = said_in(scenario, history)
    if not any(carried_by(scenario, history, call, said) for call in draft.calls):
        message = "none of these calls has a value that a result brings and nobody has said: take it from there"
        yield Violation(rule="LM014", pointer="/calls", message=message)


def _lacking(scenario: Scenario, history: tuple[Exchange, ...]) -> Iterator[Violation]:
    """Yield what the calls that follow are to be given, and no result shows."""
    step = scenario.steps[len(history)]
    if step.request or not step.calls:
        return
    for call, names in zip(step.calls, brought(scenario, len(history)), strict=True):
        for name in names:
            planned = call.arguments[name]
            entity = entity_wanted(scenario, name, planned)
            if entity and not ids_shown(scenario, history, name, planned, history):
                what = f"{name} from a result, the id of one {entity.replace('_', ' ')}, and the results bring none"
            elif not entity and all(outcome_of(result) != "ok" for result in history[-1].results):
                what = f"{name} from a result, and the results bring nothing"
            else:
                continue
            message = f"{call.tool.name}, which follows, needs {what} that nobody has said: ask for what is found here"
            yield Violation(rule="LM014", pointer="/calls", message=message)
